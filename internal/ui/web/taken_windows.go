package web

import (
	"errors"
	"syscall"
)

// Errors of Windows for a place where somebody else listens: another user, or a
// port that is kept for something.
const (
	wsaeacces     = syscall.Errno(10013)
	wsaeaddrinuse = syscall.Errno(10048)
)

// taken reports whether somebody else listens there.
func taken(err error) bool { return errors.Is(err, wsaeaddrinuse) || errors.Is(err, wsaeacces) }
