// Package supervise runs one program that outlives the process that started it. A small
// process of its own, the keeper, waits for the program, enforces its limit, ends what
// the program leaves behind, and writes how it ended to a file.
//
//	p, err := supervise.Start(ctx, []string{pawl, "run-keeper"}, dir, spec) // or
//	p, err := supervise.Find(dir)           // nil: none was started in this folder
//	end, over, err := p.Ended()
//	end, err := p.Wait(ctx)
//	end, err := p.Stop(ctx, "a person stopped it")
//
// A folder belongs to one program. It has
//
//	spec.json     what runs; its environment may have secrets, so only its user reads it
//	started.json  {"tag":"…","keeper":{"pid":71,…},"program":{"pid":72,…},"at":"…"}
//	stop.json     {"why":"…"}, once Stop was called
//	exit.json     how it ended; written before the keeper ends
//	keeper.txt    what went wrong in the keeper
//	keeper.lock   the keeper has it locked
//
// Processes are adopted and signalled by number, start time and run of the machine
// (package process): a process that got the number of another one is left alone.
//
// # What ends with the program
//
// The program has a session of its own, without a terminal. When it ends, all that it
// started and left is ended. On Linux that includes processes with sessions of their
// own, such as daemons: the keeper adopts all orphans of the program. Processes that
// another program starts on its behalf (systemd-run, docker) are not found. On macOS
// the process group is ended, and on Windows the job.
//
// # Without the keeper
//
// Somebody may kill the keeper. On Linux the program is then asked to end (SIGTERM),
// because nothing enforces its limit any longer; elsewhere it goes on. Nobody writes an
// exit.json: Ended says Unknown once the program has ended, and Stop ends it, and on
// Linux all that it started and that still has its environment or its parents. On
// Windows Stop then ends the program alone.
//
// # Time
//
// The limit is time in which the program could work: while the machine sleeps it does
// not count on Linux and macOS. On Windows it may count.
package supervise

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/process"
)

// A Spec says what runs. It is written to spec.json before anything starts.
type Spec struct {
	Program string        `json:"program"` // absolute
	Args    []string      `json:"args"`    // without the program's name
	Dir     string        `json:"dir"`     // absolute
	Env     []string      `json:"env"`     // all of it; the keeper adds [Marker], and on Windows SYSTEMROOT
	Stdin   string        `json:"stdin"`   // a file; empty: there is nothing to read
	Stdout  string        `json:"stdout"`  // a file that is appended to, made with 0600; empty: nobody reads it
	Stderr  string        `json:"stderr"`  // the same; may be the same file
	Limit   time.Duration `json:"limit"`   // from the start; then the keeper ends it. 0: none
	Grace   time.Duration `json:"grace"`   // between SIGTERM and SIGKILL; 0: [Grace]
	Alone   bool          `json:"alone"`   // it ends what it started: while it does, nothing else is asked to end
}

const (
	// Grace is what a program gets to end by itself when it was asked to.
	Grace = 10 * time.Second
	// Marker is a variable in the environment of the program, by which what it started is
	// found on Linux when its parents have ended.
	Marker = "PAWL_KEPT"
)

// How a program ended.
type How string

const (
	Exited     How = "exited"      // by itself or asked to, with an exit code
	Signalled  How = "signalled"   // by a signal
	NotStarted How = "not-started" // Why has the reason
	Unknown    How = "unknown"     // the keeper was killed, and nobody saw the program end
)

// Reasons in an End's Why, beside what was given to Stop.
const (
	WhyLimit      = "limit"      // its time was over
	WhyTerminated = "terminated" // somebody else asked the keeper to end, as a machine does that shuts down
)

// An End is how a program ended.
type End struct {
	How    How       `json:"how"`
	Exit   int       `json:"exit"`             // its exit code; -1: it has none
	Signal string    `json:"signal,omitempty"` // SIGKILL
	At     time.Time `json:"at"`
	Why    string    `json:"why,omitempty"`   // why it was ended: WhyLimit, WhyTerminated, what Stop was given; empty: it ended by itself
	Left   bool      `json:"left,omitempty"`  // it left processes, which were ended
	Stuck  bool      `json:"stuck,omitempty"` // a process that it left could not be ended, and still runs
}

// A Process is a program that was started, and its keeper.
type Process struct {
	Program process.ID
	Keeper  process.ID
	Began   time.Time

	dir   string
	tag   string
	grace time.Duration
	over  <-chan struct{} // the keeper, which this process started, has ended; nil: it is somebody else's child
}

// Start has a keeper start the program, and returns when it runs and both identities are
// in started.json. The words of keeper start a process that calls [Keep] with the
// arguments that follow them. A folder in which something was started is refused. If ctx
// ends first, nothing runs.
func Start(ctx context.Context, keeper []string, dir string, spec Spec) (*Process, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	switch old, err := Find(dir); {
	case err != nil:
		return nil, err
	case old != nil:
		return nil, fmt.Errorf("a program was already started in %s", dir)
	}
	for _, name := range []string{exitFile, stopFile} { // of one that did not start
		if err := remove(dir, name); err != nil {
			return nil, err
		}
	}
	tag := rand.Text()
	if err := writePrivate(dir, specFile, tagged{tag, spec}); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, errors.Join(context.Cause(ctx), remove(dir, specFile))
	}
	child, err := launch(keeper, dir, tag)
	if err != nil {
		return nil, errors.Join(err, remove(dir, specFile))
	}
	var stopped error
	select {
	case <-child.ready:
	case <-ctx.Done():
		stopped = context.Cause(ctx)
		_ = child.cmd.Process.Kill()
		<-child.over
	}
	p, err := load(dir)
	switch {
	case stopped != nil && p != nil:
		p.grace = time.Nanosecond
		_, err := p.Stop(context.WithoutCancel(ctx), "its start was stopped")
		return nil, errors.Join(stopped, err)
	case stopped != nil:
		_, err := Find(dir) // ends what a start that was cut short has left
		return nil, errors.Join(stopped, err)
	case err != nil:
		return nil, err
	case p == nil:
		<-child.over
		return nil, notStarted(dir, spec)
	}
	p.over = child.over
	return p, nil
}

// check finds what can be known to be wrong before anything starts.
func (s Spec) check() error {
	if !filepath.IsAbs(s.Program) || !filepath.IsAbs(s.Dir) {
		return fmt.Errorf("the program %q and its folder %q must be absolute", s.Program, s.Dir)
	}
	if s.Limit < 0 || s.Grace < 0 {
		return errors.New("a limit is not negative")
	}
	for _, text := range append(append([]string{s.Program, s.Dir}, s.Args...), s.Env...) {
		if strings.ContainsRune(text, 0) {
			return fmt.Errorf("%q has a NUL in it", text)
		}
	}
	return nil
}

// A child is a keeper that this process has started.
type child struct {
	cmd   *exec.Cmd
	ready chan struct{} // it has started the program, or has ended
	over  chan struct{} // it has ended
}

// launch starts a keeper. It tells that it is ready by closing its standard output, to
// which it writes nothing: so it does not matter whether anybody still listens.
func launch(keeper []string, dir, tag string) (*child, error) {
	if len(keeper) == 0 {
		return nil, errors.New("no keeper was named")
	}
	said, err := os.OpenFile(filepath.Join(dir, saidFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer said.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(keeper[0], append(append([]string{}, keeper[1:]...), dir, tag)...)
	cmd.Dir = filepath.VolumeName(dir) + string(filepath.Separator) // no folder is kept from being removed
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}                 // it needs none, and gets no secrets
	cmd.Stdout, cmd.Stderr = w, said
	group := process.NewGroup(cmd)
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("the keeper cannot be started: %w", err)
	}
	c := &child{cmd, make(chan struct{}), make(chan struct{})}
	go func() {
		_, _ = io.Copy(io.Discard, r)
		r.Close()
		close(c.ready)
		_ = cmd.Wait()
		group.Close()
		close(c.over)
	}()
	return c, nil
}

// notStarted says why a keeper has started nothing.
func notStarted(dir string, spec Spec) error {
	var end End
	if found, err := read(dir, exitFile, &end); err == nil && found && end.How == NotStarted {
		return fmt.Errorf("%s cannot be started: %s", spec.Program, end.Why)
	}
	said, _ := os.ReadFile(filepath.Join(dir, saidFile))
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return fmt.Errorf("%s was not started: its keeper ended: %s", spec.Program, line)
}

// Find returns the process of a folder in which one was started, by this process or by
// another one that may be gone. Nil: none was started. A start that was cut short, whose
// keeper has not started the program, is called off; one that is under way is waited for.
func Find(dir string) (*Process, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for until := time.Now().Add(patience); ; {
		if p, err := load(dir); p != nil || err != nil {
			return p, err
		}
		var spec tagged
		if found, err := read(dir, specFile, &spec); !found && err == nil {
			return nil, nil
		}
		lock, err := filelock.Take(filepath.Join(dir, lockFile))
		if err != nil {
			return nil, err
		}
		if lock != nil {
			defer lock.Close()
			if p, err := load(dir); p != nil || err != nil { // it has started, and even ended, since
				return p, err
			}
			if err := remove(dir, specFile); err != nil {
				return nil, err
			}
			// A keeper that comes late finds no spec.json. One that was killed just after it
			// had started the program may have left it.
			return nil, (&Process{dir: dir, tag: spec.Tag, grace: spec.Spec.grace()}).endStrays(context.Background())
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("a keeper in %s is starting a program and does not get ready", dir)
		}
		time.Sleep(again)
	}
}

const (
	patience = 30 * time.Second      // for a keeper on a busy machine to start a program
	again    = 10 * time.Millisecond // between two looks at what is about to happen
)

func (s Spec) grace() time.Duration { return cmp.Or(s.Grace, Grace) }

// load returns the process of a started.json; nil: there is none.
func load(dir string) (*Process, error) {
	var s started
	if found, err := read(dir, startedFile, &s); !found || err != nil {
		return nil, err
	}
	var spec tagged
	if _, err := read(dir, specFile, &spec); err != nil {
		return nil, err
	}
	return &Process{Program: s.Program, Keeper: s.Keeper, Began: s.At, dir: dir, tag: s.Tag, grace: spec.Spec.grace()}, nil
}
