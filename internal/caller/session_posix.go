//go:build linux || darwin

package caller

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminal names the terminal's session: the POSIX session and the start of its
// leader. The leader may have ended, or be outside of this container, as for
// what `docker exec` starts; then the eldest ancestor in the same session
// stands for it, so that one script's commands remain in one session.
func terminal() string {
	sid, err := unix.Getsid(0)
	if err == nil && sid > 0 {
		if start, ok := started(sid); ok {
			return processID("terminal", sid, start)
		}
	}
	pid, start := eldest(os.Getpid())
	return processID("terminal", pid, start)
}
