// Package attribution finds out who makes a call to an MCP server: which session,
// and which agent in it. It is attribution, not authentication.
//
// A server is started once and called by a main agent and its subagents, whose
// todo lists must stay apart, while most clients tell it nothing. So hooks, which
// are told, leave notes ([Notes]) for the server of the same agent process, and
// a [Resolver] puts together what there is. The first that answers counts:
//
//	explicit     the session was named when the server was started, or by the call
//	meta         the call's _meta names it (Codex)
//	ticket       a pre-tool hook left a note about this very call
//	proxy        pawl acp had the server started for a session of an editor
//	report       the one session that hooks of this agent process reported
//	environment  what the agent that started the server put there
//	own          a session of the server's own, until the real one is learned
//
// Only the first three tell a subagent from its main agent. A tie is never
// guessed: see [Resolver.Resolve].
package attribution

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/caller"
)

// Way is how a session was found out.
type Way string

// The ways, the surest first.
const (
	Explicit    Way = "explicit"
	Meta        Way = "meta"
	Ticketed    Way = "ticket"
	Proxied     Way = "proxy"
	Reported    Way = "report"
	Environment Way = "environment"
	Own         Way = "own"
)

// A Call is what a server knows of a tool call.
type Call struct {
	Tool   string          // in any of the forms that clients show
	Args   json.RawMessage // nil and {} are one
	Meta   json.RawMessage // the request's _meta; may be nil
	Client string          // what the client called itself when it connected; the call's _meta comes first
	Own    string          // the session that the server has for this caller while it is told of none; empty: the one that it has for all
}

// Known is who calls.
type Known struct {
	pawl.Actor
	By Way // how the session was found out
}

// A Resolver finds out who makes the calls that one server gets. It is safe for
// concurrent use.
type Resolver struct {
	Fixed   pawl.Actor          // what was said when the server was started; empty fields are found out
	Notes   Notes               // what hooks left
	Getenv  func(string) string // of the server
	Process caller.Process      // the agent's: caller.Starter()

	// Move carries over what the server's own session has when the real one is
	// learned, if that has nothing yet. nil: nothing is carried.
	Move func(ctx context.Context, from, to pawl.Actor) error

	mu    sync.Mutex
	moved bool
	once  sync.Once
	self  string
	acted string // the session that a note was left of
}

// Resolve returns who makes a call.
//
// It fails with [pawl.Conflict] when two agents of one process made the same
// call at the same moment, so that it cannot be told which one this is. Nothing
// was done then, and each can call again.
func (r *Resolver) Resolve(ctx context.Context, call Call) (Known, error) {
	meta := decodeMeta(call.Meta)
	client := caller.Client(cmp.Or(meta.client, call.Client))
	started, session := r.Process.Started(r.Getenv, client)
	known := Known{Actor: pawl.Actor{
		Name:    cmp.Or(r.Fixed.Name, r.Getenv(caller.EnvName), client, started, caller.Name(r.Getenv, "")),
		Session: cmp.Or(meta.explicit.Session, r.Fixed.Session, r.Getenv(caller.EnvSession)),
		Agent:   cmp.Or(meta.explicit.Agent, r.Fixed.Agent),
	}}
	if known.Session != "" {
		known.By = Explicit
	}
	if known.Session == "" || known.Agent == "" {
		if err := r.told(&known, meta, call); err != nil {
			return Known{}, err
		}
	}
	ticket := r.Getenv(caller.EnvProxy)
	if known.Session == "" && !strings.HasPrefix(ticket, inheritedTicket) {
		known.fill(pawl.Actor{Session: r.Notes.Handed(ticket)}, Proxied)
	}
	if known.Session == "" {
		r.guess(&known, session, call.Own)
	}
	known.Session = caller.Agents(known.Session)
	r.carry(ctx, known)
	r.act(known)
	return known, nil
}

// act leaves a note of a session that no hook reports, for the other sessions of
// the agent's process: see [Notes.Same]. Without one they wait for its leases.
func (r *Resolver) act(known Known) {
	if known.By != Environment && known.By != Own || !r.Process.Own(r.Getenv) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.acted != known.Session {
		r.acted = known.Session
		_ = r.Notes.Acted(r.Process.ID, known.Session)
	}
}

// told fills in what the call itself, or a note about it, says.
func (r *Resolver) told(known *Known, meta meta, call Call) error {
	if meta.said.Session != "" {
		known.fill(meta.said, Meta)
		return nil
	}
	ticket, found, err := r.Notes.take(r.Process.ID, meta.toolUse, call)
	if err != nil || !found {
		return err
	}
	known.fill(pawl.Actor{Session: ticket.Session, Agent: ticket.Agent}, Ticketed)
	return nil
}

// fill takes over what is not known yet.
func (k *Known) fill(by pawl.Actor, way Way) {
	if k.Session == "" {
		k.Session, k.By = by.Session, way
	}
	k.Agent = cmp.Or(k.Agent, by.Agent)
}

// guess finds the session that this agent process has, whichever of its agents
// calls.
func (r *Resolver) guess(known *Known, environment, own string) {
	running, ended := r.Notes.sessions(r.Process.ID)
	switch {
	case len(running) == 1:
		known.Session, known.By = running[0], Reported
	case environment != "" && !ended[environment]: // after a /clear it is the one before
		known.Session, known.By = environment, Environment
	default:
		known.Session, known.By = cmp.Or(own, r.own()), Own
		if handed := r.Notes.Handed(r.Getenv(caller.EnvProxy)); handed != "" {
			known.Session, known.By = handed, Proxied
		}
	}
}

// own is the session of a server that was told of none. A server that is started
// again by the same agent has the same one, and so have commands in its shell.
func (r *Resolver) own() string {
	r.once.Do(func() { r.self = cmp.Or(r.Process.ID, "server-"+random()) })
	return r.self
}

// carry moves what the server's own session has to the real one, once. When that
// fails the call goes on anyway, and the next one tries again.
func (r *Resolver) carry(ctx context.Context, known Known) {
	if r.Move == nil || known.By == Own || known.By == Explicit {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.moved {
		return
	}
	own := pawl.Actor{Name: known.Name, Session: r.own()}
	r.moved = r.Move(ctx, own, pawl.Actor{Name: known.Name, Session: known.Session}) == nil
}
