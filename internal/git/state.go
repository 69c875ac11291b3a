package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A State is what a work tree has checked out, and what git has under way in it.
type State struct {
	Head   string // a commit; empty: there is none yet
	Branch string // refs/heads/…; empty: HEAD is detached
	gitdir.Under
}

// State asks git once, twice where it keeps references in a table.
func (t *Tree) State(ctx context.Context) (State, error) {
	s := State{Under: t.Dir().Under()}
	names := []string{"HEAD"}
	if t.Dir().Table() {
		names = append(names, "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
	}
	found, err := t.lookup(ctx, commits(names))
	if err != nil {
		return s, err
	}
	s.Head = found[0].id
	if t.Dir().Table() {
		s.Pick, s.Revert = found[1].id, found[2].id
		if s.Rebase != nil {
			s.Rebase.Commit = found[3].id
		}
	}
	out, err := t.ask(ctx, nil, "symbolic-ref", "-q", "HEAD")
	if err != nil && !isExit(err, 1) { // 1: detached
		return s, err
	}
	s.Branch = strings.TrimSpace(out)
	return s, nil
}

// Commit returns the commit that a person means by a name: a branch, a tag, a
// hash, HEAD~2. Empty: git knows none of that name.
func (t *Tree) Commit(ctx context.Context, name string) (string, error) {
	if name == "" || strings.ContainsAny(name, "\n\r\x00") {
		return "", nil
	}
	found, err := t.lookup(ctx, commits([]string{name}))
	if err != nil {
		return "", err
	}
	return found[0].id, nil
}

func commits(names []string) []string {
	out := slices.Clone(names)
	for i := range out {
		out[i] += "^{commit}"
	}
	return out
}

// An object is what git says of one. Without id, git has none of that name.
type object struct {
	id, kind string
	size     int64
}

// lookup asks about objects by name, which is input for git and no argument.
func (t *Tree) lookup(ctx context.Context, names []string) ([]object, error) {
	if len(names) == 0 {
		return nil, nil
	}
	out, err := t.run(ctx, call{stdin: []byte(strings.Join(names, "\n") + "\n"), patience: longPatience, limit: maxList}, "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(names) {
		return nil, fmt.Errorf("git answered %d of %d questions", len(lines), len(names))
	}
	found := make([]object, len(names))
	for i, line := range lines {
		found[i], _ = header(line)
	}
	return found, nil
}

// header reads what git says of an object: its id, kind and size. False: that it
// has none, or that a name may mean several.
func header(line string) (object, bool) {
	fields := strings.Fields(line)
	if len(fields) != 3 || !gitdir.IsID(fields[0]) {
		return object{}, false
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return object{}, false
	}
	return object{fields[0], fields[1], size}, true
}
