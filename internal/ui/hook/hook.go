// Package hook answers the hooks of coding agents: an agent's program starts
// `pawl hook --agent NAME` at each step, writes what happens to its standard
// input, and does what the answer says.
//
//	stdin ─→ Hooks.Decode ─→ Event ─→ policy, todo lists, board ─→ Answer ─→ Hooks.Encode ─→ stdout
//
// It never gets in an agent's way: an error becomes a line in the log, an empty answer and
// exit code 0; it ends after little more than a second at the latest, no matter what it
// waits for; it prints nothing but the answer.
package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// Env is everything that a hook gets from outside.
type Env struct {
	Args   []string // after the verb: --agent NAME [--event E]
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Dir    string // the folder that the hook runs in; empty when it is gone
	Now    func() time.Time

	Open    func(project.Board) (query.Board, error) // opens a board that exists; never makes one
	Prepare func(dir string) error                   // lets readers keep an index in a board that is there
	Todos   func(dir string) (*todo.Service, error)  // the todo lists that are kept in a folder; without one, in memory
	// Command runs pawl with other arguments in a folder, as the agent's user
	// does, and returns what it says.
	Command func(ctx context.Context, dir string, args []string) (text string, code int)
	// Lost returns the claims on a board that a session lost to another clone, each
	// once; nil: no board is shared. It is quick where there are none.
	Lost func(board, session string) []share.Notice
	// Begins notes that a session begins, which knows no task number of the board in a
	// folder.
	Begins func(board string, by pawl.Actor)
	// Post is the line to a board at an address; nil, or if it returns nil: none is
	// looked at.
	Post func(address.Address) *courier.Post
	// Checks are the checks of a task whose last run failed, from what its file says and
	// what this clone remembers: no command runs and git is not asked. Nil: none is known.
	Checks func(ctx context.Context, dir string, t *pawl.Task) ([]nudge.FailedCheck, error)
	// ListCheck is what this clone knows of the check of a todo list, without How: no
	// command runs for it. Nil: nothing is known.
	ListCheck func(ctx context.Context, dir string, l *todo.List) (nudge.ListCheck, error)
	// Saw is told each event and what was answered; nil: nobody looks.
	Saw func(agent.Event, agent.Answer)

	Wait time.Duration // at most so long; 0: Deadline
}

const (
	// Deadline is how long an agent waits for a hook at most.
	Deadline = time.Second
	// lastWord is how long the log has for what can only be said afterwards.
	lastWord = 50 * time.Millisecond
	// MaxPayload is how many bytes of an event are read. One that is longer holds
	// a file that a tool read, and is let pass.
	MaxPayload = 16 << 20
	// usualPayload is what most events fit into.
	usualPayload = 16 << 10
)

// Run answers one event. It never fails: see the package's comment.
func Run(ctx context.Context, env Env) {
	env.Wait = cmp.Or(env.Wait, Deadline)
	ctx, cancel := context.WithTimeout(ctx, env.Wait)
	defer cancel()
	answered, done := make(chan []byte, 1), make(chan struct{})
	log := logOf(env.Getenv, env.Now)
	go func() {
		defer close(done)
		deepen()
		answer, err := env.answer(ctx)
		answered <- answer // first: the log may be what is slow
		if err != nil {
			log.add(err)
		}
		if usage := (usageError)(""); errors.As(err, &usage) {
			fmt.Fprintln(env.Stderr, "pawl: "+usage)
		}
	}()
	select {
	case answer := <-answered:
		var failed error
		if len(answer) > 0 {
			_, failed = env.Stdout.Write(answer)
		}
		select {
		case <-done:
		case <-ctx.Done():
		}
		if failed != nil {
			log.within(lastWord, failed)
		}
	case <-ctx.Done():
		log.within(lastWord, errors.New("no answer within the deadline"))
	}
}

// deepen makes room on the stack for all calls of an event. It would grow in
// steps otherwise, and each copies what is on it by then.
//
//go:noinline
func deepen() {
	var room [24 << 10]byte
	runtime.KeepAlive(&room)
}

// answer is what is to be printed.
func (env Env) answer(ctx context.Context) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	of, name, err := arguments(env.Args)
	if err != nil {
		return nil, err
	}
	client := known.Find(of)
	if client == nil || client.Hooks == nil {
		return nil, usageError(fmt.Sprintf("--agent %q is none that is known: %s", of, strings.Join(Agents(), ", ")))
	}
	var in bytes.Buffer
	in.Grow(usualPayload)
	if _, err := in.ReadFrom(io.LimitReader(env.Stdin, MaxPayload+1)); err != nil {
		return nil, err
	}
	payload := bytes.TrimPrefix(in.Bytes(), []byte("\uFEFF")) // which consoles of Windows put first
	if len(payload) > MaxPayload {
		return nil, fmt.Errorf("an event of more than %d MiB was let pass", MaxPayload>>20)
	}
	e, err := client.Hooks.Decode(name, payload, env.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: an event that cannot be read: %w", of, err)
	}
	answer, err := env.respond(ctx, client, e)
	if err != nil {
		err = fmt.Errorf("%s %s: %w", of, e.Name, err)
	}
	if env.Saw != nil {
		env.Saw(e, answer)
	}
	if answer.Empty() {
		return nil, err
	}
	return client.Hooks.Encode(e, answer), err
}

// respond finds out what is to be done at an event.
func (env Env) respond(ctx context.Context, client *agent.Agent, e agent.Event) (agent.Answer, error) {
	if e.Kind == "" && len(e.Tasks) == 0 && e.Todos == nil || e.Session == "" {
		return agent.Answer{}, nil
	}
	state, err := userdir.State(env.Getenv)
	if err != nil {
		return agent.Answer{}, nil // without a home nothing is remembered, so there is nothing to say
	}
	s := env.session(client, state, &e)
	defer s.close()
	return s.handle(ctx, e)
}

func (env Env) session(client *agent.Agent, state string, e *agent.Event) *session {
	return &session{env: env, client: client, state: state, now: env.Now(), key: todo.Key{Session: caller.Agents(e.Session), Agent: e.Agent}.Normal()}
}

// A usageError is one of the command line, for a person who tries it: agents
// show nobody what a hook writes to stderr.
type usageError string

func (e usageError) Error() string { return string(e) }

// arguments are those of the command line. Unknown arguments are ignored: a later version
// may know them.
func arguments(args []string) (of, event string, err error) {
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		if name != "--agent" && name != "--event" {
			continue
		}
		if !joined {
			if i++; i == len(args) {
				break
			}
			value = args[i]
		}
		if name == "--agent" {
			of = value
		} else {
			event = value
		}
	}
	if of == "" {
		return "", "", usageError("--agent is missing: pawl hook --agent " + known.Agents[0].Name)
	}
	return of, event, nil
}

// Agents are the names that --agent knows.
func Agents() []string {
	var names []string
	for _, a := range known.Agents {
		if a.Hooks != nil {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	return names
}
