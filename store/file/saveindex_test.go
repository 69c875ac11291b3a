package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// moving is a file system on which another process replaces the index while a
// reader waits for the lock to write it, and then the disk fails once.
type moving struct {
	fileSystem
	dir    string
	broken bool
	failed bool
}

func (m *moving) Lock(ctx context.Context, name string, exclusive bool) (func(), error) {
	if name == lockName && exclusive && !m.failed {
		later := time.Now().Add(time.Second)
		if err := os.Chtimes(filepath.Join(m.dir, indexName), later, later); err != nil {
			return nil, err
		}
		m.broken = true
	}
	return m.fileSystem.Lock(ctx, name, exclusive)
}

func (m *moving) Read(name string, limit int64) ([]byte, fileInfo, error) {
	if name == indexName && m.broken {
		m.broken, m.failed = false, true
		return nil, fileInfo{}, errors.New("the disk failed")
	}
	return m.fileSystem.Read(name, limit)
}

// A reader that fails while it does the next one a favour shows the board all
// the same.
func TestFailedFavour(t *testing.T) {
	const tasks = 2 * saveFromFiles
	dir := t.TempDir()
	var op pawl.Create
	for range tasks {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "young"})
	}
	s, err := Open(dir)
	must.Do(t, err)
	must.Do(t, errOf(pawl.NewBoard(s).Do(context.Background(), pawl.Request{Op: op})))
	fs := &moving{fileSystem: newFS(dir), dir: dir}
	if s, err = Open(dir, withFS(fs)); err != nil {
		t.Fatal(err)
	}
	page, err := pawl.NewBoard(s).Select(context.Background(), pawl.Query{Ready: true})
	if err != nil || page.Total != tasks {
		t.Errorf("%d tasks are ready, want %d (%v)", page.Total, tasks, err)
	}
	if !fs.failed {
		t.Error("nothing failed: the test did not test what it means to")
	}
}

// touched makes a board of n tasks that git has just checked out: each file has
// to be read again, though none says anything new.
func touched(t *testing.T, n int) *disk {
	t.Helper()
	d := newDisk()
	for left := n; left > 0; left -= pawl.MaxBatch {
		var op pawl.Create
		for range min(left, pawl.MaxBatch) {
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "before"})
		}
		do(t, d, op)
	}
	d.now += int64(time.Minute)
	for id := range pawl.ID(n) {
		d.put(taskName(id+1), d.text(taskName(id+1)))
	}
	d.now += int64(time.Minute)
	return d
}

// A file that another program rewrites within the tick of the clock in which a
// reader has read it keeps its times and its size. The index that the reader
// leaves must not pass it off as known.
func TestSaveIndexRacyFile(t *testing.T) {
	d := touched(t, 3*saveFromFiles)
	name := taskName(3)
	_, _, n, _ := d.find(name)
	read := false
	d.before = func(_ int, op, at string) error {
		switch {
		case op == "read" && at == name && !read:
			n.mtime, n.ctime, read = d.now, d.now, true // written just now
		case read:
			n.data = []byte(strings.Replace(string(n.data), "before", "after!", 1))
		}
		return nil
	}
	firstReady(t, simStore(t, d.process()))
	d.before = nil
	if opened, _, _ := costs(t, d); !read || opened > 10 {
		t.Fatalf("the next reader opens %d files, so this one has left no index", opened)
	}
	if !strings.Contains(state(t, simStore(t, d.process())), "after!") {
		t.Error("the edit is not seen")
	}
}

// The same for the names in the folder: one that comes just after they were
// listed need not change the folder's times.
func TestSaveIndexRacyFolder(t *testing.T) {
	const tasks = saveFromNames + 1
	d := touched(t, tasks)
	listed, added := false, false
	d.before = func(_ int, op, at string) error {
		switch {
		case op == "list" && at == ".":
			listed = true
		case listed && !added:
			added = true
			mtime, ctime := d.root.mtime, d.root.ctime
			d.put(taskName(tasks+1), fmt.Sprintf(`{"id": %d, "subject": "after!"}`, tasks+1))
			d.root.mtime, d.root.ctime = mtime, ctime
		case op == "stat" && at == "." && !listed:
			d.root.mtime, d.root.ctime = d.now, d.now // a name came just now
		}
		return nil
	}
	firstReady(t, simStore(t, d.process()))
	d.before = nil
	if !added {
		t.Fatal("nobody has listed the folder")
	}
	if opened, _, _ := costs(t, d); opened > 10 {
		t.Fatalf("the next reader opens %d files, so this one has left no index", opened)
	}
	if !strings.Contains(state(t, simStore(t, d.process())), "after!") {
		t.Error("the new task is not seen")
	}
}
