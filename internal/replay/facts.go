package replay

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// facts are what a task's state follows from, but for its children, and what
// else a film tells of it.
type facts struct {
	status         pawl.Status
	owner, subject string
	parent         pawl.ID
	waits          bool // for a blocker
	held           bool
	damaged        bool // which history does not tell
}

func factsOf(t *pawl.Task) *facts {
	return &facts{
		status: t.Status, owner: t.Owner, subject: t.Subject, parent: t.Parent,
		waits: len(t.BlockedBy) > 0, held: t.Hold != nil, damaged: t.Damage != "",
	}
}

// with returns f with those of other's facts that a change has named.
func (f facts) with(other *facts, named []pawl.Field) *facts {
	f.damaged = false // it could be read then
	for _, field := range named {
		switch field {
		case pawl.FieldStatus:
			f.status = other.status
		case pawl.FieldOwner:
			f.owner = other.owner
		case pawl.FieldSubject:
			f.subject = other.subject
		case pawl.FieldParent:
			f.parent = other.parent
		case pawl.FieldBlockedBy:
			f.waits = other.waits
		case pawl.FieldHold:
			f.held = other.held
		}
	}
	return &f
}

func (f *facts) open() bool { return f.status != pawl.Completed || f.damaged }

// change is what a set did to one task. Without before it made the task, without
// after it deleted it; of an edit only the named facts mean anything.
type change struct {
	id            pawl.ID
	named         []pawl.Field
	before, after *facts
}

func changeOf(c *pawl.Change) change {
	short := change{id: c.ID, named: c.Fields}
	if c.Before != nil {
		short.before = factsOf(c.Before)
	}
	if c.After != nil {
		short.after = factsOf(c.After)
	}
	return short
}

// board is the tasks at one revision.
type board struct {
	tasks map[pawl.ID]*facts
	open  map[pawl.ID]int // how many open children each parent has
}

// redo carries a change out, undo takes it back. An edit of a task that is not
// there, because history has lost the beginning, changes nothing.
func (b *board) redo(c change) { b.turn(c, c.before, c.after) }
func (b *board) undo(c change) { b.turn(c, c.after, c.before) }

func (b *board) turn(c change, from, to *facts) {
	was := b.tasks[c.id]
	switch {
	case from == nil || to == nil:
		b.put(c.id, to)
	case was != nil:
		b.put(c.id, was.with(to, c.named))
	}
}

// put sets what is known of a task; nil: it is not there.
func (b *board) put(id pawl.ID, f *facts) {
	if was := b.tasks[id]; was != nil && was.open() {
		b.open[was.parent]--
	}
	if f == nil {
		delete(b.tasks, id)
		return
	}
	b.tasks[id] = f
	if f.open() {
		b.open[f.parent]++
	}
}

// standing tells where a task stands for the one called name.
func (b *board) standing(id pawl.ID, name string) Standing {
	f := b.tasks[id]
	if f == nil {
		return Standing{ID: id, Gone: true}
	}
	t := pawl.Task{Status: f.status, Owner: f.owner, OpenChildren: b.open[id]}
	if f.waits {
		t.BlockedBy = something
	}
	if f.held {
		t.Hold = &pawl.Hold{}
	}
	if f.damaged {
		t.Damage = "it cannot be read"
	}
	return Standing{ID: id, State: query.StateOf(&t, name).Name(), Owner: f.owner, Subject: f.subject}
}

// something is waited for.
var something = []pawl.ID{0}
