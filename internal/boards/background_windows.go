package boards

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach puts a command into a group of its own, which has no console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
