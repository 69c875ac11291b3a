package process

import (
	"sync"

	"golang.org/x/sys/unix"
)

// clock is the one that does not stop while the machine sleeps: unlike elsewhere,
// here that is the monotonic one.
const clock = unix.CLOCK_MONOTONIC

// Boot names the run of the machine.
var Boot = sync.OnceValue(func() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
})
