//go:build unix

package file_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// follow watches a board for a minute, and returns what shows the next set that is wanted.
func follow(t *testing.T, s *file.Store) func(what string, want func(pawl.ChangeSet) bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	sets := make(chan pawl.ChangeSet)
	go func() {
		defer close(sets)
		for set, err := range pawl.NewBoard(s).Watch(ctx, 0) {
			if err != nil && !errors.Is(err, pawl.Gone) {
				t.Errorf("the watch: %v", err)
			}
			select {
			case sets <- set:
			case <-ctx.Done():
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-sets })
	late := time.After(time.Minute)
	return func(what string, want func(pawl.ChangeSet) bool) {
		t.Helper()
		for {
			select {
			case set := <-sets:
				if want(set) {
					return
				}
			case <-late:
				t.Fatalf("%s does not show", what)
			}
		}
	}
}

func verb(name string) func(pawl.ChangeSet) bool {
	return func(set pawl.ChangeSet) bool { return set.Verb == name }
}

// TestWatchStrangers edits files in the ways that people and programs do, so often that a
// watch that is told nothing, and looks by itself, does not see all of it in a minute.
func TestWatchStrangers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	s := open(t, dir, file.WithWatcher(notify.Watch))
	shows := follow(t, s)
	do(t, open(t, dir), one("one"))
	shows("the first task", verb("create"))
	name := filepath.Join(dir, "task_1.json")
	edits := []func(text string){
		func(text string) { write(t, name, text) },
		func(text string) { // an editor
			write(t, filepath.Join(dir, ".task_1.json.swp"), text)
			must.Do(t, os.Rename(filepath.Join(dir, ".task_1.json.swp"), name))
		},
		func(text string) { // git
			must.Do(t, os.Remove(name))
			write(t, name, text)
		},
	}
	for i := range 5 * len(edits) {
		old, err := os.ReadFile(name)
		must.Do(t, err)
		subject := "edited " + string(rune('a'+i))
		edits[i%len(edits)](strings.Replace(string(old), `"description": "`, `"description": "`+subject+" ", 1))
		shows("edit "+subject, func(set pawl.ChangeSet) bool {
			return set.Verb == pawl.ExternalName && len(set.Changes) == 1 && set.Changes[0].After != nil &&
				strings.HasPrefix(set.Changes[0].After.Description, subject)
		})
	}
	write(t, filepath.Join(dir, "task_7.json"), `{"id": 7, "subject": "theirs"}`)
	shows("a new file", func(set pawl.ChangeSet) bool { return set.Verb == pawl.ExternalName && set.Changes[0].ID == 7 })
	must.Do(t, os.Remove(filepath.Join(dir, "task_7.json")))
	shows("a file that went", func(set pawl.ChangeSet) bool { return set.Verb == pawl.ExternalName && set.Changes[0].After == nil })
}

// TestWatchReplaced takes away what is watched, in part and whole, and puts
// something new in its place.
func TestWatchReplaced(t *testing.T) {
	for _, c := range []struct {
		name    string
		replace func(dir string) error
	}{
		{"the folder was removed", os.RemoveAll},
		{"the folder was moved", func(dir string) error { return os.Rename(dir, dir+".old") }},
		{"the folder above was moved", func(dir string) error { return os.Rename(filepath.Dir(dir), filepath.Dir(dir)+".old") }},
		{"the state folder was removed", func(dir string) error { return os.RemoveAll(filepath.Join(dir, ".pawl")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "project", ".tasks")
			s := open(t, dir, file.WithWatcher(notify.Watch))
			shows := follow(t, s)
			do(t, open(t, dir), one("one"))
			shows("the first task", verb("create"))
			for c.replace(dir) != nil { // a file was made at the same time
			}
			ahead := func() time.Time { return time.Now().Add(time.Second) } // a board's first revision is a moment
			do(t, open(t, dir, file.WithClock(ahead)), one("another"))
			shows("a task of the new board", verb("create"))
			do(t, s, pawl.AddNote{ID: 1, Text: "x"})
			shows("what the store itself did", verb("note"))
			page, err := pawl.NewBoard(s).Select(t.Context(), pawl.Query{})
			if want := len(tasks(t, dir)); err != nil || page.Total != want {
				t.Errorf("the store has %d tasks, and there are %d: %v", page.Total, want, err)
			}
		})
	}
}

// TestWatchNewBoard has the first task made just when the watch of a board that
// is not there yet begins: the state folder came unseen, and nothing that other
// processes committed in it was heard of.
func TestWatchNewBoard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	must.Do(t, os.Mkdir(dir, 0o755))
	other := open(t, dir)
	var began sync.Once
	watched := make(chan []string, 10)
	s := open(t, dir, file.WithWatcher(func(folders ...string) (<-chan string, func(), error) {
		began.Do(func() { do(t, other, one("one")) })
		watched <- folders
		return notify.Watch(folders...)
	}))
	follow(t, s)
	late := time.After(time.Minute)
	for {
		select {
		case folders := <-watched:
			if len(folders) == 2 {
				return
			}
		case <-late:
			t.Fatal("the state folder is not watched")
		}
	}
}

// TestWatchUnwrittenBoard watches a board that only other programs have written
// to, as in a fresh clone, whose state folder exists: the watcher's own record
// of their edits may be the first thing that Pawl writes there.
func TestWatchUnwrittenBoard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	must.Do(t, errOf(file.Init(dir, file.Shared)))
	must.Do(t, file.Prepare(dir))
	put := func(id int) {
		t.Helper()
		text := fmt.Sprintf(`{"id": %d, "subject": "by hand", "status": "pending"}`, id)
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("task_%d.json", id)), []byte(text), 0o644))
	}
	put(1)
	s := open(t, dir, file.WithWatcher(notify.Watch))
	wait := follow(t, s)
	put(2)
	do(t, s, one("through Pawl"))
	wait("a change through Pawl", verb("create"))
}

// TestWatchWithoutSystem lets the system tell nothing, or stop telling.
func TestWatchWithoutSystem(t *testing.T) {
	for name, c := range map[string]struct {
		watcher  file.Watcher
		warnings int32
	}{
		"none to be had": {func(...string) (<-chan string, func(), error) { return nil, nil, errors.New("no more of them") }, 1},
		"it ends at once, each time": {func(folders ...string) (<-chan string, func(), error) {
			events := make(chan string)
			close(events)
			return events, func() {}, nil
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where it takes no time to look again and again
				dir := filepath.Join(t.TempDir(), ".tasks")
				var warnings atomic.Int32
				s := open(t, dir, file.WithWatcher(c.watcher), file.WithWarnings(func(string) { warnings.Add(1) }))
				shows := follow(t, s)
				for range 3 {
					do(t, open(t, dir), one("one"))
					shows("a task", verb("create"))
				}
				if warnings.Load() != c.warnings {
					t.Errorf("there were %d warnings, want %d", warnings.Load(), c.warnings)
				}
			})
		})
	}
}

// TestWatchCloses leaves nothing running: the bubble waits for its goroutines,
// and fails when one of them cannot end.
func TestWatchCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := 0 // watches, of one goroutine at a time
		watcher := func(...string) (<-chan string, func(), error) {
			on++
			events := make(chan string)
			return events, func() { on--; close(events) }, nil
		}
		dir := filepath.Join(t.TempDir(), ".tasks")
		s, err := file.Open(dir, file.WithWatcher(watcher))
		must.Do(t, err)
		do(t, s, one("one"))
		hints, err := s.Notify(t.Context())
		must.Do(t, err)
		time.Sleep(time.Minute) // of the bubble
		synctest.Wait()
		if on != 1 {
			t.Errorf("%d watches are on before the end", on)
		}
		must.Do(t, s.Close())
		if on != 0 {
			t.Errorf("%d watches are on after the end", on)
		}
		for range hints { // until it is closed
		}
		if hints, err = s.Notify(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range hints {
		}
		if len(tasks(t, dir)) != 1 {
			t.Error("the board is gone")
		}
	})
}
