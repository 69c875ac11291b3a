package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/process"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Trial has a program play one turn that does nothing, to find out whether it works
// without a person: whether it is logged in, asks nothing, ends, and tells what it did.
type Trial struct {
	Program *Program
	Dir     string   // an empty folder, absolute, that nothing else uses; the caller removes it
	Environ []string // of the user; what tells git or Pawl where to work is left out
	Model   string   // empty: the program's own choice
	Skip    bool     // run.permissions skip
	Limit   time.Duration
	// Keep gets what the program prints, as it comes; nil: nobody does. Only one call runs
	// at a time.
	Keep func(stderr bool, part []byte)
}

// TrialLimit is how long a turn that does nothing may take. Programs that repeat a
// request which fails take longer by themselves.
const TrialLimit = 2 * time.Minute

// A Tried is the result of a Trial.
type Tried struct {
	Works bool
	Why   string // why not, in one sentence
	Fix   string // the command that a person runs then; empty: Pawl knows none
	Seen  Seen
	Took  time.Duration
}

const trialPrompt = "Reply with OK and nothing else. Use no tool, read no file and change none.\n"

// Run plays the turn. The error says that this process could not try; what the program
// did is in the answer.
func (t Trial) Run(ctx context.Context) (Tried, error) {
	if t.Limit == 0 {
		t.Limit = TrialLimit
	}
	p := t.Program
	turn := Turn{Turn: agent.Turn{Prompt: trialPrompt, Dir: t.Dir, Model: t.Model, Work: true, Skip: t.Skip}, File: filepath.Join(t.Dir, "prompt.md")}
	start := p.Command(turn)
	if start.File {
		if err := os.WriteFile(turn.File, []byte(trialPrompt), 0o600); err != nil {
			return Tried{}, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, t.Limit)
	defer cancel()
	cmd := exec.Command(start.Path, start.Args...)
	cmd.Dir, cmd.Env = t.Dir, append(Environ(t.Environ, t.Dir), start.Env...)
	if start.Stdin != "" {
		cmd.Stdin = strings.NewReader(start.Stdin)
	}
	out, errs := &output{keep: t.Keep}, &output{keep: t.Keep, stderr: true}
	errs.lock = &out.own
	out.lock = &out.own
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = 2 * time.Second // for what has its output open after its end
	group := process.NewGroup(cmd)
	defer group.Close()
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Tried{Why: text.Line(p.Path + " cannot be started: " + err.Error())}, nil
	}
	group.Started()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var err error
	late := false
	select {
	case err = <-ended:
		if group.Left() { // more of it runs
			group.Kill()
		}
	case <-ctx.Done():
		late = true
		_ = group.End()
		wait := time.NewTimer(2 * time.Second)
		select {
		case <-ended:
		case <-wait.C:
			group.Kill()
			<-ended
		}
		wait.Stop()
	}
	if late && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Tried{}, context.Cause(ctx)
	}
	tried := t.judge(out.text(), errs.text(), err, late)
	tried.Took = time.Since(began)
	return tried, nil
}

func (t Trial) judge(printed, complained []byte, err error, late bool) Tried {
	p := t.Program
	now := time.Now()
	reader := p.Reader()
	lines := bufio.NewScanner(bytes.NewReader(printed))
	lines.Buffer(nil, maxKept)
	for lines.Scan() {
		reader.Line(lines.Bytes(), now)
	}
	tried := Tried{Seen: reader.Seen()}
	said := tried.Seen.Failed + "\n" + string(complained) + "\n" + string(printed[max(0, len(printed)-4<<10):])
	failed := late || err != nil && !errors.Is(err, exec.ErrWaitDelay) || tried.Seen.Failed != "" && tried.Seen.Text == ""
	if !failed && tried.Seen.Text != "" {
		tried.Works = true
		return tried
	}
	until, limited := p.Limited(tried.Seen.Failed+"\n"+string(complained), now)
	switch {
	case p.LoggedOut(said):
		tried.Why, tried.Fix = p.Title+" is not logged in", p.Login
	case limited || tried.Seen.Limited:
		if until.IsZero() {
			until = tried.Seen.Until
		}
		tried.Why = p.Title + " gets no answers now: its provider has a limit that is reached"
		if !until.IsZero() {
			tried.Why += ", until " + until.Local().Format("2006-01-02 15:04")
		}
	case late:
		tried.Why = p.Title + " did not end within " + t.Limit.String() + ": it may wait for an answer, about trust in a folder or a login"
		if why := agent.Line(LastLine(tried.Seen.Failed, string(complained))); why != "" {
			tried.Why += "; it said: " + why
		}
		tried.Fix = p.Path
	case failed:
		tried.Why = p.Title + " failed"
		if err != nil {
			tried.Why += " (" + err.Error() + ")"
		}
		if why := agent.Line(LastLine(tried.Seen.Failed, string(complained), string(printed))); why != "" {
			tried.Why += ": " + why
		}
		tried.Fix = p.Path
	default:
		tried.Why = p.Title + " ended without an answer"
		tried.Fix = p.Path
	}
	return tried
}

// LastLine is the last line of the first text that has one.
func LastLine(texts ...string) string {
	for _, s := range texts {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		if last := lines[len(lines)-1]; last != "" {
			return last
		}
	}
	return ""
}

// Environ is the environment of an agent in a folder: the user's, without variables that
// tell git or Pawl where another caller works, and without tokens of Pawl's.
func Environ(user []string, dir string) []string {
	var env []string
	for _, v := range user {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		if strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "PAWL_") || name == "PWD" || name == "OLDPWD" {
			continue
		}
		env = append(env, v)
	}
	return append(env, "PWD="+dir)
}

// maxKept is how much of an output is looked at: its end.
const maxKept = 1 << 20

type output struct {
	own    sync.Mutex
	lock   *sync.Mutex // of both outputs
	keep   func(bool, []byte)
	stderr bool
	end    []byte
}

func (o *output) Write(part []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.keep != nil {
		o.keep(o.stderr, part)
	}
	if o.end = append(o.end, part...); len(o.end) > 2*maxKept {
		o.end = append([]byte{}, o.end[len(o.end)-maxKept:]...)
	}
	return len(part), nil
}

func (o *output) text() []byte {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.end[max(0, len(o.end)-maxKept):]
}

// Version is the program's own answer; empty: none came in time.
func Version(ctx context.Context, p *Program, environ []string) string {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	dir, err := os.MkdirTemp("", "pawl-version-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, p.Path, "--version")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, Environ(environ, dir), time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return ""
	}
	group := process.NewGroup(cmd)
	defer group.Close()
	if cmd.Start() != nil {
		return ""
	}
	group.Started()
	first, _ := io.ReadAll(io.LimitReader(out, 4<<10))
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	if group.Left() {
		group.Kill()
	}
	if err != nil {
		return ""
	}
	return agent.Line(string(first))
}

const versionLimit = 10 * time.Second
