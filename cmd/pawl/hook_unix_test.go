//go:build unix

package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A program that does not read the answer of a hook gets exit code 0 all the
// same. It was a signal once, which some programs show as a failed hook.
func TestHookUnread(t *testing.T) {
	h := newHome(t)
	in, out, err := os.Pipe()
	must.Do(t, err)
	in.Close()
	cmd := h.pawl(t, nil, "hook", "--agent", "claude")
	cmd.Stdin = strings.NewReader(`{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "/pawl:nothing"}`)
	cmd.Stdout, cmd.Stderr = out, io.Discard
	err = cmd.Run()
	out.Close()
	if err != nil {
		t.Errorf("the hook ended with: %v", err)
	}
}
