// Package process names processes for good, ends them with all that they started, and
// tells which run of the machine this is.
//
// The system gives the number of a process that has ended to another one, but not with
// the same start time in the same run of the machine. Start times are known on Linux,
// macOS and Windows.
//
//	id, ok := process.Of(pid)
//	runs, known := id.Runs()          // this very process, and not a zombie
//	err := id.Signal(syscall.SIGTERM) // ErrGone if it is not this very process
//
// A group is a command with what it starts:
//
//	g := process.NewGroup(cmd) // before cmd.Start
//	defer g.Close()
//	err := cmd.Start()
//	g.Started()
//	g.End()  // asks all of it to end
//	g.Kill() // ends it
//	g.Left() // something of it runs, after cmd has ended
//
// On unix it is a session of its own, without a terminal. On Linux all processes of
// the session are found, on other systems those in the group of the command, so that
// one that a shell with job control put into another group is not. On Windows it is a
// job, without a console. A process that made a session of its own has left the group,
// and nothing here finds it: only a process that adopts all orphans could (on Linux a
// “child subreaper”), and a program that has other children must not wait for all.
//
// Nobody can set the clock of [Uptime], unlike the one on the wall, and it counts on while
// the machine sleeps. [Boot] differs after each start of the machine; empty: unknown.
package process

import (
	"errors"
	"os"
	"strconv"
)

// An ID names a process for good.
type ID struct {
	PID   int    `json:"pid"`
	Start string `json:"start"`          // as the system tells it: ticks, seconds or nanoseconds
	Boot  string `json:"boot,omitempty"` // the run of the machine, where Start does not tell
}

// ErrGone says that the process has ended. Its number may belong to another one.
var ErrGone = errors.New("the process has ended")

// Of returns the ID of a process that runs. False: none has this number, it has ended
// and nobody has waited for it, or the system does not tell.
func Of(pid int) (ID, bool) {
	if pid <= 0 {
		return ID{}, false
	}
	start, ok := started(pid)
	return ID{pid, start, boot()}, ok
}

// Runs reports whether the process runs. Known is false if the system does not tell.
func (id ID) Runs() (runs, known bool) {
	if id.PID <= 0 || !canLook {
		return false, false
	}
	now, ok := Of(id.PID)
	return ok && now == id, true
}

// Signal sends a signal to the process, and never to another one that got its number. On
// Windows only os.Kill works. It returns [ErrGone] if the process has ended.
func (id ID) Signal(s os.Signal) error {
	// On Linux and Windows this opens the process: if it is the right one now, the signal
	// reaches it or nobody. Elsewhere a moment remains between the look and the signal.
	p, err := os.FindProcess(id.PID)
	if err != nil {
		return ErrGone
	}
	defer p.Release()
	if runs, _ := id.Runs(); !runs {
		return ErrGone
	}
	if err = p.Signal(s); errors.Is(err, os.ErrProcessDone) {
		return ErrGone
	}
	return err
}

// String is the ID for a message: 4711.8123.
func (id ID) String() string { return strconv.Itoa(id.PID) + "." + id.Start }
