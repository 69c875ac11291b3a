package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// taskCreate makes a task, or several with edges among them.
func (k *kit) taskCreate(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	op, o, note, err := k.create(ctx, by, a)
	if err != nil {
		return Result{}, noted(note), err
	}
	return said(o.created(op, k.names), o.createdJSON()), noted(note), nil
}

// createdJSON is what programs get of new tasks: what the call could not know.
// A program that wants more has task_get.
type createdJSON struct {
	Changed bool               `json:"changed"`
	IDs     []pawl.ID          `json:"ids"`            // of all new tasks, in the order of the call
	Tasks   []createdTask      `json:"tasks"`          // these; of many the first
	Refs    map[string]pawl.ID `json:"refs,omitempty"` // the ids behind the refs of the call
	Cut     bool               `json:"cut,omitempty"`  // tasks are left out or subjects shortened
}

type createdTask struct {
	ID        pawl.ID   `json:"id"`
	Subject   string    `json:"subject"`
	Ready     bool      `json:"ready"`               // the caller could claim it now
	BlockedBy []pawl.ID `json:"blockedBy,omitempty"` // the tasks that it waits for
}

func (o *outcome) createdJSON() createdJSON {
	j := createdJSON{Changed: o.Result.Changed, IDs: append([]pawl.ID{}, o.Result.IDs...), Tasks: []createdTask{}, Refs: o.Result.Refs, Cut: len(o.tasks) > mostLines}
	for i := range o.tasks[:min(len(o.tasks), mostLines)] {
		t := &o.tasks[i]
		row := createdTask{t.ID, clip(t.Subject, mostSubject), t.Ready, t.BlockedBy}
		j.Cut = j.Cut || row.Subject != t.Subject
		j.Tasks = append(j.Tasks, row)
	}
	return j
}

// create carries out what a call says of new tasks. The note is one about the
// board.
func (k *kit) create(ctx context.Context, by Caller, a *arguments) (op pawl.Create, o *outcome, note string, err error) {
	drafts := a.drafts()
	board, _, err := k.Board(ctx, by, false)
	if err == nil {
		op, err = a.newTasks(ctx, board, drafts)
	}
	if wrong := a.err(); err != nil || wrong != nil {
		if err == nil && len(a.faults) > 0 && len(drafts) > 0 {
			_, failed := board.Try(ctx, 0, by.request(op))
			a.alsoWrong(createError(pawl.ErrorAt(failed, 0), drafts, 0, a.form.tool))
			wrong = a.err()
		}
		return op, nil, "", createError(cmp.Or(wrong, err), drafts, 0, a.form.tool)
	}
	known, err := query.Of(ctx, board, query.Asker{By: by.Actor}, query.ResolveQuery{})
	if err != nil {
		return op, nil, "", err
	}
	last := known.Last
	if last == 0 { // perhaps there is no board yet, and none is made for a call that cannot work
		if _, err := board.Try(ctx, 0, by.request(op)); err != nil {
			return op, nil, "", createError(pawl.ErrorAt(err, 0), drafts, last, a.form.tool)
		}
	}
	if board, note, err = k.Board(ctx, by, true); err != nil {
		return op, nil, "", err
	}
	if o, err = k.do(ctx, board, by, by.request(op)); err != nil {
		return op, nil, note, createError(err, drafts, last, a.form.tool)
	}
	return op, o, note, nil
}

// A draft is a task to be made whose edges are not resolved yet.
type draft struct {
	pawl.NewTask
	at                        string
	parent, blockedBy, blocks []mention
}

// drafts reads the one task of a call, or its batch.
func (a *arguments) drafts() []draft {
	single := []string{"subject", "description", "priority", "labels", "parent", "blockedBy", "blocks", "activeForm", "owner", "metadata", "checks", "accept", "ref", "status"}
	list := a.list("tasks")
	switch {
	case len(list) == 0 && a.has("tasks") && !a.any(single...):
		a.fault("tasks", "is empty: give at least one task, with its subject")
		return nil
	case len(list) == 0:
		return []draft{a.draft()}
	case a.any(single...):
		a.fault("tasks", "has the tasks of this call: give subject and the like inside of each")
	case len(list) > pawl.MaxBatch:
		a.fault("tasks", "has %d tasks; the most is %d: send the rest in another call", len(list), pawl.MaxBatch)
		return nil
	}
	var drafts []draft
	for i, raw := range list {
		at := fmt.Sprintf("tasks[%d]", i)
		var subject string
		if raw = unwrap(raw); json.Unmarshal(raw, &subject) == nil { // a task that is nothing but its subject
			drafts = append(drafts, draft{NewTask: pawl.NewTask{Subject: subject}, at: at + "."})
			continue
		}
		drafts = append(drafts, a.within(at, raw).draft())
	}
	return drafts
}

// mostRef bounds the name that a task has in its own call, which is told back.
const mostRef = 100

// draft reads the task that the arguments describe.
func (a *arguments) draft() draft {
	d := draft{at: a.at}
	if d.Ref = a.word("ref"); len(d.Ref) > mostRef {
		a.fault("ref", "has %d bytes; the most is %d: it only names the task in this call", len(d.Ref), mostRef)
	}
	if id, err := pawl.ParseID(d.Ref); err == nil {
		a.fault("ref", "%q reads as the id of task %v: use a word, such as \"t%d\"", line(d.Ref), id, id)
	}
	d.Subject, _ = a.text("subject")
	if strings.TrimSpace(d.Subject) == "" {
		a.fault("subject", "is missing: say in a line what is to be done")
	}
	d.Description, _ = a.text("description")
	d.ActiveForm, _ = a.text("activeForm")
	if p := a.priority("priority"); p != nil {
		d.Priority = *p
	}
	d.Labels = a.labels("labels")
	d.Owner, _ = a.owner()
	d.Metadata = a.object("metadata")
	d.Checks, d.Accept = a.checks("checks"), a.criteria("accept")
	if m := a.one("parent"); m != nil && !m.none() {
		d.parent = []mention{*m}
	}
	d.blockedBy, d.blocks = a.edgesTo("blockedBy"), a.edgesTo("blocks")
	if s := a.status("status"); s != "" && s != string(pawl.Pending) {
		a.fault("status", "is pending for a new task: then claim it, or complete it")
	}
	if a.has("tasks") && a.at != "" {
		a.fault("tasks", "cannot stand in a task: give the others a parent")
	}
	return d
}

// newTasks resolves what the drafts mention.
func (a *arguments) newTasks(ctx context.Context, board query.Board, drafts []draft) (pawl.Create, error) {
	var op pawl.Create
	refs := map[string]bool{}
	for _, d := range drafts {
		if d.Ref != "" {
			refs[d.Ref] = true
		}
	}
	resolve := func(all []mention) (out []pawl.Ref, err error) {
		for _, m := range all {
			if refs[m.word] {
				out = append(out, pawl.RefName(m.word))
				continue
			}
			ids, err := a.resolve(ctx, board, []mention{m})
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				out = append(out, pawl.RefID(id))
			}
		}
		return out, nil
	}
	for i := range drafts {
		d := &drafts[i]
		parents, err := resolve(d.parent)
		if err != nil {
			return op, err
		}
		if len(parents) > 0 {
			d.Parent = parents[0]
		}
		if d.BlockedBy, err = resolve(d.blockedBy); err != nil {
			return op, err
		}
		if d.Blocks, err = resolve(d.blocks); err != nil {
			return op, err
		}
		op.Tasks = append(op.Tasks, d.NewTask)
	}
	_, err := a.lookUp(ctx, board)
	return op, err
}

// createError says what the call cannot know of itself: how tasks of the same
// call are named, where an id is not on the board, and which of them are meant by
// ids that they would have got.
func createError(err error, drafts []draft, last pawl.ID, tool string) error {
	e, ok := err.(*pawl.Error)
	if !ok {
		return err
	}
	if e.Kind == pawl.Invalid && len(e.IDs) > 0 {
		told := *e
		var named []string
		for i, d := range drafts {
			if id := last + 1 + pawl.ID(i); slices.Contains(e.IDs, id) {
				named = append(named, fmt.Sprintf("%v would be %q", id, line(clip(d.Subject, mostRemark))))
			}
		}
		if len(named) > 0 {
			told.Message += ": " + strings.Join(named, ", ")
		}
		return &told
	}
	if (e.Kind == pawl.NotFound || e.Hint.Step == pawl.HintList) && len(drafts) > 1 {
		told := *e
		told.Hint = pawl.Hint{Step: pawl.HintSay, Text: `to name a task of the same call give it a ref, such as {"ref":"a",…}, and use that: "blockedBy":["a"]`}
		return &told
	}
	if len(drafts) == 1 && drafts[0].at == "" { // nobody spoke of tasks[0]
		told := *e
		told.Message = strings.TrimPrefix(told.Message, "tasks[0]: ")
		if told.Faults = append([]pawl.Fault(nil), e.Faults...); len(told.Faults) > 0 {
			told.Message = tool + " cannot work as asked"
		}
		for i := range told.Faults {
			told.Faults[i].Path = strings.TrimPrefix(told.Faults[i].Path, "tasks[0].")
		}
		return &told
	}
	return err
}

// created tells what was made, a task a line, with the refs that name them.
func (o *outcome) created(op pawl.Create, n names) string {
	var b strings.Builder
	for i := range o.Result.Tasks {
		if i == mostLines {
			last := o.Result.IDs[len(o.Result.IDs)-1]
			fmt.Fprintf(&b, "and %s, up to %v: %s\n", text.Count(len(o.Result.Tasks)-i, "more task", "more tasks"), last, call(n.list, "cursor", after(&o.Result.Tasks[i-1], o.Result.Revision)))
			break
		}
		t := &o.Result.Tasks[i]
		b.WriteString("Created ")
		if ref := op.Tasks[i].Ref; ref != "" {
			b.WriteString(text.Line(clip(ref, mostRemark)) + ": ")
		}
		b.WriteString(unmarked(t))
		if t.Ready("") {
			b.WriteString(" (ready)")
		}
		b.WriteByte('\n')
	}
	other := *o
	other.Ready = nil // said behind each
	other.consequences(&b, n)
	return b.String()
}
