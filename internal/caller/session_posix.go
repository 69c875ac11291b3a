//go:build linux || darwin

package caller

import (
	"os"
	"strconv"

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
	start, _ := started(os.Getpid())
	return processID("process", os.Getpid(), start)
}

// processID names a process for good: its number comes again, but not with the
// same start time, nor after the same boot.
func processID(kind string, pid int, start string) string {
	return kind + "-" + strconv.Itoa(pid) + "." + start
}
