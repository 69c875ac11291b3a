package git

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// files lists what a commit has, without the board.
func (c *clone) files(commit string) string {
	return strings.ReplaceAll(c.git("ls-tree", "-r", "--name-only", commit), "\n", " ")
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		ctx := t.Context()
		c.write("gone", "x")
		c.write("folder/a", "a")
		c.write("turns", "t")
		c.write(".gitignore", "*.log\n")
		c.write(".env.example", "x")
		head := c.commit("Files")
		w, tree := c.add("w", "refs/heads/pawl/1")
		if id, err := tree.Snapshot(ctx, "nothing", nil); id != "" || err != nil {
			t.Fatal(id, err)
		}
		w.write(".env", "SECRET=1")
		w.task(1, "Changed")
		w.task(3, "New")
		w.write("x.log", "ignored")
		if id, err := tree.Snapshot(ctx, "nothing", []string{".env", w.board()}); id != "" || err != nil {
			t.Fatal(id, err)
		}
		w.write("readme", "changed\n")
		w.write("new/-x \"é", "new")
		w.remove("gone")
		w.remove("folder")
		w.write("folder", "now a file")
		w.remove("turns")
		w.write("turns/deep/x", "now a folder")
		w.write("staged", "s")
		w.git("add", "staged", ".env", ".tasks")
		w.git("update-index", "--assume-unchanged", ".env.example")
		w.write(".env.example", "y")
		index := w.read(strings.TrimPrefix(w.read(".git")[:len(w.read(".git"))-1], "gitdir: ") + "/index")
		id, err := tree.Snapshot(ctx, "pawl: leftovers of #1\n\nmore", []string{".env", ".tasks"})
		if err != nil || id == "" {
			t.Fatal(id, err)
		}
		if got := w.read(strings.TrimPrefix(w.read(".git")[:len(w.read(".git"))-1], "gitdir: ") + "/index"); got != index {
			t.Error("the index was changed")
		}
		if w.git("rev-parse", "HEAD") != head || w.git("symbolic-ref", "HEAD") != "refs/heads/pawl/1" {
			t.Error("HEAD moved")
		}
		if got, want := w.git("-c", "core.quotePath=false", "ls-tree", "-r", "-z", "--name-only", id), ".env.example\x00.gitignore\x00.tasks/task_1.json\x00folder\x00new/-x \"é\x00readme\x00staged\x00turns/deep/x\x00"; got != want {
			t.Errorf("it has %q\nwant   %q", got, want)
		}
		if w.git("show", id+":.tasks/task_1.json") != w.git("show", head+":.tasks/task_1.json") || w.git("show", id+":.env.example") != "y" {
			t.Error("the board changed, or what nobody was to look at did not")
		}
		if got := w.git("log", "-1", "--format=%an %ae %cn %P %B", id); got != "Ada ada@example.com Ada "+head+" pawl: leftovers of #1\n\nmore" {
			t.Error(got)
		}
		w.git("update-index", "--no-assume-unchanged", ".env.example")
		must.Do(t, tree.Adopt(ctx, id))
		if got := w.git("status", "--porcelain"); got != "M .tasks/task_1.json\n?? .env\n?? .tasks/task_3.json" {
			t.Errorf("afterwards: %s", got)
		}
		if w.git("rev-parse", "refs/heads/pawl/1") != id || w.git("symbolic-ref", "HEAD") != "refs/heads/pawl/1" {
			t.Error("the branch did not move")
		}
		if id, err := tree.Snapshot(ctx, "again", []string{".env", ".tasks"}); id != "" || err != nil {
			t.Error(id, err)
		}
		w.git("fsck", "--strict", "--no-dangling")
	})
}

// An edit of the same size, at the moment when the index was written, is seen.
func TestSnapshotYoung(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	w, tree := c.add("w", "")
	c.git("config", "core.trustctime", "false") // the time of a change to the inode would show it
	now := time.Now().Add(-time.Hour).Truncate(time.Second)
	w.write("readme", "aaaa\n")
	set := func(path string) {
		must.Do(t, os.Chtimes(path, now, now))
	}
	set(w.path("readme"))
	w.git("add", "readme")
	w.git("commit", "-qm", "a")
	w.write("readme", "bbbb\n")
	set(w.path("readme"))
	set(tree.Dir().Dir + "/index")
	id, err := tree.Snapshot(t.Context(), "b", nil)
	if err != nil || id == "" || w.git("show", id+":readme") != "bbbb" {
		t.Error(id, err)
	}
}

// In the middle of a merge, with a repository inside, and without any index.
func TestSnapshotOdd(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	_, theirs := c.part()
	w, tree := c.add("w", "")
	w.fails("merge", theirs)
	w.write("more", "x")
	id, err := tree.Snapshot(t.Context(), "conflict", nil)
	if err != nil || !strings.Contains(w.git("show", id+":.tasks/task_1.json"), "<<<<<<<") || w.files(id) != ".tasks/task_1.json .tasks/task_2.json more readme" {
		t.Fatal(id, err)
	}
	if state, err := tree.State(t.Context()); err != nil || len(state.Merge) != 1 {
		t.Error("the merge is gone", err)
	}
	if id, err = tree.Snapshot(t.Context(), "conflict", []string{".tasks"}); err != nil || w.files(id) != ".tasks/task_1.json .tasks/task_2.json more readme" || strings.Contains(w.git("show", id+":.tasks/task_1.json"), "<<<<<<<") {
		t.Error(id, err)
	}
	inner := &clone{t: t, dir: w.path("lib")}
	inner.write("lib.go", "package lib\n")
	inner.git("init", "-q")
	nested := (*Nested)(nil)
	if id, err = tree.Snapshot(t.Context(), "nested", nil); !errors.As(err, &nested) || nested.Paths[0] != "lib" || id == "" {
		t.Error(id, err)
	}
	must.Do(t, os.Remove(tree.Dir().Dir+"/index"))
	if again, err := tree.Snapshot(t.Context(), "nested", nil); !errors.As(err, &nested) || w.git("rev-parse", again+"^{tree}") != w.git("rev-parse", id+"^{tree}") {
		t.Error(again, err)
	}
}
