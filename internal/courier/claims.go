package courier

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

const (
	maxKept   = 1 << 20 // bytes of a file of this package
	maxHeld   = 200     // claims that are kept of a session
	lockSoon  = 10 * time.Millisecond
	claimsDir = "claims"
)

// Claims are the known claims of a session, by all of its agents.
type Claims struct {
	At   time.Time `json:"at"`           // when the server was asked, by this machine's clock
	Own  Stamp     `json:"own,omitzero"` // what the session itself had changed by then
	Held []Held    `json:"held,omitempty"`
	Lost []Lost    `json:"lost,omitempty"` // what no agent was told of yet
}

// Held is a claim.
type Held struct {
	ID        pawl.ID       `json:"id"`
	CreatedAt time.Time     `json:"createdAt"` // of the task
	Token     pawl.Revision `json:"token"`
	Subject   string        `json:"subject"`
	Owner     string        `json:"owner,omitempty"`
	Agent     string        `json:"agent,omitempty"`
	Lease     time.Duration `json:"lease,omitempty"` // from Claims.At on, at least
	Given     bool          `json:"given,omitempty"` // the session itself has sent that it gives it back
}

// Lost is a claim that ended without its agent.
type Lost struct {
	Held
	By    string    `json:"by,omitempty"`   // has the task now, or completed it
	Own   bool      `json:"own,omitempty"`  // that is a session of the same name
	Done  bool      `json:"done,omitempty"` // it is completed
	Hold  string    `json:"hold,omitempty"` // it was put on hold, with this reason
	Gone  bool      `json:"gone,omitempty"` // it was deleted
	Ended time.Time `json:"ended,omitzero"` // by then the lease had ended, by this machine's clock
}

// Ends is when the first lease ends that was not renewed since, by this machine's
// clock; zero: none does.
func (c *Claims) Ends() (first time.Time) {
	for i := range c.Held {
		if end := c.Held[i].end(c.At); !end.IsZero() && (first.IsZero() || end.Before(first)) {
			first = end
		}
	}
	return first
}

func (h *Held) end(since time.Time) time.Time {
	if h.Lease <= 0 {
		return time.Time{}
	}
	return since.Add(h.Lease)
}

func (p *Post) claimsPath(session string) string { return p.path(claimsDir, userdir.Escape(session)) }

// ClaimsStamp differs after each write of a session's claims. It costs one stat.
func (p *Post) ClaimsStamp(session string) Stamp { return stampOf(p.claimsPath(session)) }

// Claims returns the claims of a session, as last known.
func (p *Post) Claims(session string) (c Claims) {
	if text, ok := read(p.claimsPath(session)); !ok || json.Unmarshal(text, &c) != nil {
		return Claims{}
	}
	return c
}

// TakeLost returns what one agent of a session has lost, once.
func (p *Post) TakeLost(session, agent string) (lost []Lost, err error) {
	err = p.edit(session, func(c *Claims) {
		c.Lost = slices.DeleteFunc(c.Lost, func(l Lost) bool {
			if l.Agent == agent {
				lost = append(lost, l)
			}
			return l.Agent == agent
		})
	})
	if err != nil {
		return nil, err // it would be told again and again
	}
	return lost, nil
}

// edit changes the claims of a session, as long as no other process does.
func (p *Post) edit(session string, change func(*Claims)) error {
	unlock, err := p.lock(context.Background(), "claims.lock", lockSoon)
	if err != nil {
		return err
	}
	if unlock == nil {
		return errBusy
	}
	defer unlock()
	c := p.Claims(session)
	change(&c)
	if len(c.Held)+len(c.Lost) == 0 && c.At.IsZero() {
		return remove(p.claimsPath(session))
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return write(p.claimsPath(session), text)
}

// tended writes down what a session has claimed now, and what it had and lost. A claim
// that the session itself ended is not lost.
func (p *Post) tended(session string, o outcome) error {
	return p.edit(session, func(c *Claims) {
		if o.asked.Before(c.At) && !c.At.After(p.o.Now()) { // else the clock was set back
			return // somebody has asked later
		}
		since, own := c.At, c.Own != p.OwnChanges(session)
		var held, unsure []Held
		for i := range o.claimed {
			held = append(held, heldOf(&o.claimed[i]))
		}
		for _, h := range c.Held {
			switch {
			case slices.ContainsFunc(held, func(now Held) bool { return now.ID == h.ID && now.CreatedAt.Equal(h.CreatedAt) }):
			case !slices.Contains(o.about, h.ID):
				unsure = append(unsure, h) // first, to be asked for the next time
			default:
				if l, lost := h.lost(o.known, since, o.asked, own); lost {
					c.Lost = append(c.Lost, l)
				}
			}
		}
		held = append(unsure, held...)
		c.At, c.Own, c.Held = o.asked, o.own, held[:min(len(held), maxHeld)]
		c.Lost = c.Lost[max(0, len(c.Lost)-maxHeld):]
	})
}

// lost says what became of a claim that the session no longer has. own: the session
// has changed something since, perhaps this.
func (h Held) lost(known map[pawl.ID]pawl.Task, since, now time.Time, own bool) (Lost, bool) {
	l := Lost{Held: h}
	if end := h.end(since); !end.IsZero() && end.Before(now) {
		l.Ended = end
	}
	t, there := known[h.ID]
	switch {
	case !there || !t.CreatedAt.Equal(h.CreatedAt):
		l.Gone = true
		return l, !own
	case t.Status == pawl.Completed:
		l.Done, l.By, l.Own = true, t.Owner, t.Owner == h.Owner
		return l, !own && !l.Own // else it was the agent, by another way
	case t.Status == pawl.InProgress:
		l.By, l.Own = t.Owner, t.Owner == h.Owner
		return l, !h.Given || !l.Ended.IsZero() // one who waits has it as soon as it was given back
	case t.Hold != nil:
		l.Hold = t.Hold.Reason
	}
	return l, !own || t.Expired > 0
}

// gives notes that a session is about to give back some claims; no IDs: all of them.
func (p *Post) gives(session string, ids []pawl.ID) {
	if p.ClaimsStamp(session) == (Stamp{}) {
		return
	}
	_ = p.edit(session, func(c *Claims) { // at worst it is told of them
		for i := range c.Held {
			c.Held[i].Given = c.Held[i].Given || len(ids) == 0 || slices.Contains(ids, c.Held[i].ID)
		}
	})
}

func heldOf(t *pawl.Task) Held {
	return Held{
		ID: t.ID, CreatedAt: t.CreatedAt, Token: t.Claim.Token, Subject: t.Subject, Lease: time.Duration(t.Claim.Lease), Owner: t.Owner,
		Agent: todo.Key{Agent: t.Claim.Agent}.Normal().Agent,
	}
}

// ended forgets the claims of a session that gave them back.
func (p *Post) ended(session string) error {
	return p.edit(session, func(c *Claims) { *c = Claims{} })
}

// moved has a session have the claims of the one before.
func (p *Post) moved(from, to string, o outcome) error {
	return errors.Join(p.ended(from), p.edit(to, func(c *Claims) {
		for i := range o.claimed[:min(len(o.claimed), maxHeld)] {
			h := heldOf(&o.claimed[i])
			h.Agent = ""
			if !slices.ContainsFunc(c.Held, func(now Held) bool { return now.ID == h.ID }) {
				c.Held = append(c.Held, h)
			}
		}
		if c.At.IsZero() {
			c.At, c.Own = o.asked, p.OwnChanges(to)
		}
	}))
}

// remove removes a file that may not be there.
func remove(path string) error {
	err := os.Remove(path)
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
