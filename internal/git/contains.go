package git

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Contains reports whether a target has the work of a branch, which began at base: its
// last commit is in the target's history; or each commit is there with the same changes;
// or one commit there has all the changes, or the very files; or merging the branch would
// change nothing.
//
// In doubt it is false: a branch with merges in it, which may have changes of their own,
// counts as a whole. So does one whose commits revert each other: they are nowhere else.
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
	var each []string
	for _, line := range lines {
		if len(line.Parents) != 1 {
			each = nil
			break
		}
		each = append(each, line.ID)
	}
	if len(each) > 0 {
		if all, err := t.applied(ctx, target, base, each); all || err != nil {
			return all, err
		}
	}
	return t.squashed(ctx, target, tip)
}

// applied reports whether a target has, behind a base, a commit with the same changes
// for each of some commits. White space counts, which it does not for git cherry.
func (t *Tree) applied(ctx context.Context, target, base string, commits []string) (bool, error) {
	own, err := t.patches(ctx, commits)
	if err != nil || len(own) == 0 { // none of them changes anything
		return false, err
	}
	out, err := t.list(ctx, "rev-list", "--no-merges", target, "^"+base)
	if err != nil {
		return false, err
	}
	theirs, err := t.patches(ctx, strings.Fields(out))
	if err != nil {
		return false, err
	}
	for sum := range own {
		if !theirs[sum] {
			return false, nil
		}
	}
	return true, nil
}

// patches returns the sums of what commits change, without the numbers of lines. A
// commit that changes nothing has none.
func (t *Tree) patches(ctx context.Context, commits []string) (map[string]bool, error) {
	if err := ids(commits...); err != nil || len(commits) == 0 {
		return nil, err
	}
	in := []byte(strings.Join(commits, "\n") + "\n")
	out, err := t.run(ctx, call{stdin: in, patience: longPatience, limit: maxList}, plainDiff("--stdin", "--root", "-p", "--full-index")...)
	if err != nil {
		return nil, err
	}
	sums := map[string]bool{}
	sum, index := hash.Hash(nil), ""
	end := func() {
		if sum != nil {
			sums[string(sum.Sum(nil))] = true
		}
	}
	for line := range strings.Lines(out) {
		switch {
		case gitdir.IsID(strings.TrimSuffix(line, "\n")):
			end()
			sum = sha256.New()
			continue
		case sum == nil:
			return nil, fmt.Errorf("git's answer cannot be read: %.80q", line)
		case strings.HasPrefix(line, "index "): // the ids of whole files count where nothing else is said of them
			index = line
			continue
		case strings.HasPrefix(line, "Binary files "):
			line = index
		case strings.HasPrefix(line, "@@ "):
			line = "@@\n"
		}
		_, _ = sum.Write([]byte(line))
	}
	end()
	return sums, nil
}

// squashed reports whether a target has all together of what a branch does.
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
	var trees [3]string
	for i, id := range []string{bases[0], target, tip} {
		c, err := o.commit(id)
		if err != nil {
			return false, err
		}
		trees[i] = c.tree
	}
	if trees[0] == trees[2] {
		return false, nil
	}
	out, err := t.list(ctx, "rev-list", "--format=%T", target, "^"+bases[0])
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(out) {
		if strings.TrimSpace(line) == trees[2] {
			return true, nil
		}
	}
	whole, err := t.store(ctx, "commit", asked(trees[2], bases...))
	if err != nil {
		return false, err
	}
	if all, err := t.applied(ctx, target, bases[0], whole); all || err != nil {
		return all, err
	}
	merged, conflicts, err := t.merge3(ctx, trees[0], trees[1], trees[2])
	return len(conflicts) == 0 && merged == trees[1], err
}
