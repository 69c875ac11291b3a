//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import "golang.org/x/sys/unix"

// hide turns off that a terminal shows what is typed, and returns what turns it on.
func hide(fd uintptr) (restore func(), err error) {
	was, err := unix.IoctlGetTermios(int(fd), getTermios)
	if err != nil {
		return nil, err
	}
	now := *was
	now.Lflag &^= unix.ECHO
	now.Lflag |= unix.ICANON | unix.ISIG
	now.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(int(fd), setTermios, &now); err != nil {
		return nil, err
	}
	return func() { _ = unix.IoctlSetTermios(int(fd), setTermios, was) }, nil
}
