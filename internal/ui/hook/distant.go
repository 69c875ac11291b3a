package hook

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
)

// Hooks of a board at an address. A hook waits for the server for a moment at most, and
// mostly not at all: package courier does the rest.

const (
	// askAgain is how soon a server is asked again for what it did not answer.
	askAgain = 30 * time.Second
)

// distant is what an agent remembers of a board at an address.
type distant struct {
	At     string        `json:"at"`              // the address
	Claims courier.Stamp `json:"claims,omitzero"` // of what is known of the session's claims, as it was read last
	Own    courier.Stamp `json:"own,omitzero"`    // of what the session had changed, when the server was asked last
	Tried  courier.Stamp `json:"tried,omitzero"`  // the same, when it was tried to ask it last
	Ends   time.Time     `json:"ends,omitzero"`   // when the first lease ends, unless it is renewed
	Lost   bool          `json:"lost,omitempty"`  // claims are lost, and the agent was not told
	// Unsure is the end of a lease that the agent was told of: nobody could check
	// what became of it.
	Unsure time.Time `json:"unsure,omitzero"`
	// Refused is when a call was refused for a claim.
	Refused time.Time `json:"refused,omitzero"`
	AskedAt time.Time `json:"askedAt,omitzero"` // when the courier was last asked to look
}

// post is the line to the board's address; nil: it is not at one.
func (s *session) post() *courier.Post {
	if s.line == nil && s.place.board != nil && s.place.board.Distant() && s.env.Post != nil {
		s.line = s.env.Post(s.place.board.Address)
	}
	if s.line != nil {
		if at := s.place.board.Address.String(); s.mem.Distant == nil || s.mem.Distant.At != at {
			s.mem.Distant = &distant{At: at}
		}
	}
	return s.line
}

// sight is what the agent wants to see of a board at an address. It is always all of it:
// over a network, less costs the same.
func (s *session) sight() courier.Look {
	q := s.query(true)
	if s.from != "" {
		q.Session = s.from // its claims are about to be this session's
	}
	return courier.Look{Agent: s.key.Agent, Query: q}
}

// glimpse looks at a board at an address: live, or as it was known last.
func (s *session) glimpse(ctx context.Context, p *courier.Post) (query.Glance, error) {
	g, old, err := p.Glance(ctx, cmp.Or(s.from, s.key.Session), s.sight())
	d := s.mem.Distant
	switch leased := func(t pawl.Task) bool { return t.Claim.Lease > 0 }; {
	case err != nil || !old.IsZero():
		s.old = old
		if s.now.Sub(d.AskedAt).Abs() >= askAgain {
			d.AskedAt = s.now.UTC()
			s.try(p.Leave(ctx, s.job(courier.Tend)))
		}
	case d.Ends.IsZero() && slices.ContainsFunc(g.Claimed, leased):
		s.mem.RenewAt = s.now // it is new: from now on it is renewed
	}
	return g, err
}

func (s *session) job(do courier.Verb) courier.Job {
	j := courier.Job{Do: do, Session: s.key.Session}
	if do == courier.Tend {
		j.Looks = []courier.Look{s.sight()}
	}
	return j
}

// known reads what is known of the session's claims, if it is another thing than before.
func (s *session) known(p *courier.Post) {
	d := s.mem.Distant
	stamp := p.ClaimsStamp(s.key.Session)
	if stamp == d.Claims {
		return
	}
	c := p.Claims(s.key.Session)
	d.Claims, d.Own, d.Ends = stamp, c.Own, c.Ends()
	d.Lost = slices.ContainsFunc(c.Lost, func(l courier.Lost) bool { return l.Agent == s.key.Agent })
}

// tend renews what the session has claimed, and finds out what it lost, if it is time
// to. With ended it is time only when a lease may have ended.
func (s *session) tend(ctx context.Context, p *courier.Post, ended bool) {
	d := s.mem.Distant
	waited := s.now.Sub(d.AskedAt).Abs() >= askAgain
	due := !d.Ends.IsZero() && !s.now.Before(d.Ends) && (waited || d.AskedAt.Before(d.Ends))
	if !due && !ended {
		wait := s.mem.RenewAt.Sub(s.now)
		due = wait <= 0 || wait > lookAgain // the clock was set back
		if own := p.OwnChanges(s.key.Session); own != d.Own && (waited || own != d.Tried) {
			due = true // it may have claimed something
		}
	}
	if !due {
		return
	}
	d.AskedAt, d.Tried = s.now.UTC(), p.OwnChanges(s.key.Session)
	s.next()
	left, err := p.Do(ctx, s.job(courier.Tend))
	s.try(err)
	if left || err != nil {
		return
	}
	s.known(p)
	if !d.Ends.IsZero() {
		if by := s.now.Add(d.Ends.Sub(s.now) / 3).UTC(); by.Before(s.mem.RenewAt) {
			s.mem.RenewAt = by
		}
	}
}

// next is when the claims are looked at again, if nothing is found out before.
func (s *session) next() {
	wait := lookAgain
	if lease := s.place.lease(); lease > 0 {
		wait = min(lease/3, lookAgain)
	}
	s.mem.RenewAt = s.now.Add(wait).UTC()
}

// beware is what an agent has to know of its claims before it goes on. At the first
// event after a lease may have ended, as on a laptop that slept, the server is asked.
// refused says that a call must not run, and why.
func (s *session) beware(ctx context.Context, e *agent.Event) (told, refused string) {
	p := s.post()
	if p == nil || e.Kind == nudge.End || e.Kind == nudge.Stop {
		return "", ""
	}
	s.known(p)
	s.tend(ctx, p, true)
	call := e.Kind == nudge.CallBegins
	refuses := call && s.client.Hooks.Refuses && !s.own(e)
	if !refuses && !s.hears(e) {
		return "", "" // it waits for an event at which the agent hears anything
	}
	d := s.mem.Distant
	text := s.lostClaims(p)
	if text == "" && !call { // what is not known keeps nobody from working
		text = s.unsure(p)
	}
	switch {
	case !refuses:
		return text, ""
	case text != "":
		d.Refused = s.now.UTC()
		return "", text + "\nThis call was not run."
	case s.now.Sub(d.Refused).Abs() < sameAnswer:
		return "", "Pawl: this call was not run, like the one before."
	}
	return "", ""
}

// own reports whether a call is one of Pawl's tools, or of the agent's own list.
func (s *session) own(e *agent.Event) bool {
	_, ours := attribution.Tool(e.Tool)
	return ours || known.ListTool(s.client, e.Tool) != nil
}

// sameAnswer is how soon after a call that was refused another one is of the same answer
// of the model, which has not read the reason.
const sameAnswer = time.Second

// leave gives back what a session at an address has claimed: see [session.end].
func (s *session) leave(ctx context.Context, p *courier.Post, follows bool) {
	s.known(p)
	c := p.Claims(s.key.Session)
	for _, h := range c.Held {
		s.keep(nudge.Claimed{ID: h.ID, CreatedAt: h.CreatedAt})
	}
	if follows || len(c.Held) == 0 && p.OwnChanges(s.key.Session) == s.mem.Distant.Own && !p.Waits() {
		return
	}
	_, err := p.Do(ctx, s.job(courier.End))
	s.try(err)
}

// follow has the session take over what another one has claimed at an address.
func (s *session) follow(ctx context.Context, p *courier.Post, from string) {
	if c := p.Claims(from); len(c.Held) == 0 && p.OwnChanges(from) == (courier.Stamp{}) {
		return // it has claimed nothing
	}
	left, err := p.Do(ctx, courier.Job{Do: courier.Move, Session: s.key.Session, From: from})
	s.try(err)
	if left {
		s.from = from
	}
}
