package file

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// untold makes a store of a process that runs on, on a board of two tasks, that is
// told nothing, and lets it look at the board once.
func untold(t *testing.T) (*disk, *Store, *folderWatcher) {
	d := board(t, create("one"), create("two"))
	s := simStore(t, d.process())
	beResident(s)
	d.tell = nil
	must.Do(t, errOf(pawl.NewBoard(s).Select(context.Background(), pawl.Query{})))
	return d, s, &folderWatcher{Store: s, ctx: context.Background()}
}

// A file that changes within the tick of the clock in which it was read keeps its
// times. The check of all files that somebody made in the background passed it
// over.
func TestSweepRacyFile(t *testing.T) {
	d, s, w := untold(t)
	_, _, n, _ := d.find(taskName(2))
	n.data = []byte(strings.Replace(string(n.data), `"two"`, `"TWO"`, 1))
	w.sweep()
	if got := s.tracker.suspected(); got[2] == 0 {
		t.Fatalf("suspected are only %v", got)
	}
	page, err := pawl.NewBoard(s).Select(context.Background(), pawl.Query{IDs: []pawl.ID{2}})
	if err != nil || page.Tasks[0].Subject != "TWO" {
		t.Errorf("the edit is not shown: %+v, %v", page.Tasks, err)
	}
	for id := range pawl.ID(2) { // the second write tells that the first one is old
		d.now += int64(time.Minute)
		do := pawl.Request{By: by, Op: pawl.AddNote{ID: 2 - id, Text: "x"}}
		must.Do(t, errOf(pawl.NewBoard(s).Do(context.Background(), do)))
	}
	for range 2 {
		w.sweep()
		must.Do(t, errOf(pawl.NewBoard(s).Get(context.Background(), 1, 2)))
	}
	if w.sweep(); s.tracker.suspected()[2] != 0 {
		t.Error("a file that was looked at again is suspected for good")
	}
}

// lateName is a file system on which a task's file comes just after the names in
// the folder were listed, within the same tick, and somebody then looks at the
// clock.
type lateName struct {
	fileSystem
	d    *disk
	s    *Store
	came bool
}

func (l *lateName) List(dir string, got func([]byte)) error {
	err := l.fileSystem.List(dir, got)
	if dir == "." && !l.came {
		l.came = true
		mtime, ctime := l.d.root.mtime, l.d.root.ctime
		l.d.put(taskName(3), `{"id": 3, "subject": "late", "status": "pending"}`)
		l.d.root.mtime, l.d.root.ctime = mtime, ctime
		l.d.now += int64(time.Minute)
		l.s.loaded.fsTime = l.d.now
	}
	return err
}

// The clock by which the folder counts as settled is that of before its names
// were listed.
func TestSweepRacyFolder(t *testing.T) {
	d, s, w := untold(t)
	d.root.mtime, d.root.ctime = d.now, d.now // a name came just now
	s.fs = &lateName{fileSystem: s.fs, d: d, s: s}
	w.sweep()
	w.sweep()
	if got := s.tracker.suspected(); got[3] == 0 {
		t.Errorf("suspected are only %v", got)
	}
}

// The same just before a commit replaces the file: the other program's text is
// kept, though the file looks as it did when it was read.
func TestCommitOverRacyFile(t *testing.T) {
	d := board(t, create("one"))
	d.before = func(_ int, op, _ string) error {
		if _, _, n, _ := d.find(taskName(1)); op == "exchange" {
			n.data = []byte(strings.Replace(string(n.data), `"one"`, `"ONE"`, 1))
		}
		return nil
	}
	do(t, d, pawl.AddNote{ID: 1, Text: "x"})
	d.before = nil
	if got := lost(d); len(got) != 1 || !strings.Contains(d.text(lostDir+"/"+got[0]), `"ONE"`) {
		t.Errorf("in lost+found is %v", got)
	}
	do(t, d, pawl.AddNote{ID: 1, Text: "y"})
	if got := lost(d); len(got) != 1 {
		t.Errorf("nobody wrote, and in lost+found is %v", got)
	}
}
