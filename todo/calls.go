package todo

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// A Call is the start of a tool call by the agent.
type Call struct {
	ToolCall
	Project   string
	Arguments bool // keep them, cut and masked
}

// CallStarted attaches a tool call to the todo that is in progress, or to that
// one's subtask in progress; it stays there when another becomes current. With
// no todo in progress it does nothing, nor for a call that is known by its id,
// nor for one of a tool that keeps the list ([OwnTool]).
//
// A call without a time starts now. One that has an outcome already has ended.
func (s *Service) CallStarted(ctx context.Context, key Key, call Call) error {
	if OwnTool(call.Name) {
		return nil
	}
	c := call.ToolCall
	c.ID, c.Name = callID(c.ID), callID(c.Name)
	list, err := s.store.Load(ctx, key.Normal())
	if err != nil || list.Current() < 0 || list.call(c.ID) != nil {
		return err
	}
	if c.Parameters != nil && call.Arguments {
		c.Parameters = Mask(c.Parameters)
	} else {
		c.Parameters = nil
	}
	_, err = s.change(ctx, key, call.Project, func(l *List, now time.Time) error {
		at := l.Current()
		if at < 0 || l.call(c.ID) != nil {
			return nil
		}
		to := &l.Items[at].ToolCalls
		for i := range l.Items[at].Subtasks {
			if sub := &l.Items[at].Subtasks[i]; sub.Status == InProgress {
				to = &sub.ToolCalls
				break
			}
		}
		*to = append(*to, c.begin(now))
		if over := len(*to) - MaxToolCalls; over > 0 {
			*to = slices.Delete(*to, 0, over)
		}
		l.trimArguments()
		return nil
	})
	return err
}

// trimArguments drops arguments where all of them are more than is kept: what
// left the list long ago loses them first.
func (l *List) trimArguments() {
	kept := 0
	l.eachCall(func(c *ToolCall) bool {
		if kept += len(c.Parameters); kept > MaxCallText {
			c.Parameters = nil
		}
		return true
	})
}

// CallEnded says how a tool call ended. It is found wherever it was attached,
// also with a todo that has left the list since; one that was never attached,
// or has ended, stays as it is. Of an interrupted one the end may come late.
func (s *Service) CallEnded(ctx context.Context, key Key, id string, outcome Outcome) error {
	switch outcome {
	case Succeeded, Failed, Interrupted:
	default:
		return pawl.Errorf(pawl.Invalid, "a tool call ends as %q, %q or %q, not as %q", Succeeded, Failed, Interrupted, outcome)
	}
	id = callID(id)
	list, err := s.store.Load(ctx, key.Normal())
	if err != nil || !list.call(id).ends(outcome) {
		return err
	}
	_, err = s.change(ctx, key, "", func(l *List, now time.Time) error {
		if c := l.call(id); c.ends(outcome) {
			c.EndedAt, c.Outcome = now, outcome
		}
		return nil
	})
	return err
}

// CallsInterrupted ends the calls that still run: their ends will not come.
func (s *Service) CallsInterrupted(ctx context.Context, key Key) error {
	list, err := s.store.Load(ctx, key.Normal())
	if err != nil {
		return err
	}
	running := false
	list.eachCall(func(c *ToolCall) bool {
		running = c.Outcome == Running
		return !running
	})
	if !running {
		return nil
	}
	_, err = s.change(ctx, key, "", func(l *List, now time.Time) error {
		l.eachCall(func(c *ToolCall) bool {
			if c.Outcome == Running {
				c.EndedAt, c.Outcome = now, Interrupted
			}
			return true
		})
		return nil
	})
	return err
}

// begin returns the call with the times that it lacks, as they are kept.
func (c ToolCall) begin(now time.Time) ToolCall {
	if c.StartedAt.IsZero() {
		c.StartedAt = now
	}
	if c.Outcome == "" {
		c.Outcome = Running
	}
	switch {
	case c.Outcome == Running:
		c.EndedAt = time.Time{}
	case c.EndedAt.IsZero():
		c.EndedAt = now
	}
	c.StartedAt, c.EndedAt = c.StartedAt.UTC().Truncate(time.Millisecond), c.EndedAt.UTC().Truncate(time.Millisecond)
	return c
}

// ends reports whether an outcome is news of a call; of none there is none.
func (c *ToolCall) ends(outcome Outcome) bool {
	return c != nil && (c.Outcome == Running || c.Outcome == Interrupted) && c.Outcome != outcome
}

// call finds a call by its id, the newest first; nil: there is none.
func (l *List) call(id string) (found *ToolCall) {
	if id == "" {
		return nil
	}
	l.eachCall(func(c *ToolCall) bool {
		if c.ID == id {
			found = c
		}
		return found == nil
	})
	return found
}

// eachCall calls fn with every call of the list, and of what left it, until fn
// returns false.
func (l *List) eachCall(fn func(*ToolCall) bool) {
	for i := range l.Items {
		if !l.Items[i].eachCall(fn) {
			return
		}
	}
	for i := range slices.Backward(l.Past) {
		if !l.Past[i].Item.eachCall(fn) {
			return
		}
	}
}

func (i *Item) eachCall(fn func(*ToolCall) bool) bool {
	each := func(calls []ToolCall) bool {
		for c := range slices.Backward(calls) {
			if !fn(&calls[c]) {
				return false
			}
		}
		return true
	}
	for s := range i.Subtasks {
		if !each(i.Subtasks[s].ToolCalls) {
			return false
		}
	}
	return each(i.ToolCalls)
}

// callID is an id or a name as it is kept: agents make them, and of any length.
func callID(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if utf8.RuneCountInString(s) <= MaxID {
		return s
	}
	return string([]rune(s)[:MaxID])
}
