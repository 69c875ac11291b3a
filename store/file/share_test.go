package file_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	if _, err := pawl.NewBoard(open(t, dir)).Do(context.Background(), pawl.Request{Op: op}); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(dir + "/.pawl/index.log")
	if err != nil {
		t.Fatal(err)
	}
	outlive(t, dir+"/.pawl/index.log")
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

// outlive waits until the clock that files are stamped with is so far past a
// file that whoever reads it now, and sees it unchanged, may believe it. A fast
// machine would be there before.
func outlive(t *testing.T, name string) {
	t.Helper()
	born, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	probe := filepath.Join(t.TempDir(), "probe")
	for {
		if err := os.WriteFile(probe, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		now, err := os.Stat(probe)
		if err != nil {
			t.Fatal(err)
		}
		if now.ModTime().Sub(born.ModTime()) > 50*time.Millisecond {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
