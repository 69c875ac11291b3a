package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxSnapshot is how many bytes a snapshot may add: what is larger was not meant for git.
const maxSnapshot = maxObjects

// A Nested is the error of a snapshot that lacks repositories inside of the work tree.
// Their uncommitted files exist nowhere else in git.
type Nested struct{ Paths []string }

func (n *Nested) Error() string {
	return fmt.Sprintf("%q is a git repository inside of the work tree: git does not commit its files here", n.Paths[0])
}

// Snapshot commits all files of the tree that git does not ignore, changed, deleted and
// new ones, on top of HEAD, and returns the commit; empty: there is nothing to commit.
// Paths in except are left as HEAD has them. HEAD, branch, index and files stay as they
// are, and an operation under way goes on afterwards; a file in conflict is committed
// with the marks in it.
//
// No filter runs, as none ran when the files were checked out: a pointer of git-lfs is
// committed as it is, and so is a large file that an agent put in its place. Ends of
// lines are converted as the repository wants it. A submodule counts by its commit. A
// new repository inside is left out: then both the commit and a [*Nested] are returned.
func (t *Tree) Snapshot(ctx context.Context, message string, except []string) (string, error) {
	var id string
	err := undisturbed(ctx, func() (err error) {
		id, err = t.snapshot(ctx, message, t.inside(except))
		return err
	})
	return id, err
}

func (t *Tree) snapshot(ctx context.Context, message string, except []string) (string, error) {
	head, err := t.Commit(ctx, "HEAD")
	if err != nil {
		return "", err
	}
	if head == "" {
		return "", ErrUnborn
	}
	tmp, err := os.MkdirTemp("", "pawl-snapshot-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	index, err := t.spareIndex(tmp)
	if err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + index}
	if _, err := os.Stat(index); err != nil { // an agent may have removed it
		if _, err := t.change(ctx, env, nil, "read-tree", head); err != nil {
			return "", err
		}
	}
	if err := t.lookAtAll(ctx, env); err != nil {
		return "", err
	}
	add, gone, nested, err := t.different(ctx, env, except)
	if err != nil {
		return "", err
	}
	if err := t.updateIndex(ctx, env, gone, "--force-remove"); err != nil {
		return "", err
	}
	if err := t.updateIndex(ctx, env, add, "--add", "--remove", "--replace"); err != nil {
		return "", err
	}
	if err := t.dropUnmerged(ctx, env, except); err != nil {
		return "", err
	}
	out, err := t.change(ctx, env, nil, "write-tree")
	if err != nil {
		return "", err
	}
	id, err := t.commitOn(ctx, head, strings.TrimSpace(out), message, except)
	if err == nil && len(nested) > 0 {
		return id, &Nested{nested}
	}
	return id, err
}

// updateIndex does something with paths in an index.
func (t *Tree) updateIndex(ctx context.Context, env, paths []string, how ...string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := t.change(ctx, env, []byte(strings.Join(paths, "\x00")+"\x00"), slices.Concat([]string{"update-index"}, how, []string{"-z", "--stdin"})...)
	return err
}

// commitOn commits a tree on top of a commit, which says what is at some paths.
func (t *Tree) commitOn(ctx context.Context, head, tree, message string, except []string) (string, error) {
	if err := ids(tree); err != nil {
		return "", err
	}
	o, err := t.open(ctx)
	if err != nil {
		return "", err
	}
	defer o.close()
	on, err := o.commit(head)
	if err != nil {
		return "", err
	}
	if tree, err = t.graft(ctx, o, tree, on.tree, except); err != nil || tree == on.tree {
		return "", err
	}
	who := t.identity(ctx)
	made, err := t.store(ctx, "commit", raw{tree: tree, parents: []string{head}, author: who, committer: who, message: asMessage(message)}.bytes())
	if err != nil {
		return "", err
	}
	return made[0], nil
}

// lookAtAll has an index forget that nobody need look at files which are there.
func (t *Tree) lookAtAll(ctx context.Context, env []string) error {
	out, err := t.run(ctx, call{env: env, patience: longPatience, limit: maxList}, "ls-files", "-v", "-z")
	if err != nil {
		return err
	}
	var assumed, skipped []string
	for _, line := range zeroEnded(out) { // H name; h name: assumed unchanged; S name: skipped
		tag, name, _ := strings.Cut(line, " ")
		if tag != strings.ToUpper(tag) {
			assumed = append(assumed, name)
		}
		if strings.EqualFold(tag, "S") {
			if _, err := os.Lstat(filepath.Join(t.Root, filepath.FromSlash(name))); err == nil {
				skipped = append(skipped, name)
			}
		}
	}
	return errors.Join(t.updateIndex(ctx, env, assumed, "--no-assume-unchanged"), t.updateIndex(ctx, env, skipped, "--no-skip-worktree"))
}

// different says in what files differ from an index, some paths not counted: which are to
// be added, which are gone, and which are repositories inside.
func (t *Tree) different(ctx context.Context, env, except []string) (add, gone, nested []string, err error) {
	quiet, err := t.withoutFilters(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	quiet = slices.Concat(quiet, env)
	names, err := t.changedFiles(ctx, quiet)
	if err != nil {
		return nil, nil, nil, err
	}
	out, err := t.run(ctx, call{env: quiet, patience: longPatience, limit: maxList}, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, nil, nil, err
	}
	names = append(names, zeroEnded(out)...)
	behind := links{t.Root, map[string]bool{}}
	size := int64(0)
	for _, name := range unique(names) {
		if within(strings.TrimSuffix(name, "/"), except) {
			continue
		}
		if inner, ok := strings.CutSuffix(name, "/"); ok {
			nested = append(nested, inner)
			continue
		}
		info, err := os.Lstat(filepath.Join(t.Root, filepath.FromSlash(name)))
		switch {
		case err != nil || behind.above(name):
			gone = append(gone, name)
			continue
		case info.Mode().IsRegular():
			size += info.Size()
		}
		add = append(add, name)
	}
	switch {
	case len(add) > maxFiles:
		err = fmt.Errorf("this work tree has more than %d changed and new files", maxFiles)
	case size > maxSnapshot:
		err = fmt.Errorf("the changed and new files of this work tree have more than %d MiB: let git ignore what is not meant for it", maxSnapshot>>20)
	}
	return add, gone, nested, err
}

// dropUnmerged takes conflicts at some paths out of an index: their state is that of HEAD.
func (t *Tree) dropUnmerged(ctx context.Context, env, except []string) error {
	if len(except) == 0 {
		return nil
	}
	out, err := t.run(ctx, call{env: env, patience: longPatience, limit: maxList}, "ls-files", "--unmerged", "-z")
	if err != nil {
		return err
	}
	var names []string
	for _, line := range zeroEnded(out) {
		if _, name, ok := strings.Cut(line, "\t"); ok && within(name, except) {
			names = append(names, name)
		}
	}
	return t.updateIndex(ctx, env, names, "--force-remove")
}
