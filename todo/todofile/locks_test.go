package todofile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/todo"
)

// A process that waits for a lock whose file is replaced waits for the new
// one as well.
func TestLockReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "a file that is open cannot be replaced")
	}
	d := osDisk{t.TempDir()}
	locked := func(name string) *os.File {
		file, err := os.OpenFile(d.path(name), os.O_RDWR|os.O_CREATE, 0o600)
		if err == nil {
			err = waitLock(context.Background(), file)
		}
		must.Do(t, err)
		return file
	}
	for range 20 { // in some it waits before the file is replaced
		first := locked("lock")
		old, err := os.Open(d.path("lock"))
		must.Do(t, err)
		var free atomic.Bool
		var waiting sync.WaitGroup
		begun := make(chan bool)
		waiting.Go(func() {
			close(begun)
			unlock, err := d.lock(context.Background(), "lock")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if !free.Load() {
				t.Error("two hold the lock")
			}
		})
		<-begun
		second := locked("new")
		must.Do(t, d.rename("new", "lock"))
		first.Close()
		if err := waitLock(context.Background(), old); err != nil { // after the one that waits for this one
			t.Fatal(err)
		}
		old.Close()
		free.Store(true)
		second.Close()
		waiting.Wait()
	}
}

// Who has no time to wait is told, and nothing is left locked.
func TestLockBusy(t *testing.T) {
	s, dir := place(t)
	must.Do(t, appending(one, "a")(t, s))
	unlock, err := s.lock(t.Context(), fileName(one))
	must.Do(t, err)
	ended, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("the caller went away")
	cancel(stop)
	if _, err := s.Update(ended, one, func(l *todo.List) error { l.Items = nil; return nil }); !errors.Is(err, stop) {
		t.Errorf("an update whose caller went away: %v", err)
	}
	if list, err := s.Load(ended, one); err != nil || len(list.Items) != 1 {
		t.Errorf("reading waits for no lock: %v", err)
	}
	unlock()
	if err := appending(one, "b")(t, open(t, dir)); err != nil {
		t.Error(err)
	}
}

// A look waits for another one to end, which holds the panels' own lock for a
// moment and must not count as a panel.
func TestLookDuringLook(t *testing.T) {
	s, dir := place(t)
	write(t, filepath.Join(dir, filepath.FromSlash(panelName("s"))), "")
	unlock, err := s.wait(t.Context(), panelLock)
	must.Do(t, err)
	release, got, err := s.disk.try(panelName("s"), false)
	if !got || err != nil {
		t.Fatal(got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if open, err := s.PanelOpen(ended, "s"); open || !errors.Is(err, context.Canceled) {
		t.Errorf("a panel is open: %v, %v", open, err)
	}
	release()
	unlock()
	if open, err := s.PanelOpen(t.Context(), "s"); open || err != nil {
		t.Errorf("a panel is open: %v, %v", open, err)
	}
}

// A look is never taken for a panel, whatever is opened, closed and looked at
// in between.
func TestLooksAtTheSameTime(t *testing.T) {
	s, dir := place(t)
	stale := filepath.Join(dir, filepath.FromSlash(panelName("stale")))
	for range 20 {
		write(t, stale, "") // of a panel that was killed
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if open, err := s.PanelOpen(t.Context(), "stale"); open || err != nil {
					t.Errorf("a panel that is gone is open: %v, %v", open, err)
				}
			})
			all.Go(func() {
				closed, err := s.OpenPanel(t.Context(), "s")
				if err != nil {
					t.Errorf("open: %v", err)
					return
				}
				if open, err := s.PanelOpen(t.Context(), "s"); !open || err != nil {
					t.Errorf("an open panel is not: %v, %v", open, err)
				}
				if err := closed(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
		}
		all.Wait()
	}
	if open, err := s.PanelOpen(t.Context(), "s"); open || err != nil {
		t.Errorf("a panel was left: %v, %v", open, err)
	}
	if left := names(t, filepath.Dir(stale)); len(left) != 1 {
		t.Errorf("there are left %q", left)
	}
}
