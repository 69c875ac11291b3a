package todo

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Call is the start of a tool call by the agent.
type Call struct {
	ToolCall
	Project   string
	Arguments bool // keep what [Mask] leaves of them
}

// CallStarted attaches a tool call to the todo that is in progress, or to that
// one's subtask in progress; it stays there when another becomes current. With
// no todo in progress it does nothing, nor for a call that is known by its id,
// nor for one of a tool that keeps the list ([OwnTool]).
//
// A call without a time starts now. One that has an outcome already has ended.
// Tool calls are no change of the list, and leave its UpdatedAt as it is; a list
// that knows no project yet gets that of the call.
func (s *Service) CallStarted(ctx context.Context, key Key, call Call) error {
	if OwnTool(call.Name) {
		return nil
	}
	c := call.ToolCall
	c.ID, c.Name = callID(c.ID), callID(c.Name)
	c.Parameters = nil
	arguments := sync.OnceValue(func() json.RawMessage { // masking is for those that are kept
		if call.Parameters == nil || !call.Arguments {
			return nil
		}
		return Mask(call.Parameters)
	})
	return s.note(ctx, key, c.ID, func(l *List) (CallNote, bool) {
		n, ok := l.begins(c.begin(s.now()), call.Project)
		if ok {
			n.Call.Parameters = arguments()
		}
		return n, ok
	})
}

// note keeps what a function notes of a list, as cheaply as the store can.
func (s *Service) note(ctx context.Context, key Key, id string, note func(*List) (CallNote, bool)) error {
	key = key.Normal()
	if log, ok := s.store.(CallLog); ok {
		return log.LogCall(ctx, key, id, note)
	}
	list, err := s.store.Load(ctx, key)
	if err != nil {
		return err
	}
	if _, ok := note(&list); !ok {
		return nil
	}
	_, err = s.store.Update(ctx, key, func(l *List) error {
		if n, ok := note(l); ok {
			l.Note(n)
		}
		return nil
	})
	return err
}

// trimArguments drops the arguments that are never shown, and more where all of
// them are more than is kept: what left the list long ago loses them first.
func (l *List) trimArguments() {
	for i := range l.Items {
		l.Items[i].trimArguments()
	}
	for i := range l.Past {
		l.Past[i].Item.trimArguments()
	}
	kept := 0
	l.eachCall(func(c *ToolCall) bool {
		if kept += len(c.Parameters); kept > MaxCallText {
			c.Parameters = nil
		}
		return true
	})
}

// callText is the size of all arguments that are kept.
func (l *List) callText() int {
	size := 0
	l.eachCall(func(c *ToolCall) bool {
		size += len(c.Parameters)
		return true
	})
	return size
}

func (i *Item) trimArguments() {
	trimArguments(i.ToolCalls)
	for s := range i.Subtasks {
		trimArguments(i.Subtasks[s].ToolCalls)
	}
}

// trimArguments keeps the arguments of as many calls as are ever shown, the
// latest. The same call several times in a row is shown as one.
func trimArguments(calls []ToolCall) {
	shown := 0
	for c := range slices.Backward(calls) {
		if c == len(calls)-1 || calls[c].Name != calls[c+1].Name || !bytes.Equal(calls[c].Parameters, calls[c+1].Parameters) {
			shown++
		}
		if shown > shownCalls {
			for i := range calls[:c+1] {
				calls[i].Parameters = nil
			}
			return
		}
	}
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
	return s.note(ctx, key, id, func(l *List) (CallNote, bool) {
		return CallNote{Ends: One, Call: ToolCall{ID: id, EndedAt: s.now(), Outcome: outcome}}, l.call(id).ends(outcome)
	})
}

// CallsInterrupted ends the calls that still run: their ends will not come.
func (s *Service) CallsInterrupted(ctx context.Context, key Key) error {
	return s.note(ctx, key, "", func(l *List) (CallNote, bool) {
		running := false
		l.eachCall(func(c *ToolCall) bool {
			running = c.Outcome == Running
			return !running
		})
		return CallNote{Ends: All, Call: ToolCall{EndedAt: s.now(), Outcome: Interrupted}}, running
	})
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

// ends reports whether an outcome adds something to a call. c may be nil.
func (c *ToolCall) ends(outcome Outcome) bool {
	return c != nil && (c.Outcome == Running || c.Outcome == Interrupted) && c.Outcome != outcome
}

// call returns the newest call with an id, or nil.
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
func callID(s string) string { return cutRunes(strings.ToValidUTF8(s, "\ufffd"), MaxID) }

// Calls counts the tool calls of a list and of what left it.
func (l *List) Calls() int {
	n := 0
	l.eachCall(func(*ToolCall) bool { n++; return true })
	return n
}
