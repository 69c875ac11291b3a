package tui

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
)

// shared is how the board is shared through a git remote; nil: it is not, or it has not
// been read yet.
func (m *model) shared() *share.Status {
	if m.lanes == nil {
		return nil
	}
	return m.lanes.Shared
}

// synced says in the heading when the board was synced last, if all is well; the row of
// [model.sharedRow] says what is not.
func (m *model) synced() string {
	s := m.shared()
	switch {
	case s == nil || m.sharedRows() > 0:
		return ""
	case s.Running:
		return "syncing"
	}
	return show.SharedShort(s, m.lanes.Now)
}

// sharedRows is how many rows below the heading say that the board is not in step with
// its remote.
func (m *model) sharedRows() int {
	if s := m.shared(); s == nil || s.Stopped == "" && s.Failed == "" || m.height < low {
		return 0
	}
	return 1
}

// sharedRow says why the board is not in step with its remote, and what to do:
//
//	! shared through origin; last synced 2 h ago: origin cannot be reached: pawl sync
func (m *model) sharedRow(width int) []cell {
	s := m.shared()
	next := "pawl sync"
	if steps := show.SharedNext(s); len(steps) > 0 {
		next = steps[0].Command
	}
	next = " (" + next + ") "
	text, room := show.Shared(s, m.lanes.Now), width-term.Width(next)-len(" ! ")
	if _, why, cut := strings.Cut(text, "; "); cut && term.Width(text) > room {
		text = why // where it is shared is known
	}
	return row(width, term.Part{Text: " ! " + m.sc(width).Fit(text, room), Tone: term.Bad}, term.Part{Text: next, Tone: term.Title})
}
