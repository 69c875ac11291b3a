package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/store/file"
)

// TestLoad runs all of the load with few of everything, on both stores.
func TestLoad(t *testing.T) {
	long.Only(t)
	if testing.Short() {
		t.Skip("not here: builds the program and starts servers")
	}
	pgtest.NeedOwn(t)
	binary, err := build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []bool{false, true} {
		l := usualLoad()
		l.seen, l.tokens = 100, 2
		l.folder, l.boards, l.ready, l.clients, l.watchers, l.dependents = folder, []int{300}, 50, []int{2}, []int{2}, []int{3}
		l.last, l.times, l.most, l.crowd = 100*time.Millisecond, 3, 40, 4
		r, err := measureLoad(plan{say: t.Logf, work: t.TempDir(), pawl: binary}, l)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, table := range r.Tables {
			rows += len(table.Rows)
			for _, row := range table.Rows {
				if strings.Contains(row, "| 0.0 / 0.0 / 0.0 ms") {
					t.Errorf("%s: nothing took any time: %s", table.Title, row)
				}
			}
		}
		if rows != 7 {
			t.Errorf("%d rows:\n%s", rows, r)
		}
	}
}

// The places in the order that fill gives to tasks are those that follow from their
// files, where a folder works them out itself.
func TestFill(t *testing.T) {
	const size = 95
	for name, of := range map[string]shape{"all ready": allReady, "half done": halfDone, "fans": fans(4)} {
		dir := t.TempDir()
		kept, err := file.Open(filepath.Join(dir, "made", ".tasks"))
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Close()
		if err := fill(t.Context(), kept, size, of); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "made", ".tasks", "task_*.json"))
		if err != nil || len(files) != size {
			t.Fatalf("%s: %d files, %v", name, len(files), err)
		}
		bare := filepath.Join(dir, "bare", ".tasks")
		if err := os.MkdirAll(bare, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, from := range files {
			if err := os.Link(from, filepath.Join(bare, filepath.Base(from))); err != nil {
				t.Fatal(err)
			}
		}
		store, err := file.Open(bare)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		finish := of(size)
		board := pawl.NewBoard(store)
		for id := pawl.ID(1); id <= size; id++ {
			found, err := board.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			want := pawl.Task{ID: id, Status: pawl.Pending, Priority: pawl.Medium}
			finish(id, &want)
			want.Urgency = want.Priority
			got := &found[0]
			if got.Rank() != want.Rank() || got.Status != want.Status || !slices.Equal(got.BlockedBy, want.BlockedBy) || !slices.Equal(got.Blocks, want.Blocks) {
				t.Errorf("%s: %v is %+v, want %+v", name, id, got, want)
			}
		}
	}
}
