package git

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// A group is git and all that it starts: ssh, helpers for credentials, a server where
// the remote is a folder.
type group struct {
	cmd *exec.Cmd
	job windows.Handle
}

// newGroup lets a command, not started yet, run in a job of its own and without a
// console, so that nothing in it can ask there for a password.
func newGroup(cmd *exec.Cmd) *group {
	g := &group{cmd: cmd}
	if job, err := windows.CreateJobObject(nil, nil); err == nil {
		g.job = job
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	cmd.Cancel = func() error { g.kill(); return nil }
	return g
}

func (g *group) started() {
	if g.job == 0 {
		return
	}
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(g.cmd.Process.Pid))
	if err == nil {
		_ = windows.AssignProcessToJobObject(g.job, p)
		_ = windows.CloseHandle(p)
	}
}

// kill ends all of it that still runs.
func (g *group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	if g.cmd.Process != nil {
		_ = g.cmd.Process.Kill()
	}
}

func (g *group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}
