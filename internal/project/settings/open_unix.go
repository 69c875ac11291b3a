//go:build unix

package settings

import "syscall"

// openFlags keep a pipe from holding us up, and a link from leading away.
func openFlags(links bool) int {
	if links {
		return syscall.O_NONBLOCK
	}
	return syscall.O_NONBLOCK | syscall.O_NOFOLLOW
}
