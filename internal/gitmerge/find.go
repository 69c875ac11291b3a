package gitmerge

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A joint is one place where two boards came together.
type joint struct {
	taken
	name   string // what git calls theirs
	bases  []shape
	ours   shape
	theirs shape
	left   shape         // what git made of it
	tip    shape         // of a step of a rebase: what our side will be, whose numbers are in use
	full   bool          // theirs is new to the user, who merged it
	known  bool          // of conflicts in the index: whole sides are known
	closed bool          // git has committed left: there may be more in it than git put there
	steps  []step[shape] // of a rebase that ended
}

// A look is one look at git.
type look struct {
	*Merger
	tree    *git.Tree
	state   git.State
	stamp   gitdir.Stamp
	memory  memory
	prefix  string           // of the board's folder, in git's paths
	entries []git.Entry      // of the board, in the index
	left    []string         // unmerged files elsewhere
	shapes  map[string]shape // by commit
	blobs   map[string][]byte
	all     bool    // also what was undone
	ended   []taken // merges that git has committed since they were taken
}

// unmerged are the entries of the board that git has as conflicts.
func (l *look) unmerged() []git.Entry {
	var found []git.Entry
	for _, e := range l.entries {
		if e.Stage != 0 {
			found = append(found, e)
		}
	}
	return found
}

// mostMerges is how many merges of a pull are looked at, the newest: each takes
// three calls of git.
const mostMerges = 50

// mostMoves is how many moves of HEAD since the last look are followed.
const mostMoves = 2000

// joints finds what git has brought together since the last look, the oldest first.
func (l *look) joints(ctx context.Context) ([]joint, error) {
	moved, err := l.moved(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.undone(ctx, moved)
	if err != nil {
		return nil, err
	}
	found = append(found, moved...)
	now, err := l.underWay(ctx)
	if err != nil {
		return nil, err
	}
	if now == nil {
		if now, err = l.stages(ctx); err != nil {
			return nil, err
		}
	}
	if now != nil {
		found = append(found, *now)
	}
	return slices.DeleteFunc(found, func(j joint) bool {
		i := l.memory.find(j.taken)
		if i < 0 {
			return false
		}
		if l.memory.Taken[i].Undone {
			return !l.all
		}
		return j.closed || len(l.unmerged()) == 0
	}), nil
}

// underWay is the operation that git is in the middle of.
func (l *look) underWay(ctx context.Context) (*joint, error) {
	u := l.state.Under
	ours, theirs, base := l.state.Head, "", ""
	j := joint{full: true}
	j.Under = l.stamp.Under
	parent := func(of string) (string, error) {
		lines, err := l.tree.Parents(ctx, of)
		if err != nil || len(lines) == 0 || len(lines[0].Parents) == 0 {
			return "", err
		}
		return lines[0].Parents[0], nil
	}
	var err error
	var bases []string
	switch {
	case len(u.Merge) > 1:
		return nil, errOctopus
	case len(u.Merge) == 1:
		j.Kind, theirs = merge.KindMerge, u.Merge[0]
		if ours != "" {
			bases, err = l.tree.Bases(ctx, ours, theirs)
		}
	case u.Rebase != nil && u.Rebase.Commit != "":
		j.Kind, theirs = merge.KindRebase, u.Rebase.Commit
		base, err = parent(theirs)
	case u.Pick != "":
		j.Kind, theirs = merge.KindPick, u.Pick
		base, err = parent(theirs)
	case u.Revert != "":
		j.Kind, base = merge.KindRevert, u.Revert
		theirs, err = parent(base)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if base != "" {
		bases = []string{base}
	}
	j.Ours, j.Theirs = ours, theirs
	all := append([]string{ours, theirs}, bases...)
	if j.Kind == merge.KindRebase {
		all = append(all, u.Rebase.Tip)
	}
	shapes, err := l.commits(ctx, all...)
	if err != nil {
		return nil, err
	}
	j.ours, j.theirs, j.bases = shapes[0], shapes[1], shapes[2:2+len(bases)]
	if j.Kind == merge.KindRebase {
		j.tip = shapes[len(shapes)-1]
	}
	_, _, _, j.left = indexShapes(l.entries)
	if len(l.unmerged()) == 0 && j.idle() {
		return nil, nil
	}
	return &j, nil
}

// errOctopus is a merge of more than two sides.
var errOctopus = fmt.Errorf("git is merging more than two branches at once, which Pawl does not merge: abort it (git merge --abort) and merge one branch after the other")

// idle reports whether one side of it did not touch the board, so that git has
// done all there was to do.
func (j *joint) idle() bool {
	if j.ours.id == j.theirs.id {
		return true
	}
	return len(j.bases) == 1 && (j.bases[0].id == j.ours.id || j.bases[0].id == j.theirs.id)
}

// stages are conflicts in the index that no operation explains.
func (l *look) stages(ctx context.Context) (*joint, error) {
	unmerged := l.unmerged()
	if len(unmerged) == 0 {
		return nil, nil
	}
	j := joint{full: true}
	j.Kind = merge.KindStages
	sum := fnv.New64a()
	for _, e := range unmerged {
		fmt.Fprintln(sum, e.Name, e.Stage, e.ID)
	}
	j.Under = fmt.Sprintf("stages %x", sum.Sum64())
	var base shape
	base, j.ours, j.theirs, j.left = indexShapes(l.entries)
	j.bases = []shape{base}
	return &j, l.stashed(ctx, &j, base)
}

// stashed finds out whether conflicts come from git stash pop, which keeps the stash
// when it stops. Then all of it is known, and not only the files with conflicts.
func (l *look) stashed(ctx context.Context, j *joint, base shape) error {
	stash, err := l.tree.Commit(ctx, "refs/stash")
	if err != nil || stash == "" {
		return err
	}
	lines, err := l.tree.Parents(ctx, stash)
	if err != nil || len(lines) == 0 || len(lines[0].Parents) == 0 {
		return err
	}
	shapes, err := l.commits(ctx, lines[0].Parents[0], l.state.Head, stash)
	if err != nil {
		return err
	}
	for _, e := range l.unmerged() {
		id, ok := merge.TaskID(e.Name)
		if ok && e.Stage != 2 && (base.tasks[id] != shapes[0].tasks[id] || j.theirs.tasks[id] != shapes[2].tasks[id]) {
			return nil // they come from elsewhere
		}
	}
	j.bases, j.ours, j.theirs, j.known = shapes[:1], shapes[1], shapes[2], true
	return nil
}

// moved finds the merges and rebases that HEAD has gone through since the last look.
func (l *look) moved(ctx context.Context) ([]joint, error) {
	was, is := l.memory.Head, l.state.Head
	if is == "" || was == is {
		return nil, nil
	}
	moves := l.tree.Dir().Moves("HEAD", mostMoves)
	start := -1
	for i, m := range moves {
		if m.To == was {
			start = i + 1
		}
	}
	if was == "" || start < 0 {
		return l.without(ctx, was, is)
	}
	moves = moves[start:]
	var found []joint
	add := func(some []joint, err error) error {
		found = append(found, some...)
		return err
	}
	from := was
	own := map[string]bool{was: true}
	for i := 0; i < len(moves); i++ {
		m := moves[i]
		switch {
		case m.Step() == "start":
			if err := add(l.merges(ctx, from, m.From, own)); err != nil {
				return nil, err
			}
			end := slices.IndexFunc(moves[i+1:], func(m gitdir.Move) bool {
				return m.Step() == "finish" || m.Step() == "abort" || strings.HasPrefix(m.What, "rebase finished")
			})
			if end < 0 { // it is under way, or ended without a word
				return found, nil
			}
			i += 1 + end
			if moves[i].Step() != "abort" {
				if err := add(l.rebased(ctx, m.From, m.To, moves[i].To, moves[i-end:i])); err != nil {
					return nil, err
				}
			}
			from = moves[i].To
		case strings.HasPrefix(m.What, "checkout:"), strings.HasPrefix(m.What, "reset:"), m.Step() == "amend", strings.HasPrefix(m.What, "clone:"):
			if err := add(l.merges(ctx, from, m.From, own)); err != nil {
				return nil, err
			}
			from = m.To
		}
		own[m.To] = true
	}
	return found, add(l.merges(ctx, from, is, own))
}

// without is moved where git has not kept on which way HEAD came.
func (l *look) without(ctx context.Context, was, is string) ([]joint, error) {
	if was != "" {
		if forward, err := l.tree.IsAncestor(ctx, was, is); err == nil && forward {
			return l.merges(ctx, was, is, map[string]bool{was: true})
		}
	}
	lines, err := l.tree.Parents(ctx, is)
	if err != nil || len(lines) == 0 || len(lines[0].Parents) != 2 {
		return nil, err
	}
	return l.committed(ctx, lines, nil)
}

// merges finds the merges that came to HEAD while it moved forward. own are the
// commits that HEAD was: a merge into one of them is the user's.
func (l *look) merges(ctx context.Context, from, to string, own map[string]bool) ([]joint, error) {
	if from == to || from == "" || to == "" {
		return nil, nil
	}
	if to != l.state.Head { // is it still in the history?
		if kept, err := l.tree.IsAncestor(ctx, to, l.state.Head); err != nil || !kept {
			return nil, err
		}
	}
	lines, err := l.tree.Merges(ctx, from, to, mostMerges)
	if err != nil {
		return nil, err
	}
	return l.committed(ctx, lines, own)
}

// committed are the joints of merge commits.
func (l *look) committed(ctx context.Context, lines []git.Line, own map[string]bool) ([]joint, error) {
	var found []joint
	for _, line := range lines {
		if len(line.Parents) != 2 {
			continue // what git merges of more is without conflicts
		}
		j := joint{closed: true, full: own[line.Parents[0]]}
		j.taken = taken{Kind: merge.KindMerge, Ours: line.Parents[0], Theirs: line.Parents[1], Commit: line.ID}
		if i := l.memory.find(j.taken); i >= 0 {
			l.ended = append(l.ended, j.taken)
			if l.memory.Taken[i].Commit = line.ID; !l.all || !l.memory.Taken[i].Undone {
				continue
			}
		}
		if err := l.fill(ctx, &j, line.ID); err != nil {
			return nil, err
		}
		if !j.idle() && !l.refused(&j) {
			found = append(found, j)
		}
	}
	return found, nil
}

// refused reports whether a merge was to take nothing of theirs: git merge -s ours. Its
// board is ours, without a new task that git would have taken, or git says so.
func (l *look) refused(j *joint) bool {
	if j.left.id != j.ours.id {
		return false
	}
	for id := range j.theirs.tasks {
		had := func(s shape) bool { return s.tasks[id] != "" }
		if !had(j.ours) && !slices.ContainsFunc(j.bases, had) {
			return true
		}
	}
	return slices.ContainsFunc(l.tree.Dir().Moves("HEAD", mostMoves), func(m gitdir.Move) bool {
		return m.To == j.Commit && strings.HasSuffix(m.What, ": Merge made by the 'ours' strategy.")
	})
}

// undone are the merges that git has committed and that were taken back here: what
// theirs had may be nowhere else on this branch. Those in found are left out.
func (l *look) undone(ctx context.Context, found []joint) ([]joint, error) {
	if !l.all {
		return nil, nil
	}
	var again []joint
	for _, t := range l.memory.Taken {
		if !t.Undone || t.Commit == "" || slices.ContainsFunc(found, func(j joint) bool { return j.Commit == t.Commit }) {
			continue
		}
		kept, err := l.tree.IsAncestor(ctx, t.Commit, l.state.Head)
		if err != nil || !kept {
			continue // it was reset, and git may have dropped it since
		}
		j := joint{closed: true, full: true, taken: t}
		j.Under, j.Undone = "", false
		if err := l.fill(ctx, &j, t.Commit); err != nil {
			return nil, err
		}
		if j.Kind == merge.KindRebase {
			if j.steps, _, err = l.steps(ctx, j.Theirs, j.Ours, j.Commit, nil); err != nil {
				return nil, err
			}
		}
		again = append(again, j)
	}
	return again, nil
}

// rebased is the joint of a rebase that has ended.
func (l *look) rebased(ctx context.Context, tip, onto, end string, moves []gitdir.Move) ([]joint, error) {
	if end != l.state.Head {
		if kept, err := l.tree.IsAncestor(ctx, end, l.state.Head); err != nil || !kept {
			return nil, err
		}
	}
	j := joint{closed: true, full: true}
	j.taken = taken{Kind: merge.KindRebase, Ours: tip, Theirs: onto, Commit: end}
	if err := l.fill(ctx, &j, end); err != nil || j.idle() {
		return nil, err
	}
	steps, ok, err := l.steps(ctx, onto, tip, end, moves)
	if err != nil || ok && len(steps) == 0 {
		return nil, err
	}
	j.steps = steps
	return []joint{j}, nil
}

// fill finds the boards of a merge that git has committed.
func (l *look) fill(ctx context.Context, j *joint, commit string) error {
	shapes, err := l.commits(ctx, j.Ours, j.Theirs, commit)
	if err != nil {
		return err
	}
	j.ours, j.theirs, j.left = shapes[0], shapes[1], shapes[2]
	if j.ours.id == j.theirs.id {
		return nil
	}
	bases, err := l.tree.Bases(ctx, j.Ours, j.Theirs)
	if err == nil {
		j.bases, err = l.commits(ctx, bases...)
	}
	return err
}
