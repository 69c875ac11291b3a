package team

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
)

// boards are those that are open.
type boards struct {
	server *Server
	mu     sync.Mutex
	open   map[string]*board
	closed bool
}

// A board is one that is open.
type board struct {
	batcher
	name  string
	is    fs.FileInfo // the folder that was opened
	hub   hub
	ended context.Context // ends when the board is closed
	end   context.CancelFunc
}

// Close ends what watches the board, and closes it.
func (b *board) Close() error {
	b.end()
	return b.batcher.Close()
}

// Film returns the history of the board.
func (b *board) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Of(ctx, b.Board, name)
}

// folder is where the board of a name is, if it is: a link leads out of what the
// server keeps, so it is not a board.
func (s *Server) folder(name string) (dir string, is fs.FileInfo, err error) {
	project := filepath.Join(s.Dir, name)
	dir = filepath.Join(project, ".tasks")
	for _, path := range []string{project, dir} {
		is, err = os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return dir, nil, nil
		}
		if err != nil {
			return dir, nil, pawl.Errorf(pawl.Unavailable, "the board %s cannot be reached: %w", name, err)
		}
		if !is.IsDir() {
			return dir, nil, pawl.Errorf(pawl.Internal, "%s on the server is not a folder", filepath.Join(name, filepath.Base(path)))
		}
	}
	return dir, is, nil
}

// find returns the board of a name; nil: it does not exist.
func (b *boards) find(name string) (*board, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.findLocked(name)
}

func (b *boards) findLocked(name string) (*board, error) {
	if b.closed {
		return nil, pawl.Errorf(pawl.Unavailable, "the server is ending")
	}
	dir, is, err := b.server.folder(name)
	was := b.open[name]
	if was != nil && (is == nil || !os.SameFile(is, was.is)) { // it was moved away, or another put in its place
		delete(b.open, name)
		was.Close()
		was = nil
	}
	if err != nil || is == nil || was != nil {
		return was, err
	}
	opened, err := b.server.Open(dir, func(text string) { b.server.Log.Warn(text, "board", name) })
	if err != nil {
		return nil, err
	}
	made := &board{batcher: batcher{Board: opened, log: b.server.Log}, name: name, is: is}
	made.ended, made.end = context.WithCancel(context.Background())
	made.hub.board = made
	if b.open == nil {
		b.open = map[string]*board{}
	}
	b.open[name] = made
	return made, nil
}

// make is find that makes the board.
func (b *boards) make(ctx context.Context, name string) (*board, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if found, err := b.findLocked(name); found != nil || err != nil {
		return found, err
	}
	project := filepath.Join(b.server.Dir, name)
	if err := os.Mkdir(project, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, pawl.Errorf(pawl.Unavailable, "the board %s cannot be made: %w", name, err)
	}
	if err := b.server.Make(ctx, filepath.Join(project, ".tasks")); err != nil {
		return nil, err
	}
	return b.findLocked(name)
}

func (b *boards) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	var errs []error
	for _, open := range b.open {
		errs = append(errs, open.Close())
	}
	b.open = nil
	return errors.Join(errs...)
}

// counts tells how many boards are open, and what they have carried out.
func (b *boards) counts() (open int, orders, commits int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range b.open {
		at.mu.Lock()
		orders, commits = orders+int64(at.done), commits+int64(at.commits)
		at.mu.Unlock()
	}
	return len(b.open), orders, commits
}
