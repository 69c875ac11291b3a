package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrWorktreeGone says that the folder of a work tree does not exist.
var ErrWorktreeGone = errors.New("the folder of the work tree is gone")

// ErrNotWorktree says that a folder is not the root of a work tree of the repository.
var ErrNotWorktree = errors.New("the folder is not a work tree of this repository")

// OpenWorktree returns the work tree in a folder, if git agrees that its root is this
// folder and that its repository has this common git folder. Else the error says what
// the folder is.
func OpenWorktree(ctx context.Context, dir, common string) (*Tree, error) {
	not := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w: %s", dir, ErrNotWorktree, fmt.Sprintf(format, args...))
	}
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrWorktreeGone)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, not("it is not a folder")
	}
	if !filepath.IsAbs(dir) {
		return nil, not("its path is not absolute")
	}
	program, err := look(dir)
	if err != nil {
		return nil, err
	}
	t := &Tree{Root: resolved(filepath.Clean(dir)), git: program}
	root, err := t.ask(ctx, nil, "rev-parse", "--show-toplevel")
	if isRefusal(err) {
		return nil, not("git says: %v", err)
	}
	if err != nil {
		return nil, err
	}
	root = pathFrom(t.Root, root)
	if !samePath(root, t.Root) {
		return nil, not("it is inside of the work tree %s", root)
	}
	of, err := t.ask(ctx, nil, "rev-parse", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	of = pathFrom(t.Root, of)
	if !samePath(of, common) {
		return nil, not("it belongs to the repository %s", of)
	}
	at := t.Dir()
	if !samePath(at.Common, common) {
		return nil, not("it belongs to the repository %s", at.Common)
	}
	if at.Common != at.Dir {
		back, err := os.ReadFile(filepath.Join(at.Dir, "gitdir"))
		if err != nil || !samePath(pathFrom(at.Dir, string(back)), filepath.Join(t.Root, ".git")) {
			return nil, not("git has its files as those of another one")
		}
	}
	return t, nil
}

// linked refuses the main work tree, which is a person's: its files are changed by
// FastForward only.
func (t *Tree) linked() error {
	if at := t.Dir(); at.Dir == at.Common || len(t.dirs) > 0 {
		return fmt.Errorf("%s is the main work tree of its repository, whose files are left alone", t.Root)
	}
	return nil
}
