package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A Worktree is a work tree as git lists it. The main one is the first.
type Worktree struct {
	Dir      string
	Head     string // a commit; empty: there is none yet
	Branch   string // refs/heads/…; empty: HEAD is detached
	Bare     bool   // it is a repository without files
	Prunable bool   // its folder is gone
}

// ErrUnborn says that a repository has no commit that a work tree could have.
var ErrUnborn = errors.New("this repository has no commit yet: make the first one with git commit")

// Worktrees returns the work trees of the repository.
func (t *Tree) Worktrees(ctx context.Context) ([]Worktree, error) {
	end := "\x00"
	out, err := t.list(ctx, "worktree", "list", "--porcelain", "-z")
	if isExit(err, 129) { // -z came with git 2.36
		end = "\n"
		out, err = t.list(ctx, "worktree", "list", "--porcelain")
	}
	if err != nil {
		return nil, err
	}
	var all []Worktree
	for entry := range strings.SplitSeq(out, end+end) {
		var w Worktree
		for line := range strings.SplitSeq(entry, end) {
			what, value, _ := strings.Cut(line, " ")
			switch what {
			case "worktree":
				w.Dir = filepath.FromSlash(value)
			case "HEAD":
				if gitdir.IsID(value) && strings.Trim(value, "0") != "" {
					w.Head = value
				}
			case "branch":
				w.Branch = value
			case "bare":
				w.Bare = true
			case "prunable":
				w.Prunable = true
			}
		}
		if w.Dir != "" {
			all = append(all, w)
		}
	}
	return all, nil
}

// AddWorktree makes a work tree in a folder that must not exist, with the files of a
// commit. A branch, refs/heads/…, must not exist either: it is made, and follows no
// other one. Without a branch HEAD is detached.
//
// The files are as git makes them without filters: what git-lfs keeps elsewhere is a
// pointer. Ends of lines are converted as the repository wants it. A submodule is an
// empty folder. A sparse checkout stays one, from git 2.36 on. After a call that
// failed or was killed, RemoveWorktree cleans up; the branch may exist by then.
func (t *Tree) AddWorktree(ctx context.Context, dir, branch, commit string) error {
	if commit == "" {
		return ErrUnborn
	}
	if err := ids(commit); err != nil {
		return err
	}
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%s is not an absolute path", dir)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s exists: a work tree needs a folder of its own", dir))
	}
	args := []string{"worktree", "add", "--quiet", "--no-checkout"}
	if branch == "" {
		args = append(args, "--detach")
	} else {
		name, ok := strings.CutPrefix(branch, "refs/heads/")
		if !ok || refName(branch) != nil {
			return fmt.Errorf("%.80q cannot be a new branch", branch)
		}
		args = append(args, "--no-track", "-b", name)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if _, err := t.change(ctx, nil, nil, append(args, "--", dir, commit)...); err != nil {
		return err
	}
	made, err := OpenWorktree(ctx, dir, t.Dir().Common)
	if err != nil {
		return err
	}
	_, err = made.change(ctx, nil, nil, "read-tree", "--reset", "-u", commit)
	return err
}

// RemoveWorktree removes a linked work tree of this repository with all that is in its
// folder, committed or not. If the folder is gone, git forgets this work tree and no
// other. A branch stays.
func (t *Tree) RemoveWorktree(ctx context.Context, dir string) error {
	all, err := t.Worktrees(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(w Worktree) bool { return samePath(w.Dir, dir) })
	if at < 0 {
		return fmt.Errorf("%s is not a work tree of this repository", dir)
	}
	if at == 0 || all[at].Bare {
		return fmt.Errorf("%s is the main work tree: it is not removed", dir)
	}
	if _, err := os.Lstat(dir); err == nil {
		if _, err := OpenWorktree(ctx, dir, t.Dir().Common); err != nil {
			return err
		}
		if err := empty(dir); err != nil {
			return err
		}
	}
	_, err = t.change(ctx, nil, nil, "worktree", "remove", "--force", "--force", "--", all[at].Dir)
	return err
}

// empty removes what is in the folder of a work tree, and .git last: as long as that is
// there, a removal that was stopped can go on.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == ".git" {
			continue
		}
		at := filepath.Join(dir, e.Name())
		if err := os.RemoveAll(at); err == nil {
			continue
		}
		writable(at)
		if err := os.RemoveAll(at); err != nil {
			return err
		}
	}
	return nil
}

// writable lets what is in folders be removed: caches of some tools are read-only.
func writable(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
}

// samePath compares two paths with links in their folders resolved.
func samePath(a, b string) bool {
	return resolved(filepath.Clean(a)) == resolved(filepath.Clean(b))
}
