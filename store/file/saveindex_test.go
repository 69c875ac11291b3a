package file

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
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
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{Op: op}); err != nil {
		t.Fatal(err)
	}
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
