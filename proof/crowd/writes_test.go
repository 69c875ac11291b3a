//go:build unix

package crowd_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func (w *worker) create() {
	for i := range w.Count {
		w.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: fmt.Sprintf("worker %d, task %d", w.Worker, i)}}})
	}
}

// TestCreates: nothing that was acknowledged is lost, and no id is given twice.
func TestCreates(t *testing.T) {
	const workers = 8
	want := workers * *each
	dir, board := newBoard(t, 0)
	acks := crowd(t, workers, job{Kind: "create", Board: dir, Count: *each})
	told := map[pawl.ID]bool{}
	for _, a := range acks {
		for _, id := range a.IDs {
			if told[id] {
				t.Errorf("%v was given twice", id)
			}
			told[id] = true
		}
	}
	tasks := everything(t, board)
	files := must.Get(filepath.Glob(filepath.Join(dir, "task_*.json")))(t)
	if len(told) != want || len(tasks) != want || len(files) != want {
		t.Errorf("%d ids acknowledged, %d tasks on the board, %d files; want %d of each", len(told), len(tasks), len(files), want)
	}
	subjects := map[string]bool{}
	for _, task := range tasks {
		subjects[task.Subject] = true
	}
	if len(subjects) != want {
		t.Errorf("%d different subjects, want %d", len(subjects), want)
	}
	t.Logf("%d processes × %d creates: %d ids, %d files", workers, *each, len(told), len(files))
}

func (w *worker) edit() {
	for i := range w.Count {
		w.do(pawl.Update{ID: 1, AddLabels: []string{fmt.Sprintf("w%d-%d", w.Worker, i)}})
		w.do(pawl.AddNote{ID: 1, Text: fmt.Sprintf("w%d-%d", w.Worker, i)})
	}
}

// TestEdits: edits of one task by many processes are all there.
func TestEdits(t *testing.T) {
	const workers, each = 8, 5
	dir, board := newBoard(t, 1)
	crowd(t, workers, job{Kind: "edit", Board: dir, Count: each})
	tasks := must.Get(board.Get(context.Background(), 1))(t)
	if got := tasks[0]; len(got.Labels) != workers*each || len(got.Notes) != workers*each {
		t.Errorf("%d labels and %d notes of %d", len(got.Labels), len(got.Notes), workers*each)
	}
}

// read looks at the board until it is told to stop.
func (w *worker) read() {
	for ctx := context.Background(); ; {
		if _, err := os.Stat(filepath.Join(filepath.Dir(w.Board), "stop")); err == nil {
			return
		}
		if _, err := w.board.Select(ctx, pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 20}); err != nil {
			fmt.Fprintln(os.Stderr, "read:", err)
			os.Exit(1)
		}
	}
}

// BenchmarkWriterAmongReaders writes while eight processes read in a loop, and
// reports the longest that a write took: readers must not starve it.
func BenchmarkWriterAmongReaders(b *testing.B) {
	dir, board := newBoard(b, 1000)
	var readers []*process
	for i := range 8 {
		readers = append(readers, start(b, job{Kind: "read", Board: dir, Worker: i}))
	}
	var longest int64
	for b.Loop() {
		begin := monotonic()
		must.Get(board.Do(context.Background(), pawl.Request{Op: pawl.Update{ID: 1, Description: ptr(fmt.Sprint(begin))}}))(b)
		longest = max(longest, monotonic()-begin)
	}
	b.ReportMetric(float64(longest)/1e6, "max-ms")
	must.Do(b, os.WriteFile(filepath.Join(filepath.Dir(dir), "stop"), nil, 0o644))
	for _, p := range readers {
		p.finish(b)
	}
}

func ptr[T any](v T) *T { return &v }
