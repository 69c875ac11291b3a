//go:build unix

package program

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// What a program does in its trial decides whether it works, and which command would help.
func TestTrial(t *testing.T) {
	for _, test := range []struct {
		name, script string
		works        bool
		why, fix     string
	}{
		{"works", `cat >/dev/null; echo '{"type":"result","is_error":false,"result":"OK","session_id":"s1"}'`, true, "", ""},
		{"is not logged in", `echo '{"type":"result","is_error":true,"result":"Invalid API key · Please run /login"}'; exit 1`, false, "is not logged in", "start claude and type /login"},
		{"complains on standard error", `echo 'Not logged in' >&2; exit 1`, false, "is not logged in", "/login"},
		{"has a limit", `echo '{"type":"result","is_error":true,"result":"Claude AI usage limit reached|` + "1999999999" + `"}'; exit 1`, false, "has a limit that is reached", ""},
		{"waits for an answer", `trap '' TERM; exec sleep 60`, false, "did not end within", ""},
		{"fails", `echo 'unknown option --verbose' >&2; exit 2`, false, "failed (exit status 2): unknown option --verbose", ""},
		{"says nothing", `exit 0`, false, "ended without an answer", ""},
		{"leaves a child", `sleep 60 & echo '{"type":"result","is_error":false,"result":"OK"}'`, true, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(t.TempDir(), "claude")
			must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"+test.script+"\n"), 0o755))
			p := testProgram("claude")
			p.Path = path
			kept, late := 0, strings.Contains(test.why, "within")
			limit := time.Minute
			if late {
				limit = 300 * time.Millisecond
			}
			tried, err := Trial{Program: p, Dir: dir, Environ: os.Environ(), Limit: limit, Keep: func(_ bool, part []byte) { kept += len(part) }}.Run(context.Background())
			if err != nil || tried.Works != test.works || !strings.Contains(tried.Why, test.why) || !strings.Contains(tried.Fix, test.fix) {
				t.Errorf("%+v, %v", tried, err)
			}
			if (kept == 0) != (test.script == "exit 0" || late) {
				t.Errorf("%d bytes", kept)
			}
		})
	}
}

// A user's own program gets its prompt in a file, and nothing that leads git or Pawl
// elsewhere.
func TestTrialOwn(t *testing.T) {
	bin := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(bin, "mine"), []byte("#!/bin/sh\ngrep -q OK \"$1\" && echo \"$GIT_DIR$PAWL_TOKEN$OWN OK in $PWD\"\n"), 0o755))
	f := finder("/nowhere", settings.OwnAgents{"mine": {Command: settings.Argv{"mine"}, Prompt: settings.ByFile, Stream: settings.Text, Env: map[string]string{"OWN": "own"}}}, bin)
	p := must.Get(f.Find("mine"))(t)
	dir := t.TempDir()
	tried, err := Trial{Program: p, Dir: dir, Environ: append(os.Environ(), "GIT_DIR=/x", "PAWL_TOKEN=secret", "PWD=/x")}.Run(context.Background())
	if err != nil || !tried.Works || tried.Seen.Text != "own OK in "+dir {
		t.Errorf("%+v, %v", tried, err)
	}
}

func TestVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claude")
	for script, want := range map[string]string{"echo '1.2.3 (x)'; echo more": "1.2.3 (x)", "exit 1": "", "yes | head -c 100000": "y"} {
		must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
		if got := Version(context.Background(), &Program{Path: path, Known: known.Find("claude")}, os.Environ()); got != want {
			t.Errorf("%s: %q", script, got)
		}
	}
}
