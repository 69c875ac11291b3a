package file_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/file"
)

// plant writes a board of n tasks as files, every third waiting for the one
// before it, and lets the store take it in.
func plant(b *testing.B, n int) string {
	b.Helper()
	dir := filepath.Join(b.TempDir(), ".tasks")
	must(b, os.MkdirAll(dir, 0o755))
	made := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := 1; i <= n; i++ {
		t := pawl.Task{ID: pawl.ID(i), Subject: fmt.Sprintf("Task number %d of the board", i), Status: pawl.Pending, CreatedAt: made, UpdatedAt: made}
		if i%3 == 0 {
			t.BlockedBy = []pawl.ID{pawl.ID(i - 1)}
		}
		if i%3 == 2 && i < n {
			t.Blocks = []pawl.ID{pawl.ID(i + 1)}
		}
		must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("task_%d.json", i)), taskjson.Encode(&t), 0o644))
	}
	for range 2 { // the second time no file is young any longer
		add(b, open(b, dir))
	}
	return dir
}

func add(b *testing.B, s *file.Store) {
	b.Helper()
	op := pawl.Create{Tasks: []pawl.NewTask{{Subject: "another one"}}}
	must(b, errOf(pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op})))
}

func ready(b *testing.B, s *file.Store) {
	b.Helper()
	must(b, s.View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 20})
		if err == nil && len(page.Tasks) == 0 {
			b.Error("nothing is ready")
		}
		return err
	}))
}
