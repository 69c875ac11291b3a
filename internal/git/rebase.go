package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// maxReplayed is how many commits of a branch a rebase makes.
const maxReplayed = 1000

var errReplayed = fmt.Errorf("the branch has more than %d commits that the target does not have", maxReplayed)

// Rebase makes the commits of a branch again on top of another commit, and returns the
// last of them, which this linked work tree then has checked out. Base is what the branch
// began at; what onto has already is left out. Merges are left out, and so is a commit
// that no longer changes anything. Author, date and message stay; a signature does not.
//
// In a conflict it returns the paths that have one, and this work tree is as before. The
// commits are made without an index and without files, and one reference moves in the
// end. So nothing is left to be cleaned up after a process that was killed.
//
// Files are merged line by line, or as the attributes merge=union, merge=binary and
// -merge say. A merge driver of the configuration is not run.
func (t *Tree) Rebase(ctx context.Context, onto, base, tip string) (string, []string, error) {
	if err := t.linked(); err != nil {
		return "", nil, err
	}
	newTip, conflicts, err := t.replay(ctx, onto, base, tip)
	if err != nil || len(conflicts) > 0 {
		return "", conflicts, err
	}
	return newTip, nil, t.Checkout(ctx, newTip)
}

func (t *Tree) replay(ctx context.Context, onto, base, tip string) (string, []string, error) {
	if err := ids(onto, base, tip); err != nil {
		return "", nil, err
	}
	lines, err := t.lines(ctx, "rev-list", "--topo-order", "--reverse", "--no-merges", "--parents", tip, "^"+base, "^"+onto)
	if err != nil {
		return "", nil, err
	}
	if len(lines) > maxReplayed {
		return "", nil, errReplayed
	}
	o, err := t.open(ctx)
	if err != nil {
		return "", nil, err
	}
	defer o.close()
	who := t.identity(ctx)
	at := onto
	for _, line := range lines {
		if len(line.Parents) == 1 && line.Parents[0] == at { // it is there already
			at = line.ID
			continue
		}
		next, conflicts, err := t.pick(ctx, o, at, line.ID, who)
		if err != nil || len(conflicts) > 0 {
			return "", conflicts, err
		}
		at = next
	}
	return at, nil, nil
}

// Squash makes one commit of all that a branch did, on top of another commit, and returns
// it, which this linked work tree then has checked out. It is as with [Tree.Rebase], but
// the user wrote it, as git knows them here, and what a merge of the branch changed counts.
// Onto itself is returned if nothing is left of the branch.
func (t *Tree) Squash(ctx context.Context, onto, base, tip, message string) (string, []string, error) {
	if err := t.linked(); err != nil {
		return "", nil, err
	}
	if err := ids(onto, base, tip); err != nil {
		return "", nil, err
	}
	bases, err := t.Bases(ctx, onto, tip)
	if err != nil {
		return "", nil, err
	}
	if len(bases) == 1 { // the branch may have taken up commits that the target got later
		base = bases[0]
	}
	o, err := t.open(ctx)
	if err != nil {
		return "", nil, err
	}
	defer o.close()
	from, err := o.commit(base)
	if err != nil {
		return "", nil, err
	}
	to, err := o.commit(tip)
	if err != nil {
		return "", nil, err
	}
	who := t.identity(ctx)
	made, conflicts, err := t.put(ctx, o, onto, from.tree, raw{tree: to.tree, author: who, message: asMessage(message)}, who)
	if err != nil || len(conflicts) > 0 {
		return "", conflicts, err
	}
	return made, nil, t.Checkout(ctx, made)
}

// pick applies one commit on top of another one, unless nothing is left of it.
func (t *Tree) pick(ctx context.Context, o *objects, onto, id, who string) (string, []string, error) {
	c, err := o.commit(id)
	if err != nil {
		return "", nil, err
	}
	before := raw{tree: treeID(nil, len(id))}
	if len(c.parents) > 0 {
		if before, err = o.commit(c.parents[0]); err != nil {
			return "", nil, err
		}
	}
	return t.put(ctx, o, onto, before.tree, c, who)
}

// put makes a commit on top of another one, with what its tree has changed since an
// earlier tree, unless nothing is left of that.
func (t *Tree) put(ctx context.Context, o *objects, onto, before string, c raw, who string) (string, []string, error) {
	on, err := o.commit(onto)
	if err != nil {
		return "", nil, err
	}
	tree, conflicts, err := t.merge3(ctx, before, on.tree, c.tree)
	if err != nil || len(conflicts) > 0 || tree == on.tree {
		return onto, conflicts, err
	}
	c.tree, c.parents, c.committer = tree, []string{onto}, who
	made, err := t.store(ctx, "commit", c.bytes())
	if err != nil {
		return "", nil, err
	}
	return made[0], nil, nil
}

// merge3 merges two trees that were made of a third one. Git does so with commits alone:
// these are made for it, and no reference leads to them.
func (t *Tree) merge3(ctx context.Context, base, ours, theirs string) (string, []string, error) {
	switch {
	case ours == base:
		return theirs, nil, nil
	case theirs == base, ours == theirs:
		return ours, nil, nil
	}
	aside, done, err := t.aside(len(base))
	if err != nil {
		return "", nil, err
	}
	defer done()
	root := asked(base)
	parent := objectID("commit", root, len(base))
	if base == treeID(nil, len(base)) {
		if _, err := t.store(ctx, "tree", []byte{}); err != nil {
			return "", nil, err
		}
	}
	found, err := t.store(ctx, "commit", root, asked(ours, parent), asked(theirs, parent))
	if err != nil {
		return "", nil, err
	}
	plain := &Tree{Root: t.Root, git: t.git} // no option says where the repository is
	out, err := plain.run(ctx, call{env: aside, patience: longPatience, limit: maxList}, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", found[1], found[2])
	if isExit(err, 129) {
		return "", nil, fmt.Errorf("git 2.38 or newer is needed to rebase: %w", err)
	}
	if err != nil && !isExit(err, 1) { // 1: a conflict
		return "", nil, err
	}
	fields := zeroEnded(out)
	if len(fields) == 0 || !gitdir.IsID(fields[0]) {
		return "", nil, fmt.Errorf("git's answer cannot be read: %.80q", out)
	}
	if err == nil {
		return fields[0], nil, nil
	}
	if conflicts := unique(fields[1:]); len(conflicts) > 0 {
		return "", conflicts, nil
	}
	return "", nil, err
}

// asked is a commit that is needed for a question to git.
func asked(tree string, parents ...string) []byte {
	const nobody = "Pawl <pawl@localhost> 0 +0000"
	return raw{tree: tree, parents: parents, author: nobody, committer: nobody, message: "\nasked about\n"}.bytes()
}

// aside is the environment in which git has this work tree and its objects, but no
// configuration and no references. So a merge driver that attributes name is not known,
// and git merges line by line, which no option says where one is known.
func (t *Tree) aside(digits int) (env []string, done func(), err error) {
	dir, err := os.MkdirTemp("", "pawl-merge-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	if digits == 64 {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectFormat = sha256\n"
	}
	err = os.Mkdir(filepath.Join(dir, "refs"), 0o755)
	for name, text := range map[string]string{"config": config, "HEAD": "ref: refs/heads/none\n"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return []string{
		"GIT_DIR=" + dir, "GIT_WORK_TREE=" + t.Root, "GIT_OBJECT_DIRECTORY=" + filepath.Join(t.Dir().Common, "objects"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "XDG_CONFIG_HOME=" + dir, "HOME=" + dir, "GIT_ATTR_NOSYSTEM=1",
	}, done, nil
}
