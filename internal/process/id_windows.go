package process

import (
	"strconv"

	"golang.org/x/sys/windows"
)

const canLook = true

// boot is empty: a start time names the moment, whatever run of the machine it is in.
func boot() string { return "" }

// started is when a process began, in nanoseconds.
func started(pid int) (string, bool) {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return "", false
	}
	defer func() { _ = windows.CloseHandle(p) }()
	if event, err := windows.WaitForSingleObject(p, 0); err != nil || event == windows.WAIT_OBJECT_0 {
		return "", false // it has ended, and somebody has it open
	}
	var began, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(p, &began, &ended, &kernel, &user) != nil {
		return "", false
	}
	return strconv.FormatInt(began.Nanoseconds(), 10), true
}
