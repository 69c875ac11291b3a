//go:build !windows

package web

import (
	"errors"
	"syscall"
)

// taken reports whether somebody else listens there.
func taken(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
