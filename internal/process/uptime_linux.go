package process

import (
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// clock is the one that does not stop while the machine sleeps.
const clock = unix.CLOCK_BOOTTIME

// Boot names the run of the machine.
var Boot = sync.OnceValue(func() string {
	id := make([]byte, 64)
	n := 0
	for {
		fd, err := unix.Open("/proc/sys/kernel/random/boot_id", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return ""
		}
		for n < len(id) {
			more, err := unix.Read(fd, id[n:])
			if err == unix.EINTR {
				continue
			}
			if err != nil || more <= 0 {
				break
			}
			n += more
		}
		unix.Close(fd)
		return strings.TrimSpace(string(id[:n]))
	}
})
