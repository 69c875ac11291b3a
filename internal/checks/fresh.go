package checks

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A fresh is a new work tree of HEAD, in the user's state folder, in which checks run. It
// has what git has and no other file.
type fresh struct {
	*Service
	commit string
	clone  *git.Tree // the project's
	dir    string
	lock   *os.File // held as long as this process uses it
}

// lockEnd is behind the name of a fresh work tree in that of its lock.
const lockEnd = ".lock"

// removeWithin bounds how long a removal goes on after Pawl was told to stop.
const removeWithin = time.Minute

// fresh makes a work tree of HEAD and sets it up as the user's settings say, or trusted
// ones of the project. The caller removes it. Work trees that killed processes left are
// removed first.
func (s *Service) fresh(ctx context.Context, r Request) (_ *fresh, err error) {
	if run.Inside(s.Getenv) {
		return nil, errInside()
	}
	clone, err := git.Find(ctx, s.Root)
	if err != nil {
		return nil, err
	}
	if clone == nil {
		return nil, pawl.Errorf(pawl.Invalid, "%s is in no git repository, so no commit can be checked by itself", s.Root)
	}
	state, err := clone.State(ctx)
	if err != nil {
		return nil, err
	}
	if state.Head == "" {
		return nil, pawl.Errorf(pawl.Invalid, "this repository has no commit yet that could be checked").
			Say("git add -A && git commit -m start")
	}
	if now, err := s.files(ctx); err != nil {
		return nil, err
	} else if now.Dirty {
		r.tell("changes here that are not committed are not checked")
	}
	f := &fresh{commit: state.Head, clone: clone}
	dir, err := s.mark()
	if err != nil {
		return nil, err
	}
	if err := f.make(ctx, filepath.Join(dir, "fresh")); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.remove(ctx))
		}
	}()
	if err := clone.AddWorktree(ctx, f.dir, "", state.Head); err != nil {
		return nil, err
	}
	tree, err := git.OpenWorktree(ctx, f.dir, clone.Dir().Common)
	if err != nil {
		return nil, err
	}
	root, folder := inTree(clone.Root, s.Root, tree.Root), ""
	if root == "" {
		return nil, pawl.Errorf(pawl.Invalid, "the project %s is outside of its repository %s", s.Root, clone.Root)
	}
	if s.Folder != "" {
		folder = inTree(clone.Root, s.Folder, tree.Root)
	}
	f.Service = s.At(root, folder)
	return f, f.setUp(ctx, r)
}

// inTree is a path of one work tree in another one; empty: it is outside.
func inTree(from, path, to string) string {
	rel, err := filepath.Rel(from, clone.Real(path))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.Join(to, rel)
}

func (f *fresh) setUp(ctx context.Context, r Request) error {
	trees, err := f.TrustsRun()
	if err != nil || len(trees.Setup.Run) == 0 {
		return err
	}
	r.tell("setting up: " + show.Command(&trees.Setup))
	ran, err := f.SetUp(ctx, f.Root, trees.Setup.Run)
	if err != nil || ran.Passed {
		return err
	}
	e := pawl.Errorf(pawl.Unmet, "the set-up of the new work tree %s", ran.Says()).Say("pawl config get run.setup")
	ran.Check.Name = "set-up"
	return &UnmetError{e, Report{Ran: []Ran{ran}}}
}

// make chooses a folder below base and locks it. It removes those that nobody uses.
func (f *fresh) make(ctx context.Context, base string) error {
	if err := userdir.Make(base); err != nil {
		return err
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), lockEnd); ok {
			if lock, err := locked(filepath.Join(base, e.Name())); err == nil {
				left := &fresh{clone: f.clone, dir: filepath.Join(base, name), lock: lock}
				_ = left.remove(ctx) // one that stays is removed the next time
			}
		}
	}
	for range 3 { // another process may look at a new lock before it is taken
		f.dir = filepath.Join(base, strings.ToLower(rand.Text()[:10]))
		if f.lock, err = locked(f.dir + lockEnd); err == nil {
			break
		}
	}
	return err
}

// locked opens and locks a file. If another process has it, that is an error.
func locked(path string) (*os.File, error) {
	file, err := filelock.Take(path)
	if file == nil && err == nil {
		err = fmt.Errorf("%s is in use", path)
	}
	return file, err
}

// remove removes the work tree, also when ctx is over, and its lock last: as long as the
// lock is there, the next one finds what is left.
func (f *fresh) remove(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeWithin)
	defer cancel()
	defer func() { _ = filelock.Free(f.lock) }()
	if err := f.clone.RemoveWorktree(ctx, f.dir); err != nil {
		if _, of := git.OpenWorktree(ctx, f.dir, f.clone.Dir().Common); of == nil {
			return err
		}
		if err := os.RemoveAll(f.dir); err != nil { // it was never finished
			return err
		}
	}
	_ = filelock.Free(f.lock) // some systems remove no open file
	if err := os.Remove(f.lock.Name()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
