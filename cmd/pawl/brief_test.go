package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/dev/long"
)

// pawl runs the real program on a laptop.
func (l *laptop) pawl(args ...string) (out string, took time.Duration) {
	l.t.Helper()
	cmd := exec.Command("pawl", args...)
	cmd.Dir = l.dir
	cmd.Env = append(os.Environ(), "HOME="+l.home, "XDG_STATE_HOME="+filepath.Join(l.home, "state"), "XDG_CONFIG_HOME="+filepath.Join(l.home, "config"),
		"PAWL_BOARD="+l.address, "PAWL_TOKEN=secret", "PAWL_SESSION=s1", boards.NoBackground+"=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		l.t.Fatalf("pawl %v: %v: %s", args, err, stderr.String())
	}
	return stdout.String(), time.Since(start)
}

// A shell that completes and a status line never wait for a server that hangs. They
// show what was known last, which a process of its own asks for again.
func TestBriefly(t *testing.T) {
	l := newLaptop(t)
	l.pawl("list") // it learns the name of the token
	complete := []string{"__complete", "show", ""}
	// On a busy machine even a good server can answer too late for them: then the
	// process that asks again keeps what it answers.
	l.pawl(complete...)
	l.pawl("statusline")
	l.pawl(askAgainVerb, l.address)
	l.lies(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for _, call := range [][]string{complete, {"statusline"}} {
		out, took := l.pawl(call...)
		if !strings.Contains(out, "Cart") {
			t.Errorf("%v: %q", call, out)
		}
		if *long.Asked && took > 2*time.Second { // it is 40 ms
			t.Errorf("%v took %v", call, took)
		}
	}
	away, err := filepath.Glob(filepath.Join(l.home, "state", "pawl", "addresses", "*", "away"))
	if len(away) > 0 || err != nil {
		t.Errorf("a moment without an answer counts as an absence: %v, %v", away, err)
	}
	// The question waits to be asked again, by a process that has more time.
	l.lies(nil)
	l.do(pawl.Actor{Name: "ann"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Later"}}})
	before := l.asked.Load()
	l.pawl(askAgainVerb, l.address)
	if l.asked.Load() == before {
		t.Error("nothing was asked again")
	}
	l.lies(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	if out, _ := l.pawl(complete...); !strings.Contains(out, "2\tLater") {
		t.Errorf("after it: %q", out)
	}
}
