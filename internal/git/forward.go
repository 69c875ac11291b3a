package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/text"
)

// ErrWouldOverwrite says that a fast-forward would lose what is not committed.
var ErrWouldOverwrite = errors.New("local changes or untracked files would be overwritten")

// ErrUnderWay says that an operation of git waits for the user in the work tree.
var ErrUnderWay = errors.New("git has an operation under way in this work tree: finish or abort it, see git status")

// An Overwrite is ErrWouldOverwrite with the paths.
type Overwrite struct{ Paths []string }

func (o *Overwrite) Error() string {
	names := make([]string, 0, 3)
	for _, p := range o.Paths[:min(3, len(o.Paths))] {
		names = append(names, text.Line(p))
	}
	more := ""
	if n := len(o.Paths) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%v: %s%s", ErrWouldOverwrite, strings.Join(names, ", "), more)
}

// Is makes it ErrWouldOverwrite.
func (o *Overwrite) Is(target error) bool { return target == ErrWouldOverwrite }

// FastForward moves the branch that is checked out here, with index and files, from one
// commit to a descendant of it. Changes in other files stay, staged or not. A file that
// the commit changes, and that is neither as before nor as afterwards, makes it fail with
// an [*Overwrite], ignored files included; then nothing is changed. [ErrMoved] says that
// HEAD is not on the branch, that the branch is elsewhere, or that the commit is no
// descendant. [ErrBusy]: git is at work here.
//
// First come the files, then the index, then the branch. The next call completes one
// that was killed: it accepts files that already are as afterwards. Make it even if the
// branch has moved: the killed one has left a lock. Nothing is converted by a filter: a
// changed file of git-lfs becomes its pointer, until git lfs checkout.
func (t *Tree) FastForward(ctx context.Context, branch, from, commit string) error {
	if err := ids(from, commit); err != nil {
		return err
	}
	if done, err := t.mayForward(ctx, branch, from, commit); done || err != nil {
		if done {
			abandoned(t.Dir().Lock())
		}
		return err
	}
	lock, err := t.lockIndex()
	if err != nil {
		return err
	}
	defer lock.Close()
	if done, err := t.mayForward(ctx, branch, from, commit); done || err != nil {
		return errors.Join(err, lock.release())
	}
	// Each git has the lock, too: one that outlives this process keeps the next call away.
	at := *t
	at.hold = lock.File
	ctx = context.WithoutCancel(ctx) // to stop in the middle helps nobody
	err = at.forward(ctx, from, commit)
	if err == nil {
		if err = t.SetRef(ctx, branch, from, commit, "pawl: fast-forward"); err != nil {
			err = errors.Join(err, at.forward(ctx, commit, from))
		}
	}
	return errors.Join(err, lock.release())
}

// mayForward says whether it is done already.
func (t *Tree) mayForward(ctx context.Context, branch, from, commit string) (done bool, err error) {
	s, err := t.State(ctx)
	switch {
	case err != nil:
		return false, err
	case s.Branch != branch:
		return false, ErrMoved
	case s.Head == commit:
		return true, nil
	case s.Head != from:
		return false, ErrMoved
	case !s.Under.None():
		return false, ErrUnderWay
	}
	is, err := t.IsAncestor(ctx, from, commit)
	if err == nil && !is {
		err = ErrMoved
	}
	return false, err
}

// forward makes files and index have what a commit has, where another one has something
// else. The lock of the index is held.
func (t *Tree) forward(ctx context.Context, from, commit string) error {
	index, err := t.spareIndex(t.Dir().Dir)
	if err != nil {
		return err
	}
	defer os.Remove(index)
	env := []string{"GIT_INDEX_FILE=" + index}
	if err := t.refresh(ctx, env); err != nil {
		return err
	}
	changes, err := t.changes(ctx, from, commit)
	if err != nil {
		return err
	}
	here, err := t.local(ctx, env, changes)
	if err != nil {
		return err
	}
	p, err := here.plan(changes)
	if err != nil {
		return err
	}
	if len(p.blocked) > 0 {
		return &Overwrite{p.blocked}
	}
	if p.set.Len() > 0 {
		if _, err := t.change(ctx, env, p.set.Bytes(), "update-index", "-z", "--index-info"); err != nil {
			return err
		}
	}
	if p.done.Len() > 0 {
		if from, err = t.treeWith(ctx, index+".from", from, p.done.Bytes()); err != nil {
			return err
		}
	}
	if _, err := t.change(ctx, env, nil, "read-tree", "-m", "-u", from, commit); err != nil {
		return err
	}
	if p.write.Len() > 0 {
		if _, err := t.change(ctx, env, p.write.Bytes(), "checkout-index", "-f", "-u", "-q", "-z", "--stdin"); err != nil {
			return err
		}
	}
	if err := errors.Join(t.refresh(ctx, env), syncFile(index)); err != nil {
		return err
	}
	return filelock.Rename(index, filepath.Join(t.Dir().Dir, "index"))
}

// treeWith makes a tree like that of a commit, with other entries, by an index that is
// thrown away. To git, what is done already then was so before.
func (t *Tree) treeWith(ctx context.Context, index, commit string, entries []byte) (string, error) {
	defer os.Remove(index)
	env := []string{"GIT_INDEX_FILE=" + index}
	if _, err := t.change(ctx, env, nil, "read-tree", commit); err != nil {
		return "", err
	}
	if _, err := t.change(ctx, env, entries, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := t.change(ctx, env, nil, "write-tree")
	id := strings.TrimSpace(out)
	return id, errors.Join(err, ids(id))
}

// lockFile is the lock of an index, with a text in it by which a later call knows whose
// it was.
type lockFile struct{ *os.File }

const lockMark = "pawl: fast-forward\n"

func (l lockFile) release() error {
	return filelock.Patiently(func() error { return removed(l.Name()) })
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// lockIndex takes the lock of the index, as git does. One that a killed fast-forward has
// left is taken over.
func (t *Tree) lockIndex() (lockFile, error) {
	path := t.Dir().Lock()
	for range 3 {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			got, err := filelock.Try(f)
			if err == nil && got {
				_, err = f.WriteString(lockMark)
			}
			if err != nil || !got {
				return lockFile{}, errors.Join(ErrBusy, err, f.Close(), removed(path))
			}
			left, _ := filepath.Glob(filepath.Join(t.Dir().Dir, "pawl-index-*")) // of fast-forwards that were killed
			for _, path := range left {
				_ = os.Remove(path)
			}
			return lockFile{f}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return lockFile{}, err
		}
		if !abandoned(path) {
			return lockFile{}, ErrBusy
		}
	}
	return lockFile{}, ErrBusy
}

// abandoned removes the lock of a fast-forward that was killed.
func abandoned(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = filelock.Free(f) }()
	mark := make([]byte, len(lockMark))
	if n, _ := f.ReadAt(mark, 0); string(mark[:n]) != lockMark {
		return false
	}
	if got, err := filelock.Try(f); err != nil || !got {
		return false
	}
	is, err := f.Stat()
	if err != nil {
		return false
	}
	if now, err := os.Lstat(path); err != nil || !os.SameFile(is, now) {
		return false
	}
	return removed(path) == nil
}
