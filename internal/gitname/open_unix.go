//go:build unix

package gitname

import "syscall"

// openFlags keep a pipe from holding us up.
const openFlags = syscall.O_NONBLOCK
