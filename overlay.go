package pawl

import (
	"maps"
	"slices"
	"time"
)

// overlay is a board as it would be: what base reads, and changes on top. It
// is a Reader itself, so that overlays stack: one for a batch, one for each
// request in it. Every lease that has ended reads as settled.
type overlay struct {
	base   Reader
	now    time.Time
	lastID ID
	tasks  map[ID]*Task // touched tasks as they would be; nil: deleted
	before map[ID]*Task // touched tasks as base had them; absent: made here
	ranks  map[ID]Rank  // new places of tasks that are not touched
	placed map[ID]bool  // every task that was given a place

	// Of a batch:
	claims int                 // how many of the next ready tasks are claimed
	queues map[queueKey]*queue // see [overlay.firstReady]
	room   *room               // nil: without bounds
}

func newOverlay(base Reader) *overlay {
	return &overlay{
		base: base, now: base.Now(), lastID: base.LastID(),
		tasks: map[ID]*Task{}, before: map[ID]*Task{}, ranks: map[ID]Rank{}, placed: map[ID]bool{},
	}
}

var _ Reader = (*overlay)(nil)

func (o *overlay) Revision() Revision                   { return o.base.Revision() }
func (o *overlay) Origin() Revision                     { return o.base.Origin() }
func (o *overlay) Epoch() int64                         { return o.base.Epoch() }
func (o *overlay) LastID() ID                           { return o.lastID }
func (o *overlay) Now() time.Time                       { return o.now }
func (o *overlay) Result(id OpID) ([]byte, bool, error) { return o.base.Result(id) }
func (o *overlay) clean() bool                          { return len(o.tasks) == 0 && len(o.ranks) == 0 }
func (o *overlay) moved(t Task) Task {
	if rank, ok := o.ranks[t.ID]; ok {
		t.Urgency, t.Height = rank.Urgency, rank.Height
	}
	return t.Settle(o.now)
}

func (o *overlay) Get(ids ...ID) ([]Task, error) { return o.get(o.base.Get, ids) }

func (o *overlay) Briefs(ids ...ID) ([]Task, error) {
	tasks, err := o.get(o.base.Briefs, ids)
	return brief(tasks), err
}

// brief makes tasks brief that were not, or that have been settled since.
func brief(tasks []Task) []Task {
	for i := range tasks {
		tasks[i] = tasks[i].Brief()
	}
	return tasks
}

// get returns tasks; those that are not touched come from below.
func (o *overlay) get(below func(...ID) ([]Task, error), ids []ID) ([]Task, error) {
	var missing, fetch []ID
	for _, id := range ids {
		if t, touched := o.tasks[id]; !touched {
			fetch = append(fetch, id)
		} else if t == nil {
			missing = append(missing, id)
		}
	}
	fetched, err := below(fetch...)
	if err != nil {
		if e, ok := err.(*Error); ok && e.Kind == NotFound {
			missing = append(missing, e.IDs...)
		} else {
			return nil, err
		}
	}
	if len(missing) > 0 {
		return nil, NotFoundError(inOrder(ids, missing)...)
	}
	out := make([]Task, 0, len(ids))
	for _, id := range ids {
		if t, touched := o.tasks[id]; touched {
			out = append(out, t.Clone())
			continue
		}
		out = append(out, o.moved(fetched[0]))
		fetched = fetched[1:]
	}
	return out, nil
}

// inOrder returns those of ids that are in chosen.
func inOrder(ids, chosen []ID) []ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id ID) bool { return !slices.Contains(chosen, id) })
}

func (o *overlay) Nodes(ids ...ID) ([]Node, error) {
	var fetch []ID
	for _, id := range ids {
		if _, touched := o.tasks[id]; !touched {
			fetch = append(fetch, id)
		}
	}
	fetched, err := o.base.Nodes(fetch...)
	if err != nil {
		return nil, err
	}
	out := make([]Node, 0, len(ids))
	for _, id := range ids {
		if t, touched := o.tasks[id]; touched {
			out = append(out, nodeOf(id, t))
			continue
		}
		out = append(out, o.movedNode(fetched[0]))
		fetched = fetched[1:]
	}
	return out, nil
}

// nodeOf returns the shape of a touched task, sharing nothing with it.
func nodeOf(id ID, t *Task) Node {
	if t == nil {
		return Node{ID: id, Missing: true}
	}
	n := t.Node()
	n.Children, n.Blocks = slices.Clone(n.Children), slices.Clone(n.Blocks)
	n.Blockers, n.BlockedBy = slices.Clone(n.Blockers), slices.Clone(n.BlockedBy)
	return n
}

func (o *overlay) movedNode(n Node) Node {
	if rank, ok := o.ranks[n.ID]; ok {
		n.Urgency, n.Height = rank.Urgency, rank.Height
	}
	if n.Status == InProgress && n.Claim.expired(o.now) {
		n.Status, n.Owner, n.Claim = Pending, "", Claim{}
		n.Expired++
		n.Held = n.Held || n.Expired >= MaxExpired
	}
	return n
}

func (o *overlay) Select(q Query) (Page, error) {
	if o.clean() {
		page, err := o.base.Select(q)
		for i := range page.Tasks {
			page.Tasks[i] = page.Tasks[i].Settle(o.now)
		}
		if q.Brief {
			brief(page.Tasks)
		}
		return page, err
	}
	// Read base's pages past whatever changed here, then put the changed
	// tasks where they belong now.
	var tasks []Task
	var total int
	below := q
	below.Limit = min(q.PageSize()+len(o.tasks)+len(o.ranks), MaxPage)
	for first := true; ; first = false {
		page, err := o.base.Select(below)
		if err != nil {
			return Page{}, err
		}
		if first && !q.Uncounted {
			total = page.Total
		}
		for _, t := range page.Tasks {
			if !o.changed(t.ID) {
				tasks = append(tasks, t.Settle(o.now))
			}
		}
		if page.Next == nil || len(tasks) > q.PageSize() {
			break
		}
		below.After = page.Next
	}
	took := func(t *Task) {
		if q.After == nil || t.Cursor().Compare(q.Order, *q.After) > 0 {
			tasks = append(tasks, t.Clone())
		}
	}
	for id, t := range o.tasks {
		if was := o.before[id]; was != nil && !q.Uncounted && q.Match(was, o.now) {
			total--
		}
		if t != nil && q.Match(t, o.now) {
			if !q.Uncounted {
				total++
			}
			took(t)
		}
	}
	if len(o.ranks) > 0 {
		placed, err := o.Get(slices.Collect(maps.Keys(o.ranks))...)
		if err != nil {
			return Page{}, err
		}
		for i := range placed {
			if q.Match(&placed[i], o.now) {
				took(&placed[i])
			}
		}
	}
	page := q.Paginate(tasks, o.Revision())
	if !q.Uncounted {
		page.Total = total
	}
	return page, nil
}

func (o *overlay) changed(id ID) bool {
	_, touched := o.tasks[id]
	_, moved := o.ranks[id]
	return touched || moved
}

func (o *overlay) Reach(dir Direction, from ...ID) ([]Node, error) {
	if o.clean() {
		nodes, err := o.base.Reach(dir, from...)
		for i := range nodes {
			nodes[i] = o.movedNode(nodes[i])
		}
		return nodes, err
	}
	// Fetch the nodes that base reaches a region at a time; edges made or removed
	// here decide which of them count.
	below := map[ID]Node{}
	reached := map[ID]Node{}
	frontier := slices.Clone(from)
	for len(frontier) > 0 {
		var fetch []ID
		for _, id := range frontier {
			if _, known := below[id]; !known && !o.has(id) {
				fetch = append(fetch, id)
			}
		}
		if len(fetch) > 0 {
			nodes, err := o.base.Reach(dir, fetch...)
			if err != nil {
				return nil, err
			}
			for _, n := range nodes {
				below[n.ID] = n
			}
		}
		var next []ID
		for _, id := range frontier {
			if _, done := reached[id]; done {
				continue
			}
			n := o.movedNode(below[id])
			if t, touched := o.tasks[id]; touched {
				n = nodeOf(id, t)
			}
			reached[id] = n
			next = append(next, n.Toward(dir)...)
		}
		frontier = next
	}
	return byID(reached), nil
}

func (o *overlay) has(id ID) bool {
	_, touched := o.tasks[id]
	return touched
}

// Toward lists the neighbours of n in the direction.
func (n *Node) Toward(dir Direction) []ID {
	if dir == Dependencies {
		return slices.Concat(n.Blockers, n.Children)
	}
	if n.Parent != 0 {
		return append(slices.Clone(n.Blocks), n.Parent)
	}
	return n.Blocks
}

// Walk is Reader.Reach of a store that has each node at hand.
func Walk(dir Direction, from []ID, node func(ID) Node) []Node {
	reached := map[ID]Node{}
	for todo := slices.Clone(from); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, seen := reached[id]; !seen {
			n := node(id)
			reached[id] = n
			todo = append(todo, n.Toward(dir)...)
		}
	}
	return byID(reached)
}

// byID lists nodes in the order of their ids.
func byID(nodes map[ID]Node) []Node {
	list := make([]Node, 0, len(nodes))
	for _, id := range slices.Sorted(maps.Keys(nodes)) {
		list = append(list, nodes[id])
	}
	return list
}

// touch returns the task for writing, or NotFound, or Internal when its file
// is damaged.
func (o *overlay) touch(id ID) (*Task, error) {
	if t, touched := o.tasks[id]; touched && t != nil {
		return t, nil
	}
	tasks, err := o.Get(id)
	if err != nil {
		return nil, err
	}
	t := tasks[0]
	if t.Damage != "" {
		return nil, Errorf(Internal, "%v cannot be changed: %s", id, t.Damage).About(id).Next(HintDiagnose)
	}
	if err := o.room.take(&t, 2); err != nil {
		return nil, err
	}
	was := t.Clone()
	o.before[id] = &was
	o.tasks[id] = &t
	delete(o.ranks, id)
	return &t, nil
}

// reachable is touch for a task that an edge names: none for one that is
// missing, damaged or conflicted, which cannot be written; readers heal its edges.
func (o *overlay) reachable(id ID) (*Task, error) {
	if id == 0 {
		return nil, nil
	}
	t, err := o.touch(id)
	if e, ok := err.(*Error); ok && slices.Contains(e.IDs, id) && (e.Kind == NotFound || e.Kind == Internal) {
		return nil, nil
	}
	if t != nil && t.Conflicted {
		return nil, nil
	}
	return t, err
}

// add puts a task on the overlay that base does not have.
func (o *overlay) add(t *Task) {
	o.tasks[t.ID] = t
	o.lastID = max(o.lastID, t.ID)
	for _, id := range t.Was { // no other task gets a number that this one had
		if id <= MaxForeignID {
			o.lastID = max(o.lastID, id)
		}
	}
}

// idAfter returns the id that comes after the last one. Above [MaxForeignID] it
// passes over those that are taken, because files of other programs with such
// ids are not counted on from.
func (o *overlay) idAfter(last ID) (ID, error) {
	id := last + 1
	for ; id > MaxForeignID && id <= MaxID; id++ {
		nodes, err := o.Nodes(id)
		if err != nil {
			return 0, err
		}
		if nodes[0].Missing {
			break
		}
	}
	if id > MaxID {
		return 0, &Error{Kind: Internal, Message: "no id is left on this board", Hint: Hint{Step: HintDiagnose}}
	}
	return id, nil
}

// remove takes a touched task off.
func (o *overlay) remove(id ID) { o.tasks[id] = nil }

// dirty reports whether anything differs from base.
func (o *overlay) dirty() bool {
	for id, after := range o.tasks {
		before := o.before[id]
		if (before == nil) != (after == nil) || before != nil && len(Diff(before, after)) > 0 {
			return true
		}
	}
	return false
}

// changes lists what differs from base, in id order.
func (o *overlay) changes() []Change {
	var changes []Change
	for _, id := range slices.Sorted(maps.Keys(o.tasks)) {
		before, after := o.before[id], o.tasks[id]
		switch {
		case before == nil && after == nil: // made and deleted again
		case before == nil:
			t := after.Clone()
			changes = append(changes, Change{ID: id, CreatedAt: t.CreatedAt, After: &t})
		case after == nil:
			changes = append(changes, Change{ID: id, CreatedAt: before.CreatedAt, Before: before})
		default:
			if diff := Diff(before, after); len(diff) > 0 {
				t := after.Clone()
				changes = append(changes, Change{ID: id, CreatedAt: before.CreatedAt, Fields: diff, Before: before, After: &t})
			}
		}
	}
	return changes
}

// freed lists the tasks that are ready and were not, most urgent first.
func (o *overlay) freed() []ID {
	var free []Rank
	for id, t := range o.tasks {
		if was := o.before[id]; t != nil && t.Free() && (was == nil || !was.Free()) {
			free = append(free, t.Rank())
		}
	}
	slices.SortFunc(free, ByUrgency.Compare)
	var ids []ID
	for _, rank := range free {
		ids = append(ids, rank.ID)
	}
	return ids
}

// absorb takes over what a layer above has changed.
func (o *overlay) absorb(layer *overlay) {
	for id, t := range layer.tasks {
		if _, touched := o.tasks[id]; !touched {
			if was := layer.before[id]; was != nil {
				o.before[id] = was
			}
		}
		o.tasks[id] = t
		delete(o.ranks, id)
	}
	for _, rank := range layer.ranks {
		o.place(rank)
	}
	maps.Copy(o.placed, layer.placed)
	o.lastID = layer.lastID
}

// place gives a task its rank.
func (o *overlay) place(rank Rank) {
	o.placed[rank.ID] = true
	if t := o.tasks[rank.ID]; t != nil {
		t.Urgency, t.Height = rank.Urgency, rank.Height
		return
	}
	o.ranks[rank.ID] = rank
}

// moves lists the places of all tasks that were given one.
func (o *overlay) moves() []Rank {
	moves := slices.Collect(maps.Values(o.ranks))
	for id := range o.placed {
		if t := o.tasks[id]; t != nil {
			moves = append(moves, t.Rank())
		}
	}
	slices.SortFunc(moves, ByID.Compare)
	return moves
}
