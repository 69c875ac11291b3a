package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// plainDiff compares two commits without a program that the repository names, and
// without a look at the work tree.
func plainDiff(how ...string) []string {
	return slices.Concat([]string{"diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"}, how)
}

// Changed returns the paths of files that two commits do not have in common.
func (t *Tree) Changed(ctx context.Context, a, b string) ([]string, error) {
	if err := ids(a, b); err != nil {
		return nil, err
	}
	out, err := t.list(ctx, plainDiff("--name-only", "-z", a, b)...)
	return zeroEnded(out), err
}

// Diff returns what a commit has changed since another one, as text. A longer one
// than limit is cut, and its last line says so.
func (t *Tree) Diff(ctx context.Context, a, b string, limit int) (string, error) {
	if err := ids(a, b); err != nil {
		return "", err
	}
	out, err := t.run(ctx, call{patience: longPatience, limit: limit + 1, part: true}, plainDiff("-p", a, b)...)
	if err != nil {
		return "", err
	}
	cut := len(out) > limit
	if cut {
		out = out[:strings.LastIndexByte(out[:limit], '\n')+1]
	}
	out = strings.ToValidUTF8(out, "\uFFFD")
	if cut {
		out += fmt.Sprintf("[the diff is longer; the rest is shown by: git diff %.12s %.12s]\n", a, b)
	}
	return out, nil
}

// DiffStat returns how many files and lines a commit has changed since another one.
// Lines of binary files do not count.
func (t *Tree) DiffStat(ctx context.Context, a, b string) (files, added, removed int, err error) {
	if err := ids(a, b); err != nil {
		return 0, 0, 0, err
	}
	out, err := t.list(ctx, plainDiff("--numstat", "-z", a, b)...)
	if err != nil {
		return 0, 0, 0, err
	}
	for _, line := range zeroEnded(out) { // 3<tab>1<tab>name, of a binary file: -<tab>-<tab>name
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) != 3 {
			return 0, 0, 0, fmt.Errorf("git's answer cannot be read: %.80q", line)
		}
		plus, _ := strconv.Atoi(fields[0])
		minus, _ := strconv.Atoi(fields[1])
		files, added, removed = files+1, added+plus, removed+minus
	}
	return files, added, removed, nil
}

// Logged is a commit by its first line.
type Logged struct{ ID, Subject string }

// Log returns the commits in the history of a commit that are not in that of another
// one: the newest, at most max, the oldest of them first.
func (t *Tree) Log(ctx context.Context, from, to string, max int) ([]Logged, error) {
	if err := ids(from, to); err != nil {
		return nil, err
	}
	out, err := t.long(ctx, "rev-list", "--topo-order", "--encoding=UTF-8", "--max-count="+strconv.Itoa(max), "--format=%H %s", to, "^"+from)
	if err != nil {
		return nil, err
	}
	var all []Logged
	for line := range strings.Lines(out) {
		id, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if ids(id) == nil { // and not git's own line: commit ID
			all = append(all, Logged{id, strings.ToValidUTF8(subject, "\uFFFD")})
		}
	}
	slices.Reverse(all)
	return all, nil
}
