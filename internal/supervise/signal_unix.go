//go:build unix

package supervise

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	tells  = true            // a keeper can be told something by a signal
	asked  = syscall.SIGTERM // what tells it
	polite = syscall.SIGTERM // what asks a program to end
)

// signalled is the name of the signal that ended a process; empty: none did.
func signalled(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return unix.SignalName(status.Signal())
	}
	return ""
}

// closeInherited closes files that an ancestor of this process has left open by mistake:
// a lock, a pipe that somebody waits for. Files of this process are close-on-exec, and so
// told apart.
func closeInherited() {
	names, err := os.ReadDir(openFiles)
	if err != nil {
		return
	}
	for _, name := range names {
		fd := 0
		for _, digit := range name.Name() {
			fd = 10*fd + int(digit-'0')
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); fd > 2 && err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
}

const openFiles = "/dev/fd" // on Linux a link to /proc/self/fd
