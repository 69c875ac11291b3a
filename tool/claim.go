package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// taskClaim makes the caller the owner of a task.
func (k *kit) taskClaim(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	op := pawl.ClaimTask{Lease: k.Settings(ctx, by.Session).Lease}
	wanted := a.one("taskId")
	if wanted != nil && wanted.none() {
		wanted = nil
	}
	parent := a.choice(&op.Filter)
	if token, ok := a.number("token", 1); ok {
		op.Token = pawl.Revision(token)
	}
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	board, note, err := k.Board(ctx, by, false)
	if err != nil {
		return Result{}, nil, err
	}
	if wanted != nil {
		ids, err := a.resolve(ctx, board, []mention{*wanted})
		if err == nil {
			err = a.err()
		}
		if err != nil {
			return Result{}, nil, err
		}
		op.ID, op.Filter = ids[0], pawl.Query{}
	} else if err := a.inParent(ctx, board, parent, &op.Filter); err != nil {
		return Result{}, nil, err
	}
	o, err := k.do(ctx, board, by, op)
	if err != nil && op.ID == 0 && pawl.KindOf(err) == pawl.NotFound {
		return Result{}, nil, k.nothingReady(ctx, board, by, op.Filter, err)
	}
	if err != nil {
		return Result{}, nil, err
	}
	return said(o.claimed(k.names), o.json()), noted(note), nil
}

// mostHeld is how many tasks that the caller has already a claim names.
const mostHeld = 3

// claimed tells of a claim: how it holds, what else the caller holds, the task
// itself, and how to go on.
func (o *outcome) claimed(n names) string {
	t := &o.claim.Task
	var b strings.Builder
	word := "Claimed "
	if c := o.change(t.ID); c == nil || c.Before != nil && c.Before.Claim.Token == t.Claim.Token {
		word = "Renewed "
	}
	fmt.Fprintf(&b, "%s%v %s\n", word, t.ID, view.Subject(t))
	fmt.Fprintf(&b, "For %s: %s\n", view.Line(clip(t.Owner, mostRemark)), holds(t))
	for i := range o.held {
		if i == mostHeld {
			fmt.Fprintf(&b, "and %d more\n", len(o.held)-i)
			break
		}
		fmt.Fprintf(&b, "You also hold %v %s\n", o.held[i].ID, view.Line(clip(o.held[i].Subject, mostRemark-10)))
	}
	if len(t.BlockedBy) > 0 || t.OpenChildren > 0 {
		fmt.Fprintf(&b, "It waits: %s\n", clip(strings.Join(view.Remarks(t), "; "), mostRemark))
	}
	done := call(n.update, "taskId", t.ID, "status", "completed")
	if text := own(t, n); text != "" {
		b.WriteString(text)
	}
	fmt.Fprintf(&b, "When it is done: %s\n", done)
	return b.String()
}

// own are the texts of a task that whoever does it needs.
func own(t *pawl.Task, n names) string {
	var b strings.Builder
	if labels := view.Labels(t); labels != "" {
		b.WriteString("Labels: " + clip(labels, mostSubject) + "\n")
	}
	if t.Description != "" {
		b.WriteString("Description:\n" + view.Indent(t.Description) + "\n")
	}
	notes := newest(&b, t, func(n pawl.Note) string { return view.Line(n.By) })
	const room = mostText - 2000
	part, next := notePage(b.String(), notes, 0, room)
	if next > 0 {
		part = strings.TrimRight(part, "\n") + "\n… the rest" + older(notes, next) + ": " + call(n.get, "taskId", t.ID) + "\n"
	}
	return part
}

// nothingReady says why there is nothing to claim, and what would help.
func (k *kit) nothingReady(ctx context.Context, board *pawl.Board, by Caller, filter pawl.Query, cause error) error {
	e := &pawl.Error{Kind: pawl.NotFound, Message: "nothing is ready to be claimed", Cause: cause}
	err := board.View(ctx, func(r pawl.Reader) error {
		l := listing{by: by.Actor, query: pawl.Query{For: by.Name}}
		all, err := l.totals(r)
		if err != nil {
			return err
		}
		l.query = filter
		l.query.For = by.Name
		some, err := l.totals(r)
		if err != nil {
			return err
		}
		switch open := some.all() - some.Completed; {
		case all.all() == 0:
			e.Message += ": the board has no tasks"
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: call(k.names.create, "subject", "…")}
		case all.all() == all.Completed:
			e.Message += fmt.Sprintf(": all of the tasks are completed, %d in number", all.Completed)
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "tell your user that the plan is done"}
		case open == 0, all.Ready > 0:
			e.Message += fmt.Sprintf(" that fits; without these filters %d %s", all.Ready, isAre(all.Ready))
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: call(k.names.claim)}
			if all.Ready == 0 {
				e.Hint.Text = call(k.names.list, "status", "open")
			}
		default:
			return k.inTheWay(r, by, e)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// mostReasons is how many open tasks are named that keep the others back.
const mostReasons = 4

// inTheWay names the open tasks that wait for no other one and cannot be taken
// all the same, for these keep everything back.
func (k *kit) inTheWay(r pawl.Reader, by Caller, e *pawl.Error) error {
	var mine []pawl.ID
	var why []string
	seen := 0
	for _, q := range []pawl.Query{
		{Status: []pawl.Status{pawl.InProgress}},
		{Held: true},
		{Status: []pawl.Status{pawl.Pending}, Owned: true},
		{Damaged: true},
	} {
		q.Brief, q.Limit = true, mostReasons
		page, err := r.Select(q)
		if err != nil {
			return err
		}
		for i := range page.Tasks {
			t := &page.Tasks[i]
			if t.Status == pawl.InProgress && by.Owns(t) {
				mine = append(mine, t.ID)
			}
			if len(why) < mostReasons {
				why = append(why, reason(t, by.Actor))
			}
		}
		seen += page.Total
	}
	if more := seen - len(why); more > 0 {
		why = append(why, fmt.Sprintf("and %d more", more))
	}
	if len(why) > 0 {
		e.Message += ": " + strings.Join(why, "; ")
	}
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: call(k.names.list, "status", "open")}
	if len(mine) > 0 {
		e.Hint = pawl.Hint{Step: pawl.HintFinish, IDs: mine}
	}
	return nil
}

// reason is what keeps a task from being taken by somebody.
func reason(t *pawl.Task, by pawl.Actor) string {
	switch {
	case t.Damage != "":
		return fmt.Sprintf("%v is damaged", t.ID)
	case t.Status == pawl.InProgress:
		text := fmt.Sprintf("%v is with %s", t.ID, view.Line(clip(t.Owner, mostRemark)))
		if t.Owner == by.Name && !by.Owns(t) { // agents of a kind have one name
			text += " in another session"
		}
		if !t.Claim.Until.IsZero() {
			text += " until " + view.Clock{}.Spell(t.Claim.Until)
		}
		return text
	case t.Hold != nil:
		return fmt.Sprintf("%v is held: %s", t.ID, view.Line(clip(t.Hold.Reason, mostRemark)))
	}
	return fmt.Sprintf("%v is assigned to %s", t.ID, view.Line(clip(t.Owner, mostRemark)))
}
