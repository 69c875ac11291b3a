package live

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/process"
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/nudge"
)

// A story is the look as it goes on.
type story struct {
	*Look
	*toy
	seen    map[string]*seen // by turn
	lines   int              // of the trace that were read
	said    agent.Usage
	planned []step // the list of the first session, at the end
	trusted bool   // the set-up is the toy project's own
}

type seen struct {
	turn    turn
	session string
	lines   []trace.Line
	text    string // the agent's answer
	todos   []step // of the session afterwards
	usage   agent.Usage
	took    time.Duration
	fault   string // why it cannot be judged; empty: it can
	refused bool   // by the account
}

func (s *story) play(ctx context.Context, t turn) error {
	now := &seen{turn: t}
	s.seen[t.name] = now
	before := s.seen[t.after]
	switch {
	case before != nil && before.fault != "":
		now.fault = "the run before it failed: " + before.fault
	case before != nil && t.resumes && before.session == "":
		now.fault = "the run before it told no session"
	}
	if now.fault != "" {
		return nil
	}
	s.Tell(t.doing)
	turn := agent.Turn{Prompt: t.prompt(s.Agent), Model: s.Model, Dir: s.root, Trusted: s.trusted}
	if t.resumes {
		turn.Session = before.session
	}
	began := s.Now()
	if err := s.run(ctx, turn, now); err != nil {
		return err
	}
	now.took = s.Now().Sub(began)
	s.said.Add(now.usage)
	lines, err := trace.Read(s.look, s.lines)
	if err != nil {
		return err
	}
	now.lines, s.lines = lines, s.lines+len(lines)
	for _, l := range lines {
		if l.Session != "" && l.Agent == "" {
			now.session = l.Session
		}
	}
	now.todos, err = s.toy.todos(ctx, now.session)
	return err
}

// maxTail is how much of what a program says at its end is looked at.
const maxTail = 8 << 10

// run starts the program and waits for its end. All that it started ends too.
func (s *story) run(ctx context.Context, t agent.Turn, now *seen) error {
	ctx, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	h := s.Agent.Headless
	cmd := exec.Command(s.Program, h.Args(t)...)
	cmd.Dir, cmd.Env = s.root, s.env
	if h.Env != nil {
		cmd.Env = slices.Concat(s.env, h.Env(t))
	}
	if h.Stdin {
		cmd.Stdin = strings.NewReader(t.Prompt)
	}
	tail := &tail{}
	said := &listener{read: h.Said, tail: tail}
	cmd.Stdout, cmd.Stderr = said, tail
	cmd.WaitDelay = 5 * time.Second // for what has its output open after its end
	group := process.NewGroup(cmd)
	defer group.Close()
	if err := cmd.Start(); err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s cannot be started: %w", h.Program, err)
	}
	group.Started()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var err error
	select {
	case err = <-ended:
		group.Kill()
	case <-ctx.Done():
		group.Kill()
		<-ended
	}
	said.close()
	now.text, now.usage = strings.TrimSpace(said.text), said.bill.Usage()
	now.session = said.session
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return pawl.Errorf(pawl.Unavailable, "the look was ended before it was done")
	case ctx.Err() != nil:
		now.fault = "it did not end within " + s.Limit.String() + ", and was ended"
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		now.fault = s.mask(h.Program + " failed (" + err.Error() + "): " + s.why(said.failed, tail))
		now.refused = refuses(h, said.failed+tail.String())
	case said.failed != "" && said.text == "":
		now.fault = s.mask(h.Program + " says: " + said.failed)
		now.refused = refuses(h, said.failed)
	}
	return nil
}

func (s *story) why(failed string, tail *tail) string {
	if failed != "" {
		return failed
	}
	lines := strings.Split(strings.TrimSpace(tail.String()), "\n")
	return lines[len(lines)-1]
}

func refuses(h *agent.Headless, text string) bool {
	return slices.ContainsFunc(h.Refused, func(part string) bool { return strings.Contains(text, part) })
}

// A listener reads what a program prints, line by line.
type listener struct {
	read    func([]byte) agent.Said // nil: it prints its answer
	tail    *tail
	pipe    *io.PipeWriter
	done    chan struct{}
	session string
	text    string
	failed  string
	more    bool
	bill    agent.Bill
}

// maxPrinted bounds a line of a program: a tool's result is in one of them.
const maxPrinted = 16 << 20

func (l *listener) Write(part []byte) (int, error) {
	if l.pipe == nil {
		in, out := io.Pipe()
		l.pipe, l.done = out, make(chan struct{})
		go func() {
			defer close(l.done)
			lines := bufio.NewScanner(in)
			lines.Buffer(nil, maxPrinted)
			for lines.Scan() {
				l.line(lines.Bytes())
			}
			_, _ = io.Copy(io.Discard, in) // so that the program can go on
		}()
	}
	return l.pipe.Write(part)
}

func (l *listener) close() {
	if l.pipe != nil {
		l.pipe.Close()
		<-l.done
	}
}

func (l *listener) line(line []byte) {
	if l.read == nil || !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		line = append(line, '\n')
		_, _ = l.tail.Write(line)
		if l.read == nil {
			l.text += string(line)
			l.text = l.text[max(0, len(l.text)-maxTail):]
		}
		return
	}
	said := l.read(line)
	if said.Session != "" {
		l.session = said.Session
	}
	if said.Failed != "" {
		l.failed = said.Failed
	}
	if said.Text != "" {
		if l.more && said.More {
			said.Text = l.text + said.Text
		}
		l.text = said.Text
	}
	l.more = said.More
	l.bill.Add(said)
}

// A tail keeps the end of what is written to it.
type tail struct {
	lock sync.Mutex
	text []byte
}

func (t *tail) Write(part []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.text = append(t.text, part...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(part), nil
}

func (t *tail) String() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return string(t.text)
}

// Questions to what was seen.

func (n *seen) of(kind nudge.Kind) (all []trace.Line) {
	for _, l := range n.lines {
		if l.Kind == string(kind) && l.Agent == "" {
			all = append(all, l)
		}
	}
	return all
}
