//go:build unix

package git_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// bounds of what a command may take when the remote is not well, with -long. The machine
// that runs the tests is slow: what the commands promise is less.
const (
	ofClaim = 20 * time.Second  // it promises 10
	ofSync  = 150 * time.Second // it promises 120
	ofOther = 5 * time.Second   // it waits for no network
)

// timed runs pawl with a terminal's input that never comes, and returns how long it
// took.
func (c *clone) timed(within time.Duration, args ...string) (out string, code int) {
	c.Helper()
	r, w, err := os.Pipe()
	must.Do(c.TB, err)
	defer r.Close()
	defer w.Close()
	cmd := c.command("pawl", args...)
	if cmd.Stdin == nil {
		cmd.Stdin = r
	}
	began := time.Now()
	text, _ := cmd.CombinedOutput()
	if took := time.Since(began); *long.Asked && took > within {
		c.Errorf("pawl %s took %v", strings.Join(args, " "), took)
	}
	if strings.ContainsAny(string(text), "\x1b\x07\u202e") {
		c.Errorf("pawl %s: what the remote says reaches the terminal: %q", strings.Join(args, " "), text)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// away has ada work while the remote is not there for her: all goes on, is said, and
// arrives as soon as it is there again.
func away(t *testing.T, team *team, words string, well func()) {
	t.Helper()
	works(t, team, words)
	ada, bob := team.clones[0], team.clones[1]
	out, code := ada.timed(ofSync, "sync")
	if code == 0 || !strings.Contains(out, words) {
		t.Errorf("pawl sync: exit %d, and not %q\n%s", code, words, out)
	}
	out = ada.pawl()
	for strings.Contains(out, "syncing now") { // the courier of done tries, too
		out = ada.pawl()
	}
	if !strings.Contains(out, words) {
		t.Errorf("pawl does not say why nothing is sent:\n%s", out)
	}
	well()
	ada.sync()
	bob.sync()
	bob.called("Offline")
	team.settle()
}

// works is what ada does without the remote.
func works(t *testing.T, team *team, words string) {
	t.Helper()
	ada := team.clones[0]
	out, code := ada.timed(ofClaim, "claim", "1")
	if code != 4 || !strings.Contains(out, words) {
		t.Errorf("pawl claim: exit %d, and not %q\n%s", code, words, out)
	}
	if out := ada.pawl("list"); !strings.Contains(out, "[ ] #1 ") {
		t.Errorf("it was refused, and something is claimed:\n%s", out)
	}
	out, code = ada.timed(ofClaim, "claim", "1", "--offline")
	claimed := code == 0
	if claimed != strings.Contains(out, "here only") || !claimed && code != 4 || !strings.Contains(out, words) {
		t.Errorf("pawl claim --offline: exit %d, and not %q\n%s", code, words, out)
	}
	if out := ada.pawl(); claimed != strings.Contains(out, "here only") {
		t.Errorf("claimed here only: %v, and pawl says\n%s", claimed, out)
	}
	if out, code := ada.timed(ofOther, "add", "Offline"); code != 0 {
		t.Errorf("pawl add: exit %d\n%s", code, out)
	}
	began := time.Now()
	ada.hook()
	if took := time.Since(began); *long.Asked && took > ofOther {
		t.Errorf("the hook took %v", took)
	}
	if out, code := ada.timed(ofClaim, "done", "1", "--offline"); code == 0 != claimed {
		t.Errorf("pawl done: exit %d\n%s", code, out)
	}
}

// TestAway: a remote that is slow, that asks, that refuses, that is not there.
func TestAway(t *testing.T) {
	for _, a := range []struct {
		name  string
		fault fault
		words string
	}{
		{"password", fault{Asks: true}, "Permission denied"},
		{"host key", fault{Denied: "Host key verification failed."}, "Host key verification failed"},
		{"no host", fault{Denied: "ssh: Could not resolve hostname example.org: Name or service not known"}, "resolve"},
		{"escapes", fault{Denied: "\x1b]0;owned\x07\u202eno"}, "no"},
		{"read only", fault{Denied: "ERROR: Permission to shop.git denied to ada.", Reads: true}, "denied"},
	} {
		if !*long.Asked && a.name != "escapes" {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
			broken := team.clones[0].wire(team.remote)
			broken(a.fault)
			away(t, team, a.words, func() { broken(fault{}) })
		})
	}
	t.Run("moved away", func(t *testing.T) {
		t.Parallel()
		team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
		must.Do(t, os.Rename(team.remote, team.remote+".away"))
		away(t, team, "remote.git", func() { must.Do(t, os.Rename(team.remote+".away", team.remote)) })
	})
	t.Run("http password", func(t *testing.T) {
		long.Only(t)
		t.Parallel()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="shop"`)
			w.WriteHeader(http.StatusUnauthorized)
		}))
		defer server.Close()
		team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
		team.clones[0].git("remote", "set-url", "origin", server.URL+"/shop.git")
		away(t, team, "127.0.0.1", func() { team.clones[0].git("remote", "set-url", "origin", team.remote) })
	})
}

// TestNeverAnswers: whatever the way to it, a remote that never answers keeps no command
// longer than it says. A sync that a person asked for has the most patience: two minutes,
// which are tried with -long.
func TestNeverAnswers(t *testing.T) {
	long.Only(t)
	for _, scheme := range []string{"ssh", "git", "http"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
			ada := team.clones[0]
			well := func() { ada.git("remote", "set-url", "origin", team.remote) }
			if scheme == "ssh" {
				ada.wire(team.remote)(fault{Silent: true})
			} else {
				ada.git("remote", "set-url", "origin", scheme+"://"+silence(t)+"/shop.git")
			}
			away(t, team, "answer", well)
		})
	}
}

// silence listens, and says nothing to anybody.
func silence(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	var open []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open = append(open, c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
		for _, c := range open {
			c.Close()
		}
	})
	return l.Addr().String()
}

// TestSlow: a remote that takes its time is waited for.
func TestSlow(t *testing.T) {
	long.Only(t)
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
	broken := team.clones[0].wire(team.remote)
	broken(fault{Delay: 1500 * time.Millisecond})
	if out, code := team.clones[0].timed(ofClaim, "claim", "1"); code != 0 || strings.Contains(out, "here only") {
		t.Errorf("pawl claim: exit %d\n%s", code, out)
	}
	if out, code := team.clones[0].timed(ofOther, "done", "1"); code != 0 {
		t.Errorf("pawl done: exit %d\n%s", code, out)
	}
	broken(fault{})
	team.settle()
}

// TestSandbox: a command in a sandbox without a network gets its claim through pawl mcp,
// which has one; without it, it is told which tool helps. It is an agent's.
func TestSandbox(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "One", "Two")
	ada := team.clones[0]
	boxed := *ada
	boxed.vars = append(boxed.vars[:len(boxed.vars):len(boxed.vars)], "PAWL_AGENT=claude", "PAWL_SESSION=boxed", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url.git://127.0.0.1:1/.insteadOf", "GIT_CONFIG_VALUE_0="+filepath.Dir(team.remote)+"/") // nobody listens there
	boxed.refused(4, "task_claim", "claim", "1")
	cmd := ada.command("pawl", "mcp")
	in, err := cmd.StdinPipe()
	must.Do(t, err)
	must.Do(t, cmd.Start())
	defer cmd.Wait()
	defer in.Close()
	for {
		if _, err := os.Stat(filepath.Join(ada.board, ".pawl", "relay.lock")); err == nil {
			break
		}
		runtime.Gosched()
	}
	boxed.pawl("claim", "1")
	team.clones[1].refused(4, "claimed by claude", "claim", "1")
}
