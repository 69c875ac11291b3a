package query_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// plant writes a board of n tasks as files; the last ones are open.
func plant(b *testing.B, n, open int) *pawl.Board {
	b.Helper()
	dir := filepath.Join(b.TempDir(), ".tasks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	made := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := 1; i <= n; i++ {
		t := pawl.Task{ID: pawl.ID(i), Subject: fmt.Sprintf("Task number %d of the board", i), Status: pawl.Pending, CreatedAt: made, UpdatedAt: made}
		if i <= n-open {
			t.Status, t.CompletedAt = pawl.Completed, made.Add(time.Duration(i)*time.Minute)
		}
		if i%3 == 0 && t.Open() {
			t.BlockedBy = []pawl.ID{pawl.ID(i - 1)}
		}
		if i%3 == 2 && i < n {
			t.Blocks = []pawl.ID{pawl.ID(i + 1)}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("task_%d.json", i)), taskjson.Encode(&t), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var board *pawl.Board
	for range 3 { // the second time no file is young any longer, the third time all is in the index
		if board != nil {
			board.Do(b.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.AddNote{ID: 1, Text: "x"}})
			board.Close()
		}
		s, err := file.Open(dir, file.WithWatcher(notify.Watch))
		if err != nil {
			b.Fatal(err)
		}
		board = pawl.NewBoard(s)
	}
	b.Cleanup(func() { board.Close() })
	return board
}

// BenchmarkLanes looks at a board of files as one that stays open does.
func BenchmarkLanes(b *testing.B) {
	for _, c := range []struct{ tasks, open int }{{1_000, 100}, {10_000, 100}, {10_000, 5_000}, {100_000, 100}, {100_000, 50_000}} {
		b.Run(fmt.Sprintf("%d/%d", c.tasks, c.open), func(b *testing.B) {
			board := plant(b, c.tasks, c.open)
			ctx := context.Background()
			look := func() {
				l, err := query.Of(ctx, query.Local(board), query.Asker{By: pawl.Actor{Name: "ada"}}, query.LanesQuery{Done: 10})
				if err != nil || l.Total[query.Finished] != c.tasks-c.open || len(l.Cards[query.Finished]) != 10 {
					b.Fatal(l.Total, err)
				}
			}
			look()
			b.ReportAllocs()
			for b.Loop() {
				look()
			}
		})
	}
}
