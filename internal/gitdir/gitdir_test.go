package gitdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

const (
	one = "1111111111111111111111111111111111111111"
	two = "2222222222222222222222222222222222222222"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}

// What is wrong in git's folder, or leads out of it, is as good as absent.
func TestBrokenFiles(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
	}{
		{"nothing", nil},
		{"no ids", map[string]string{"MERGE_HEAD": "side\n", "CHERRY_PICK_HEAD": "--all\n", "REVERT_HEAD": strings.Repeat("g", 40)}},
		{"long", map[string]string{"MERGE_HEAD": strings.Repeat(one+"\n", 10_000), "CHERRY_PICK_HEAD": strings.Repeat("1", 1<<20)}},
		{"folders", map[string]string{"MERGE_HEAD/x": "", "CHERRY_PICK_HEAD/x": "", "logs/HEAD/x": ""}},
		{"a log of nonsense", map[string]string{"logs/HEAD": "\x00\n" + one + "\n" + one + " " + two + "\n\n\n" + strings.Repeat("x", 1<<20)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
			for name, text := range test.files {
				write(t, filepath.Join(root, ".git", name), text)
			}
			tree, ok := Find(root)
			if !ok {
				t.Fatal("it is not found")
			}
			if u := tree.Under(); !u.None() {
				t.Errorf("under way is %+v", u)
			}
			if moves := tree.Moves("HEAD", 10); len(moves) > 0 {
				t.Errorf("moves are %+v", moves)
			}
			if s := tree.Stamp(); s != tree.Stamp() || s.Head == "" {
				t.Errorf("the stamp is %+v", s)
			}
		})
	}
}

// A reference that leads out of git's folder is not followed.
func TestReferenceElsewhere(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "secret"), one+"\n")
	for _, ref := range []string{"refs/../../secret", "../secret", "/etc/passwd", "refs/heads/../../../secret"} {
		write(t, filepath.Join(root, ".git", "HEAD"), "ref: "+ref+"\n")
		tree, _ := Find(root)
		if s := tree.Stamp(); strings.Contains(s.Head, one) {
			t.Errorf("%s was read: %+v", ref, s)
		}
	}
}

// The first lines of a log that is too long are left out, whole.
func TestMovesOfALongLog(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	var b strings.Builder
	for range 5000 {
		b.WriteString(one + " " + one + " Ada <ada@example.com> 1795221429 +0100\tcommit: " + strings.Repeat("x", 900) + "\n")
	}
	b.WriteString(strings.Repeat("0", 40) + " " + two + " Ada van A <a@b> 1795221430 +0100\tclone: from elsewhere\n")
	write(t, filepath.Join(root, ".git", "logs", "HEAD"), b.String())
	tree, _ := Find(root)
	moves := tree.Moves("HEAD", 100_000)
	if len(moves) < 900 || len(moves) > 1200 {
		t.Errorf("%d moves", len(moves))
	}
	last := moves[len(moves)-1]
	if last.From != "" || last.To != two || last.At.Unix() != 1795221430 || last.What != "clone: from elsewhere" {
		t.Errorf("the last is %+v", last)
	}
	if got := tree.Moves("HEAD", 3); len(got) != 3 || got[2] != last {
		t.Errorf("the last three are %+v", got)
	}
}

// A folder of work trees can come with an archive, and link to those of another clone: they
// are none of its own.
func TestLinkedOfAnotherClone(t *testing.T) {
	dir := t.TempDir()
	victim, evil := filepath.Join(dir, "victim"), filepath.Join(dir, "evil")
	for path, text := range map[string]string{
		"victim/.git/HEAD":                     "ref: refs/heads/main\n",
		"victim/.git/worktrees/side/HEAD":      "ref: refs/heads/side\n",
		"victim/.git/worktrees/side/commondir": "../..\n",
		"victim/.git/worktrees/side/gitdir":    filepath.Join(dir, "side", ".git") + "\n",
		"side/.git":                            "gitdir: " + filepath.Join(victim, ".git", "worktrees", "side") + "\n",
		"evil/.git/HEAD":                       "ref: refs/heads/main\n",
		"evil/.git/worktrees/own/commondir":    "../..\n",
		"evil/.git/worktrees/own/gitdir":       "../../../own/.git\n",
		"evil/own/.git":                        "gitdir: ../.git/worktrees/own\n",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(path)), text)
	}
	mustrun.Link(t, filepath.Join(victim, ".git", "worktrees", "side"), filepath.Join(evil, ".git", "worktrees", "side"))
	for root, want := range map[string]string{victim: filepath.Join(dir, "side"), evil: filepath.Join(evil, "own")} {
		if all := At(root, filepath.Join(root, ".git")).Linked(); len(all) != 1 || !same(all[0].Root, want) {
			t.Errorf("%s has the work trees %v, not %s alone", root, all, want)
		}
	}
}
