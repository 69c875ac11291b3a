package tui

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// sentence is an error in a line.
func sentence(err error) string { return text.Sentence(text.Line(err.Error())) }

// refusal is an error in a line, with the key that would help:
//
//	#5 is blocked by #7 (not completed); Enter shows it, g the graph
func (m *model) refusal(err error) string {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		return sentence(err)
	}
	s := show.Reason(e, m.By.Name, show.Clock{Now: m.now, Zone: time.Local})
	if step := m.nextKey(e); step != "" {
		s += "; " + text.Line(step)
	}
	return s
}

// nextKey is the step after an error, as keys to press.
func (m *model) nextKey(e *pawl.Error) string {
	h := e.Hint
	ids := show.IDs(h.IDs)
	switch h.Step {
	case pawl.HintSay:
		return h.Text
	case pawl.HintFinish, pawl.HintClaim:
		return m.whereItWaits(len(e.IDs))
	case pawl.HintShow:
		return withKey("look at "+ids, "Enter", h.IDs)
	case pawl.HintList:
		return "/ searches"
	case pawl.HintNext:
		if e.Holder != nil {
			return "x takes it from " + e.Holder.Name
		}
	case pawl.HintReopen:
		return withKey("reopen "+ids+" first", "r", h.IDs)
	case pawl.HintRelease:
		return withKey("release "+ids+" first", "x", h.IDs)
	case pawl.HintLift:
		return "h lifts the hold"
	case pawl.HintApprove:
		return withKey("approve "+ids, "A", h.IDs) + ", or send it back (R)"
	case pawl.HintRetry, pawl.HintReach:
		return "try again"
	case pawl.HintHistory:
		return "t shows the history"
	case pawl.HintDiagnose:
		return "pawl doctor explains"
	case pawl.HintMerge:
		return "pawl merge merges them"
	case pawl.HintCreate:
		return "a adds a task"
	case pawl.HintWait:
		return "wait for them"
	case pawl.HintUndo:
		return fmt.Sprintf("pawl undo %d brings it back", e.Revision)
	case pawl.HintCheck:
		if slices.ContainsFunc(e.Faults, pawl.Fault.Unticked) {
			return "tick its criteria first (Enter, Tab, Space)"
		}
		s := "in a terminal: pawl done"
		for _, id := range h.IDs {
			s += fmt.Sprintf(" %d", int64(id))
		}
		return s
	case pawl.HintAssign:
		return "give " + ids + " to somebody else"
	}
	return ""
}

// whereItWaits says where to see the n tasks that block one. It does not say to
// complete them: the reader may not be the one who does the work.
func (m *model) whereItWaits(n int) string {
	them := text.Plural(max(1, n), "it", "them")
	switch m.where {
	case onGraph:
		return "Enter shows " + them
	case onDetail:
		return "g shows the graph"
	}
	return "Enter shows " + them + ", g the graph"
}

// withKey adds to a step the key, and on what it is to be pressed.
func withKey(step, key string, ids []pawl.ID) string {
	return fmt.Sprintf("%s (%s on %s)", step, key, text.Plural(max(1, len(ids)), "it", "each"))
}
