//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// A group is git and all that it starts: ssh, helpers for credentials, a server where
// the remote is a folder.
type group struct{ cmd *exec.Cmd }

// newGroup lets a command, not started yet, run in a session of its own. It has no
// terminal then, so nothing in it can ask there for a password.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	g := &group{cmd}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) } // git then removes what it has begun
	return g
}

func (g *group) started() {}

// kill ends all of it that still runs.
func (g *group) kill() {
	if g.cmd.Process != nil {
		_ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL)
	}
}

func (g *group) close() {}
