//go:build unix

package caller

import "syscall"

// openFlags keep a pipe from holding us up.
const openFlags = syscall.O_NONBLOCK
