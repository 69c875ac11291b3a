package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lockPatience is how long a lock of a private work tree may stay before it is that of
// a git that was killed. Nobody else works in such a tree.
var lockPatience = 2 * time.Second

// Checkout makes a linked work tree have a commit and nothing else, with HEAD detached.
// It discards changes, untracked files, and a merge or rebase under way. Ignored files
// stay: installed dependencies are used again. Call it only for trees that nobody works
// in.
func (t *Tree) Checkout(ctx context.Context, commit string) error {
	if err := errors.Join(t.linked(), ids(commit)); err != nil {
		return err
	}
	if err := t.unlock(ctx); err != nil {
		return err
	}
	if err := t.quit(ctx); err != nil {
		return err
	}
	if _, err := t.change(ctx, nil, nil, "read-tree", "--reset", "-u", commit); err != nil {
		return err
	}
	if err := t.detach(ctx, commit, "", "pawl: checkout"); err != nil {
		return err
	}
	_, err := t.change(ctx, nil, nil, "clean", "-ffdq")
	return err
}

// Detach detaches HEAD of a linked work tree from its branch, and so frees the
// branch.
func (t *Tree) Detach(ctx context.Context) error {
	if err := t.linked(); err != nil {
		return err
	}
	s, err := t.State(ctx)
	if err != nil || s.Branch == "" {
		return err
	}
	if s.Head == "" {
		return ErrUnborn
	}
	return t.detach(ctx, s.Head, s.Head, "pawl: detach")
}

// Adopt moves HEAD of a linked work tree, and the branch that is checked out there, to a
// commit of its present files, as Snapshot makes one. Files stay as they are.
func (t *Tree) Adopt(ctx context.Context, commit string) error {
	if err := errors.Join(t.linked(), ids(commit)); err != nil {
		return err
	}
	s, err := t.State(ctx)
	if err != nil {
		return err
	}
	if _, err := t.change(ctx, nil, nil, "read-tree", "--reset", commit); err != nil {
		return err
	}
	if err := t.refresh(ctx, nil); err != nil {
		return err
	}
	if s.Branch != "" {
		return t.SetRef(ctx, s.Branch, s.Head, commit, "pawl: adopt")
	}
	return t.detach(ctx, commit, s.Head, "pawl: adopt")
}

// detach detaches HEAD at a commit. Old, unless it is empty, is what it must be before.
func (t *Tree) detach(ctx context.Context, commit, old, why string) error {
	args := []string{"update-ref", "--no-deref", "-m", why, "HEAD", commit}
	if old != "" {
		args = append(args, old)
	}
	_, err := t.change(ctx, nil, nil, args...)
	return err
}

// unlock removes the lock of an index that a git has left which was killed.
func (t *Tree) unlock(ctx context.Context) error {
	for end := time.Now().Add(lockPatience); t.Dir().Busy(); {
		if time.Now().After(end) {
			if err := os.Remove(t.Dir().Lock()); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// under are the files by which git knows what is under way in a work tree.
var under = []string{
	"MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "AUTO_MERGE", "SQUASH_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD",
	"rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG", "BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV", "BISECT_ANCESTORS_OK", "BISECT_RUN", "BISECT_FIRST_PARENT",
}

// quit has git forget what is under way in a linked work tree.
func (t *Tree) quit(ctx context.Context) error {
	at := t.Dir()
	if at.Table() {
		for _, name := range []string{"CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
			if _, err := t.change(ctx, nil, nil, "update-ref", "--no-deref", "-d", name); err != nil && !isRefusal(err) {
				return err
			}
		}
	}
	for _, name := range under {
		if err := os.RemoveAll(filepath.Join(at.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}
