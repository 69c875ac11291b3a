//go:build unix

package run

import (
	"os/exec"
	"syscall"
)

// leave puts a child into a session of its own.
func leave(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// group puts a child into a group of its own, as a shell with job control does.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
