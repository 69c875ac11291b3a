package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// taskClaim makes the caller the owner of a task.
func (k *kit) taskClaim(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	op := pawl.ClaimTask{Lease: pawl.Duration(k.Settings(ctx, by.Session).Lease)}
	wanted := a.one("taskId")
	if wanted != nil && wanted.none() {
		wanted = nil
	}
	var choice pawl.Query
	parent := a.choice(&choice)
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
		op.ID = ids[0]
	} else if err := a.inParent(ctx, board, parent, &choice); err != nil {
		return Result{}, nil, err
	} else {
		op.Filter = pawl.ClaimFilter{Labels: choice.Labels, Parent: choice.Parent, Priority: choice.Priority, Owner: choice.Owner, Text: choice.Text}
	}
	o, err := k.do(ctx, board, by, by.request(op))
	if e, ok := errors.AsType[*pawl.Error](err); ok && (e.Kind == pawl.Idle || e.Kind == pawl.Busy) {
		return k.names.nothing(e), noted(note), nil
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
	t := &o.Detail.Task
	var b strings.Builder
	word := "Claimed "
	if c := o.change(t.ID); c == nil || c.Before != nil && c.Before.Claim.Token == t.Claim.Token {
		word = "Renewed "
	}
	fmt.Fprintf(&b, "%s%v %s\n", word, t.ID, show.Subject(t))
	fmt.Fprintf(&b, "For %s: %s\n", text.Line(clip(t.Owner, mostRemark)), holds(t))
	if here := show.HereOnly(t.ID, o.Head.Shared); here != "" && o.Shared == nil {
		fmt.Fprintf(&b, "%s; until a sync, others can claim it, too\n", text.Sentence(here))
	}
	for i := range o.Holding {
		if i == mostHeld {
			fmt.Fprintf(&b, "and %d more\n", len(o.Holding)-i)
			break
		}
		fmt.Fprintf(&b, "You have also claimed %v %s\n", o.Holding[i].ID, text.Line(clip(o.Holding[i].Subject, mostRemark-10)))
	}
	if len(t.BlockedBy) > 0 || t.OpenChildren > 0 {
		fmt.Fprintf(&b, "It waits: %s\n", clip(strings.Join(show.Remarks(t), "; "), mostRemark))
	}
	done := call(n.update, "taskId", t.ID, "status", "completed")
	if text := own(t, n); text != "" {
		b.WriteString(text)
	}
	fmt.Fprintf(&b, "When it is done: %s\n", done)
	return b.String()
}

// own are the texts of a task that its owner needs.
func own(t *pawl.Task, n names) string {
	var b strings.Builder
	if labels := show.Labels(t); labels != "" {
		b.WriteString("Labels: " + clip(labels, mostSubject) + "\n")
	}
	if t.Description != "" {
		b.WriteString("Description:\n" + text.Indent(t.Description) + "\n")
	}
	for _, part := range []struct {
		title string
		lines []show.Shown
	}{{"Checks, which run when you complete it", show.Checks(t, show.Clock{})}, {"Criteria, to tick when they are so", show.Criteria(t, show.Clock{})}} {
		for i, shown := range part.lines {
			if i == 0 {
				b.WriteString(part.title + ":\n")
			}
			b.WriteString("  " + box(shown.Is) + " " + shown.Line() + "\n")
		}
	}
	notes := newest(&b, t, func(n pawl.Note) string { return text.Line(n.By) })
	const room = mostText - 2000
	part, next := notePage(b.String(), notes, 0, room)
	if next > 0 {
		part = strings.TrimRight(part, "\n") + "\n… the rest" + older(notes, next) + ": " + call(n.get, "taskId", t.ID) + "\n"
	}
	return part
}

// box stands before a check or a criterion.
func box(is pawl.Checked) string {
	switch is {
	case pawl.CheckedPassed:
		return "[x]"
	case pawl.CheckedFailed:
		return "[!]"
	}
	return "[ ]"
}

// nothingJSON is what programs get of a claim that found nothing to take.
type nothingJSON struct {
	changedJSON
	Kind  string      `json:"kind"`            // idle: all is done; busy: somebody is at work
	Until wire.Moment `json:"until,omitempty"` // with busy: when the first lease of the others ends
	By    []string    `json:"by,omitempty"`    // with busy: who is at work, the caller too
	Next  string      `json:"next,omitempty"`  // what would help
}

// nothing is the result of a claim when all is done, or while somebody is at
// work. Neither is a failure: the agent has done what it could.
func (n names) nothing(e *pawl.Error) Result {
	next := n.next(e, true)
	if next == "" {
		next = "tell your user that the plan is done"
	}
	why := wire.NewNothing(e, e.Message, next)
	text := clip(text.Line(show.ToPerson(e, e.Message, "", show.Clock{})), mostError)
	return said(text+"\nNext: "+next, nothingJSON{
		changedJSON: changedJSON{IDs: []pawl.ID{}, Tasks: []wire.Task{}, Ready: []query.Brief{}},
		Kind:        string(why.Kind), Until: why.Until, By: why.By, Next: next,
	})
}

// wait tells an agent what to do while others are at work. It cannot sleep, and
// to ask again and again costs its user.
func (n names) wait(e *pawl.Error) string {
	when := "when they are done"
	if !e.Until.IsZero() {
		when = "when they are done, or after " + show.Clock{}.Spell(e.Until)
	}
	return "end your turn and tell your user who is at work; " + when + ": " + call(n.claim)
}
