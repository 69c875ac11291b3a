package caller

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// terminal names the terminal's session: the POSIX session and the start of its
// leader. Without a leader, whose number may come again, each process is a
// session of its own.
func terminal() string {
	if sid, err := unix.Getsid(0); err == nil && sid > 0 {
		if start, ok := started(sid); ok {
			return processID("terminal", sid, start)
		}
	}
	self := os.Getpid()
	start, _ := started(self)
	return processID("process", self, start)
}

func started(pid int) (string, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return "", false
	}
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), true
}

// launcher cannot be found here: the environment of other processes is closed.
func launcher(string) string { return "" }
