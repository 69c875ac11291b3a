//go:build unix

package git_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A scene is a clone in which a command is to be killed.
type scene struct {
	name  string
	nets  nets
	build func(w *world) *clone // the same each time, but for the place
	args  []string              // of pawl
}

var scenes = []scene{
	{"stopped", nets{false, true}, func(w *world) *clone {
		ada, bob := manyApart(w)
		ada.pull2(bob)
		return ada
	}, []string{"merge"}},
	{"lines", nets{}, func(w *world) *clone {
		ada, bob := manyApart(w)
		ada.pull2(bob)
		return ada
	}, []string{"merge"}},
	{"driven", nets{true, true}, func(w *world) *clone {
		ada, bob := manyApart(w)
		ada.pull2(bob)
		return ada
	}, []string{"merge"}},
	{"rebasing", nets{false, true}, func(w *world) *clone {
		ada, bob := manyApart(w)
		ada.run("git", "pull", "-q", "--rebase", bob.root, "HEAD")
		return ada
	}, []string{"merge"}},
	{"write", nets{false, true}, func(w *world) *clone {
		ada, bob := manyApart(w)
		ada.pull2(bob)
		return ada
	}, []string{"add", firstWrite}},
	{"undo", nets{false, true}, func(w *world) *clone {
		ada, bob := manyApart(w)
		ada.pull2(bob)
		ada.pawl("merge")
		return ada
	}, []string{"merge", "--abort"}},
}

// manyApart makes two clones that differ in some of everything.
func manyApart(w *world) (ada, bob *clone) {
	ada = w.first("ada", "Base", "Contested", "Deleted")
	bob = ada.clone("bob")
	for _, c := range []*clone{ada, bob} {
		for i := range 3 {
			c.pawl("add", fmt.Sprint(c.who, " ", i), "--blocked-by", "1")
		}
		c.pawl("note", "1", "from "+c.who)
	}
	ada.pawl("rm", "2")
	bob.pawl("note", "2", "still needed")
	ada.pawl("rm", "3")
	ada.save("Ada's")
	bob.save("Bob's")
	return ada, bob
}

// again puts the clone back as it was copied to dir, in its own place: what is taken
// back is so where it was done.
func (c *clone) again(dir string) {
	c.Helper()
	must.Do(c.TB, os.RemoveAll(c.root))
	must.Do(c.TB, os.CopyFS(c.root, os.DirFS(dir)))
}

// copyTo copies the clone.
func (c *clone) copyTo(dir string) *clone {
	c.Helper()
	must.Do(c.TB, os.CopyFS(dir, os.DirFS(c.root)))
	d := *c
	d.root, d.board = dir, filepath.Join(dir, ".tasks")
	return &d
}

// TestKilled kills pawl while it merges, at moments all over its work. The next
// `pawl merge` ends what it was at, with the same files as if nothing had happened.
func TestKilled(t *testing.T) {
	long.Only(t)
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t, s.nets)
			c, before := s.build(w), filepath.Join(w.dir, "before")
			c.copyTo(before)
			started := time.Now()
			c.pawl(s.args...)
			took := time.Since(started)
			c.pawl("merge")
			want, index := c.withoutFirstWrite(), c.git("ls-files", "--stage")

			rnd := rand.New(rand.NewPCG(*seed, 1))
			died := 0
			for i := range *kills {
				c.again(before)
				after := time.Duration(float64(took) * (float64(i) + rnd.Float64()) / float64(*kills))
				if c.kill(after, i%2 == 0, s.args...) {
					died++
				}
				c.ends(want, index)
				if t.Failed() {
					t.Fatalf("killed after %v of %v", after, took)
				}
			}
			t.Logf("%d of %d died before their end, which takes %v", died, *kills, took)
			if died < *kills/4 {
				t.Errorf("%d of %d died: the test did not test what it means to", died, *kills)
			}
		})
	}
}

// firstWrite is the task that a command was to add which merges first. Nobody was told
// that it was added, so that it may be there or not.
const firstWrite = "The first write"

func (c *clone) withoutFirstWrite() map[string]string {
	c.Helper()
	files := c.files()
	for name, text := range files {
		if strings.Contains(text, firstWrite) {
			delete(files, name)
		}
	}
	return files
}

// kill runs pawl and kills it, alone or with the programs that it runs, and reports
// whether that was before its end.
func (c *clone) kill(after time.Duration, all bool, args ...string) bool {
	c.Helper()
	cmd := c.command("pawl", args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must.Do(c.TB, cmd.Start())
	time.Sleep(after)
	who := cmd.Process.Pid
	if all {
		who = -who
	}
	syscall.Kill(who, syscall.SIGKILL)
	err := cmd.Wait()
	for syscall.Kill(-cmd.Process.Pid, 0) == nil { // what is left of it ends by itself
		time.Sleep(time.Millisecond)
	}
	return err != nil
}

// ends checks that the board can be read, and that the next merge ends what was
// interrupted.
func (c *clone) ends(want map[string]string, index string) {
	c.Helper()
	if out, code := c.run("pawl", "list"); code != 0 {
		c.Errorf("pawl list: exit %d\n%s", code, out)
	}
	lock := c.gitPath("index.lock")
	if _, err := os.Lstat(lock); err == nil { // git was killed, too: it says itself who must remove that
		c.refused(6, "index.lock", "merge")
		must.Do(c.TB, os.Remove(lock))
	}
	c.pawl("merge")
	if diff := cmp.Diff(want, c.withoutFirstWrite()); diff != "" {
		c.Errorf("the board is another one (-undisturbed +killed):\n%s", diff)
	}
	if now := c.git("ls-files", "--stage"); now != index {
		c.Errorf("git's index is another one:\n%s\nundisturbed:\n%s", now, index)
	}
	c.sound()
}

// calls are those of the system that change files, or run a program.
const calls = "write,pwrite64,rename,renameat,renameat2,unlink,unlinkat,link,linkat,mkdir,mkdirat,fsync,fdatasync,ftruncate,execve"

// TestKilledAtCalls kills pawl, or a git that it runs, just as it makes its n-th call
// that changes something: at each of them, if there are that many -kills.
func TestKilledAtCalls(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		mustrun.Skip(t, "strace is not installed")
	}
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			long.Seldom(t, 3)
			w := newWorld(t, s.nets)
			c, before := s.build(w), filepath.Join(w.dir, "before")
			c.copyTo(before)
			last := c.callsOf(strace, s.args...)
			c.pawl("merge")
			want, index := c.withoutFirstWrite(), c.git("ls-files", "--stage")
			died := 0
			step := max(1, last / *kills)
			for n := 1; n <= last; n += step {
				c.again(before)
				trace := filepath.Join(w.dir, "trace")
				c.run(strace, c.traced("-o", trace, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", calls, n), s.args)...)
				text, err := os.ReadFile(trace)
				must.Do(t, err)
				if strings.Contains(string(text), "killed by SIGKILL") {
					died++ // pawl, or a git that it ran
				}
				c.ends(want, index)
				if t.Failed() {
					t.Fatalf("killed at call %d of %d", n, last)
				}
			}
			t.Logf("%d kills, at every %d. of %d calls", died, step, last)
			if died < (last+step-1)/step/2 { // threads share the calls otherwise each time
				t.Errorf("%d died: the test did not test what it means to", died)
			}
		})
	}
}

func (c *clone) traced(o, file, e, what string, args []string) []string {
	return append([]string{"-f", "-qqq", "-E", "GOMAXPROCS=1", "-e", "trace=" + calls, o, file, e, what, filepath.Join(program, "pawl")}, args...)
}

// callsOf runs pawl and returns the number of such calls of its busiest thread, by
// which strace counts.
func (c *clone) callsOf(strace string, args ...string) (most int) {
	c.Helper()
	file := filepath.Join(c.dir, "calls")
	if out, code := c.run(strace, c.traced("-o", file, "-e", "signal=none", args)...); code != 0 {
		c.Fatalf("strace: exit %d\n%s", code, out)
	}
	text, err := os.ReadFile(file)
	must.Do(c.TB, err)
	by := map[string]int{}
	for line := range strings.Lines(string(text)) {
		thread, call, _ := strings.Cut(line, " ")
		call = strings.TrimSpace(call)
		if !strings.Contains(call, "resumed>") && !strings.HasPrefix(call, "+++") && !strings.HasPrefix(call, "---") {
			by[thread]++
			most = max(most, by[thread])
		}
	}
	return most
}
