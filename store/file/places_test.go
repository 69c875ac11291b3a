package file

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// weighing counts what is read of the journal.
type weighing struct {
	fileSystem
	read int
}

type weighed struct {
	storeFile
	fs *weighing
}

func (w *weighing) Open(name string, write bool) (storeFile, error) {
	f, err := w.fileSystem.Open(name, write)
	if err == nil && strings.HasPrefix(name, journalDir) {
		f = weighed{f, w}
	}
	return f, err
}

func (f weighed) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.storeFile.ReadAt(p, off)
	f.fs.read += n
	return n, err
}

// TestFollow lets somebody follow a history step by step, over the ends of
// segments, and past a journal that was made again. He gets the same as one who
// reads all of it, and reads little each time.
func TestFollow(t *testing.T) {
	d := newDisk()
	reader := simStore(t, d.process())
	w := &weighing{fileSystem: reader.fs}
	reader.fs = w
	last, told, most := pawl.Revision(0), 0, 0
	follow := func() (revs []pawl.Revision) {
		w.read = 0
		for set, err := range reader.Changes(context.Background(), pawl.Span{After: last}) {
			if e, ok := err.(*pawl.Error); ok && e.Kind == pawl.Gone {
				last = e.Revision
				return nil
			}
			must.Do(t, err)
			revs, last = append(revs, set.Revision), set.Revision
		}
		return revs
	}
	for i := range 60 {
		s := simStore(t, d.process())
		s.size = 20_000
		s.clock = func() time.Time { return noon.Add(time.Duration(i/40) * time.Hour) }
		if i == 40 {
			for _, name := range []string{segmentName(1), segmentName(2), segmentName(3), indexName, logName} {
				if _, _, n, err := d.find(name); err == nil && n != nil {
					d.drop(name)
				}
			}
		}
		d.now += 1e9
		before := last
		must.Do(t, errOf(pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create(fmt.Sprint("task ", i))})))
		revs := follow()
		if revs == nil && before != last { // gone, and so on
			revs = follow()
		}
		if len(revs) == 0 || revs[len(revs)-1] != last {
			t.Fatalf("step %d shows %v", i, revs)
		}
		told += len(revs)
		if i != 0 && i != 40 {
			most = max(most, w.read)
		}
		var all []pawl.Revision
		for set, err := range simStore(t, d.process()).Changes(context.Background(), pawl.Span{After: before}) {
			if err != nil {
				all = revs // it was gone to him, too
				break
			}
			all = append(all, set.Revision)
		}
		if fmt.Sprint(all) != fmt.Sprint(revs) {
			t.Fatalf("step %d shows %v, and all of it has %v", i, revs, all)
		}
	}
	if d.text(segmentName(2)) == "" || told < 60 {
		t.Errorf("%d sets were told", told)
	}
	if most > 8_000 {
		t.Errorf("a step read %d bytes of the journal", most)
	}
	t.Logf("a step read at most %d bytes", most)
}

// TestFollowAnother gives somebody who follows a history another one that looks
// the same, byte for byte but for the numbers.
func TestFollowAnother(t *testing.T) {
	d := newDisk()
	reader := simStore(t, d.process())
	live := func(hours int) {
		for range 10 {
			s := simStore(t, d.process())
			s.clock = func() time.Time { return noon.Add(time.Duration(hours) * time.Hour) }
			must.Do(t, errOf(pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: by, Op: create("one")})))
		}
	}
	live(0)
	last := pawl.Revision(0)
	for set, err := range reader.Changes(context.Background(), pawl.Span{}) {
		must.Do(t, err)
		last = set.Revision
	}
	size := len(d.text(segmentName(1)))
	clear(d.root.names)
	live(1)
	if again := len(d.text(segmentName(1))); again != size {
		t.Fatalf("the journal has %d bytes and not %d: the test does not test what it means to", again, size)
	}
	for _, err := range reader.Changes(context.Background(), pawl.Span{After: last}) {
		if !errors.Is(err, pawl.Gone) {
			t.Errorf("the history of another board goes on after this one: %v", err)
		}
		return
	}
	t.Error("nobody says that the history is another one")
}
