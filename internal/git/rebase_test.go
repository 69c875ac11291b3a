package git

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// commitAs makes a commit of all files, by somebody at a time of their own.
func (c *clone) commitAs(author, message string) string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "--author", author, "--date", "2020-01-02T03:04:05+0200", "-m", message)
	return c.git("rev-parse", "HEAD")
}

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

func TestRebase(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		ctx := t.Context()
		c.write("count", ten)
		c.write(".gitattributes", "log merge=union\n")
		c.write("log", "0\n")
		base := c.commit("Count")
		c.git("checkout", "-qb", "side")
		c.write("count", strings.Replace(ten, "2\n", "two\n", 1))
		c.write("log", "0\nside\n")
		c.commitAs("Bea <bea@example.com>", "Two\n\nin words")
		c.write("same", "same\n")
		c.commit("Same")
		c.git("mv", "count", "counted")
		tip := c.commit("Rename")
		c.git("checkout", "-q", "main")
		c.write("count", strings.Replace(ten, "9\n", "nine\n", 1))
		c.write("log", "0\nmain\n")
		c.write("same", "same\n")
		onto := c.commit("Nine")
		_, tree := c.add("integrate", "")
		newTip, conflicts, err := tree.Rebase(ctx, onto, base, tip)
		if err != nil || len(conflicts) > 0 {
			t.Fatal(conflicts, err)
		}
		w := &clone{t: t, dir: tree.Root}
		if w.git("rev-parse", "HEAD") != newTip || w.git("status", "--porcelain") != "" {
			t.Error("it is not checked out")
		}
		if got := w.git("log", "--format=%an/%ae/%aI/%cn/%B", onto+".."+newTip); !strings.Contains(got, "Bea/bea@example.com/2020-01-02T03:04:05+02:00/Ada/Two\n\nin words") || strings.Contains(got, "Same") {
			t.Error(got)
		}
		if got := w.read("counted"); got != strings.NewReplacer("2\n", "two\n", "9\n", "nine\n").Replace(ten) {
			t.Error(got)
		}
		if got := w.read("log"); got != "0\nmain\nside\n" {
			t.Error(got)
		}
		// What is there already stays the very commits.
		if again, _, err := tree.Rebase(ctx, onto, base, newTip); err != nil || again != newTip {
			t.Error(again, err)
		}
		if is, err := tree.Contains(ctx, newTip, onto, newTip); !is || err != nil {
			t.Error(is, err)
		}
		w.git("fsck", "--strict", "--no-dangling")
	})
}

// TestSquash has a branch take up what the target got later, and resolve a conflict in
// that merge: one commit has all of it, on a target that has moved since.
func TestSquash(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		ctx := t.Context()
		c.write("count", ten)
		base := c.commit("Count")
		c.git("checkout", "-qb", "side")
		c.write("count", strings.Replace(ten, "2\n", "two\n", 1))
		c.commitAs("Bea <bea@example.com>", "Two")
		c.git("checkout", "-q", "main")
		c.write("count", strings.Replace(ten, "2\n", "II\n", 1))
		c.commit("II")
		c.git("checkout", "-q", "side")
		c.fails("merge", "-q", "main")
		c.write("count", strings.Replace(ten, "2\n", "two, II\n", 1))
		c.git("commit", "-qam", "Merge")
		c.write("new", "new\n")
		tip := c.commit("New")
		c.git("checkout", "-q", "main")
		c.write("count", strings.NewReplacer("2\n", "II\n", "9\n", "nine\n").Replace(ten))
		onto := c.commit("Nine")
		_, tree := c.add("integrate", "")
		made, conflicts, err := tree.Squash(ctx, onto, base, tip, "All\n\nOf: it\n")
		if err != nil || len(conflicts) > 0 {
			t.Fatal(conflicts, err)
		}
		w := &clone{t: t, dir: tree.Root}
		if w.git("rev-parse", "HEAD") != made || w.git("status", "--porcelain") != "" {
			t.Error("it is not checked out")
		}
		if got := w.git("log", "--format=%P %an %ae %cn %B", onto+".."+made); got != onto+" "+w.git("log", "-1", "--format=%an %ae %cn", onto)+" All\n\nOf: it" {
			t.Error(got)
		}
		if got := w.read("count"); got != strings.NewReplacer("2\n", "two, II\n", "9\n", "nine\n").Replace(ten) || w.read("new") != "new\n" {
			t.Error(got)
		}
		if is, err := tree.Contains(ctx, made, base, tip); !is || err != nil {
			t.Error(is, err)
		}
		if again, _, err := tree.Squash(ctx, made, base, tip, "All"); err != nil || again != made {
			t.Error("it was made twice:", again, err)
		}
		other := w.git("commit-tree", "-p", base, "-m", "Other", w.git("rev-parse", base+"^{tree}"))
		w.git("checkout", "-q", other)
		w.write("new", "other\n")
		if _, conflicts, err := tree.Squash(ctx, w.commit("Conflict"), base, tip, "All"); err != nil || !slices.Equal(conflicts, []string{"new"}) {
			t.Error(conflicts, err)
		}
		w.git("fsck", "--strict", "--no-dangling")
	})
}

func TestRebaseConflict(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	ctx := t.Context()
	base := c.git("rev-parse", "HEAD")
	onto, tip := c.part()
	w, tree := c.add("integrate", "")
	w.write("here", "stays")
	before := w.git("status", "--porcelain")
	newTip, conflicts, err := tree.Rebase(ctx, onto, base, tip)
	if err != nil || newTip != "" || !slices.Equal(conflicts, []string{".tasks/task_1.json", ".tasks/task_2.json"}) {
		t.Fatal(newTip, conflicts, err)
	}
	if got := w.git("status", "--porcelain"); got != before || w.git("rev-parse", "HEAD") != onto {
		t.Error(got)
	}
	// Without the board there is nothing left to do.
	stripped, err := tree.Strip(ctx, base, tip, []string{".tasks"})
	if err != nil || stripped == tip {
		t.Fatal(stripped, err)
	}
	if newTip, conflicts, err = tree.Rebase(ctx, onto, base, stripped); err != nil || newTip != onto || len(conflicts) > 0 {
		t.Error(newTip, conflicts, err)
	}
}

func TestStrip(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		ctx, tree := t.Context(), c.tree()
		base := c.git("rev-parse", "HEAD")
		c.write("a", "a")
		first := c.commitAs("Bea <bea@example.com>", "First")
		c.write("b", "b")
		c.task(1, "Changed")
		c.task(2, "New")
		c.commitAs("Bea <bea@example.com>", "Second\n\n  with more  \n\n")
		c.write("c", "c")
		tip := c.commit("Third")
		if same, err := tree.Strip(ctx, base, first, []string{c.board()}); same != first || err != nil {
			t.Error(same, err)
		}
		got, err := tree.Strip(ctx, base, tip, []string{c.board(), "nowhere/deep"})
		must.Do(t, err)
		if c.git("rev-parse", got+"~2") != first || c.files(got) != ".tasks/task_1.json a b c readme" {
			t.Error(c.files(got))
		}
		if c.git("diff", "--stat", base, got, "--", ".tasks") != "" {
			t.Error("the board changed")
		}
		for _, at := range []string{"", "~1"} {
			if a, b := c.git("cat-file", "commit", got+at), c.git("cat-file", "commit", tip+at); a[strings.Index(a, "author"):] != b[strings.Index(b, "author"):] {
				t.Errorf("%s\nis now\n%s", b, a)
			}
		}
		if again, err := tree.Strip(ctx, base, tip, []string{".tasks"}); again != got || err != nil {
			t.Error("not the same each time", again, err)
		}
		// A board where base has none, and one that is all that there is.
		if got, err = tree.Strip(ctx, base, tip, []string{"a", "readme", "b", "c"}); err != nil || c.files(got) != ".tasks/task_1.json .tasks/task_2.json readme" {
			t.Error(c.files(got), err)
		}
		c.git("fsck", "--strict", "--no-dangling")
	})
}

func TestContains(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	ctx, tree := t.Context(), c.tree()
	base := c.git("rev-parse", "HEAD")
	c.git("checkout", "-qb", "side")
	c.write("a", ten)
	c.commit("A")
	c.write("b", ten)
	c.write("a", ten+"11\n")
	tip := c.commit("B")
	start := func(name string) {
		c.git("checkout", "-qb", name, base)
		c.write(name, name)
		c.commit(name)
	}
	for _, test := range []struct {
		name string
		want bool
		do   func()
	}{
		{"nothing", false, func() {}},
		{"merged", true, func() { c.git("merge", "-q", "--no-edit", "side") }},
		{"picked", true, func() { c.git("cherry-pick", base+"..side") }},
		{"half", false, func() { c.git("cherry-pick", "side~1") }},
		{"squashed", true, func() {
			c.git("merge", "--squash", "side")
			c.commit("Squash")
			c.write("later", "x")
			c.commit("Later")
		}},
		{"squashed-more-beside-it", true, func() {
			c.git("merge", "--squash", "side")
			c.write("c", "more")
			c.commit("Squash")
		}},
		{"squashed-changed", false, func() {
			c.git("merge", "--squash", "side")
			c.write("a", ten+"eleven\n")
			c.commit("Squash")
		}},
		{"but-for-white-space", false, func() {
			c.write("a", ten)
			c.commit("A")
			c.write("b", ten)
			c.write("a", ten+"  11\n")
			c.commit("B")
		}},
		{"other", false, func() { c.write("a", "other"); c.write("b", "other"); c.commit("Other") }},
	} {
		start(test.name)
		test.do()
		is, err := tree.Contains(ctx, c.git("rev-parse", "HEAD"), base, tip)
		if err != nil || is != test.want {
			t.Errorf("%s: %v %v", test.name, is, err)
		}
	}
	// Ones that take each other back are nowhere else.
	c.git("checkout", "-q", "side")
	c.git("revert", "--no-edit", base+"..side")
	if is, err := tree.Contains(ctx, base, base, c.git("rev-parse", "HEAD")); is || err != nil {
		t.Error("to and fro", is, err)
	}
	// The very files, and only that.
	c.git("checkout", "-q", "--detach", base)
	c.git("checkout", "-q", tip, ".")
	one := c.commit("One")
	c.write("x", "x")
	if is, err := tree.Contains(ctx, c.commit("Later"), base, tip); !is || err != nil {
		t.Error("the same files", one, is, err)
	}
}
