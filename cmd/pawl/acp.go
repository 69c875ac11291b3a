package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	msg "github.com/pawl-dev/pawl/internal/acp"
	agents "github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	folder "github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/ui/acp"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
)

const (
	// agentEnds is how long an agent has to end once its editor is gone.
	agentEnds = 2 * time.Second
	// agentSays is how long what an agent said is passed on after its end: a program that
	// it left behind may have its output open.
	agentSays = time.Second
)

// editorWaits is how long a message waits at most for what Pawl does about it. In a story it
// is longer.
var editorWaits = 2 * time.Second

// proxyAgent runs an agent's program behind a proxy for an editor. Behind another proxy of
// Pawl it only passes on, because one of them is enough, and so where no list can be kept.
func proxyAgent(ctx context.Context, command []string) (int, error) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // an editor that is gone ends the agent in order; ignored, it would be in the agent, too
	state, homeless := userdir.State(os.Getenv)
	todos, unusable := lists(filepath.Join(state, "todos"))
	inner := os.Getenv(caller.EnvProxy) != "" || homeless != nil || unusable != nil
	o := acp.Options{FromEditor: os.Stdin, ToEditor: os.Stdout, Since: time.Now(), Wait: editorWaits, Todos: todos, Notes: attribution.Notes{Dir: state}}
	o.Ticket = attribution.NewTicket(true)

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	if cmd.Env = os.Environ(); !inner {
		cmd.Env = append(cmd.Env, caller.EnvProxy+"="+o.Ticket)
	}
	toAgent, fromAgent, err := connect(cmd)
	if err != nil {
		return 0, pawl.Errorf(pawl.Unavailable, "%s cannot be started: %w", command[0], err)
	}
	gone := make(chan struct{}) // the editor is
	o.FromAgent, o.ToAgent = fromAgent, closingBy{toAgent, sync.OnceFunc(func() { close(gone) })}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	go steer(cmd.Process, gone, ended)

	passed := make(chan struct{})
	go func() {
		defer close(passed)
		if inner {
			go func() { io.Copy(o.ToAgent, o.FromEditor); o.ToAgent.Close() }()
			_, err = io.Copy(o.ToEditor, o.FromAgent)
		} else {
			o.Server, o.Env = []string{program()}, passedOn()
			env := hookEnv()
			o.Event = func(ctx context.Context, program string, e agents.Event) (agents.Answer, bool) {
				return hook.Proxied(ctx, env, hook.ProxiedAgent(program), o.Since, e)
			}
			o.Claimed = claimedIn
			err = acp.Run(ctx, o)
		}
		if err != nil {
			o.ToAgent.Close()
		}
	}()
	select {
	case <-passed:
		<-ended
	case <-ended:
		select {
		case <-passed:
		case <-time.After(agentSays):
		}
	}
	code := cmd.ProcessState.ExitCode()
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && code < 0 {
		code = 128 + int(s.Signal()) // as a shell says it
	}
	return code, nil
}

// connect starts a command, and returns the ends of its input and output.
func connect(cmd *exec.Cmd) (in, out *os.File, err error) {
	itsIn, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	out, itsOut, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.Stdin, cmd.Stdout = itsIn, itsOut // files: Wait waits for the process alone
	err = cmd.Start()
	return in, out, errors.Join(err, itsIn.Close(), itsOut.Close())
}

// steer passes signals on to the agent, and ends it if it goes on without its editor.
func steer(agent *os.Process, gone, ended <-chan struct{}) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var late <-chan time.Time
	end := os.Signal(syscall.SIGTERM)
	for {
		select {
		case <-ended:
			return
		case s := <-signals:
			if agent.Signal(s) != nil {
				agent.Kill()
			}
		case <-gone:
			gone, late = nil, time.After(agentEnds)
		case <-late:
			if late = time.After(agentEnds); agent.Signal(end) != nil {
				agent.Kill()
			}
			end = os.Kill
		}
	}
}

// closingBy is a stream that tells when it is closed.
type closingBy struct {
	io.WriteCloser
	closed func()
}

func (c closingBy) Close() error {
	defer c.closed()
	return c.WriteCloser.Close()
}

// passedOn are the variables without which Pawl's server would work on other files.
func passedOn() (env []msg.Variable) {
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "PAWL_BOARD"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, msg.Variable{Name: name, Value: value})
		}
	}
	return env
}

// claimedIn are the tasks that a session has claimed on the board of a folder. A board at an
// address is not asked: its server may be slow.
func claimedIn(ctx context.Context, dir, session string) ([]pawl.Task, error) {
	b, err := folder.Open(folder.From{Dir: dir, Getenv: os.Getenv}).Board()
	if err != nil || !b.Exists || b.Distant() {
		return nil, err
	}
	board, err := openQuick(b)
	if err != nil {
		return nil, err
	}
	defer board.Close()
	g, err := query.Of(ctx, board, query.Asker{}, query.GlanceQuery{GlanceQuery: pawl.GlanceQuery{Session: session}})
	return g.Claimed, err
}
