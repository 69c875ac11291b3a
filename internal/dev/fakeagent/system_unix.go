//go:build unix

package fakeagent

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const terminal = "/dev/tty"

// die ends this process by a signal: TERM or SIGTERM.
func die(name string) error {
	s := unix.SignalNum("SIG" + strings.TrimPrefix(name, "SIG"))
	if s == 0 {
		return fmt.Errorf("unknown signal %q", name)
	}
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		return err
	}
	select {}
}

func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
