//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// A Group is a command and all that it starts.
type Group struct{ cmd *exec.Cmd }

// NewGroup lets a command, not started yet, run in a session of its own. It has no terminal
// then, so nothing in it can ask there for a password.
func NewGroup(cmd *exec.Cmd) *Group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return &Group{cmd}
}

// Started is called when the command was started.
func (g *Group) Started() {}

// End asks all of it to end.
func (g *Group) End() error { return g.signal(syscall.SIGTERM) }

// Kill ends all of it that still runs.
func (g *Group) Kill() {
	if g.cmd.Process != nil {
		_ = g.signal(syscall.SIGKILL)
	}
}

// signal also reaches what is left of a group whose first process has ended. Its number
// is not given to another process as long as there is one.
func (g *Group) signal(s syscall.Signal) error {
	err := syscall.Kill(-g.cmd.Process.Pid, s)
	for _, pid := range members(g.cmd.Process.Pid) {
		_ = syscall.Kill(pid, s)
	}
	return err
}

// Close frees the resources of NewGroup. It ends no process.
func (g *Group) Close() {}
