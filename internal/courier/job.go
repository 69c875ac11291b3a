package courier

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A Verb is what a job does.
type Verb string

// The verbs.
const (
	Tend Verb = "tend" // renews what the session has claimed, and finds out what it lost
	End  Verb = "end"  // gives back what the session has claimed
	Move Verb = "move" // has the session take over what Job.From has claimed, under the same tokens
)

// A Job is work for a session at an address.
type Job struct {
	ID      string    `json:"id"` // its requests' op ids begin with it
	Do      Verb      `json:"do"`
	At      time.Time `json:"at"`
	Session string    `json:"session"`
	From    string    `json:"from,omitempty"` // of a Move
	// Own is the stamp of the session's changes by then. If it has changed more since,
	// the session goes on, and an End is void.
	Own Stamp `json:"own,omitzero"`
	// Looks are glances to be taken again for hooks: a Tend's.
	Looks []Look `json:"looks,omitempty"`
}

// A Look is what one agent of a session wants to see of the board.
type Look struct {
	Agent string           `json:"agent,omitempty"`
	Query pawl.GlanceQuery `json:"query"`
}

// Do runs a job at once if the connection allows it, and else leaves it to the
// courier, as left reports. The error is one of the job itself.
func (p *Post) Do(ctx context.Context, j Job) (left bool, err error) {
	j = p.named(j)
	if p.o.Spawn == nil {
		p.catchUp(ctx)
	}
	if !p.Waits() { // what waits goes first
		if done, err := p.now(ctx, j); err == nil {
			return false, p.settle(j, done)
		}
	}
	return true, p.leave(ctx, j)
}

// now does a job live, without its looks: who asks can look live.
func (p *Post) now(ctx context.Context, j Job) (done outcome, err error) {
	j.Looks = nil
	err = p.live(ctx, func(ctx context.Context, b query.Board) (err error) {
		done, err = p.carryOut(ctx, b, j)
		return err
	})
	if err != nil { // what is late may still write it
		return outcome{}, err
	}
	return done, nil
}

// atOnce is how many jobs that wait a hook does before its own.
const atOnce = 8

// catchUp does live what waits, where no courier may run: nothing new would be done
// until it is a day old.
func (p *Post) catchUp(ctx context.Context) {
	waiting := slices.DeleteFunc(p.jobs(), func(j Job) bool { return p.o.Now().Sub(j.At) > maxAge })
	for _, j := range waiting[:min(len(waiting), atOnce)] {
		done, err := p.now(ctx, j)
		if err != nil {
			return
		}
		if err := p.settle(j, done); err != nil && !Away(err) {
			p.log(err)
		}
		if p.done(ctx, j.ID) != nil {
			return
		}
	}
}

// Leave leaves a job to the courier.
func (p *Post) Leave(ctx context.Context, j Job) error {
	return p.leave(ctx, p.named(j))
}

func (p *Post) named(j Job) Job {
	j.ID, j.At, j.Own = newID(), p.o.Now().UTC(), p.OwnChanges(j.Session)
	return j
}

func (p *Post) leave(ctx context.Context, j Job) error {
	if err := p.enqueue(ctx, j); err != nil {
		return err
	}
	return p.wake()
}

// An outcome is what a job found out, to be written down.
type outcome struct {
	own     Stamp     // what the session had changed before that
	asked   time.Time // by this machine's clock, before the first request
	claimed []pawl.Task
	about   []pawl.ID             // tasks that were claimed before, as far as they were asked for
	known   map[pawl.ID]pawl.Task // what became of those
	sights  []sight
	refused error
	void    bool // the session goes on
}

// carryOut does a job with the board. It writes no files: its caller may have given it up.
func (p *Post) carryOut(ctx context.Context, b query.Board, j Job) (o outcome, err error) {
	o.asked, o.own = p.o.Now().UTC(), p.OwnChanges(j.Session)
	if j.Do == End && o.own != j.Own {
		return outcome{void: true}, nil
	}
	session := j.Session
	if j.Do == Move {
		session = j.From
	}
	if j.Do == Tend {
		before := p.Claims(session)
		for _, h := range before.Held[:min(len(before.Held), pawl.MaxGlance)] {
			o.about = append(o.about, h.ID)
		}
	}
	g, err := glance(ctx, b, pawl.GlanceQuery{Session: session, IDs: o.about})
	if err != nil {
		return o, err
	}
	if o.claimed, err = all(ctx, b, session, g.Claimed); err != nil {
		return o, err
	}
	o.known = map[pawl.ID]pawl.Task{}
	for _, t := range g.Tasks {
		o.known[t.ID] = t
	}
	var requests []pawl.Request
	for i := range o.claimed {
		if r, wanted := j.request(&o.claimed[i]); wanted {
			requests = append(requests, r)
		}
	}
	for len(requests) > 0 {
		n := min(len(requests), pawl.MaxRequests)
		_, err := b.DoAll(ctx, 0, requests[:n]...)
		for i := range n {
			switch err := pawl.ErrorAt(err, i); {
			case err == nil, errors.Is(err, pawl.Conflict), errors.Is(err, pawl.NotFound): // somebody was faster; the next look shows it
			case Away(err):
				return o, err
			default:
				o.refused = err
			}
		}
		requests = requests[n:]
	}
	for _, l := range j.Looks {
		s, err := p.ask(ctx, b, l)
		if err != nil {
			return o, err
		}
		o.sights = append(o.sights, s)
	}
	return o, nil
}

// request is what a job wants of a claim. It names the claim's token: one made later is
// another claim.
func (j *Job) request(t *pawl.Task) (pawl.Request, bool) {
	by := pawl.Actor{Name: t.Owner, Session: t.Claim.Session, Agent: t.Claim.Agent}
	r := pawl.Request{By: by, ID: pawl.OpID(fmt.Sprintf("%s.%d.%d", j.ID, t.ID, t.Claim.Token))}
	switch j.Do {
	case Tend:
		if t.Claim.Lease <= 0 {
			return r, false
		}
		r.Op = pawl.Renew{IDs: []pawl.ID{t.ID}, Token: t.Claim.Token}
	case End:
		r.Op = pawl.Release{IDs: []pawl.ID{t.ID}, Token: t.Claim.Token}
	case Move:
		r.By = pawl.Actor{Name: t.Owner, Session: j.Session}
		r.Op = pawl.ClaimTask{ID: t.ID, Token: t.Claim.Token}
	default:
		return r, false
	}
	return r, true
}

// settle writes down what a job found out.
func (p *Post) settle(j Job, o outcome) error {
	if o.void {
		return nil
	}
	var err error
	switch j.Do {
	case Tend:
		err = p.tended(j.Session, o)
	case End:
		err = p.ended(j.Session)
	case Move:
		err = p.moved(j.From, j.Session, o)
	}
	for _, s := range o.sights {
		err = errors.Join(err, p.keep(j.Session, s))
	}
	return errors.Join(err, o.refused)
}

func glance(ctx context.Context, b query.Board, q pawl.GlanceQuery) (query.Glance, error) {
	return query.Of(ctx, b, query.Asker{}, query.GlanceQuery{GlanceQuery: q})
}

// all are the tasks that a session has claimed, nearly always few enough for a glance.
func all(ctx context.Context, b query.Board, session string, seen []pawl.Task) ([]pawl.Task, error) {
	if len(seen) < pawl.MaxGlance {
		return seen, nil
	}
	selection := pawl.Query{Session: session, Status: []pawl.Status{pawl.InProgress}, Brief: true}
	page, err := query.Of(ctx, b, query.Asker{}, query.TasksQuery{Query: selection})
	return page.Page.Tasks, err
}
