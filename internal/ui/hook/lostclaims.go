package hook

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/text"
)

// lostClaims says which claims at an address the agent no longer has, once.
//
//	Pawl: #12 Cart is bob's now: your claim ended at 13:40. Stop working on it; next: pawl claim
func (s *session) lostClaims(p *courier.Post) string {
	if !s.mem.Distant.Lost {
		return ""
	}
	lost, err := p.TakeLost(s.key.Session, s.key.Agent)
	s.try(err)
	s.known(p)
	var lines []string
	for i := range lost[:min(len(lost), mostLost)] {
		lines = append(lines, s.lostClaim(&lost[i]))
	}
	if more := len(lost) - mostLost; more > 0 {
		lines = append(lines, fmt.Sprintf("%d more of your claims are lost: look at the list of tasks.", more))
	}
	return strings.Join(lines, "\n")
}

func (s *session) lostClaim(l *courier.Lost) string {
	name := fmt.Sprintf("Pawl: %s %s", l.ID, text.Clip(text.Line(l.Subject), 80))
	by := text.Clip(text.Line(l.By), 80)
	if l.Own {
		by = "another session of " + by
	}
	ended := ""
	if !l.Ended.IsZero() {
		ended = ", because its lease ended at " + clock(l.Ended)
	}
	switch {
	case l.Gone:
		return name + " was deleted. Stop working on it; next: " + s.claims()
	case l.Done:
		return name + " is completed, by " + by + ". Stop working on it; next: " + s.claims()
	case l.By != "":
		return name + " is no longer yours" + ended + ": " + by + " has claimed it. Stop working on it; next: " + s.claims()
	case l.Hold != "":
		return name + " is no longer yours: it is on hold (" + text.Clip(text.Line(l.Hold), 80) + "). Stop working on it; next: " + s.claims()
	default:
		return name + " is no longer yours" + ended + ". Nobody else has claimed it: claim it again before you go on with it."
	}
}

// unsure says once that the lease of a claim has ended and that the server has not said
// what became of it.
func (s *session) unsure(p *courier.Post) string {
	d := s.mem.Distant
	if d.Ends.IsZero() || s.now.Before(d.Ends) || d.Unsure.Equal(d.Ends) {
		return ""
	}
	d.Unsure = d.Ends
	var names []string
	for _, h := range p.Claims(s.key.Session).Held {
		if h.Agent == s.key.Agent && h.Lease > 0 {
			names = append(names, h.ID.String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	of := "your claim on " + names[0]
	if len(names) > 1 {
		of = "your claims on " + strings.Join(names[:min(len(names), mostLost)], ", ")
	}
	return fmt.Sprintf("Pawl: the lease of %s ended at %s, and %s has not answered yet, so somebody else may have the work. "+
		"If the next step belongs to it, look first: %s. Otherwise go on.", of, clock(d.Ends), s.place.board.Address.Origin, s.shows(names[0]))
}

// shows is how the agent looks at a task.
func (s *session) shows(id string) string {
	if shown, ok := s.served(); ok {
		return shown + "task_get"
	}
	return "pawl show " + strings.TrimPrefix(id, "#")
}

func clock(t time.Time) string { return t.Local().Format("15:04") }

// asOf is a line for a text that tells of tasks as they were some time ago.
func (s *session) asOf() string {
	return fmt.Sprintf("(Pawl: %s does not answer in time. The tasks are as of %s.)", s.place.board.Address.Origin, clock(s.old))
}
