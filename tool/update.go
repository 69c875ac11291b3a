package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// taskUpdate changes tasks: all that the call says of them is one change, or
// nothing happens.
func (k *kit) taskUpdate(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	e := a.edit()
	o, note, err := k.edit(ctx, by, e, a)
	if still, ok := errors.AsType[*runningError](err); ok {
		return k.names.running(still), nil, nil
	}
	if err != nil {
		return Result{}, nil, err
	}
	data := o.json()
	for i := range e.before {
		if e.delete {
			data.Removed = append(data.Removed, query.Brief{ID: e.before[i].ID, Subject: clip(e.before[i].Subject, mostSubject)})
		}
	}
	return said(o.updated(e, k.names), data), noted(note), nil
}

// edit carries out what a call says of tasks. The note is one about the board.
func (k *kit) edit(ctx context.Context, by Caller, e *edit, a *arguments) (o *outcome, note string, err error) {
	board, note, err := k.Board(ctx, by, false)
	if err != nil {
		return nil, "", cmp.Or(a.err(), err)
	}
	lease := k.Settings(ctx, by.Session).Lease
	if e.blind(a) {
		// A refused call is tried again below, after a read of the board, to report
		// everything wrong with it. Any other failure may have an unknown outcome,
		// and is not tried again unasked.
		if o, err = k.carry(ctx, board, by, e, e.ops(by, lease, a)); err == nil {
			return o, note, nil
		}
		if _, ran := errors.AsType[*unmetError](err); ran || errors.Is(err, pawl.ErrMoved) {
			return nil, "", err
		}
		switch pawl.KindOf(err) {
		case pawl.Invalid, pawl.NotFound, pawl.Conflict, pawl.Blocked:
		default:
			return nil, "", updateError(err, a.form.tool)
		}
	}
	if err = e.resolve(ctx, board, a); err != nil {
		return nil, "", cmp.Or(a.err(), err)
	}
	if wrong := a.err(); wrong != nil && len(e.before) < max(1, len(e.ids)) {
		return nil, "", wrong
	}
	if e.as != nil {
		by.Name = e.as(by, e)
	}
	ops := e.ops(by, lease, a)
	if a.err() != nil {
		if len(ops) > 0 {
			_, failed := board.Try(ctx, 0, by.request(pawl.All{Ops: ops}))
			a.alsoWrong(updateError(pawl.ErrorAt(failed, 0), a.form.tool))
		}
		return nil, "", a.err()
	}
	if o, err = k.carry(ctx, board, by, e, ops); err != nil {
		return nil, "", updateError(err, a.form.tool)
	}
	return o, note, nil
}

// op makes one of several.
func (e *edit) op(ops []pawl.Op) pawl.Op {
	switch len(ops) {
	case 0:
		return pawl.Update{ID: e.ids[0], Was: &pawl.Was{}} // it changes nothing, but renews the lease
	case 1:
		return ops[0]
	}
	return pawl.All{Ops: ops}
}

// blind reports whether the edit comes to the same ops whatever its tasks are
// like, as long as the board takes them, so that nothing must be read before. It
// fills in what ops needs.
func (e *edit) blind(a *arguments) bool {
	if a.err() != nil || e.as != nil || e.delete || e.setsLabels || e.namesCriteria() || e.owner != nil || e.status == string(pawl.Pending) {
		return false
	}
	numbers := func(all []mention) (ids []pawl.ID, ok bool) {
		for i := range all {
			id, numbered := all[i].id()
			if !numbered {
				return nil, false
			}
			ids = append(ids, id)
		}
		return ids, true
	}
	ids, ok := numbers(e.tasks)
	for i, into := range e.edgeFields() {
		var numbered bool
		*into, numbered = numbers(e.edges[i])
		ok = ok && numbered
	}
	if e.parent != nil {
		parent := new(pawl.ID)
		if !e.parent.none() {
			id, numbered := e.parent.id()
			*parent, ok = id, ok && numbered
		}
		e.fields.Parent = parent
	}
	if !ok {
		return false
	}
	e.ids, e.before = nil, nil
	for _, id := range ids {
		if !slices.Contains(e.ids, id) {
			e.ids = append(e.ids, id)
			e.before = append(e.before, pawl.Task{ID: id, Status: pawl.Pending})
		}
	}
	return true
}

// edgeFields are where the edges belong, in the order of edit.edges.
func (e *edit) edgeFields() [4]*[]pawl.ID {
	return [4]*[]pawl.ID{&e.fields.AddBlockedBy, &e.fields.AddBlocks, &e.fields.RemoveBlockedBy, &e.fields.RemoveBlocks}
}

// An edit is what a call says of tasks.
type edit struct {
	tasks  []mention
	ids    []pawl.ID
	before []pawl.Task                // in brief
	as     func(Caller, *edit) string // in whose name, once before is known; nil: the caller's

	fields                       pawl.Update // but for ID and what needs the tasks
	parent                       *mention
	labels                       []string // the whole list
	setsLabels                   bool
	edges                        [4][]mention
	note                         string
	status                       string
	owner                        *string
	hold                         *string
	release, renew, delete, lift bool
}

// namesCriteria reports whether the call means criteria that a task has, which it may not
// write exactly as they are.
func (e *edit) namesCriteria() bool {
	return len(e.fields.RemoveAccept)+len(e.fields.Tick)+len(e.fields.Untick) > 0
}

// edges of an edit, in the order of edit.edges.
var edgeNames = [4]string{"addBlockedBy", "addBlocks", "removeBlockedBy", "removeBlocks"}

func (a *arguments) edit() *edit {
	e := &edit{tasks: a.mentions("taskId"), note: a.word("note"), status: a.status("status")}
	f := &e.fields
	if len(e.tasks) == 0 {
		a.fault("taskId", "is missing: say which task")
		a.lost = true
	}
	if len(e.tasks) > mostAtOnce {
		a.fault("taskId", "names %d tasks; the most is %d", len(e.tasks), mostAtOnce)
		e.tasks = nil
	}
	for name, field := range map[string]**string{
		"subject": &f.Subject, "description": &f.Description, "activeForm": &f.ActiveForm,
	} {
		if s, ok := a.text(name); ok {
			*field = &s
		}
	}
	if owner, ok := a.owner(); ok {
		e.owner = &owner
	}
	if hold, ok := a.hold(); ok {
		e.hold = &hold
	}
	f.Priority = a.priority("priority")
	e.parent = a.one("parent")
	e.labels, e.setsLabels = a.labels("labels"), a.has("labels")
	f.AddLabels, f.RemoveLabels = a.labels("addLabels"), a.labels("removeLabels")
	f.Metadata = a.object("metadata")
	if token, ok := a.number("token", 1); ok {
		f.Token = pawl.Revision(token)
	}
	for i, name := range edgeNames {
		e.edges[i] = a.edgesTo(name)
	}
	f.AddChecks, f.RemoveChecks = a.checks("addChecks"), a.texts("removeChecks")
	f.AddAccept, f.RemoveAccept = a.criteria("addAccept"), a.criteria("removeAccept")
	f.Tick, f.Untick = a.criteria("tick"), a.criteria("untick")
	e.release, e.renew, e.lift = a.truth("release"), a.truth("renew"), a.truth("lift")
	e.delete = a.truth("delete") || e.status == deleted
	if e.parent == nil && a.has("parent") {
		e.parent = &mention{word: "none"}
	}
	if f.Subject != nil && strings.TrimSpace(*f.Subject) == "" {
		if f.Subject = nil; !e.delete {
			a.fault("subject", "is blank: leave it out, or say in a line what is to be done")
		}
	}
	if e.hold != nil && strings.TrimSpace(*e.hold) == "" {
		e.hold, e.lift = nil, true
	}
	e.contradictions(a)
	return e
}

// mostAtOnce is how many tasks one update may change.
const mostAtOnce = 100

// contradictions finds what cannot be meant together.
func (e *edit) contradictions(a *arguments) {
	filled := func(s *string) bool { return s != nil && *s != "" } // as some clients write what they leave out
	f := &e.fields
	if e.delete && (filled(f.Subject) || filled(f.Description) || filled(e.owner) || e.hold != nil || e.note != "" || e.release ||
		f.Priority != nil || len(e.labels)+len(f.AddChecks)+len(f.RemoveChecks)+len(f.AddAccept) > 0 || e.namesCriteria() || e.status != "" && e.status != deleted) {
		a.fault("status", "deleted goes alone: leave out the rest")
	}
	if e.release && e.status != "" && e.status != string(pawl.Pending) {
		a.fault("release", "makes a task pending: give release or status %s", e.status)
	}
	if e.hold != nil && e.status == string(pawl.Completed) {
		a.fault("hold", "keeps a task from being taken, and this one would be completed")
	}
	if e.hold != nil && e.status == string(pawl.InProgress) {
		a.fault("hold", "keeps a task from being taken, and this one would be taken")
	}
}

func (e *edit) resolve(ctx context.Context, board query.Board, a *arguments) (err error) {
	if e.ids, err = a.each(ctx, board, e.tasks); err != nil {
		return err
	}
	for i, into := range e.edgeFields() {
		known := len(a.resolved)
		if *into, err = a.resolve(ctx, board, e.edges[i]); err != nil {
			return err
		}
		if strings.HasPrefix(edgeNames[i], "remove") {
			a.resolved = a.resolved[:known] // an edge can outlive its task
		}
	}
	if e.parent != nil {
		parent := new(pawl.ID)
		if !e.parent.none() {
			ids, err := a.resolve(ctx, board, []mention{*e.parent})
			if err != nil {
				return err
			}
			if len(ids) == 1 {
				parent = &ids[0]
			}
		}
		e.fields.Parent = parent
	}
	there, err := a.lookUp(ctx, board)
	e.before = nil
	for _, id := range e.ids {
		if t, ok := there[id]; ok {
			e.before = append(e.before, t)
		}
	}
	if err != nil || !e.namesCriteria() || len(e.before) == 0 {
		return err
	}
	return e.criteria(ctx, board)
}

// criteria reads the criteria of the tasks, which a brief task has not.
func (e *edit) criteria(ctx context.Context, board query.Board) error {
	whole, err := query.Whole(ctx, board, query.Asker{}, e.ids)
	for i := range whole {
		for k := range e.before {
			if e.before[k].ID == whole[i].ID {
				e.before[k].Accept = whole[i].Accept
			}
		}
	}
	return err
}

// ops puts the edit into ops, the one that says most at the end.
func (e *edit) ops(by Caller, lease time.Duration, a *arguments) []pawl.Op {
	if e.delete {
		return []pawl.Op{pawl.Delete{IDs: e.ids}}
	}
	var ops []pawl.Op
	if e.renew {
		ops = append(ops, pawl.Renew{IDs: e.ids, Lease: pawl.Duration(lease), Token: e.fields.Token})
	}
	for i := range e.before {
		if e.note != "" {
			ops = append(ops, pawl.AddNote{ID: e.before[i].ID, Text: e.note})
		}
	}
	for i := range e.before {
		if op := e.update(&e.before[i]); !op.Empty() {
			ops = append(ops, op)
		}
	}
	if e.lift {
		ops = append(ops, pawl.LiftHold{IDs: e.ids})
	}
	for i := range e.before {
		ops = append(ops, e.move(&e.before[i], by, lease, a)...)
	}
	if e.status == string(pawl.Completed) {
		ops = append(ops, pawl.Complete{IDs: e.ids, Token: e.fields.Token})
	}
	return ops
}

// update is the part of the edit that concerns fields and edges.
func (e *edit) update(t *pawl.Task) pawl.Update {
	op := e.fields
	op.ID = t.ID
	op.RemoveAccept, op.Tick, op.Untick = meant(t, op.RemoveAccept), meant(t, op.Tick), meant(t, op.Untick)
	if e.setsLabels {
		op.AddLabels, op.RemoveLabels = e.labels, slices.Clone(t.Labels)
		if slices.Equal(e.labels, t.Labels) {
			op.AddLabels, op.RemoveLabels = nil, nil
		}
	}
	return op
}

// move is the part that concerns status, owner and hold. The task may change
// between its read and the ops: these then refuse what does not fit.
func (e *edit) move(t *pawl.Task, by Caller, lease time.Duration, a *arguments) (ops []pawl.Op) {
	ids := []pawl.ID{t.ID}
	token := e.fields.Token
	release := pawl.Release{IDs: ids, Token: token}
	switch e.status {
	case string(pawl.Completed):
		if o := e.owner; o != nil && *o != "" && *o != t.Owner && *o != by.Name {
			a.fault("owner", "cannot change with completed: it stays who did the work")
		}
		return nil
	case string(pawl.InProgress):
		if o := e.owner; o != nil && *o != "" && *o != by.Name {
			a.fault("owner", "of a task in progress is who works on it, and you are %q: to assign it to %q leave out status", line(by.Name), line(clip(*o, mostRemark)))
			return nil
		}
		if t.Status == pawl.Completed {
			ops = append(ops, pawl.Reopen{IDs: ids})
			token = 0
		}
		return append(ops, pawl.ClaimTask{ID: t.ID, Lease: pawl.Duration(lease), Token: token})
	}
	released := false
	switch {
	case e.status == string(pawl.Pending) && t.Status == pawl.Completed:
		ops = append(ops, pawl.Reopen{IDs: ids})
	case e.release, e.status == string(pawl.Pending) && t.Status == pawl.InProgress,
		e.owner != nil && *e.owner != t.Owner && t.Status == pawl.InProgress && t.Owner == by.Name:
		if e.hold != nil {
			release.Hold = *e.hold
		}
		ops, released = append(ops, release), true
	}
	if e.owner != nil && *e.owner != t.Owner {
		ops = append(ops, pawl.Assign{IDs: ids, Owner: *e.owner})
	}
	if e.hold != nil && !released {
		ops = append(ops, pawl.PutHold{IDs: ids, Reason: *e.hold})
	}
	return ops
}

// updateError names arguments as the call did.
func updateError(err error, tool string) error {
	e, ok := err.(*pawl.Error)
	if !ok || len(e.Faults) == 0 || e.Kind == pawl.Unmet {
		return err
	}
	told := *e
	told.Message = tool + " cannot work as asked"
	told.Faults = nil
	for _, f := range e.Faults {
		if _, after, ok := strings.Cut(f.Path, "]."); ok && strings.HasPrefix(f.Path, "ops[") {
			f.Path = after
		}
		switch {
		case f.Path == "text":
			f.Path = "note"
		case f.Path == "reason":
			f.Path = "hold"
		case strings.HasPrefix(f.Path, "ids["), f.Path == "id":
			f.Path = "taskId"
		case strings.HasPrefix(f.Path, "addLabels["):
			f.Path = "labels" + strings.TrimPrefix(f.Path, "addLabels")
		}
		if !slices.Contains(told.Faults, f) {
			told.Faults = append(told.Faults, f)
		}
	}
	return &told
}

// updated tells what was done, a task a line, and what follows from it.
func (o *outcome) updated(e *edit, n names) string {
	var b strings.Builder
	if e.delete {
		for i := range e.before {
			fmt.Fprintf(&b, "Deleted %s\n", name(&e.before[i]))
		}
	}
	for i := range o.Result.Tasks {
		if i == mostLines {
			fmt.Fprintf(&b, "and %s\n", text.Count(len(o.Result.Tasks)-i, "more task", "more tasks"))
			break
		}
		t := &o.Result.Tasks[i]
		c := o.change(t.ID)
		done := deed(c, t)
		if c == nil && o.Result.Changed && len(o.Result.Tasks) == 1 {
			done = "Updated" // its edge to what is completed stands there
		}
		if _, known := o.Already[t.ID]; known {
			fmt.Fprintf(&b, "%v %s\n", t.ID, show.CompletedBefore(&o.Outcome, t.ID, show.Clock{}))
			continue
		}
		b.WriteString(done + " " + unmarked(t))
		if c != nil && c.Before != nil {
			fields := told(c)
			noted := slices.Index(fields, string(pawl.FieldNotes))
			if noted >= 0 {
				fields = slices.Delete(fields, noted, noted+1)
			}
			if len(fields) > 0 {
				b.WriteString(": " + strings.Join(fields, ", "))
			}
			if !c.Before.Free() && c.After.Free() && t.Ready("") {
				b.WriteString(" (ready)")
			}
			if t.Claim.Live() && (t.Claim.Token != c.Before.Claim.Token || e.renew) {
				b.WriteString("; " + holds(t))
			}
			if noted >= 0 {
				b.WriteString("; note added")
			}
		}
		b.WriteByte('\n')
	}
	o.report.told(&b)
	o.consequences(&b, n)
	return b.String()
}

func (o *outcome) change(id pawl.ID) *pawl.Change {
	for i := range o.Result.Changes {
		if o.Result.Changes[i].ID == id {
			return &o.Result.Changes[i]
		}
	}
	return nil
}

// deed is what was done to a task, in a word.
func deed(c *pawl.Change, t *pawl.Task) string {
	if c == nil || c.Before == nil || c.After == nil {
		return "Unchanged:"
	}
	switch was := c.Before.Status; {
	case was != pawl.Completed && t.Status == pawl.Completed:
		return "Completed"
	case was == pawl.Completed && t.Status == pawl.Pending:
		return "Reopened"
	case t.Status == pawl.InProgress && c.After.Claim.Token != c.Before.Claim.Token:
		return "Started"
	case was == pawl.InProgress && t.Status == pawl.Pending:
		return "Released"
	case slices.Equal(c.Fields, []pawl.Field{pawl.FieldClaim}):
		return "Renewed"
	}
	return "Updated"
}

// told are the fields of a change that its deed does not say.
func told(c *pawl.Change) []string {
	var fields []string
	for _, f := range c.Fields {
		switch f {
		case pawl.FieldStatus, pawl.FieldUpdatedAt, pawl.FieldStartedAt, pawl.FieldCompletedAt, pawl.FieldClaim, pawl.FieldExpired, pawl.FieldCreatedAt:
			continue
		case pawl.FieldOwner:
			if c.Before.Status != c.After.Status {
				continue
			}
		case pawl.FieldBlocks, pawl.FieldBlockedBy:
			if c.Before.Status != c.After.Status && (c.Before.Status == pawl.Completed || c.After.Status == pawl.Completed) {
				continue
			}
		}
		fields = append(fields, string(f))
	}
	return fields
}

// holds says how a claim holds its task.
func holds(t *pawl.Task) string {
	if t.Claim.Until.IsZero() {
		return fmt.Sprintf("token %d", t.Claim.Token)
	}
	return fmt.Sprintf("lease until %s, token %d", show.Clock{}.Spell(t.Claim.Until), t.Claim.Token)
}
