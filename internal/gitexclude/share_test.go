package gitexclude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A board that branches have leaves the index and stays on the disk; other staged
// files stay as they are, and the commit that is left deletes the board's files alone.
func TestShare(t *testing.T) {
	for _, folder := range []string{"", "services/a b*"} {
		c := newClone(t)
		dir := filepath.Join(c.dir, filepath.FromSlash(folder))
		board := c.board(dir)
		c.write(filepath.Join(board, ".gitignore"), "/.pawl/\n")
		c.git("add", "-A")
		c.git("commit", "-qm", "Plan")
		c.git("branch", "old")
		c.write(filepath.Join(c.dir, "code"), "new\n")
		c.git("add", "code")
		c.write(filepath.Join(board, "task_1.json"), `{"changed": 1}`)
		c.write(filepath.Join(board, "task_2.json"), "{}\n")
		prefix := filepath.ToSlash(filepath.Join(filepath.FromSlash(folder), ".tasks"))
		want := []string{prefix + "/.gitignore", prefix + "/task_1.json"}
		v, err := Versioned(t.Context(), board)
		if err != nil || v.Branch == "" || len(v.Others) != 1 || v.Others[0] != "old" || cmp.Diff(want, v.Index) != "" {
			t.Fatalf("%+v, %v", v, err)
		}
		for range 2 {
			got, err := Share(t.Context(), board)
			if err != nil || cmp.Diff(want, got) != "" {
				t.Fatalf("%q, %v", got, err)
			}
			if _, hidden := Made(board); !hidden {
				t.Fatalf("not hidden:\n%s", c.read(c.exclude()))
			}
			want = nil // the second time there are none
		}
		c.git("commit", "-qm", "Share tasks")
		if left := c.git("ls-tree", "-r", "--name-only", "HEAD"); left != "code\nreadme\n" {
			t.Errorf("the commit has %q", left)
		}
		if seen := c.seen(); seen != "" {
			t.Errorf("git sees %q", seen)
		}
		if _, err := os.Stat(filepath.Join(board, "task_2.json")); err != nil || c.read(filepath.Join(board, "task_1.json")) != `{"changed": 1}` {
			t.Error("files of the board have changed", err)
		}
		if changed, err := Show(t.Context(), board); !changed || err != nil || c.seen() == "" {
			t.Errorf("shown again: %v, %v", changed, err)
		}
	}
}

// A file in conflict has several entries in git's index, and is one file.
func TestShareInConflict(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	task := filepath.Join(board, "task_1.json")
	c.write(filepath.Join(board, "task_2.json"), "{}\n")
	c.git("add", "-A")
	c.git("commit", "-qm", "Plan")
	c.git("checkout", "-qb", "other")
	c.write(task, `{"other": 1}`)
	c.git("commit", "-qam", "Other")
	c.git("checkout", "-q", "-")
	c.write(task, `{"here": 1}`)
	c.git("commit", "-qam", "Here")
	c.git("-c", "alias.meet=!git merge -q other || true", "meet")
	got, err := Share(t.Context(), board)
	if want := []string{".tasks/task_1.json", ".tasks/task_2.json"}; err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%q, %v", got, err)
	}
}

// Outside of git there is nothing to do, and what a line of another kind hides needs
// none of ours.
func TestShareElsewhere(t *testing.T) {
	dir := t.TempDir()
	if v, err := Versioned(t.Context(), filepath.Join(dir, ".tasks")); err != nil || v.Index != nil || v.Branch != "" {
		t.Errorf("%+v, %v", v, err)
	}
	if got, err := Share(t.Context(), filepath.Join(dir, ".tasks")); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	c := newClone(t)
	board := c.board(c.dir)
	c.write(filepath.Join(c.dir, ".gitignore"), ".tasks/\n")
	before := c.read(c.exclude())
	if _, err := Share(t.Context(), board); err != nil || c.read(c.exclude()) != before {
		t.Errorf("%v\n%s", err, c.read(c.exclude()))
	}
	private := newClone(t)
	board = private.board(private.dir)
	if _, err := Hide(t.Context(), board, "claude"); err != nil {
		t.Fatal(err)
	}
	if _, err := Share(t.Context(), board); err != nil {
		t.Fatal(err)
	}
	if by, hidden := Made(board); by != "" || !hidden || private.seen() != "" {
		t.Errorf("made by %q, %v, git sees %q", by, hidden, private.seen())
	}
}

// Files of a board that belong to one clone leave the index, and nothing else does.
func TestMachinery(t *testing.T) {
	for _, folder := range []string{"", "services/a b*"} {
		c := newClone(t)
		board := c.board(filepath.Join(c.dir, filepath.FromSlash(folder)))
		prefix := filepath.ToSlash(filepath.Join(filepath.FromSlash(folder), ".tasks"))
		if got, err := Machinery(t.Context(), board, true); len(got) > 0 || err != nil {
			t.Fatalf("%+v, %v", got, err)
		}
		c.write(filepath.Join(board, ".lock"), "")
		c.write(filepath.Join(board, ".pawl", "journal", "1.jsonl"), "{}\n")
		c.write(filepath.Join(board, "a.pawl"), "mine\n")
		c.git("add", "-A")
		for i, want := range []int{1, 1, 0} {
			got, err := Machinery(t.Context(), board, i > 0)
			if len(got) != want || err != nil {
				t.Fatalf("look %d: %+v, %v", i, got, err)
			}
			if want == 1 && (got[0].Kind != "tracked" || got[0].File != ".lock" || !strings.Contains(got[0].Text, "2 files")) {
				t.Errorf("%+v", got)
			}
		}
		if got, want := c.git("ls-files", prefix), prefix+"/a.pawl\n"+prefix+"/task_1.json\n"; got != want {
			t.Errorf("git tracks\n%s", got)
		}
		if c.read(filepath.Join(board, ".pawl", "journal", "1.jsonl")) != "{}\n" {
			t.Error("a file is gone")
		}
	}
}
