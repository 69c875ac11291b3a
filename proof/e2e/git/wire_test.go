//go:build unix

package git_test

import (
	"strings"
	"testing"
)

// TestWire keeps the broken connections honest: git, too, sees each of them.
func TestWire(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).project("ada")
	ada := team.clones[0]
	broken := ada.wire(team.remote)
	push := func() (string, int) {
		ada.git("commit", "-q", "--allow-empty", "-m", "Another one")
		return ada.run("git", "push", "-q", "origin", "main")
	}
	arrived := func() bool { return ada.git("rev-parse", "HEAD") == team.bare("rev-parse", "main")+"\n" }
	if out, code := push(); code != 0 || !arrived() {
		t.Fatalf("git push: exit %d\n%s", code, out)
	}
	for _, f := range []struct {
		fault
		arrives bool
		words   string
	}{
		{fault{Up: 300}, false, "Connection to example.org closed"},
		{fault{Down: 20}, false, "Connection to example.org closed"},
		{fault{Denied: "Host key verification failed."}, false, "Host key"},
	} {
		broken(f.fault)
		if out, code := push(); code == 0 || !strings.Contains(out, f.words) || arrived() != f.arrives {
			t.Errorf("%+v: exit %d, arrived: %v\n%s", f.fault, code, arrived(), out)
		}
		if _, code := ada.run("git", "ls-remote", "origin"); f.Down == 0 && f.Up == 0 && code == 0 {
			t.Errorf("%+v: git ls-remote works", f.fault)
		}
	}
	lost := false // the answer of a push that arrived
	for n := 20; n < 400 && !lost; n += 8 {
		broken(fault{Down: n})
		_, code := push()
		lost = code != 0 && arrived()
	}
	if !lost {
		t.Error("no answer was lost")
	}
	broken(fault{Denied: "no", Reads: true})
	if out, code := ada.run("git", "ls-remote", "origin"); code != 0 {
		t.Errorf("git ls-remote: exit %d\n%s", code, out)
	}
	broken(fault{})
	if out, code := push(); code != 0 || !arrived() {
		t.Errorf("git push: exit %d\n%s", code, out)
	}
}
