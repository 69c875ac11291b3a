package acp

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// A session is a conversation of the editor with the agent. The proxy's mutex guards it, but
// for what has its own.
type session struct {
	id     string
	key    todo.Key // of its list
	dir    string
	ticket string
	source nudge.Source // how it began; empty once the agent was told
	begun  int          // after how many others

	before  *session // that it was until it was loaded again; nil once it is, or none was
	loading bool     // what is said is the history of the conversation
	turns   int      // that run
	hooked  bool     // the agent's hooks tell of it
	foreign bool     // the agent has a plan of its own that no list can hold
	planID  string   // the agent's own plan, which is mirrored; of version 2
	calls   map[string]*call

	commands json.RawMessage // the agent's, an array; nil: too many
	offered  bool            // /pawl-continue is among them

	again   atomic.Bool // what is shown is sent once more
	showing sync.Mutex  // guards the rest, and orders what is shown: an editor that does not read keeps it locked
	shown   [2]string   // the lines that were sent last
	stamp   string
}

// A call of a tool runs.
type call struct {
	tool  string
	input json.RawMessage
}

const (
	// maxCalls run at a time in a session.
	maxCalls = 64
	// maxInput is how many bytes of a call's arguments are looked at.
	maxInput = 64 << 10
	// maxCommands is how many bytes of an agent's commands are kept.
	maxCommands = 256 << 10
)

// open begins a session that the agent has named. An id that can name none is left alone.
func (p *proxy) open(id string, r request) *session {
	if id == "" || p.Notes.Hand(r.ticket, id) != nil {
		return nil
	}
	s := &session{
		id: id, key: todo.Key{Session: caller.Agents(id)}.Normal(), dir: r.dir, ticket: r.ticket, source: sources[r.method],
		calls: map[string]*call{}, commands: json.RawMessage("[]"),
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.sessions[id]; old != nil {
		s.turns, s.commands, s.before = old.turns, old.commands, old
	} else if len(p.sessions) >= maxSessions {
		oldest := s
		for _, other := range p.sessions {
			if other.turns == 0 && (oldest == s || other.begun < oldest.begun) {
				oldest = other
			}
		}
		delete(p.sessions, oldest.id)
	}
	p.opened++
	s.begun = p.opened
	p.sessions[id] = s
	// A server that the agent was set up with has the program's ticket, for its only session.
	if len(p.sessions) > 1 {
		id = ""
	}
	_ = p.Notes.Hand(p.Ticket, id)
	return s
}

var sources = map[string]nudge.Source{msg.MethodNew: nudge.Startup, msg.MethodLoad: nudge.Resume, msg.MethodResume: nudge.Resume, msg.MethodFork: nudge.Fork}

func (p *proxy) find(id string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[id]
}

// refused has a session be what it was before the agent was asked to load it.
func (p *proxy) refused(r request) {
	_ = p.Notes.Hand(r.ticket, "")
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[r.session]
	switch {
	case s == nil || s.ticket != r.ticket:
	case s.before != nil:
		p.sessions[r.session] = s.before
	default:
		delete(p.sessions, r.session)
	}
}

// forget returns a session that is over.
func (p *proxy) forget(id string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sessions[id]
	delete(p.sessions, id)
	return s
}

// tell is what the agent is to know before a prompt. It is called by a job.
func (p *proxy) tell(s *session, text string) string {
	p.mu.Lock()
	source := s.source
	s.source = ""
	p.mu.Unlock()
	told := ""
	if source != "" {
		told = p.event(s, agent.Event{Event: nudge.Event{Kind: nudge.Start, Source: source}}).Context
	}
	answer := p.event(s, agent.Event{Event: nudge.Event{Kind: nudge.Prompt, Text: text}})
	if told != "" && answer.Context != "" {
		told += "\n\n"
	}
	return told + answer.Context
}

// callSays follows a call of a tool.
func (p *proxy) callSays(s *session, id, tool, status string, input json.RawMessage) {
	p.mu.Lock()
	c := s.calls[id]
	begins := c == nil
	if begins {
		if id == "" || tool == "" || len(s.calls) >= maxCalls {
			p.mu.Unlock()
			return
		}
		c = &call{tool: tool}
		s.calls[id] = c
	}
	if len(input) > len("{}") && len(input) <= maxInput && json.Valid(input) {
		c.input = slices.Clone(input)
	}
	now := *c
	ends := status == "completed" || status == "failed"
	if ends {
		delete(s.calls, id)
	}
	p.mu.Unlock()
	e := agent.Event{Event: nudge.Event{Kind: nudge.CallBegins}, Tool: now.tool, ToolUse: id, Input: now.input}
	tell := func(e agent.Event) { p.note(func() { p.event(s, e) }) }
	if begins {
		tell(e)
	}
	if e.Kind, e.Call.Failed = nudge.CallEnds, status == "failed"; ends {
		tell(e)
	}
}

// forked gives a session the list of the one that it was forked from.
func (p *proxy) forked(s *session, from string) {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	if list, err := p.Todos.Look(ctx, s.key); err == nil && list.Blank() {
		_, _ = p.Todos.Resume(ctx, s.key, todo.Editing{}, todo.Key{Session: caller.Agents(from)}) // it may have none
	}
}

const (
	// watchEvery is how often the lists of sessions are looked at: a few looks at files
	// from outside.
	watchEvery = 200 * time.Millisecond
	// boardEvery is after how many rounds the board is, too, while a turn runs.
	boardEvery = 3
	// idleEvery is after how many rounds the list of a session is looked at in which none
	// runs. What changes on the board then shows with the next prompt.
	idleEvery = 5
)

// watch shows what changes in lists and on the board.
func (p *proxy) watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for round := 0; ; round++ {
		now := false
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-p.poke:
			now = true
		}
		p.mu.Lock()
		due := map[*session]bool{} // and whether a turn runs
		for _, s := range p.sessions {
			if !s.loading && (now || s.turns > 0 || round%idleEvery == 0) {
				due[s] = s.turns > 0
			}
		}
		p.mu.Unlock()
		for s, runs := range due {
			stamp, err := p.Todos.Stamp(ctx, s.key)
			s.showing.Lock()
			changed := stamp != s.stamp || stamp == "" || err != nil
			s.showing.Unlock()
			if now || changed || runs && round%boardEvery == 0 {
				p.show(s)
			}
		}
	}
}
