package courier

import (
	"encoding/json"
	"time"
)

const (
	// slowAfter is how long nobody tries a live request after one had no answer.
	slowAfter = 30 * time.Second
	// slowFar is the same where the courier has seen that the server is too far away.
	slowFar    = 5 * time.Minute
	firstPause = 20 * time.Second // between two runs of the courier that fail
	mostPause  = 2 * time.Minute
	lineFile   = "line"
)

// A state is what is known of the line.
type state struct {
	Slow     time.Time `json:"slow,omitzero"`      // until then a hook need not try
	Since    time.Time `json:"since,omitzero"`     // since when the server does not answer
	Failures int       `json:"failures,omitempty"` // runs of the courier in a row
	Tried    time.Time `json:"tried,omitzero"`     // the last of them
}

func (p *Post) state() (s state) {
	if text, ok := read(p.path(lineFile)); !ok || json.Unmarshal(text, &s) != nil {
		return state{}
	}
	return s
}

func (p *Post) setState(s state) {
	text, err := json.Marshal(s)
	if err == nil {
		err = write(p.path(lineFile), text)
	}
	p.log(err)
}

// slow reports whether a live request has no chance. A time too far ahead means
// that the clock was set back.
func (s *state) slow(now time.Time) bool {
	left := s.Slow.Sub(now)
	return left > 0 && left <= slowFar
}

// failed remembers that the server did not answer. It is logged once, until it answers
// again.
func (p *Post) failed(err error, now time.Time) {
	s := p.state()
	if s.Since.IsZero() {
		s.Since = now.UTC()
		p.log(err)
	}
	if until := now.Add(slowAfter).UTC(); until.After(s.Slow) || s.Slow.Sub(now) > slowFar {
		s.Slow = until
	}
	p.setState(s)
}

// paused reports whether the courier failed a moment ago.
func (s *state) paused(now time.Time) bool {
	if s.Failures == 0 {
		return false
	}
	ago := now.Sub(s.Tried)
	return ago >= 0 && ago < min(mostPause, firstPause<<min(s.Failures-1, 8))
}
