package gitmerge_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
)

// TestMain lets the test program be the merge driver.
func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == "merge-file" {
		var texts [3][]byte
		for i := range texts {
			texts[i], _ = os.ReadFile(os.Args[2+i])
		}
		text, err := merge.Driver(os.Args[5], texts[0], texts[1], texts[2])
		if err == nil {
			err = os.WriteFile(os.Args[3], text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(atHome(m.Run))
}

// atHome gives all tests one home: they run at once, because each waits for git.
func atHome(run func() int) int {
	dir, err := os.MkdirTemp("", "home")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte("[maintenance]\nauto = false\n"), 0o600) // a process less for each commit
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		os.Setenv(name, dir)
	}
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	template = filepath.Join(dir, "template")
	flag.Parse()
	_ = flag.Set("test.parallel", "8")
	return run()
}

// drive lets git call the merge driver.
func (c *clone) drive() {
	c.Helper()
	self := must.Get(os.Executable())(c)
	c.git("config", "merge.pawl.driver", self+" merge-file %O %A %B %P")
	must.Do(c, os.WriteFile(filepath.Join(c.dir, ".git", "info", "attributes"), []byte(".tasks/task_*.json merge=pawl\n.tasks/.highwatermark merge=pawl\n"), 0o644))
}

// With the driver git does not stop, and a file may have two tasks until the next
// write.
func TestDriver(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.drive()
	ann.merger().Before(ctx(), ann.by())
	ann.git("merge", "-q", "--no-edit", "bob")
	out := ann.merger().Before(ctx(), ann.by())
	if out == nil || len(out.Report.Arrived) != 2 || len(out.Report.Moved) != 2 || out.Report.Moved[0].From != 3 || !out.Commit {
		t.Fatalf("outcome %+v", out)
	}
	ann.has(bothOfTwo)
	ann.commit("Merge tasks")
	bob.git("pull", "-q", "--ff-only", ann.dir, "main")
	if out := bob.merger().Before(ctx(), bob.by()); out != nil {
		t.Errorf("bob: %+v", out)
	}
	ann.same(bob)
}

func TestDriverInARebase(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.drive()
	ann.merger().Before(ctx(), ann.by())
	ann.add("Third", 4)
	ann.commit("Third")
	ann.git("rebase", "-q", "bob")
	out := ann.merger().Before(ctx(), ann.by())
	if out == nil || len(out.Sources) != 1 || out.Sources[0].Kind != merge.KindRebase || len(out.Report.Moved) != 2 {
		t.Fatalf("outcome %+v", out)
	}
	got := ann.tasks()
	for _, want := range []string{"#4 Wait for hooks after [#3]\n", "#5 Third after [#7]\n", "#6 Rotate the key was [#3]\n", "#7 Tell about the key after [#6] was [#4]\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// A squash leaves no parents: the files alone tell.
func TestDriverAndSquash(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.drive()
	ann.merger().Before(ctx(), ann.by())
	ann.git("merge", "-q", "--squash", "bob")
	ann.git("commit", "-q", "-m", "Squashed")
	m := ann.merger()
	out := m.Before(ctx(), ann.by())
	if out == nil || len(out.Sources) != 1 || out.Sources[0].Kind != merge.KindApart || len(out.Report.Moved) != 2 {
		t.Fatalf("outcome %+v", out)
	}
	if got := ann.tasks(); strings.Count(got, "\n") != 6 || !strings.Contains(got, "#5 Rotate the key") {
		t.Errorf("taken apart to\n%s", got)
	}
	if stale := m.Stale(ann.by(), out.Report.Changed); len(stale) == 0 {
		t.Error("who used the number is not told")
	}
}

// Several merges that git made without a word come at once: in two of them its driver
// put tasks into one file. Each is taken apart by what its own sides say, so that no task
// waits for one of another plan, and no text is there twice.
func TestDriverInSeveralMerges(t *testing.T) {
	t.Parallel()
	for name, settled := range map[string]bool{"settled by the colleague": true, "left as it is": false} {
		t.Run(name, func(t *testing.T) {
			ann, bob := twoClones(t)
			cleo := ann.clone("cleo")
			cleo.git("reset", "-q", "--hard", "HEAD~1")
			cleo.add("Translate")
			cleo.add("Proofread", 3)
			cleo.do(pawl.Update{ID: 4, Description: new("after #3")})
			cleo.do(pawl.AddNote{ID: 4, Text: "#3 first"})
			cleo.commit("Words")
			for _, c := range []*clone{ann, bob, cleo} {
				c.drive()
				c.merger().Before(ctx(), c.by())
			}
			ann.git("merge", "-q", "--no-edit", "bob")
			if settled {
				ann.merger().Before(ctx(), ann.by())
				ann.commit("Merge tasks")
			}
			cleo.git("pull", "-q", "--no-rebase", "--no-edit", ann.dir, "main")
			out := cleo.merger().Before(ctx(), cleo.by())
			if out == nil || len(out.Report.Noted)+len(out.Report.Unclear) > 0 {
				t.Errorf("outcome %+v", out)
			}
			cleo.has(bothOfTwo + "#7 Translate was [#3]\n#8 Proofread after [#7] was [#4]")
			if got := cleo.files()["task_8.json"]; !strings.Contains(got, `"after #7"`) || strings.Count(got, `"text"`) != 1 || !strings.Contains(got, "#7 first") {
				t.Errorf("task 8 is\n%s", got)
			}
			cleo.commit("Merge tasks")
			for _, c := range []*clone{ann, bob} {
				c.git("pull", "-q", "--ff-only", cleo.dir, "main")
				if out := c.merger().Before(ctx(), c.by()); out != nil && out.Revision != 0 {
					t.Errorf("%s: %+v", c.name, out)
				}
				c.same(cleo)
			}
		})
	}
}

// The same in one clone: two merges, and no write in between.
func TestDriverTwice(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	cleo := bob.clone("cleo")
	cleo.git("reset", "-q", "--hard", "HEAD~1")
	cleo.add("Translate")
	cleo.add("Proofread", 3)
	cleo.do(pawl.AddNote{ID: 4, Text: "#3 first"})
	cleo.commit("Words")
	ann.git("fetch", "-q", cleo.dir, "main:cleo")
	ann.drive()
	ann.merger().Before(ctx(), ann.by())
	ann.git("merge", "-q", "--no-edit", "bob")
	ann.git("merge", "-q", "--no-edit", "cleo")
	if out := ann.merger().Before(ctx(), ann.by()); out == nil || len(out.Report.Unclear) > 0 {
		t.Errorf("outcome %+v", out)
	}
	ann.has(bothOfTwo + "#7 Translate was [#3]\n#8 Proofread after [#7] was [#4]")
	if got := ann.files()["task_8.json"]; strings.Count(got, `"text"`) != 1 || !strings.Contains(got, "#7 first") {
		t.Errorf("task 8 is\n%s", got)
	}
}
