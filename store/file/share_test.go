package file_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/pawl-dev/pawl"
)

// TestReaderSparesTheNext: files that were young when the index was written
// are read by the first reader after it, and by no other.
func TestReaderSparesTheNext(t *testing.T) {
	const tasks = 200
	dir := t.TempDir()
	var op pawl.Create
	for range tasks {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "young"})
	}
	if res := pawl.NewBoard(open(t, dir)).Do(context.Background(), pawl.Request{Op: op})[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	before, err := os.Stat(dir + "/.pawl/index.log")
	if err != nil {
		t.Fatal(err)
	}
	view := func() {
		t.Helper()
		err := open(t, dir).View(context.Background(), func(r pawl.Reader) error {
			page, err := r.Select(pawl.Query{Ready: true})
			if page.Total != tasks {
				return errors.Join(err, fmt.Errorf("%d tasks are ready", page.Total))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	view()
	first, err := os.Stat(dir + "/.pawl/index")
	if err != nil {
		t.Fatal(err)
	}
	if log, err := os.Stat(dir + "/.pawl/index.log"); err != nil || log.Size() == before.Size() && first.ModTime().Before(before.ModTime()) {
		t.Fatalf("the first reader wrote nothing: %v", err)
	}
	view()
	if again, err := os.Stat(dir + "/.pawl/index"); err != nil || again.ModTime() != first.ModTime() {
		t.Errorf("the second reader wrote the index again: %v", err)
	}
}
