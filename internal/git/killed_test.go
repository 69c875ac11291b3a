package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// With this variable the program of the tests makes one call, in which it is killed.
const callVariable = "PAWL_TEST_GIT_CALL"

func TestMain(m *testing.M) {
	if call := os.Getenv(callVariable); call != "" {
		os.Exit(oneCall(strings.Split(call, "\n")))
	}
	os.Exit(atHome(m.Run))
}

func oneCall(call []string) int {
	ctx, done := context.WithTimeout(context.Background(), time.Minute)
	defer done()
	tree, err := Find(ctx, call[1])
	if err == nil {
		switch call[0] {
		case "forward":
			err = tree.FastForward(ctx, "refs/heads/main", call[2], call[3])
		case "rebase":
			_, _, err = tree.Rebase(ctx, call[2], call[3], call[4])
		}
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// between puts a git on PATH that does something at the n-th command that writes: $real
// is git, and $PPID the process that has called it.
func between(t *testing.T, do string) (env []string) {
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "the program of the test is a shell script")
	}
	real := must.Get(exec.LookPath("git"))(t)
	dir := t.TempDir()
	script := "#!/bin/sh\nreal='" + real + "'\ncount='" + filepath.Join(dir, "count") + "'\n" + `
for arg in "$@"; do
	case $arg in update-index|read-tree|update-ref|hash-object|clean)
		n=$(($(cat "$count") + 1))
		echo $n >"$count"
		` + do + `
		break;;
	esac
done
exec "$real" "$@"
`
	must.Do(t, errors.Join(os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755), os.WriteFile(filepath.Join(dir, "count"), []byte("0\n"), 0o644)))
	return []string{"PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH")}
}

// killed makes a call in another process, which is killed before or after its n-th
// command that writes. False: it had ended by then.
func killed(t *testing.T, n int, before bool, call ...string) bool {
	t.Helper()
	do := "$real \"$@\"; kill -9 $PPID; exit 1"
	if before {
		do = "kill -9 $PPID; exit 1"
	}
	env := between(t, "if [ $n = "+strconv.Itoa(n)+" ]; then "+do+"; fi")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), env...), callVariable+"="+strings.Join(call, "\n"))
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the call failed, and was not killed: %s", out)
	}
	return err != nil
}

// copied is the clone once more.
func (c *clone) copied() *clone {
	c.t.Helper()
	to := filepath.Join(c.t.TempDir(), "shop")
	must.Do(c.t, os.CopyFS(to, os.DirFS(c.dir)))
	real := must.Get(filepath.EvalSymlinks(to))(c.t)
	return &clone{t: c.t, dir: real}
}

// A fast-forward that is killed at any moment is completed by the next call.
func TestFastForwardKilled(t *testing.T) {
	t.Parallel()
	first := newClone(t)
	from, to := first.ahead()
	for _, before := range []bool{true, false} {
		n := 1
		for ; ; n++ {
			c := first.copied()
			c.write("stays", "edited")
			if !killed(t, n, before, "forward", c.dir, from, to) {
				break
			}
			err := ErrBusy
			for end := time.Now().Add(time.Minute); errors.Is(err, ErrBusy) && time.Now().Before(end); { // the last git of it may not have ended
				err = c.tree().FastForward(t.Context(), "refs/heads/main", from, to)
			}
			if err != nil {
				t.Fatalf("killed at %d, before %v: %v", n, before, err)
			}
			if got := c.git("status", "--porcelain"); got != "M stays" || c.at("main") != to || c.read("gone") != "now a file" {
				t.Errorf("killed at %d, before %v: %s", n, before, got)
			}
			if left, _ := filepath.Glob(c.path(".git/pawl-*")); len(left) > 0 || c.tree().Dir().Busy() {
				t.Errorf("killed at %d, before %v: it left %q", n, before, left)
			}
		}
		if n < 4 {
			t.Errorf("it was killed %d times", n-1)
		}
	}
}

// A rebase that is killed at any moment leaves nothing that the next one minds.
func TestRebaseKilled(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("count", ten)
	base := c.commit("Count")
	c.git("checkout", "-qb", "side")
	c.write("count", strings.Replace(ten, "2\n", "two\n", 1))
	tip := c.commit("Two")
	c.git("checkout", "-q", "main")
	c.write("count", strings.Replace(ten, "9\n", "nine\n", 1))
	onto := c.commit("Nine")
	w, tree := c.add("integrate", "")
	n := 1
	for ; killed(t, n, n%2 == 0, "rebase", w.dir, onto, base, tip); n++ {
		for _, put := range []func() (string, []string, error){
			func() (string, []string, error) { return tree.Rebase(t.Context(), onto, base, tip) },
			func() (string, []string, error) { return tree.Squash(t.Context(), onto, base, tip, "all") },
		} {
			newTip, conflicts, err := put()
			if err != nil || len(conflicts) > 0 || w.git("rev-parse", "HEAD") != newTip || w.git("status", "--porcelain") != "" {
				t.Fatal(n, conflicts, err)
			}
		}
		w.write("left", "x")
		w.write("count", "x")
	}
	if n < 4 {
		t.Errorf("it was killed %d times", n-1)
	}
}

// A branch that somebody moves in the middle stays there, and files are as before.
func TestFastForwardRace(t *testing.T) {
	c := newClone(t)
	from, to := c.ahead()
	other := c.git("commit-tree", "-m", "other", "-p", from, from+"^{tree}")
	c.write("stays", "edited")
	for _, e := range between(t, "if [ $arg = update-ref ]; then $real update-ref refs/heads/main "+other+"; fi") {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
	if err := c.tree().FastForward(t.Context(), "refs/heads/main", from, to); !errors.Is(err, ErrMoved) {
		t.Error(err)
	}
	if got := c.git("status", "--porcelain"); got != "M stays" || c.at("main") != other || c.read("changed") != "old\n" || c.read("gone/deep") != "x" {
		t.Error(got)
	}
}

// A git that was killed has left its lock in a tree where nobody else works.
func TestCheckoutLocked(t *testing.T) {
	c := newClone(t)
	head := c.git("rev-parse", "HEAD")
	w, tree := c.add("w", "refs/heads/w")
	_, theirs := c.part()
	w.write("readme", "mine\n")
	w.commit("Mine")
	w.fails("rebase", "--apply", c.git("commit-tree", "-m", "x", theirs+"^{tree}"))
	w.write(".gitignore", "*.log\n")
	w.write("x.log", "x")
	w.write("sub/x", "x")
	w.write(tree.Dir().Lock(), "")
	defer func(old time.Duration) { lockPatience = old }(lockPatience)
	lockPatience = 0
	must.Do(t, tree.Checkout(t.Context(), head))
	state, err := tree.State(t.Context())
	if err != nil || state.Head != head || state.Branch != "" || !state.Under.None() {
		t.Errorf("%+v %v", state, err)
	}
	if got := w.git("status", "--porcelain"); got != "?? x.log" {
		t.Error(got)
	}
	for what, do := range map[string]func(*Tree) error{
		"Checkout": func(m *Tree) error { return m.Checkout(t.Context(), head) },
		"Adopt":    func(m *Tree) error { return m.Adopt(t.Context(), head) },
		"Detach":   func(m *Tree) error { return m.Detach(t.Context()) },
		"Rebase":   func(m *Tree) error { _, _, err := m.Rebase(t.Context(), head, head, head); return err },
		"Squash":   func(m *Tree) error { _, _, err := m.Squash(t.Context(), head, head, head, "all"); return err },
	} {
		if err := do(c.tree()); err == nil || !strings.Contains(err.Error(), "main work tree") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
