package todo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Checked is what the last run of a list's check showed. It has none of the output:
// the clone in which it ran keeps the end of that.
type Checked struct {
	Sum    string    `json:"sum"` // of the check that ran: [pawl.Check.Sum]
	Passed bool      `json:"passed,omitempty"`
	Exit   int       `json:"exit,omitempty"`
	At     time.Time `json:"at"`
}

// HasCheck reports whether a command must pass before the list counts as done. Nothing
// finishes such a list but a pass, with all todos completed: see [Service.CheckRan].
func (l *List) HasCheck() bool { return l.Check != nil || len(l.BadCheck) > 0 }

// AwaitsCheck reports whether only its check keeps the list from being done.
func (l *List) AwaitsCheck() bool { return l.HasCheck() && len(l.Items) > 0 && l.Open() == 0 }

// Standing says how the list stands with its check, as it is now.
func (l *List) Standing() pawl.Checked {
	switch ran := l.Checked; {
	case !l.HasCheck():
		return pawl.NotChecked
	case l.Check == nil || ran == nil || ran.Sum != l.Check.Sum():
		return pawl.CheckedOpen
	case ran.Passed:
		return pawl.CheckedPassed
	}
	return pawl.CheckedFailed
}

// ReadCheck reads a check as a list's file has it, whole: with a key that is not known it
// is an error, because half of a command is another command.
func ReadCheck(raw json.RawMessage) (*pawl.Check, error) {
	all, err := pawl.ParseChecks(slices.Concat([]byte("["), raw, []byte("]")))
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, pawl.Errorf(pawl.Invalid, "it is not one check")
	}
	return &all[0], nil
}

// CheckTold says in a line how the list stands with its check; empty: it has none.
//
//	Check: tests: go test ./... (failed with exit code 1, 5m ago)
func (l *List) CheckTold(now time.Time) string {
	if !l.HasCheck() {
		return ""
	}
	if l.Check == nil {
		return "Check: it cannot be read, so that nothing shows that the list is done"
	}
	name, command := l.Check.Name, clip(l.Check.Command(), 200)
	if name != command {
		command = name + ": " + command
	}
	is := "has not run"
	switch l.Standing() {
	case pawl.CheckedPassed:
		is = "passed, " + ago(now.Sub(l.Checked.At))
	case pawl.CheckedFailed:
		is = fmt.Sprintf("failed with exit code %d, %s", l.Checked.Exit, ago(now.Sub(l.Checked.At)))
		if l.Checked.Exit < 0 {
			is = "failed, " + ago(now.Sub(l.Checked.At))
		}
	}
	return "Check: " + text.Line(command) + " (" + is + ")"
}

// SetCheck gives a list the check that must pass before it counts as done, or with nil
// takes it away; a list that waited only for it is finished then. May is asked first, with
// the list as it is, and may refuse. It reports whether anything changed.
func (s *Service) SetCheck(ctx context.Context, key Key, how Editing, c *pawl.Check, may func(*List) error) (Edited, error) {
	var out Edited
	if c != nil {
		if f := c.Valid(); len(f) > 0 {
			return out, &pawl.Error{Kind: pawl.Invalid, Message: "the check cannot run", Faults: f}
		}
	}
	list, err := s.change(ctx, key, how.Project, func(l *List, now time.Time) error {
		out = Edited{}
		switch {
		case c == nil && !l.HasCheck(), c != nil && l.Check != nil && l.Check.Equal(c):
			return nil
		case may != nil:
			if err := may(l); err != nil {
				return err
			}
		}
		out.Changed, out.What = true, []string{"took the check away from the list"}
		if l.Check, l.Checked, l.BadCheck = nil, nil, nil; c != nil {
			made := c.Clone()
			l.Check, out.What = &made, []string{"gave the list the check " + quoted(c.Name)}
		}
		if how.By != "" {
			l.tell(now, "%s %s.", how.By, out.What[0])
		}
		if before := l.Clone(); l.settle(now) {
			before.remember(out.What[0], now)
			l.Before, out.Finished = before.Before, true
		}
		return nil
	})
	out.List = list
	return out, err
}

// CheckRan notes what a run of the list's check showed, which began when the list was as
// seen. With all todos completed a pass finishes the list. A pass shows nothing
// of todos that changed while it ran, and is not noted: Edited.Changed is false then.
func (s *Service) CheckRan(ctx context.Context, key Key, how Editing, seen *List, ran Checked) (Edited, error) {
	var out Edited
	ran.At = ran.At.UTC().Truncate(time.Millisecond)
	list, err := s.change(ctx, key, how.Project, func(l *List, now time.Time) error {
		out = Edited{}
		if l.Check == nil || l.Check.Sum() != ran.Sum {
			return pawl.Errorf(pawl.Conflict, "the check of the list is another one since it began to run")
		}
		if ran.Passed && !sameWork(seen.Items, l.Items) {
			return nil
		}
		l.Checked, out.Changed = &ran, true
		is := "failed"
		if ran.Passed {
			is = "passed"
		}
		if ran.Passed && l.AwaitsCheck() {
			l.remember("finished the list, whose check passed", now)
			out.Finished = l.finish(now)
		}
		if how.By != "" {
			l.tell(now, "%s ran the check %s of the list, and it %s.", how.By, quoted(l.Check.Name), is)
		}
		return nil
	})
	out.List = list
	return out, err
}

// sameWork reports whether two lists have the same todos, in the same states.
func sameWork(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(a, b Item) bool {
		return a.Content == b.Content && a.Status == b.Status && slices.EqualFunc(a.Subtasks, b.Subtasks, sameSubtask)
	})
}

// stale forgets a pass of other todos than those that are there now: who plans or does
// more has not shown that it works.
func (l *List) stale(before []Item) {
	if l.Checked != nil && l.Checked.Passed && len(l.Items) > 0 && !sameWork(before, l.Items) {
		l.Checked = nil
	}
}
