package gitmerge

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
)

// State returns what of the board waits to be merged. It runs git only if git has
// changed something since Pawl last looked, or has an operation under way.
func (m *Merger) State(ctx context.Context) (merge.State, error) {
	tree, ok := gitdir.Find(m.dir)
	if !ok || tree.Busy() || tree.Under().None() && m.unchanged(tree, tree.Stamp()) && !bytes.Contains(m.memoryText(), []byte(`"undone":true`)) {
		return merge.State{}, nil
	}
	m.one.Lock()
	defer m.one.Unlock()
	l, err := m.look(ctx)
	if err != nil || l.tree == nil {
		if errors.Is(err, git.ErrMissing) || errors.Is(err, git.ErrBusy) {
			err = nil
		}
		return merge.State{}, explain(err)
	}
	is := merge.State{Under: l.state.Under.Name(), Waits: l.waits(), Board: strings.TrimSuffix(l.prefix, "/"), Left: l.left}
	for _, e := range l.unmerged() {
		if name := l.prefix + e.Name; len(is.Tasks) == 0 || is.Tasks[len(is.Tasks)-1] != name {
			is.Tasks = append(is.Tasks, name)
		}
	}
	for _, all := range []bool{false, true} {
		l.all = all
		joints, err := l.joints(ctx)
		if err != nil {
			return is, explain(err)
		}
		// A person who took a merge back and committed since knows of it.
		joints = slices.DeleteFunc(joints, func(j joint) bool { return all && j.closed && j.Commit != l.state.Head })
		out, err := l.carryOut(ctx, Options{By: pawl.Actor{}, DryRun: true, status: true}, joints)
		if err != nil {
			return is, explain(err)
		}
		if !out.Done && (len(out.Added)+len(out.Removed) > 0 || !out.Report.Empty()) {
			is.Next, is.ByHand = &out, all || byHand(l.state.Under)
			break
		}
	}
	return is, nil
}
