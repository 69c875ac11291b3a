// Package client is the client of a program that speaks the Agent Client Protocol: it has
// the program work on one prompt, and tells in lines of [agent.Said] what it heard.
//
//	supervise (keeper) ─→ pawl run-client ──ACP──→ the agent's program
//	                         └─ lines of agent.Said ─→ a file, which the runner reads
//
// The protocol needs somebody at the other end for as long as the program works, and pawl run
// may be killed before: so the client is a process of its own, and is supervised in the
// program's place. It answers what the program asks for by the run's policy, and its end is
// that of the program.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/runs"
)

// An Order is one prompt for a program.
type Order struct {
	Program string   `json:"program"` // absolute
	Args    []string `json:"args"`
	Prompt  string   `json:"prompt"`
	Session string   `json:"session,omitempty"` // to go on with, if the program can; empty: a new one
	Whole   string   `json:"whole,omitempty"`   // the prompt for a new session, if the program cannot resume Session; empty: Prompt
	Skip    bool     `json:"skip,omitempty"`    // the person lets it do everything without asking
	Tools   string   `json:"tools,omitempty"`   // what the program's names of Pawl's tools begin with; empty: not known
}

// A Place is where a program works.
type Place struct {
	Dir     string   // absolute
	Environ []string // the program's
	Pawl    string   // this program, absolute: the server of Pawl's tools
	Out     io.Writer
	Errs    *os.File // gets the program's standard error, and lines that are not messages
}

const (
	patience = 5 * time.Second // for a turn to end that was cancelled, and less than a keeper's grace
	farewell = 2 * time.Second // for a program to end when its input has ended, and again when it was asked to
)

var (
	errEnded   = errors.New("its program ended before it had answered")
	errStopped = errors.New("it was stopped")
)

// Run has a program work until its turn is over, and returns the exit code of this process.
// When ctx ends, the turn is cancelled: what the program does then still counts.
func Run(ctx context.Context, o Order, at Place) int {
	life, end := context.WithCancel(context.Background())
	defer end()
	cmd := exec.CommandContext(life, o.Program, o.Args...)
	cmd.Dir, cmd.Env, cmd.Stderr = at.Dir, at.Environ, at.Errs
	cmd.Cancel = func() error {
		if cmd.Process.Signal(syscall.SIGTERM) != nil { // as on Windows
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = farewell // also for what has its output open after its end
	printed, output := io.Pipe()
	cmd.Stdout = output
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(at.Errs, "pawl:", err)
		return 1
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		output.Close()
	}()
	c := &client{Order: o, Place: at, stop: ctx.Done(), in: make(chan []byte, 64), lines: make(chan []byte), calls: map[string]call{}}
	go c.read(printed)
	go c.write(input)
	failed := c.turn()
	close(c.in) // its input ends, and so should it
	go func() {
		for range c.lines {
		}
	}()
	defer time.AfterFunc(farewell, end).Stop()
	err = <-ended
	switch {
	case failed == nil:
		return 0
	case errors.Is(failed, errEnded) && err != nil:
		failed = fmt.Errorf("%w: %w", failed, err)
	}
	c.tell(agent.Said{Failed: failed.Error()})
	return max(1, cmd.ProcessState.ExitCode())
}

// A client speaks with a program, from one goroutine.
type client struct {
	Order
	Place
	stop    <-chan struct{}  // closed: the turn is to end; nil: it was cancelled
	late    <-chan time.Time // then it is waited for no longer
	in      chan []byte      // lines to the program
	lines   chan []byte      // of the program; closed at its end
	n       int              // of requests
	session string
	works   bool // updates are work: before, they are what an earlier turn did
	more    bool // a message of the agent is under way
	calls   map[string]call
}

// read passes the program's lines on.
func (c *client) read(from io.Reader) {
	defer close(c.lines)
	for lines := acp.NewReader(from); ; {
		line, err := lines.Next()
		if err != nil {
			return
		}
		if line.Whole { // a longer one is an image, or the like
			c.lines <- bytes.Clone(line.Text)
		}
	}
}

// write writes lines to the program. A program that reads none must not keep this process
// from reading what it says.
func (c *client) write(to io.WriteCloser) {
	defer to.Close()
	for line := range c.in {
		_, _ = to.Write(line) // one that has ended shows by its output
	}
}

// tell writes a line that the runner reads.
func (c *client) tell(s agent.Said) { _, _ = c.Out.Write(s.Line()) }

// turn is all that is said to the program.
func (c *client) turn() error {
	var able struct {
		ProtocolVersion   int
		AgentCapabilities struct {
			LoadSession         bool
			SessionCapabilities struct{ Resume *struct{} }
		}
	}
	if err := c.ask(acp.MethodInitialize, acp.Initialize{ProtocolVersion: acp.Version, ClientInfo: &acp.Info{Name: "pawl", Title: "Pawl", Version: "1"}}, &able); err != nil {
		return err
	}
	if able.ProtocolVersion != acp.Version {
		return fmt.Errorf("it speaks version %d of the Agent Client Protocol, and Pawl version %d", able.ProtocolVersion, acp.Version)
	}
	if err := c.open(able.AgentCapabilities.SessionCapabilities.Resume != nil, able.AgentCapabilities.LoadSession); err != nil {
		return err
	}
	c.tell(agent.Said{Session: c.session})
	c.works = true
	if c.session != c.Session {
		c.Prompt = cmp.Or(c.Whole, c.Prompt)
	}
	var done prompted
	if err := c.ask(acp.MethodPrompt, acp.Prompt{SessionID: c.session, Prompt: []acp.Block{{Type: "text", Text: c.Prompt}}}, &done); err != nil {
		return err
	}
	if used := done.used(); used != (agent.Usage{}) {
		c.tell(agent.Said{Usage: used, Total: true, More: c.more})
	}
	switch done.StopReason {
	case acp.EndTurn:
		return nil
	case acp.Cancelled:
		return errStopped
	}
	return fmt.Errorf("its turn ended by %s", strings.ReplaceAll(agent.Line(done.StopReason), "_", " "))
}

// open goes on with the conversation before, as the program can, or begins one.
func (c *client) open(resumes, loads bool) error {
	as := acp.NewSession{SessionID: c.Session, Cwd: c.Dir, MCPServers: c.servers()}
	var again []string
	if c.Session != "" && resumes {
		again = append(again, acp.MethodResume)
	}
	if c.Session != "" && loads {
		again = append(again, acp.MethodLoad)
	}
	for _, method := range again {
		err := c.ask(method, as, &json.RawMessage{})
		if err == nil {
			c.session = c.Session
			if method != acp.MethodLoad {
				return nil
			}
			// Some tell only behind their answer what an earlier turn did. No program knows this
			// request, and its refusal comes behind that.
			err = c.ask("_pawl/ready", struct{}{}, &json.RawMessage{})
		}
		if _, refused := errors.AsType[*failure](err); err != nil && !refused {
			return err
		}
		if c.session != "" {
			return nil
		}
	}
	var made acp.Session
	as.SessionID = ""
	err := c.ask(acp.MethodNew, as, &made)
	c.session = made.SessionID
	return err
}

// servers is Pawl's own, for an agent that works on a task. The program gives it no more of
// the environment than is named here.
func (c *client) servers() []acp.MCPServer {
	own := acp.MCPServer{Name: serverName, Command: c.Pawl, Args: []string{"mcp"}, Env: []acp.Variable{}}
	works := false
	for _, entry := range c.Environ {
		name, value, _ := strings.Cut(entry, "=")
		works = works || name == runs.EnvTask
		if strings.HasPrefix(name, "PAWL_") || strings.HasPrefix(name, "XDG_") {
			own.Env = append(own.Env, acp.Variable{Name: name, Value: value})
		}
	}
	if !works {
		return []acp.MCPServer{}
	}
	return []acp.MCPServer{own}
}

// serverName is what Pawl's server is called.
const serverName = "pawl"

// A failure is the error with which a program answers.
type failure struct {
	Message string
	Data    json.RawMessage
}

func (f *failure) Error() string {
	if why := acp.Text(acp.Field(f.Data, "details")); why != "" {
		return f.Message + ": " + why
	}
	return f.Message
}

// ask sends a request and waits for its answer. What the program says meanwhile is heard, and
// what it asks is answered.
func (c *client) ask(method string, params, result any) error {
	c.n++
	id := strconv.Itoa(c.n)
	c.in <- acp.Request(json.RawMessage(id), method, params)
	for {
		select {
		case <-c.stop:
			if c.stop = nil; !c.works {
				return errStopped
			}
			c.in <- acp.Notification(acp.MethodCancel, acp.Session{SessionID: c.session})
			late := time.NewTimer(patience)
			defer late.Stop()
			c.late = late.C
		case <-c.late:
			return errStopped
		case line, ok := <-c.lines:
			if !ok {
				return errEnded
			}
			m, ok := acp.Look(line)
			switch {
			case !ok:
				_, _ = c.Errs.Write(line)
			case m.Request():
				c.in <- c.answer(&m)
			case m.Method == acp.MethodUpdate:
				if c.works {
					c.update(m.Params)
				}
			case m.Response() && string(m.ID) == id:
				if m.Error == nil {
					return json.Unmarshal([]byte(cmp.Or(string(m.Result), "null")), result)
				}
				var f failure
				if json.Unmarshal(m.Error, &f) != nil || f.Message == "" {
					f.Message = "it refuses " + method
				}
				return &f
			}
		}
	}
}
