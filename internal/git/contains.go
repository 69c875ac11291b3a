package git

import (
	"context"
	"fmt"
	"strings"
)

// Contains reports whether a target has what the commits of a branch did: the last one is
// in its history; or each of them is there as a commit that does the same; or all
// together are there as one, or as the very files. Base is what the branch began at.
// A branch with merges in it, which may have changes of their own, is not looked at
// commit by commit.
func (t *Tree) Contains(ctx context.Context, target, base, tip string) (bool, error) {
	if err := ids(base); err != nil {
		return false, err
	}
	is, err := t.IsAncestor(ctx, tip, target)
	if is || err != nil {
		return is, err
	}
	lines, err := t.lines(ctx, "rev-list", "--parents", tip, "^"+base, "^"+target)
	if err != nil || len(lines) == 0 {
		return false, err
	}
	merges := false
	for _, line := range lines {
		merges = merges || len(line.Parents) != 1
	}
	if !merges {
		if all, err := t.cherry(ctx, target, tip, base); all || err != nil {
			return all, err
		}
	}
	return t.squashed(ctx, target, tip)
}

// cherry reports whether a target has a commit that does the same for each of a branch.
func (t *Tree) cherry(ctx context.Context, target, tip, base string) (bool, error) {
	out, err := t.long(ctx, "cherry", target, tip, base)
	if err != nil || out == "" {
		return false, err
	}
	for line := range strings.Lines(out) { // - 1a2b…: it is there
		if !strings.HasPrefix(line, "- ") {
			return false, nil
		}
	}
	return true, nil
}

// squashed reports whether a target has one commit that does what a whole branch does, or
// that has its files.
func (t *Tree) squashed(ctx context.Context, target, tip string) (bool, error) {
	bases, err := t.Bases(ctx, target, tip)
	if err != nil || len(bases) != 1 {
		return false, err
	}
	o, err := t.open(ctx)
	if err != nil {
		return false, err
	}
	defer o.close()
	is, err := o.commit(tip)
	if err != nil {
		return false, err
	}
	was, err := o.commit(bases[0])
	if err != nil || was.tree == is.tree { // commits that take each other back are nowhere else
		return false, err
	}
	out, err := t.list(ctx, "rev-list", "--format=%T", target, "^"+bases[0])
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(out) {
		if strings.TrimSpace(line) == is.tree {
			return true, nil
		}
	}
	const nobody = "Pawl <pawl@localhost> 0 +0000"
	whole := raw{tree: is.tree, parents: bases, author: nobody, committer: nobody, message: "\nall together\n"}
	made, err := t.store(ctx, "commit", whole.bytes())
	if err != nil {
		return false, err
	}
	if len(made) != 1 {
		return false, fmt.Errorf("git stored no commit")
	}
	return t.cherry(ctx, target, made[0], bases[0])
}
