package run

import (
	"os/exec"

	"golang.org/x/sys/windows"
)

// leave does nothing: the test is for other systems.
func leave(*exec.Cmd) {}

// group does nothing: the test is for Linux.
func group(*exec.Cmd) {}

// runs reports whether a process has not ended.
func runs(pid int) bool {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(p)
	event, err := windows.WaitForSingleObject(p, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}
