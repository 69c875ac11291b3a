//go:build unix

package terminal

import (
	"os/signal"
	"syscall"
)

// ReadInBackground lets a program that reads from its terminal run on after a
// shell has put it into the background: its reads fail, where they would stop it.
func ReadInBackground() { signal.Ignore(syscall.SIGTTIN) }
