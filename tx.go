package pawl

import (
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/graph"
)

// tx is one request at work on its own layer. Ops change facts through it
// (edges, parents, statuses); what follows from a fact is kept true here:
// both sides of an edge, BlockedBy, Blockers, Children and OpenChildren at
// once, cycles and ranks at the end.
type tx struct {
	*overlay
	by    Actor
	same  []string // other sessions that are the caller's as well
	agent bool     // asks, and no person
	exact bool     // an import whose edges are no updates
	bound bool     // to what is the caller's name's own
	token Revision // of the claims that the request makes: the revision of its set
	moved []ID     // tasks whose rank may differ, and with it that of all they wait for
	edges [][2]ID  // blocker or child → what waits, added by the request
	res   *Result
	shown []string // sums of the checks whose runs the request itself brings, with their tasks (shownKey)
}

// need fails with NotFound naming every one of ids that is not there, so that a
// caller hears of all of them at once.
func (x *tx) need(ids ...ID) error {
	nodes, err := x.Nodes(ids...)
	if err != nil {
		return err
	}
	var missing []ID
	for i := range nodes {
		if nodes[i].Missing && !slices.Contains(missing, nodes[i].ID) {
			missing = append(missing, nodes[i].ID)
		}
	}
	if len(missing) > 0 {
		return NotFoundError(missing...)
	}
	return nil
}

// each carries an op out on tasks, in the order asked for, each as the one
// before left the board, and notes them as what the request was about.
func (x *tx) each(ids []ID, do func(*Task) error) error {
	if err := x.need(ids...); err != nil {
		return err
	}
	for _, id := range ids {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		x.res.IDs = append(x.res.IDs, id)
		if err := do(t); err != nil {
			return err
		}
	}
	return nil
}

// link records that waiter waits for blocker.
func (x *tx) link(blocker, waiter ID) error {
	if blocker == waiter {
		return invalid("%v cannot wait for itself", waiter).About(waiter)
	}
	a, err := x.touch(blocker)
	if err != nil {
		return err
	}
	b, err := x.touch(waiter)
	if err != nil {
		return err
	}
	if slices.Contains(a.Blocks, waiter) {
		return nil
	}
	if len(a.Blocks) >= MaxEdges || len(b.Blockers) >= MaxEdges {
		return invalid("a task has at most %d edges each way: %v → %v would be one more", MaxEdges, blocker, waiter).
			About(blocker, waiter).Say("put a task between them that stands for a group")
	}
	a.Blocks = append(a.Blocks, waiter)
	b.Blockers = insert(b.Blockers, blocker)
	settleEdge(a, b)
	x.edges = append(x.edges, [2]ID{blocker, waiter})
	x.moved = append(x.moved, blocker)
	return nil
}

// unlink forgets the edge, from both sides. A side that is missing or damaged
// is left out.
func (x *tx) unlink(blocker, waiter ID) error {
	a, err := x.reachable(blocker)
	if err != nil {
		return err
	}
	b, err := x.reachable(waiter)
	if err != nil {
		return err
	}
	if a != nil {
		a.Blocks = without(a.Blocks, waiter)
		x.moved = append(x.moved, blocker)
	}
	if b != nil {
		b.Blockers = without(b.Blockers, blocker)
		b.BlockedBy = without(b.BlockedBy, blocker)
	}
	return nil
}

// settleEdge makes b's BlockedBy say what the recorded edge a → b means now.
func settleEdge(a, b *Task) {
	switch blocks := a.Open() && b.Open(); {
	case !blocks:
		b.BlockedBy = without(b.BlockedBy, a.ID)
	case !slices.Contains(b.BlockedBy, a.ID):
		b.BlockedBy = append(b.BlockedBy, a.ID)
	}
}

// adopt makes parent the parent of child; zero: none.
func (x *tx) adopt(child, parent ID) error {
	c, err := x.touch(child)
	if err != nil || c.Parent == parent {
		return err
	}
	if parent == child {
		return invalid("%v cannot be its own parent", child).About(child)
	}
	if old, err := x.reachable(c.Parent); err != nil {
		return err
	} else if old != nil {
		old.Children = without(old.Children, child)
		old.OpenChildren -= count(c.Open())
	}
	c.Parent = parent
	x.moved = append(x.moved, child)
	if parent == 0 {
		return nil
	}
	p, err := x.touch(parent)
	if err != nil {
		return err
	}
	p.Children = insert(p.Children, child)
	p.OpenChildren += count(c.Open())
	x.edges = append(x.edges, [2]ID{child, parent})
	return nil
}

// setStatus changes the status and all that hangs on whether a task is open:
// who is blocked by it, what it is blocked by, and its parent's count.
func (x *tx) setStatus(t *Task, status Status) error {
	was := t.Open()
	t.Status = status
	if t.Open() == was {
		return nil
	}
	if was && len(t.Merging) > 0 {
		return Unmerged(t)
	}
	waiters, err := x.Nodes(t.Blocks...)
	if err != nil {
		return err
	}
	for _, n := range waiters {
		if !n.Open() || n.Missing || n.Damaged {
			continue
		}
		w, err := x.reachable(n.ID)
		if err != nil {
			return err
		}
		if w != nil {
			settleEdge(t, w)
		}
	}
	if t.Open() {
		blockers, err := x.Nodes(t.Blockers...)
		if err != nil {
			return err
		}
		t.BlockedBy = nil
		for _, n := range blockers {
			if n.Open() {
				t.BlockedBy = append(t.BlockedBy, n.ID)
			}
		}
	} else {
		t.BlockedBy = nil
		x.place(Rank{ID: t.ID, Urgency: t.Priority})
	}
	if p, err := x.reachable(t.Parent); err != nil {
		return err
	} else if p != nil {
		p.OpenChildren += count(t.Open()) - count(was)
	}
	return nil
}

// finish checks what only shows when the whole request is done, and brings the
// ranks up to date.
func (x *tx) finish() error {
	if err := x.refuseCycles(); err != nil {
		return err
	}
	if err := x.rerank(); err != nil {
		return err
	}
	for id, t := range x.tasks {
		was := x.before[id]
		if t == nil {
			if was != nil && (was.Conflicted || len(was.Merging) > 0) {
				return Unmerged(was)
			}
			continue
		}
		if was == nil {
			if err := x.room.take(t, 1); err != nil {
				return err
			}
		}
		if was != nil {
			diff := Diff(was, t)
			if !slices.ContainsFunc(diff, inFile) {
				continue
			}
			if was.Conflicted {
				return Unmerged(was)
			}
			if !slices.Contains(diff, FieldUpdatedAt) && (!x.exact || slices.ContainsFunc(diff, ofTask)) {
				t.UpdatedAt = x.now
			}
		}
		size := textSize(t)
		if size <= MaxTask-MaxState {
			continue
		}
		most := MaxTask
		if was == nil || contentSize(t) > contentSize(was) {
			most -= MaxState // a task that can be written must be completable
		}
		if size > most {
			return invalid("%v would be larger than %d bytes in its file", id, most).About(id).
				Say("keep long texts in a file of the project and name it in the description")
		}
	}
	return nil
}

// Unmerged refuses to write a file that two branches have written, or to remove one
// with a task of another branch in it: that would lose the text of the other branch.
// Such a task is not completed either: only the merge tells which of the two it is.
func Unmerged(t *Task) error {
	what := "git has left two versions of it in its file"
	if !t.Conflicted {
		what = fmt.Sprintf("its file also has %v of the other branch: %s", t.ID, clip(oneLine(t.Merging[0].Subject), 80))
	}
	return Errorf(Conflict, "%v cannot be changed before the boards are merged: %s", t.ID, what).About(t.ID).Next(HintMerge)
}

// inFile reports whether a field is kept in the task's file.
func inFile(f Field) bool { return f != FieldClaim && f != FieldExpired }

// ofTask reports whether a field in the task's file is no edge.
func ofTask(f Field) bool {
	return inFile(f) && f != FieldBlocks && f != FieldBlockedBy && f != FieldParent
}

// refuseCycles looks for a cycle through an edge that the request added.
// Cycles that external edits made are not the request's fault.
func (x *tx) refuseCycles() error {
	if len(x.edges) == 0 {
		return nil
	}
	var from []ID
	for _, e := range x.edges {
		from = append(from, e[1])
	}
	nodes, err := x.Reach(Dependents, from...)
	if err != nil {
		return err
	}
	g := newGraph(nodes, Dependents, func(*Node) bool { return true })
	cycles := graph.Cycles(g.next)
	if len(cycles) == 0 {
		return nil
	}
	member := map[ID]int{}
	for c, cycle := range cycles {
		for _, i := range cycle {
			member[nodes[i].ID] = c + 1
		}
	}
	for _, e := range x.edges {
		if member[e[0]] == 0 || member[e[0]] != member[e[1]] {
			continue
		}
		back := graph.Path(int64(e[1]), int64(e[0]), func(id int64) []int64 {
			var next []int64
			for _, i := range g.next[g.index[ID(id)]] {
				next = append(next, int64(nodes[i].ID))
			}
			return next
		})
		path := []ID{e[0]}
		for _, id := range back {
			path = append(path, ID(id))
		}
		return cycleError(path)
	}
	return nil
}

func cycleError(path []ID) *Error {
	text := ""
	for i, id := range path {
		if i > 0 {
			text += " → "
		}
		text += id.String()
	}
	e := invalid("this would close a cycle: %s (each waits for the one before it)", text).About(path...)
	return e.Say("leave out one of these edges")
}

// nodeGraph is a set of nodes as package graph takes them.
type nodeGraph struct {
	next  [][]int32
	index map[ID]int32
}

func newGraph(nodes []Node, dir Direction, in func(*Node) bool) nodeGraph {
	g := nodeGraph{make([][]int32, len(nodes)), make(map[ID]int32, len(nodes))}
	for i := range nodes {
		if in(&nodes[i]) {
			g.index[nodes[i].ID] = int32(i)
		}
	}
	for i := range nodes {
		if _, ok := g.index[nodes[i].ID]; !ok {
			continue
		}
		for _, id := range nodes[i].Toward(dir) {
			if j, ok := g.index[id]; ok {
				g.next[i] = append(g.next[i], j)
			}
		}
	}
	return g
}

// rerank works out the rank of the moved tasks and of all open tasks that they
// wait for; nobody else's can have changed.
func (x *tx) rerank() error {
	if len(x.moved) == 0 {
		return nil
	}
	nodes, err := x.Reach(Dependencies, x.moved...)
	if err != nil {
		return err
	}
	region := len(nodes)
	inside := make(map[ID]bool, region)
	for i := range nodes {
		inside[nodes[i].ID] = true
	}
	// Dependents outside the region keep their rank, and pass it on.
	var border []ID
	for i := range nodes[:region] {
		for _, id := range nodes[i].Toward(Dependents) {
			if !inside[id] {
				inside[id] = true
				border = append(border, id)
			}
		}
	}
	outside, err := x.Nodes(border...)
	if err != nil {
		return err
	}
	nodes = append(nodes, outside...)
	g := newGraph(nodes, Dependents, func(n *Node) bool { return n.Open() && !n.Missing })
	urgency := make([]int8, len(nodes))
	height := make([]int32, len(nodes))
	for i := range nodes {
		urgency[i] = int8(nodes[i].Priority)
		if i >= region {
			g.next[i] = nil
			urgency[i], height[i] = int8(nodes[i].Urgency), int32(nodes[i].Height)
		}
	}
	graph.Rank(g.next, urgency, height)
	for i := range nodes[:region] {
		n := &nodes[i]
		rank := Rank{n.ID, Priority(urgency[i]), int(height[i])}
		if !n.Missing && rank != (Rank{n.ID, n.Urgency, n.Height}) {
			x.place(rank)
		}
	}
	return nil
}

// freed lists the tasks that were made ready beside those that the request was
// about; ready lists all of them.
func (x *tx) freed(ready []ID) []ID {
	var freed []ID
	for _, id := range ready {
		if x.before[id] != nil && !slices.Contains(x.res.IDs, id) {
			freed = append(freed, id)
		}
	}
	return freed
}

// renewLeases extends the leases of the session that made the request: every op
// renews them.
func (x *tx) renewLeases(own []ID) error {
	for _, id := range own {
		t, err := x.reachable(id)
		if err != nil {
			return err
		}
		if t != nil && t.Status == InProgress && x.renews(t) && t.Claim.Lease > 0 {
			t.Claim.Until = x.now.Add(time.Duration(t.Claim.Lease))
		}
	}
	return nil
}

func insert(ids []ID, id ID) []ID {
	i, found := slices.BinarySearch(ids, id)
	if found {
		return ids
	}
	return slices.Insert(ids, i, id)
}

func without(ids []ID, id ID) []ID {
	return slices.DeleteFunc(ids, func(other ID) bool { return other == id })
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
