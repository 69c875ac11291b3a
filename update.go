package pawl

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

func (Update) Verb() string { return VerbUpdate }

func (op Update) check() []Fault {
	var f faults
	f.id("id", op.ID)
	if op.Empty() {
		f.add("op", "changes nothing: give what to change, such as subject, addLabels or addBlockedBy")
	}
	for _, p := range plain() {
		if v := p.of(&op, inUpdate); !v.IsNil() {
			p.check(&f, string(p.name), v.Interface())
		}
	}
	if op.Parent != nil && *op.Parent != 0 {
		f.id("parent", *op.Parent)
	}
	f.labels("addLabels", op.AddLabels)
	f.sought("removeLabels", op.RemoveLabels...)
	if op.Was != nil {
		f = append(f, op.Was.check()...)
	}
	f.raw("metadata", op.Metadata)
	f.ids("addBlockedBy", op.AddBlockedBy)
	f.ids("removeBlockedBy", op.RemoveBlockedBy)
	f.ids("addBlocks", op.AddBlocks)
	f.ids("removeBlocks", op.RemoveBlocks)
	f.checks("addChecks", op.AddChecks)
	f.sought("removeChecks", op.RemoveChecks...)
	f.accept("addAccept", op.AddAccept)
	f.sought("removeAccept", op.RemoveAccept...)
	f.sought("tick", op.Tick...)
	f.sought("untick", op.Untick...)
	return f
}

// Empty reports whether an update has its ID only, as JSON has it: without empty lists.
func (op Update) Empty() bool {
	op.ID = 1
	text, err := encode(op)
	return err == nil && string(text) == `{"id":1}`
}

func (was *Was) check() []Fault {
	var f faults
	for _, p := range plain() {
		v := p.of(was, inWas)
		switch text, is := v.Interface().(*string); {
		case v.IsNil():
		case is:
			f.sought("was."+string(p.name), *text)
		default:
			p.check(&f, "was."+string(p.name), v.Interface())
		}
	}
	return f
}

func (op Update) apply(x *tx) error {
	if err := x.need(slices.Concat([]ID{op.ID}, op.AddBlockedBy, op.AddBlocks)...); err != nil {
		return err
	}
	t, err := x.touch(op.ID)
	if err != nil {
		return err
	}
	if err := t.checkToken(op.Token); err != nil {
		return err
	}
	if err := op.checkWas(t); err != nil {
		return err
	}
	x.res.IDs = []ID{op.ID}
	if op.Priority != nil && t.Priority != *op.Priority {
		x.moved = append(x.moved, op.ID)
	}
	op.edit(t)
	if err := op.acceptance(x, t); err != nil {
		return err
	}
	if len(t.Labels) > MaxLabels {
		return invalid("%v would have %d labels; the most is %d", op.ID, len(t.Labels), MaxLabels).About(op.ID)
	}
	if op.Parent != nil && *op.Parent != t.Parent {
		if *op.Parent != 0 && t.Open() {
			if err := x.mayAdopt(*op.Parent); err != nil {
				return err
			}
		}
		if err := x.adopt(op.ID, *op.Parent); err != nil {
			return err
		}
	}
	return op.edges(x)
}

// checkWas compares the task with what the caller read.
func (op *Update) checkWas(t *Task) error {
	was := op.Was
	if was == nil {
		return nil
	}
	var f faults
	for _, p := range plain() {
		if p.changed(p.of(t, inTask), p.of(was, inWas), p.of(op, inUpdate)) {
			f.add(string(p.name), "has changed")
		}
	}
	if was.Parent != nil && t.Parent != *was.Parent && (op.Parent == nil || t.Parent != *op.Parent) {
		f.add("parent", "has changed")
	}
	if len(f) == 0 {
		return nil
	}
	e := Errorf(Conflict, "%v is not as it was read", op.ID).About(op.ID).Next(HintShow, op.ID)
	e.Faults = f
	return e
}

// edit changes what concerns the task alone.
func (op *Update) edit(t *Task) {
	for _, p := range plain() {
		if v := p.of(op, inUpdate); !v.IsNil() {
			p.put(t, v.Elem())
		}
	}
	gone := cleanLabels(op.RemoveLabels)
	if len(gone) > 0 || len(op.AddLabels) > 0 {
		kept := slices.DeleteFunc(t.Labels, func(label string) bool { return slices.Contains(gone, label) })
		t.Labels = cleanLabels(append(kept, op.AddLabels...))
	}
	for key, value := range op.Metadata {
		if string(value) == "null" {
			delete(t.Metadata, key)
			continue
		}
		setRaw(&t.Metadata, key, value)
	}
}

// acceptance changes the task's checks and criteria.
func (op *Update) acceptance(x *tx, t *Task) error {
	for _, wanted := range []struct {
		Field
		changes int
	}{
		{FieldChecks, len(op.AddChecks) + len(op.RemoveChecks)},
		{FieldAccept, len(op.AddAccept) + len(op.RemoveAccept) + len(op.Tick) + len(op.Untick)},
	} {
		if wanted.changes > 0 && t.odd(wanted.Field) {
			return Errorf(Conflict, "the %s of %v cannot be read, and would be lost: mend them in its file first", wanted.whatIs(), t.ID).About(t.ID).Next(HintShow, t.ID)
		}
	}
	checks := slices.Clone(t.Checks) // what one showed stays if it is taken away and added again
	for _, name := range op.RemoveChecks {
		name = oneLine(name)
		at := slices.IndexFunc(checks, func(c Check) bool { return c.Name == name })
		if at < 0 {
			return notOne(t, "check", name)
		}
		checks = slices.Delete(checks, at, at+1)
	}
	for _, c := range cleanChecks(op.AddChecks) {
		at := slices.IndexFunc(checks, func(old Check) bool { return old.Name == c.Name })
		if at < 0 {
			at = len(checks)
		}
		checks = slices.Replace(checks, at, min(at+1, len(checks)), c)
	}
	t.setChecks(checks)
	if len(t.Checks) > MaxChecks {
		return invalid("%v would have %d checks; the most is %d", t.ID, len(t.Checks), MaxChecks).About(t.ID)
	}
	for _, text := range op.RemoveAccept {
		at := t.criterion(text)
		if at < 0 {
			return notOne(t, "criterion", text)
		}
		t.Accept = slices.Delete(t.Accept, at, at+1)
	}
	t.addCriteria(op.AddAccept)
	if len(t.Accept) > MaxCriteria {
		return invalid("%v would have %d criteria; the most is %d", t.ID, len(t.Accept), MaxCriteria).About(t.ID)
	}
	for _, text := range op.Tick {
		at := t.criterion(text)
		if at < 0 {
			return notOne(t, "criterion", text)
		}
		if c := &t.Accept[at]; !c.Ticked() {
			c.At, c.By = x.now, x.by.Name
		}
	}
	for _, text := range op.Untick {
		at := t.criterion(text)
		if at < 0 {
			return notOne(t, "criterion", text)
		}
		t.Accept[at].At, t.Accept[at].By = time.Time{}, ""
	}
	return nil
}

// setChecks gives the task other checks, and forgets what those showed that it has no
// longer, and that one was left out that it does not require any longer. Evidence of the
// project's checks stays.
func (t *Task) setChecks(now []Check) {
	t.Evidence = slices.DeleteFunc(t.Evidence, func(e Evidence) bool {
		return hasSum(t.Checks, e.Sum) && !hasSum(now, e.Sum) || e.LeftOut() && requires(t.Checks, e.Sum) && !requires(now, e.Sum)
	})
	t.Checks = now
}

func hasSum(all []Check, sum string) bool {
	return slices.ContainsFunc(all, func(c Check) bool { return c.Sum() == sum })
}

// notOne says which checks or criteria there are.
func notOne(t *Task, what, name string) *Error {
	var all []string
	if what == "check" {
		for i := range t.Checks {
			all = append(all, strconv.Quote(t.Checks[i].Name))
		}
	} else {
		for i := range t.Accept {
			all = append(all, strconv.Quote(clip(t.Accept[i].Text, 80)))
		}
	}
	has := "it has none"
	if len(all) > 0 {
		has = "it has " + strings.Join(all, ", ")
	}
	return Errorf(NotFound, "%v has no %s %q: %s", t.ID, what, clip(oneLine(name), 80), has).About(t.ID).Next(HintShow, t.ID)
}

// edges removes and adds what the op says, in that order, so that an edge can
// be turned round in one op.
func (op *Update) edges(x *tx) error {
	for _, id := range op.RemoveBlockedBy {
		if err := x.unlink(id, op.ID); err != nil {
			return err
		}
	}
	for _, id := range op.RemoveBlocks {
		if err := x.unlink(op.ID, id); err != nil {
			return err
		}
	}
	for _, id := range op.AddBlockedBy {
		if err := x.link(id, op.ID); err != nil {
			return err
		}
	}
	for _, id := range op.AddBlocks {
		if err := x.link(op.ID, id); err != nil {
			return err
		}
	}
	return nil
}

func (AddNote) Verb() string { return VerbNote }

func (op AddNote) check() []Fault {
	var f faults
	f.id("id", op.ID)
	if oneLine(op.Text) == "" {
		f.add("text", "is blank")
	}
	f.text("text", op.Text, MaxNote)
	return f
}

func (op AddNote) apply(x *tx) error {
	t, err := x.touch(op.ID)
	if err != nil {
		return err
	}
	if len(t.Notes) >= MaxNotes {
		return invalid("%v has %d notes; it takes no more", op.ID, len(t.Notes)).About(op.ID)
	}
	t.Notes = append(t.Notes, Note{At: x.now, By: x.by.Name, Text: op.Text})
	x.res.IDs = []ID{op.ID}
	return nil
}
