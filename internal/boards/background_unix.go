//go:build unix

package boards

import (
	"os/exec"
	"syscall"
)

// detach puts a command into a session of its own, which no terminal's keys reach.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
