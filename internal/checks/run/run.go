// Package run runs one check of a task as a process. It decides nothing about trust:
// the caller has made sure that a person of this clone let exactly this command run.
//
//	result, err := run.Run(ctx, run.Command{Check: check, Top: top, Getenv: os.Getenv}, nil)
//
// # Process
//
// The words of the check are the arguments of the program, and no shell reads them. (On
// Windows the system itself has cmd.exe run a .bat or .cmd file.) A program without a
// slash is looked up on the caller's PATH, in its absolute folders only; one with a
// slash is taken from the check's folder. That folder is reached without following a
// link, and on Linux the program starts in the very folder that was looked at. On other
// systems somebody who may write to the project could exchange the folder for a link
// between the look and the start.
//
// The program has a session of its own without a terminal, reads an empty standard
// input, and writes both outputs to one pipe. When its time is over, or ctx is, all of its
// session is asked to end and two seconds later killed. Processes that it leaves behind
// when it ends by itself are ended too. A process that made a session of its own is not
// found; it keeps nobody waiting for longer than a second.
//
// # Environment
//
// A check gets few variables, so that it shows the same to everybody, and so that what
// agents and Pawl keep in variables, tokens above all, is not handed to the code of a
// repository: where programs, homes, temporary files and caches are, and the language.
// Others are named by the check itself, in its env. A name that begins with PAWL_ is never
// passed on, named or not; PAWL_CHECK=1 says that a check is running. CI is not set:
// a person who types the command sees what the check saw.
//
// # Output
//
// Of the output a hash is kept, and its last lines: without escape sequences and control
// characters, and masked as todo lists are before they are sent anywhere. The values of
// variables that the check names are masked, and the caller's home is ~.
package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/process"
)

const (
	grace   = 2 * time.Second // between the request to end and the end
	drained = time.Second     // for what a process that left the session prints
	moment  = time.Second / 5 // for what is about to end when the command ends
)

// A Command is a check that is about to run in a clone.
type Command struct {
	Check  pawl.Check
	Top    string              // the project's top folder
	Getenv func(string) string // the environment of the caller
}

// A Result is what a check showed.
type Result struct {
	Passed bool
	Exit   int // pawl.NoExit: it did not begin, or did not end by itself
	Took   time.Duration
	Output string // "sha256:" and the hash of all that it printed, as it came; empty: it did not begin
	Bytes  int64  // of all that it printed
	Tail   string // the last lines of that, masked, fit for a screen, at most MaxTail bytes
	Why    string // why it did not begin, or did not end by itself; or what it left behind
}

// Run runs a check. A check that cannot begin has not passed, and the result says why.
// An error says that this process could not try, or that ctx is over: then the result
// has what was seen until then.
//
// Progress is called with lines of the output, masked, now and then, by one goroutine;
// nil: nobody is. It must not block.
func Run(ctx context.Context, c Command, progress func(line string)) (Result, error) {
	none := Result{Exit: pawl.NoExit}
	if ctx.Err() != nil {
		none.Why = stopped
		return none, context.Cause(ctx)
	}
	if len(c.Check.Run) == 0 || c.Check.Run[0] == "" {
		none.Why = "it names no program"
		return none, nil
	}
	dir, why, err := openFolder(c.Top, c.Check.Dir)
	if why != "" || err != nil {
		none.Why = why
		return none, err
	}
	defer dir.close()
	program, why := c.program(dir.path)
	if why != "" {
		none.Why = why
		return none, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return none, err
	}
	defer r.Close()
	cmd := exec.Command(program)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Check.Run, dir.start(), c.environment(dir.path), w, w
	group := process.NewGroup(cmd)
	defer group.Close()
	began := time.Now()
	err = cmd.Start()
	w.Close()
	if err != nil {
		none.Why = c.notStarted(err, dir.path)
		return none, nil
	}
	group.Started()

	out := newOutput(c.masker(), progress)
	read := make(chan struct{})
	go func() { defer close(read); out.readAll(r) }()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	why = ""
	limit := time.NewTimer(c.Check.Limit())
	defer limit.Stop()
	select {
	case err = <-ended:
	case <-limit.C:
		why = fmt.Sprintf("it took longer than %v", c.Check.Limit())
	case <-ctx.Done():
		why = stopped
	}
	result := Result{Exit: pawl.NoExit, Took: time.Since(began), Why: why}
	if why != "" && !stop(group, ended) {
		result.Why += ", and could not be ended"
	} else if left := sweep(group); left && why == "" {
		result.Why = "it left processes behind, which were ended"
	}
	wait := time.NewTimer(drained)
	defer wait.Stop()
	select {
	case <-read:
	case <-wait.C:
		giveUp(r, read)
		if result.Why == "" {
			result.Why = "it left a process behind that may still be running"
		}
	}
	result.Output, result.Bytes, result.Tail = out.end()
	if why == "" {
		result.judge(c.Check.Expect, cmd.ProcessState, err)
	}
	if why == stopped {
		return result, context.Cause(ctx)
	}
	return result, nil
}

const stopped = "it was stopped"

func (r *Result) judge(expect int, state *os.ProcessState, err error) {
	switch {
	case state == nil:
		r.Why = fmt.Sprintf("it could not be waited for: %v", err)
	case state.ExitCode() < 0:
		r.Why = "it was ended: " + state.String() // signal: killed
	default:
		r.Exit = state.ExitCode()
		r.Passed = r.Exit == expect
	}
}

// stop ends a command whose time is over, and says whether it has ended.
func stop(group *process.Group, ended <-chan error) bool {
	_ = group.End()
	for range 2 {
		wait := time.NewTimer(grace)
		select {
		case <-ended:
			wait.Stop()
			return true
		case <-wait.C:
			group.Kill()
		}
	}
	return false // it runs as somebody else, as what sudo starts does
}

// sweep ends what a command has left in its group, and says whether there was something.
// A process that ends by itself in this moment, as in a pipeline, was not left.
func sweep(group *process.Group) bool {
	if process.Gone(group.Left, moment) {
		return false
	}
	_ = group.End()
	if !process.Gone(group.Left, grace) {
		group.Kill()
	}
	return true
}

// giveUp ends the reading of a pipe that a process holds open.
func giveUp(r *os.File, read <-chan struct{}) {
	if r.SetReadDeadline(time.Now()) == nil {
		<-read
		return
	}
	go r.Close() // where a pipe has no deadline, Close may wait for the reader
}

func (c *Command) program(dir string) (path, why string) {
	name := c.Check.Run[0]
	if strings.ContainsFunc(name, separator) {
		at := filepath.FromSlash(name)
		for _, end := range lookup.Endings(c.Getenv, name) {
			full := at + end
			if !filepath.IsAbs(full) {
				full = filepath.Join(dir, full)
			}
			if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
				return at + end, ""
			}
		}
		return at, "" // the start says what is wrong
	}
	found := ""
	for _, folder := range filepath.SplitList(c.Getenv("PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		for _, end := range lookup.Endings(c.Getenv, name) {
			at := filepath.Join(folder, name+end)
			info, err := os.Stat(at)
			switch {
			case err != nil || !info.Mode().IsRegular():
			case lookup.Runnable(info):
				return at, ""
			case found == "":
				found = at
			}
		}
	}
	if found != "" {
		return "", fmt.Sprintf("%q is not executable", found)
	}
	return "", fmt.Sprintf("%q was not found on PATH", name)
}

func separator(r rune) bool { return r == '/' || r < 0x80 && os.IsPathSeparator(uint8(r)) }

// notStarted says in words why a program did not start.
func (c *Command) notStarted(err error, dir string) string {
	name := c.Check.Run[0]
	at := filepath.FromSlash(name)
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	info, look := os.Stat(at)
	known := strings.ContainsFunc(name, separator)
	switch {
	case known && errors.Is(look, fs.ErrNotExist):
		return fmt.Sprintf("%q does not exist", name)
	case known && look == nil && info.IsDir():
		return fmt.Sprintf("%q is a folder", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("%q is not executable", name)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("%q cannot be started: the program that runs it, or its folder, does not exist", name)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Sprintf("%q is not a program of this system; a script begins with a line such as #!/bin/sh", name)
	}
	return fmt.Sprintf("%q cannot be started: %v", name, reason(err))
}
