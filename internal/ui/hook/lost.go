package hook

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/nudge"
)

// mostLost is how many lost claims one answer names.
const mostLost = 5

// lost is what a sync in the background found out since the agent was last told: its
// claims that another clone of a shared board has. It is told once, at the first event
// at which the agent hears anything, before more work is wasted.
//
//	Pawl: #12 Cart: bob has claimed it, on mac-mini. Stop working on it; next: pawl claim
func (s *session) lost(e *agent.Event) string {
	if s.env.Lost == nil || s.place.folder() == "" {
		return ""
	}
	switch e.Kind {
	case nudge.Start, nudge.Prompt, nudge.CallEnds:
	default:
		return ""
	}
	if !s.hears(e) {
		return "" // it stays for an event at which it does
	}
	notices := s.env.Lost(s.place.folder(), s.key.Session)
	var lines []string
	for i := range notices[:min(len(notices), mostLost)] {
		lines = append(lines, s.lostLine(&notices[i]))
	}
	if more := len(notices) - mostLost; more > 0 {
		lines = append(lines, "More of your claims are lost: look at the list of tasks.")
	}
	return strings.Join(lines, "\n")
}

// lostLine says of one claim or completion who has the task, and what to do.
func (s *session) lostLine(n *share.Notice) string {
	y, name := n.Lost, s.name()
	y.Owner = name // a claim of this session, whatever it called itself then
	if y.By == name {
		y.By = "another " + name // agents of one program have one name
	}
	line := "Pawl: " + show.Lost(&y, name)
	if y.Was != pawl.InProgress {
		return line + "."
	}
	return line + ". Stop working on it; next: " + s.claims()
}

// claims is how the agent claims another task.
func (s *session) claims() string {
	if shown, ok := s.served(); ok {
		return shown + "task_claim"
	}
	return "pawl claim"
}
