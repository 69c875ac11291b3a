package courier

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
)

const (
	maxLooks   = 8         // agents of one session whose glances are read again
	maxSight   = 256 << 10 // bytes of a glance that is kept
	maxNotes   = 3         // of each task in it
	sightLasts = time.Hour // then it says too little of now
	glancesDir = "glances"
)

// A sight is what an agent of a session saw of the board.
type sight struct {
	At      time.Time       `json:"at"`      // before it was asked for, by this machine's clock
	Changed Stamp           `json:"changed"` // what this machine had changed by then
	Agent   string          `json:"agent,omitempty"`
	Answer  json.RawMessage `json:"answer"`
}

// Glance returns an agent's view of the board: live, or the last known one with its
// time. It fails with Unavailable when none is known.
func (p *Post) Glance(ctx context.Context, session string, l Look) (g query.Glance, old time.Time, err error) {
	var s sight
	err = p.live(ctx, func(ctx context.Context, b query.Board) (err error) {
		s, err = p.ask(ctx, b, l)
		return err
	})
	if err == nil {
		_ = p.keep(session, s) // it is only for later
		g, err = s.glance()
		return g, time.Time{}, err
	}
	s, known := p.recall(session, l.Agent)
	if !known {
		return g, time.Time{}, err
	}
	g, bad := s.glance()
	if bad != nil {
		return g, time.Time{}, err
	}
	p.settleOld(&g, session, s.At)
	return g, s.At, nil
}

// ask takes a glance. It writes nothing.
func (p *Post) ask(ctx context.Context, b query.Board, l Look) (sight, error) {
	s := sight{At: p.o.Now().UTC(), Changed: p.changed(), Agent: l.Agent}
	if d, is := b.(query.Distant); is && d.Name() != "" {
		l.Query.For = d.Name()
	}
	g, err := glance(ctx, b, l.Query)
	if err != nil {
		return s, err
	}
	for _, tasks := range [][]pawl.Task{g.Claimed, g.Tasks, g.Ready} {
		for i := range tasks {
			t := &tasks[i]
			t.Description, t.Metadata, t.Extra = "", nil, nil
			t.Notes = t.Notes[max(0, len(t.Notes)-maxNotes):]
		}
	}
	s.Answer, err = query.EncodeAnswer(&g)
	return s, err
}

func (s *sight) glance() (query.Glance, error) {
	a, err := query.DecodeAnswer(s.Answer)
	if err != nil {
		return query.Glance{}, err
	}
	g, is := a.(*query.Glance)
	if !is {
		return query.Glance{}, pawl.Errorf(pawl.Internal, "what was kept is not a glance")
	}
	return *g, nil
}

func (p *Post) glancePath(session, agent string) string {
	name := userdir.Escape(session)
	if agent != "" {
		name += helperMark + userdir.Escape(agent)
	}
	return p.path(glancesDir, name)
}

func (p *Post) keep(session string, s sight) error {
	text, err := json.Marshal(s)
	if err != nil || len(text) > maxSight {
		return remove(p.glancePath(session, s.Agent)) // the one before is older than this
	}
	return write(p.glancePath(session, s.Agent), text)
}

// recall is what an agent saw last. It is not known once this machine has changed the
// board: the agent may have completed what it shows as claimed.
func (p *Post) recall(session, agent string) (s sight, known bool) {
	text, ok := read(p.glancePath(session, agent))
	if !ok || len(text) > maxSight || json.Unmarshal(text, &s) != nil {
		return s, false
	}
	age := p.o.Now().Sub(s.At)
	return s, age >= 0 && age < sightLasts && s.Changed == p.changed()
}

// settleOld leaves out of a glance of some time ago the claims whose leases may have
// ended since.
func (p *Post) settleOld(g *query.Glance, session string, at time.Time) {
	if c := p.Claims(session); c.At.After(at) {
		at = c.At // by then they were renewed
	}
	now := p.o.Now()
	g.Claimed = slices.DeleteFunc(g.Claimed, func(t pawl.Task) bool {
		return t.Claim.Lease > 0 && now.After(at.Add(time.Duration(t.Claim.Lease)))
	})
}
