package gitmerge_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitmerge"
)

// With the driver git puts each commit of a rebase on another board without a
// stop. Notes and texts that name a task which moved say its new number, once.
func TestRebaseOfManyCommits(t *testing.T) {
	t.Parallel()
	for _, stop := range []bool{false, true} {
		ann, bob := twoClones(t)
		bob.do(pawl.AddNote{ID: 1, Text: "bob looked at #3"})
		if stop {
			bob.write("cart.ts", "bob\n")
		}
		bob.commit("Look")
		ann.drive()
		ann.merger().Before(ctx(), ann.by())
		ann.git("fetch", "-q", bob.dir, "main:bob2")
		for _, text := range []string{"one of #3", "two of #4", "three of #3"} {
			ann.do(pawl.AddNote{ID: 1, Text: text})
			ann.do(pawl.AddNote{ID: 3, Text: "own " + text})
			if stop && text == "two of #4" {
				ann.write("cart.ts", "ann\n")
			}
			ann.commit(text)
		}
		if stop {
			ann.stops("rebase", "bob2")
			ann.write("cart.ts", "both\n")
			ann.do(pawl.AddNote{ID: 2, Text: "in the middle"}) // an agent goes on
			ann.git("add", "-A")
			ann.git("rebase", "--continue")
		} else {
			ann.git("rebase", "-q", "bob2")
		}
		if out := ann.merger().Before(ctx(), ann.by()); out == nil || len(out.Report.Moved) != 2 {
			t.Fatalf("outcome %+v", out)
		}
		files := ann.files()
		for text, want := range map[string]int{
			`"bob looked at #3"`: 1, `"one of #5"`: 1, `"two of #6"`: 1, `"three of #5"`: 1,
			`"own one of #5"`: 1, `"own two of #6"`: 1, `"own three of #5"`: 1, ` of #3"`: 0, ` of #4"`: 0,
			`"in the middle"`: map[bool]int{true: 1}[stop],
		} {
			n := 0
			for _, file := range files {
				n += strings.Count(file, text)
			}
			if n != want {
				t.Errorf("stop %v: %s is there %d times", stop, text, n)
			}
		}
		ann.has(bothOfTwo)
	}
}

// A commit that the user drops stays away, and what is dropped in the middle does
// not come back by those around it.
func TestRebaseDropsACommit(t *testing.T) {
	ann, _ := twoClones(t)
	ann.drive()
	ann.merger().Before(ctx(), ann.by())
	ann.add("Unwanted")
	ann.commit("Unwanted")
	unwanted := strings.TrimSpace(ann.git("rev-parse", "HEAD"))
	ann.add("Wanted")
	ann.commit("Wanted")
	ann.Setenv("GIT_SEQUENCE_EDITOR", "sed -i /"+unwanted[:7]+"/d")
	ann.git("rebase", "-q", "-i", "bob")
	ann.merger().Before(ctx(), ann.by())
	got := ann.tasks()
	if strings.Contains(got, "Unwanted") || !strings.Contains(got, " Wanted") || !strings.Contains(got, " Rotate the key was [#3]") {
		t.Errorf("after the rebases\n%s", got)
	}
}

// What somebody writes into a file with two tasks before git commits it stays.
func TestEditOfAFileWithTwoTasks(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	bob.write("cart.ts", "bob\n")
	bob.commit("Cart")
	ann.drive()
	ann.write("cart.ts", "ann\n")
	ann.commit("Cart")
	ann.merger().Before(ctx(), ann.by())
	ann.git("fetch", "-q", bob.dir, "main:bob2")
	ann.stops("merge", "bob2")
	ann.do(pawl.AddNote{ID: 3, Text: "half done"})
	ann.write("cart.ts", "both\n")
	ann.commit("Merge")
	ann.merge()
	ann.has(bothOfTwo)
	if text := ann.files()["task_3.json"]; !strings.Contains(text, "half done") {
		t.Errorf("the note is gone: %s", text)
	}
}

// A commit that is here already has nothing to bring.
func TestRefThatIsHere(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	for _, ref := range []string{"HEAD", "main", "HEAD^"} {
		out, err := ann.merger().Merge(ctx(), gitmerge.Options{By: ann.by(), Ref: ref})
		if err != nil || !out.Nothing() {
			t.Errorf("%s: %+v, %v", ref, out, err)
		}
	}
}
