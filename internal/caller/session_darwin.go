package caller

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// started says when a process began.
func started(pid int) (string, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return "", false
	}
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), true
}

// eldest returns the process's most distant ancestor, or the process itself, to
// which an unbroken line in the same POSIX session leads, and when it began.
func eldest(pid int) (int, string) {
	session, _ := unix.Getsid(pid)
	for {
		info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
		if err != nil {
			break
		}
		parent := int(info.Eproc.Ppid)
		if of, err := unix.Getsid(parent); err != nil || of != session || parent == pid {
			break
		}
		pid = parent
	}
	start, _ := started(pid)
	return pid, start
}

// launcher cannot be found here: the environment of other processes is closed.
func launcher(string) string { return "" }
