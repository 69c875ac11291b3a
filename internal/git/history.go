package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Bases returns the merge bases of two commits, in the order of their ids. There is
// none if their histories have nothing in common, or if a shallow clone ends before.
func (t *Tree) Bases(ctx context.Context, a, b string) ([]string, error) {
	if err := ids(a, b); err != nil {
		return nil, err
	}
	out, err := t.long(ctx, "merge-base", "--all", a, b)
	if err != nil && !isExit(err, 1) { // 1: none
		return nil, err
	}
	bases := strings.Fields(out)
	slices.Sort(bases)
	return bases, nil
}

// IsAncestor reports whether a commit is another one or in its history.
func (t *Tree) IsAncestor(ctx context.Context, old, of string) (bool, error) {
	if err := ids(old, of); err != nil {
		return false, err
	}
	_, err := t.long(ctx, "merge-base", "--is-ancestor", old, of)
	if isExit(err, 1) {
		return false, nil
	}
	return err == nil, err
}

// Line is a commit and its parents, of those that a shallow clone has.
type Line struct {
	ID      string
	Parents []string
}

// Parents returns commits with their parents, in the order given.
func (t *Tree) Parents(ctx context.Context, commits ...string) ([]Line, error) {
	if err := ids(commits...); err != nil || len(commits) == 0 {
		return nil, err
	}
	return t.lines(ctx, append([]string{"rev-list", "--no-walk=unsorted", "--parents"}, commits...)...)
}

// Merges returns the merges in the history of a commit that are not in that of
// another one, or all if that is empty: the newest, at most max, the oldest of them
// first, each after those in its history.
func (t *Tree) Merges(ctx context.Context, from, to string, max int) ([]Line, error) {
	args := []string{"rev-list", "--topo-order", "--min-parents=2", "--parents", "--max-count=" + strconv.Itoa(max), to}
	if from != "" {
		args = append(args, "^"+from)
		if err := ids(from); err != nil {
			return nil, err
		}
	}
	if err := ids(to); err != nil {
		return nil, err
	}
	lines, err := t.lines(ctx, args...)
	slices.Reverse(lines)
	return lines, err
}

// Authored is a commit by the fields that a rebase keeps.
type Authored struct {
	Line
	Key     string // its author and time
	Subject string // the first line of its message
}

// Authored returns the commits in the history of a commit that are not in that of
// another one: the newest, at most max, the oldest of them first.
func (t *Tree) Authored(ctx context.Context, from, to string, max int) ([]Authored, error) {
	if err := ids(from, to); err != nil {
		return nil, err
	}
	out, err := t.long(ctx, "rev-list", "--topo-order", "--max-count="+strconv.Itoa(max), "--format=%H %P%n%an%x00%ae%x00%at%n%s", to, "^"+from)
	if err != nil {
		return nil, err
	}
	var all []Authored
	lines := strings.Split(out, "\n")
	for ; len(lines) >= 4; lines = lines[4:] { // git says first: commit ID
		if fields := strings.Fields(lines[1]); len(fields) > 0 {
			all = append(all, Authored{Line{fields[0], fields[1:]}, lines[2], lines[3]})
		}
	}
	slices.Reverse(all)
	return all, nil
}

// Between returns the commits on the way from one, excluded, to another that changed a
// folder: the first ones, at most max, the oldest first.
func (t *Tree) Between(ctx context.Context, from, to, dir string, max int) ([]string, error) {
	if err := ids(from, to); err != nil {
		return nil, err
	}
	args := []string{"rev-list", "--topo-order", "--reverse", "--ancestry-path", from + ".." + to, "--"}
	for _, name := range t.below([]string{dir}) {
		args = append(args, ":(top,literal)"+name)
	}
	out, err := t.long(ctx, args...)
	if err != nil {
		return nil, err
	}
	all := strings.Fields(out)
	return all[:min(max, len(all))], nil
}

func (t *Tree) lines(ctx context.Context, args ...string) ([]Line, error) {
	out, err := t.long(ctx, args...)
	if err != nil {
		return nil, err
	}
	var lines []Line
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 0 {
			lines = append(lines, Line{fields[0], fields[1:]})
		}
	}
	return lines, nil
}

// long runs git with a question that it may have to read the history for.
func (t *Tree) long(ctx context.Context, args ...string) (string, error) {
	return t.run(ctx, call{patience: longPatience, limit: maxAnswer}, args...)
}

// ids refuses what is not the whole id of an object, and could be an option.
func ids(all ...string) error {
	for _, id := range all {
		if !gitdir.IsID(id) {
			return fmt.Errorf("%q is not the id of a commit", id)
		}
	}
	return nil
}
