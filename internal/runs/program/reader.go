package program

import (
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
)

// A Reader reads the lines of one run of a program in their order, and sums up what
// they said. Reading the log again from its beginning gives the same. It is not safe
// for concurrent use.
type Reader struct {
	program *Program
	seen    Seen
	bill    agent.Bill
	more    bool
}

// Seen is what the lines of a run have said.
type Seen struct {
	Session string
	Text    string // the agent's last answer; of a program with lines for people, the last of them
	Doing   string // what it does now, for a person
	Failed  string // why it could not do it
	Usage   agent.Usage
	Plan    *agent.Plan // its own list; nil: it told none
	Refused []string    // what it asked for and did not get, the last ones
	Limited bool        // the last that it told was that its provider refuses requests
	Until   time.Time   // until then; zero: it told no time
}

// Reader begins to read a run.
func (p *Program) Reader() *Reader { return &Reader{program: p} }

const (
	maxText     = 64 << 10 // bytes of an answer that are kept
	mostRefused = 10       // of what was not allowed
)

// Line reads the next line, as it came at a time, and reports whether it said something:
// a line that Pawl does not understand also shows that the program is alive.
func (r *Reader) Line(line []byte, now time.Time) bool {
	said := r.program.Said(line, now)
	if said == (agent.Said{}) {
		return false
	}
	s := &r.seen
	if said.Session != "" {
		s.Session = said.Session
	}
	switch {
	case said.Limited:
		s.Limited, s.Until = true, said.Until
	case said.Doing != "" || said.Text != "":
		s.Limited, s.Until = false, time.Time{}
	}
	if said.Failed != "" || said.Text != "" { // what the agent says after a failure shows that it got over it
		s.Failed = said.Failed
	}
	if r.program.stream == nil {
		said.Text = said.Doing
	}
	if said.Doing != "" {
		s.Doing = said.Doing
	}
	if said.Text != "" {
		if r.more && said.More {
			said.Text = s.Text + said.Text
			s.Doing = agent.Line(said.Text)
		}
		s.Text = said.Text[max(0, len(said.Text)-maxText):]
	}
	if said.Plan != nil {
		s.Plan = said.Plan
	}
	if said.Refused != "" {
		s.Refused = append(s.Refused[max(0, len(s.Refused)+1-mostRefused):len(s.Refused):len(s.Refused)], said.Refused)
	}
	r.more = said.More
	r.bill.Add(said)
	s.Usage = r.bill.Usage()
	return true
}

// Seen is what was said until now.
func (r *Reader) Seen() Seen {
	s := r.seen
	s.Text = strings.TrimSpace(s.Text)
	return s
}
