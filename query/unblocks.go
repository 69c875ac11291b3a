package query

import "github.com/pawl-dev/pawl"

// MostUnblocked is how far waiting tasks are counted: a higher number says nothing
// more, and a list must not walk over a whole board for each line.
const MostUnblocked = 99

// unblocks counts the open tasks that wait for t, through others too, as far as
// their number says anything. more: they are more than that.
func unblocks(r pawl.Reader, t *pawl.Task) (n int, more bool, err error) {
	n, err = newWaiting(r, nil).count(t)
	return min(n, MostUnblocked), n > MostUnblocked, err
}

// unblocksAll counts for each of these that is open the tasks that wait for it, as
// far as their number says anything.
func unblocksAll(r pawl.Reader, tasks []pawl.Task) (map[pawl.ID]int, error) {
	counts, w := make(map[pawl.ID]int, len(tasks)), newWaiting(r, tasks)
	for i := range tasks {
		t := &tasks[i]
		if !t.Open() || len(t.Blocks) == 0 && t.Parent == 0 {
			continue
		}
		n, err := w.count(t)
		if err != nil {
			return nil, err
		}
		counts[t.ID] = min(n, MostUnblocked)
	}
	return counts, nil
}

// waiting is who waits for whom, as far as that was asked. Thousands of tasks
// are counted on one board, and the chains of many are the same: each task has a
// number, so that a step along a chain looks nothing up.
type waiting struct {
	r     pawl.Reader
	at    map[pawl.ID]int32
	nodes []waitNode
	round int32 // of the count under way
	wave  []int32
	next  []int32
}

type waitNode struct {
	id     pawl.ID
	known  bool
	open   bool
	seen   int32     // the last round in which it was met
	blocks []pawl.ID // as long as they are not in next
	parent pawl.ID
	linked bool
	next   []int32 // those that wait for it
}

// newWaiting knows the tasks at hand already.
func newWaiting(r pawl.Reader, tasks []pawl.Task) *waiting {
	w := &waiting{r: r, at: make(map[pawl.ID]int32, len(tasks)), nodes: make([]waitNode, 0, len(tasks))}
	for i := range tasks {
		if t := &tasks[i]; t.Damage == "" {
			w.know(w.number(t.ID), t.Open(), t.Blocks, t.Parent)
		}
	}
	return w
}

func (w *waiting) number(id pawl.ID) int32 {
	n, ok := w.at[id]
	if !ok {
		n = int32(len(w.nodes))
		w.at[id], w.nodes = n, append(w.nodes, waitNode{id: id})
	}
	return n
}

func (w *waiting) know(n int32, open bool, blocks []pawl.ID, parent pawl.ID) {
	node := &w.nodes[n]
	node.known, node.open, node.blocks, node.parent = true, open, blocks, parent
}

// links are the numbers of those that wait for one.
func (w *waiting) links(n int32) []int32 {
	if node := w.nodes[n]; !node.linked {
		next := make([]int32, 0, len(node.blocks)+1)
		for _, id := range node.blocks {
			next = append(next, w.number(id)) // which may move the nodes
		}
		if node.parent != 0 {
			next = append(next, w.number(node.parent))
		}
		w.nodes[n].linked, w.nodes[n].next = true, next
	}
	return w.nodes[n].next
}

// count counts the open tasks that wait for t, and stops beyond mostUnblocked.
func (w *waiting) count(t *pawl.Task) (int, error) {
	w.round++
	from := w.number(t.ID)
	if !w.nodes[from].known {
		w.know(from, t.Open(), t.Blocks, t.Parent)
	}
	w.nodes[from].seen = w.round
	count := 0
	w.next = append(w.next[:0], w.links(from)...)
	for len(w.next) > 0 && count <= MostUnblocked {
		w.wave, w.next = w.next, w.wave[:0]
		var ask []pawl.ID
		fresh := w.wave[:0]
		for _, n := range w.wave {
			node := &w.nodes[n]
			if node.seen == w.round {
				continue
			}
			node.seen = w.round
			fresh = append(fresh, n)
			if !node.known {
				ask = append(ask, node.id)
			}
		}
		if err := w.learn(ask); err != nil {
			return 0, err
		}
		for _, n := range fresh {
			if w.nodes[n].open {
				count++
				w.next = append(w.next, w.links(n)...)
			}
		}
	}
	return count, nil
}

// learn reads tasks that are not known yet. One that is missing waits for nothing.
func (w *waiting) learn(ids []pawl.ID) error {
	if len(ids) == 0 {
		return nil
	}
	nodes, err := w.r.Nodes(ids...)
	for i := range nodes {
		n := &nodes[i]
		w.know(w.number(n.ID), n.Open() && !n.Missing, n.Blocks, n.Parent)
	}
	return err
}
