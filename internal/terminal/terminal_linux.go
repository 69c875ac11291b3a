package terminal

import "golang.org/x/sys/unix"

// How the kernel is asked for the modes of a terminal, and told.
const getTermios, setTermios = unix.TCGETS, unix.TCSETS

func isTerminal(fd uintptr) bool {
	_, err := unix.IoctlGetTermios(int(fd), getTermios)
	return err == nil
}
