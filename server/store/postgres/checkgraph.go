package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
)

// A shape is what a task has to do with others.
type shape struct {
	id                pawl.ID
	parent            pawl.ID
	owner             string
	blocks, blockedBy []int64 // as its document has them, then as they have to be
	priority          int8
	there             bool // there is a row
	exists, open      bool
	pending, held     bool
	damaged           bool // the document cannot be read, so the columns have to do

	is, want derived
}

// derived is what a row has from other tasks.
type derived struct {
	blockers, children []int64
	openChildren       int32
	u                  int16
	h                  int32
	free               bool
}

func (s *shape) from(r *row, owner string) {
	s.parent, s.owner, s.blocks, s.blockedBy, s.priority = r.parent, owner, r.blocks, r.blockedBy, int8(r.priority)
	s.open, s.pending, s.held = r.open(), r.status == string(pawl.Pending), r.held
}

// of is the shape of a task that is named somewhere.
func (c *checkup) of(id int64) *shape { return &c.shapes[c.at[pawl.ID(id)]] }

// compareGraph works out what follows from the edges and the parents of all tasks, and
// compares each row with it.
func (c *checkup) compareGraph() error {
	for i := range c.shapes { // those that are named and have no row come after the others
		for _, id := range slices.Concat(c.shapes[i].blocks, c.shapes[i].blockedBy, []int64{int64(c.shapes[i].parent)}) {
			if _, known := c.at[pawl.ID(id)]; !known && id != 0 {
				c.at[pawl.ID(id)] = int32(len(c.shapes))
				c.shapes = append(c.shapes, shape{id: pawl.ID(id)})
			}
		}
	}
	for _, step := range []func(*shape){c.laterNamed, c.earlierNamed, c.references, c.outlived} {
		for i := range c.shapes {
			if s := &c.shapes[i]; s.exists {
				step(s)
			}
		}
	}
	c.derive()
	c.rank()
	for i := range c.shapes {
		c.compare(&c.shapes[i])
	}
	return nil
}

// laterNamed has the document of each task that s waits for name s: an edge that one end
// names holds, as in files.
func (c *checkup) laterNamed(s *shape) {
	for _, id := range s.blockedBy {
		first := c.of(id)
		if s.damaged || !first.exists || first.damaged || slices.Contains(first.blocks, int64(s.id)) {
			continue
		}
		first.blocks = append(slices.Clip(first.blocks), int64(s.id))
		c.oneSided(first.id, s.id, first.id)
	}
}

// earlierNamed has the document of each task that waits for s name s, as long as both are
// open.
func (c *checkup) earlierNamed(s *shape) {
	for _, id := range s.blocks {
		later := c.of(id)
		if !s.open || s.damaged || !later.exists || !later.open || later.damaged || slices.Contains(later.blockedBy, int64(s.id)) {
			continue
		}
		later.blockedBy = append(slices.Clip(later.blockedBy), int64(s.id))
		c.oneSided(s.id, later.id, later.id)
	}
}

// references finds the tasks that are named and are not on the board.
func (c *checkup) references(s *shape) {
	const back = "bring %s back (pawl log shows what removed it), or: "
	for _, id := range s.blocks {
		if other := c.of(id); !other.exists {
			c.missing(s.id, other.id, "%s is waited for by %s, which is not on the board", fmt.Sprintf(back+"pawl block %d --by %d --remove", other.id, other.id, s.id))
		}
	}
	for _, id := range s.blockedBy {
		if other := c.of(id); !other.exists {
			c.missing(s.id, other.id, "%s waits for %s, which is not on the board", fmt.Sprintf(back+"pawl block %d --by %d --remove", other.id, s.id, other.id))
		}
	}
	if s.parent != 0 && !c.of(int64(s.parent)).exists {
		c.missing(s.id, s.parent, "the parent of %s is %s, which is not on the board", fmt.Sprintf(back+"pawl update %d --parent none", s.parent, s.id))
	}
}

// outlived takes away those that s no longer waits for.
func (c *checkup) outlived(s *shape) {
	for _, id := range slices.Clone(s.blockedBy) {
		first := c.of(id)
		if !first.exists || s.damaged || first.damaged || s.open && first.open {
			continue
		}
		s.blockedBy = slices.DeleteFunc(slices.Clone(s.blockedBy), func(one int64) bool { return one == id })
		c.add(find{
			Problem: pawl.Problem{
				Kind: "outdated", IDs: []pawl.ID{s.id, first.id}, Mend: byMend,
				Text: fmt.Sprintf("the document of %s names %s in blockedBy, although it no longer waits for it", s.id, first.id),
			},
			did: "the document names the tasks that it waits for", rows: []pawl.ID{s.id},
		})
	}
}

func (c *checkup) missing(id, other pawl.ID, format, mend string) {
	c.add(find{Problem: pawl.Problem{Kind: "missing", IDs: []pawl.ID{id, other}, Text: fmt.Sprintf(format, id, other), Mend: mend}})
}

func (c *checkup) oneSided(first, later, silent pawl.ID) {
	c.add(find{
		Problem: pawl.Problem{
			Kind: "one-sided", IDs: []pawl.ID{first, later}, Mend: byMend,
			Text: fmt.Sprintf("%s waits for %s, but the document of %s does not say so", later, first, silent),
		},
		did: fmt.Sprintf("the document of %s says so", silent), rows: []pawl.ID{silent},
	})
}

// derive fills in what each task has from the others' documents.
func (c *checkup) derive() {
	for i := range c.shapes { // by id, so that the lists are sorted
		s := &c.shapes[i]
		if !s.exists {
			continue
		}
		for _, id := range s.blocks {
			later := &c.of(id).want
			later.blockers = append(later.blockers, int64(s.id))
		}
		if s.parent != 0 {
			parent := &c.of(int64(s.parent)).want
			parent.children = append(parent.children, int64(s.id))
			if s.open {
				parent.openChildren++
			}
		}
	}
	for i := range c.shapes {
		s := &c.shapes[i]
		s.want.blockers = slices.Compact(s.want.blockers) // a document may name one twice
		s.want.free = s.exists && s.pending && !s.held && len(s.blockedBy) == 0 && s.want.openChildren == 0
		if s.want.free {
			c.free[s.owner]++
		}
	}
}

// rank works out the place of each task in the order, and finds cycles.
func (c *checkup) rank() {
	n := len(c.shapes)
	all, open := make([][]int32, n), make([][]int32, n)
	urgency, height := make([]int8, n), make([]int32, n)
	for i := range c.shapes {
		s := &c.shapes[i]
		urgency[i] = s.priority
		if !s.exists {
			continue
		}
		to := func(id pawl.ID) {
			j := c.at[id]
			if !c.shapes[j].exists {
				return
			}
			all[i] = append(all[i], j)
			if s.open && c.shapes[j].open {
				open[i] = append(open[i], j)
			}
		}
		for _, id := range s.blocks {
			to(pawl.ID(id))
		}
		if s.parent != 0 {
			to(s.parent)
		}
	}
	for _, members := range graph.Cycles(all) {
		c.cycle(members)
	}
	graph.Rank(open, urgency, height)
	for i := range c.shapes {
		c.shapes[i].want.u, c.shapes[i].want.h = -int16(urgency[i]), -height[i]
	}
}

func (c *checkup) cycle(members []int32) {
	p := pawl.Problem{Kind: "cycle", Mend: "end one of these edges: pawl block ID --by ID --remove"}
	var names []string
	for _, i := range members {
		p.IDs = append(p.IDs, c.shapes[i].id)
		names = append(names, c.shapes[i].id.String())
	}
	p.Text = strings.Join(names, ", ") + " wait for one another, so none of them can become ready"
	if len(names) == 1 {
		p.Text = names[0] + " waits for itself, so it can never become ready"
	}
	c.add(find{Problem: p})
}

// compare compares a row with what follows from other tasks.
func (c *checkup) compare(s *shape) {
	is, want := &s.is, &s.want
	needed := s.exists || len(want.blockers)+len(want.children) > 0
	switch {
	case !s.there && needed:
		c.outdated(s.id, "%s, which is not on the board, has no row that says which tasks name it", s.id)
		return
	case s.there && !needed:
		c.outdated(s.id, "%s, which is not on the board, has a row, although nothing names it", s.id)
		return
	case !s.there || s.damaged:
		return
	}
	var wrong []string
	for _, column := range []struct {
		name string
		same bool
	}{
		{"blockers", slices.Equal(is.blockers, want.blockers)}, {"children", slices.Equal(is.children, want.children)},
		{"open_children", is.openChildren == want.openChildren}, {"rank_u", is.u == want.u}, {"rank_h", is.h == want.h}, {"free", is.free == want.free},
	} {
		if !column.same {
			wrong = append(wrong, column.name)
		}
	}
	if len(wrong) > 0 {
		c.outdated(s.id, "columns of %s do not say what follows from other tasks: %s", s.id, strings.Join(wrong, ", "))
	}
}
