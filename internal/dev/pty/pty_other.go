//go:build !linux

// Package pty gives tests a terminal on which nobody types.
package pty

import (
	"os"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// Open skips the test: it can only make a terminal on Linux.
func Open(t testing.TB) *os.File {
	t.Helper()
	mustrun.NotHere(t, "a terminal is made on Linux only")
	return nil
}
