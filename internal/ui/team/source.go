package team

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A Source keeps the boards of a server, by their names. Many goroutines use it.
type Source interface {
	// Find says where the board of a name is now; nil: it does not exist. Each request
	// asks, so it answers from what is at hand.
	Find(ctx context.Context, name string) (Place, error)
	// Make makes the board of a name. That somebody else has just made it is not an error.
	Make(ctx context.Context, name string) error
	// Ready says why boards cannot be reached now, or nil.
	Ready(ctx context.Context) error
	// Hidden are the texts that clients never see in an error: where the boards lie.
	Hidden() []string
}

// A Place is where a board is kept.
type Place interface {
	// Same reports whether the board is the one that another place of this name had: not
	// one that was put there since.
	Same(other Place) bool
	// Open opens the board; warn writes what is wrong with it into the log.
	Open(warn func(string)) (query.Board, error)
}

// A Folder is a source of boards in files: Dir/shop/.tasks is the board shop.
type Folder struct {
	Dir string
	// OpenBoard opens the board in a folder, which exists, and MakeBoard makes one.
	OpenBoard func(dir string, warn func(string)) (query.Board, error)
	MakeBoard func(ctx context.Context, dir string) error
}

// folded is the folder of a board.
type folded struct {
	folder *Folder
	dir    string
	is     fs.FileInfo
}

// Find looks for the folder of a board. A link leads out of what the server keeps, so
// it is not a board.
func (f *Folder) Find(_ context.Context, name string) (Place, error) {
	project := filepath.Join(f.Dir, name)
	dir := filepath.Join(project, ".tasks")
	var is fs.FileInfo
	for _, path := range []string{project, dir} {
		var err error
		is, err = os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, pawl.Errorf(pawl.Unavailable, "the board %s cannot be reached: %w", name, err)
		}
		if !is.IsDir() {
			return nil, pawl.Errorf(pawl.Internal, "%s on the server is not a folder", filepath.Join(name, filepath.Base(path)))
		}
	}
	return folded{f, dir, is}, nil
}

// Make makes the folder of a board, and the board in it.
func (f *Folder) Make(ctx context.Context, name string) error {
	project := filepath.Join(f.Dir, name)
	if err := os.Mkdir(project, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return pawl.Errorf(pawl.Unavailable, "the board %s cannot be made: %w", name, err)
	}
	return f.MakeBoard(ctx, filepath.Join(project, ".tasks"))
}

// Ready says whether the folder is there.
func (f *Folder) Ready(context.Context) error {
	if _, err := os.Stat(f.Dir); err != nil {
		return pawl.Errorf(pawl.Unavailable, "the folder of the boards cannot be read")
	}
	return nil
}

// Hidden is the folder, as errors name it.
func (f *Folder) Hidden() []string {
	if f.Dir == "" {
		return nil
	}
	return []string{filepath.Clean(f.Dir)}
}

func (f folded) Same(other Place) bool {
	was, is := other.(folded)
	return is && os.SameFile(f.is, was.is)
}

func (f folded) Open(warn func(string)) (query.Board, error) { return f.folder.OpenBoard(f.dir, warn) }
