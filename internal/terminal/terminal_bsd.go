//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import "golang.org/x/sys/unix"

// How the kernel is asked for the modes of a terminal, and told.
const getTermios, setTermios = unix.TIOCGETA, unix.TIOCSETA

func isTerminal(fd uintptr) bool {
	_, err := unix.IoctlGetTermios(int(fd), getTermios)
	return err == nil
}
