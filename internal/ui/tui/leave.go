package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// left is a card that somebody else has moved away from under the reader.
type left struct {
	task pawl.ID
	at   time.Time
}

// reaction is how long a person takes to see that another card is selected. An
// earlier key was meant for the card before.
const reaction = 700 * time.Millisecond

// takeAlong has the reader go where the selected card goes, by what the reader is
// doing now.
func (m *model) takeAlong() {
	s := m.screens[onLanes].(*lanesScreen)
	s.follow = s.at
}

// goesAlong reports whether the reader goes to another lane with the card.
func (s *lanesScreen) goesAlong() bool {
	mine := s.follow == s.at
	s.follow = 0
	return mine || s.sought || s.lift != nil || !s.began
}

// leave has the reader stay in the lane from which somebody else took the card.
func (s *lanesScreen) leave(m *model, c *query.Card) {
	s.left = left{c.Task.ID, m.now}
	if m.where == onLanes {
		words := m.name(c.Task.ID) + " " + nowIn[query.LaneOf(c.State)]
		if c.State == query.Working && c.Task.Owner != "" {
			words += ", claimed by " + text.Line(c.Task.Owner)
		}
		m.notice = notice{text: words}
	}
}

// nowIn says where a card has gone.
var nowIn = [...]string{
	query.Blocked: "is blocked now", query.Pickable: "is ready now", query.Doing: "is in progress now", query.Finished: "is done now",
}

// tooSoon stops a key that would change a task whose card has only just replaced
// the one that the reader saw.
func (s *lanesScreen) tooSoon(m *model, k tea.KeyPressMsg) bool {
	if m.change(k, s.at) == nil || s.at == 0 || s.left.task == 0 || s.left.task == s.at || m.now.Sub(s.left.at) > reaction {
		return false
	}
	m.notice = notice{text: fmt.Sprintf("%v just left this lane; press %s again for %s", s.left.task, k, m.name(s.at)), bad: true}
	s.left = left{}
	return true
}
