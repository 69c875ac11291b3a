//go:build unix

package main

import (
	"syscall"
	"testing"
)

// A server that is asked to end does so, and says it is well.
func TestMCPTerminated(t *testing.T) {
	h := newHome(t)
	c := h.serve(t)
	c.ask("resources/subscribe", `{"uri":"pawl://board"}`)
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range c.lines {
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("it ended with: %v", err)
	}
}
