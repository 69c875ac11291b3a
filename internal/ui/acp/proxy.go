// Package acp is a proxy between an editor and an agent's program, which speak the Agent
// Client Protocol over their standard streams. It passes on all that they say as it is, but
//
//	session/new, load, …   hands in Pawl's MCP server, with a ticket for its session
//	session/prompt         has what the agent should know of its plan before the prompt
//	plan                   becomes the session's todo list, and the list the editor's plan
//	tool_call              is attached to the todo in progress
//
// and after a turn that leaves todos open it offers the command /pawl-continue. The code that
// answers hooks decides what to tell the agent and what to keep ([Options.Event]); if the agent
// has hooks of its own, these do it, and the proxy only shows the list.
//
// It answers no request, and asks none. A line is changed or passed on whole; what Pawl adds
// stands between lines. Nothing is queued without a bound: an editor that does not read makes
// the agent wait, as without a proxy.
package acp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// Options are all that a proxy gets from outside.
type Options struct {
	FromEditor io.Reader
	ToEditor   io.Writer
	FromAgent  io.Reader
	ToAgent    io.WriteCloser
	Server     []string       // how Pawl's MCP server is started in a folder, which is added
	Env        []msg.Variable // what it needs of the environment, which not every agent passes on
	Ticket     string         // PAWL_ACP of the agent's program
	Since      time.Time      // when the proxy began
	Wait       time.Duration  // how long a message waits at most for what Pawl does about it
	Todos      *todo.Service
	Notes      attribution.Notes
	// Event does what is to be done at an event of the agent's program that calls itself
	// so, and says what the agent is to be told. hooked: the agent's hooks do it.
	Event func(ctx context.Context, program string, e agent.Event) (answer agent.Answer, hooked bool)
	// Claimed are the tasks that a session has claimed on the board of a folder.
	Claimed func(ctx context.Context, dir, session string) ([]pawl.Task, error)
}

const (
	// maxPending requests are remembered until they are answered.
	maxPending = 1024
	// maxSessions have their lists shown: the last that were begun.
	maxSessions = 64
	// maxJobs wait at a time: what is no more than a note of a tool call is dropped then.
	maxJobs = 64
	// atMost is how long a list is read.
	atMost = time.Second
)

type proxy struct {
	Options
	editor, agent *msg.Writer
	jobs          chan func() // events, one after the other
	poke          chan struct{}

	mu       sync.Mutex
	version  int    // of the protocol, as the agent says
	embeds   bool   // the agent takes resources in a prompt
	program  string // what it calls itself
	pending  map[string]request
	sessions map[string]*session
	told     int // events
	opened   int // sessions so far
}

// A request is one of the editor's that is not answered.
type request struct {
	method  string
	session string // of those about one that is there
	dir     string
	ticket  string
	version int
}

// Run passes on what both say until the agent's output ends, or the editor no longer
// reads. When the editor's ends, the agent's input does.
func Run(ctx context.Context, o Options) error {
	p := &proxy{
		Options: o, editor: msg.NewWriter(o.ToEditor), agent: msg.NewWriter(o.ToAgent),
		jobs: make(chan func(), maxJobs), poke: make(chan struct{}, 1),
		pending: map[string]request{}, sessions: map[string]*session{},
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go p.work(ctx)
	go p.watch(ctx)
	go func() {
		p.pump(o.FromEditor, p.agent, p.editorSays)
		o.ToAgent.Close()
	}()
	err := p.pump(o.FromAgent, p.editor, p.agentSays)
	p.end()
	return err
}

// pump passes lines on. says returns what is passed on in the place of a line, and what is
// done after it.
func (p *proxy) pump(from io.Reader, to *msg.Writer, says func(line []byte) ([]byte, func())) error {
	in := msg.NewReader(from)
	for {
		line, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		var after func()
		if line.Whole {
			line.Text, after = says(line.Text)
		}
		if len(line.Text) > 0 {
			if err := to.Pass(line); err != nil {
				return err
			}
		}
		if after != nil {
			after()
		}
	}
}

// work does one job after the other. None of them writes to the editor or the agent, so
// none waits for them.
func (p *proxy) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case job := <-p.jobs:
			job()
		}
	}
}

// note has a job done some time, or never.
func (p *proxy) note(job func()) {
	select {
	case p.jobs <- job:
	default:
	}
}

// do has a job done after all others, and reports whether it was in time.
func (p *proxy) do(job func()) bool {
	late, done := time.NewTimer(p.Wait), make(chan struct{})
	defer late.Stop()
	select {
	case p.jobs <- func() { job(); close(done) }:
	case <-late.C:
		return false
	}
	select {
	case <-done:
		return true
	case <-late.C:
		return false
	}
}

// event tells of something in a session. It is called by a job.
func (p *proxy) event(s *session, e agent.Event) agent.Answer {
	ctx, cancel := context.WithTimeout(context.Background(), p.Wait)
	defer cancel()
	p.mu.Lock()
	program := p.program
	p.told++
	e.At = fmt.Sprint(p.Since.UnixNano(), "/", p.told) // what comes again is another one: nobody else tells of it
	p.mu.Unlock()
	e.Session, e.Dir, e.Name = s.id, s.dir, "acp "+string(e.Kind)
	answer, hooked := p.Event(ctx, program, e)
	p.mu.Lock()
	s.hooked = hooked
	p.mu.Unlock()
	return answer
}

// end tells that all sessions are over, and takes the tickets back: the servers that they
// were given to have ended with the agent.
func (p *proxy) end() {
	p.mu.Lock()
	all := slices.Collect(maps.Values(p.sessions))
	p.mu.Unlock()
	p.do(func() {
		for _, s := range all {
			p.over(s)
		}
	})
	_ = p.Notes.Hand(p.Ticket, "")
}

func (p *proxy) over(s *session) {
	if s.source == "" { // it has begun
		p.event(s, agent.Event{Event: nudge.Event{Kind: nudge.End}})
	}
	_ = p.Notes.Hand(s.ticket, "")
}
