//go:build !windows

package live

import (
	"os/exec"
	"syscall"
)

// group has a program and all that it starts be one group.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end ends what is left of the group.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
