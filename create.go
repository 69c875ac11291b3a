package pawl

import (
	"fmt"
	"slices"
)

func (Create) Verb() string { return VerbCreate }

func (op Create) check() []Fault {
	var f faults
	if len(op.Tasks) == 0 {
		f.add("tasks", "is empty")
	}
	if len(op.Tasks) > MaxBatch {
		f.add("tasks", "has %d tasks; the most is %d: send the rest in another request", len(op.Tasks), MaxBatch)
		return f
	}
	f.refs(len(op.Tasks), func(i int) *NewTask { return &op.Tasks[i] })
	for i := range op.Tasks {
		if n := &op.Tasks[i]; n.Done && (len(n.Checks) > 0 || slices.ContainsFunc(n.Accept, func(text string) bool { return !n.met(text) })) {
			f.add(fmt.Sprintf("tasks[%d].done", i), "is true of a task with checks or criteria, of which none has been met: add it open, and complete it")
		}
	}
	return f
}

// refs checks new tasks and that the refs among them name one task each.
func (f *faults) refs(n int, task func(int) *NewTask) {
	named := map[string]bool{}
	for i := range n {
		t := task(i)
		if t.Ref == "" {
			continue
		}
		if named[t.Ref] {
			f.add(fmt.Sprintf("tasks[%d].ref", i), "%q was given to a task before", clip(t.Ref, 60))
		}
		named[t.Ref] = true
	}
	for i := range n {
		t := task(i)
		at := fmt.Sprintf("tasks[%d]", i)
		f.sought(at+".ref", t.Ref)
		for _, p := range plain() {
			p.check(f, at+"."+string(p.name), p.of(t, inNew).Addr().Interface())
		}
		f.labels(at+".labels", t.Labels)
		f.name(at+".owner", t.Owner)
		f.raw(at+".metadata", t.Metadata)
		f.text(at+".note", t.Note, MaxNote)
		f.checks(at+".checks", t.Checks)
		f.accept(at+".accept", t.Accept)
		for j, text := range t.Met {
			if !slices.ContainsFunc(t.Accept, func(other string) bool { return oneLine(other) == oneLine(text) }) {
				f.add(fmt.Sprintf("%s.met[%d]", at, j), "%q is not one of its criteria", clip(text, 60))
			}
		}
		f.ref(at+".parent", t.Parent, named, true)
		for j, ref := range t.BlockedBy {
			f.ref(fmt.Sprintf("%s.blockedBy[%d]", at, j), ref, named, false)
		}
		for j, ref := range t.Blocks {
			f.ref(fmt.Sprintf("%s.blocks[%d]", at, j), ref, named, false)
		}
	}
}

func (f *faults) ref(path string, ref Ref, named map[string]bool, optional bool) {
	switch {
	case ref.Name != "" && !named[ref.Name]:
		f.add(path, "no task of this request has the ref %q", clip(ref.Name, 60))
	case ref.Name == "" && ref.ID == 0 && optional:
	case ref.Name == "":
		f.id(path, ref.ID)
	}
}

func (op Create) apply(x *tx) error {
	ids := newRefs{}
	for _, n := range op.Tasks {
		id, err := x.idAfter(x.lastID)
		if err != nil {
			return err
		}
		t := n.task(x, id)
		ids.name(n.Ref, t.ID)
		x.add(t)
		x.moved = append(x.moved, t.ID)
		x.res.IDs = append(x.res.IDs, t.ID)
	}
	for i, n := range op.Tasks {
		if parent := ids.resolve(n.Parent); parent != 0 {
			if err := x.mayAdopt(parent); err != nil {
				return at(fmt.Sprintf("tasks[%d]", i), err)
			}
		}
		if err := n.connect(x, x.res.IDs[i], ids); err != nil {
			return at(fmt.Sprintf("tasks[%d]", i), err)
		}
	}
	if err := op.complete(x); err != nil {
		return err
	}
	x.res.Refs = ids
	return nil
}

// complete completes the tasks that were done before the board knew of them.
// All edges are there by then, so that reopening one finds them.
func (op Create) complete(x *tx) error {
	for i, n := range op.Tasks {
		if !n.Done {
			continue
		}
		t, err := x.touch(x.res.IDs[i])
		if err != nil {
			return err
		}
		x.moved = append(append(x.moved, t.BlockedBy...), t.ID)
		if err := x.setStatus(t, Completed); err != nil {
			return err
		}
		t.CompletedAt = x.now
	}
	for i, n := range op.Tasks {
		if t := x.tasks[x.res.IDs[i]]; n.Done && t.OpenChildren > 0 {
			return at(fmt.Sprintf("tasks[%d]", i), invalid("it cannot be done: a child of it is open"))
		}
	}
	return nil
}

// task makes the task, without its edges.
func (n *NewTask) task(x *tx, id ID) *Task {
	t := &Task{
		ID: id, Status: Pending, Owner: oneLine(n.Owner), Urgency: n.Priority,
		Labels: cleanLabels(n.Labels), Metadata: cloneRaw(n.Metadata),
		Checks: cleanChecks(n.Checks), CreatedAt: x.now, UpdatedAt: x.now,
	}
	for _, p := range plain() {
		p.put(t, p.of(n, inNew))
	}
	t.addCriteria(n.Accept)
	for i := range t.Accept {
		if c := &t.Accept[i]; n.met(c.Text) {
			c.At, c.By = x.now, x.by.Name
		}
	}
	if n.Note != "" {
		t.Notes = []Note{{At: x.now, By: x.by.Name, Text: n.Note}}
	}
	return t
}

// connect adds the edges and the parent of a task that was made from n.
func (n *NewTask) connect(x *tx, id ID, ids newRefs) error {
	if parent := ids.resolve(n.Parent); parent != 0 {
		if err := x.adopt(id, parent); err != nil {
			return err
		}
	}
	for _, ref := range n.BlockedBy {
		if err := x.link(ids.resolve(ref), id); err != nil {
			return err
		}
	}
	for _, ref := range n.Blocks {
		if err := x.link(id, ids.resolve(ref)); err != nil {
			return err
		}
	}
	return nil
}

// newRefs are the ids behind the refs of one request.
type newRefs map[string]ID

func (ids newRefs) name(ref string, id ID) {
	if ref != "" {
		ids[ref] = id
	}
}

func (ids newRefs) resolve(ref Ref) ID {
	if ref.Name != "" {
		return ids[ref.Name]
	}
	return ref.ID
}

// at says where in the request an error arose.
func at(path string, err error) error {
	if e, ok := err.(*Error); ok {
		e.Message = path + ": " + e.Message
	}
	return err
}

// mayAdopt refuses a completed parent: it would have an open child.
func (x *tx) mayAdopt(parent ID) error {
	nodes, err := x.Nodes(parent)
	if err != nil {
		return err
	}
	if n := nodes[0]; !n.Missing && !n.Open() {
		return Errorf(Conflict, "%v is completed and takes no further children", parent).About(parent).Next(HintReopen, parent)
	}
	return nil
}

// met reports whether a criterion is met already.
func (n *NewTask) met(text string) bool {
	return slices.ContainsFunc(n.Met, func(met string) bool { return oneLine(met) == oneLine(text) })
}
