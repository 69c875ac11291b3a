package gitexclude

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A clone is a folder that real git manages.
type clone struct {
	t   *testing.T
	dir string
}

func newClone(t *testing.T) *clone {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
	root := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		t.Setenv(name, "") // as in a hook of git's that runs the tests
		os.Unsetenv(name)
	}
	t.Setenv("HOME", root)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(root, "config"))
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(root, "gitconfig"))
	c := &clone{t, filepath.Join(root, "shop")}
	c.write(filepath.Join(root, "gitconfig"), "[user]\nname = Ada\nemail = ada@example.com\n[protocol \"file\"]\nallow = always\n")
	c.write(filepath.Join(c.dir, "readme"), "shop\n")
	c.git("init", "-q")
	c.git("add", "-A")
	c.git("commit", "-qm", "Begin")
	return c
}

func (c *clone) write(path, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *clone) read(path string) string {
	c.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// board makes one in a folder, with a task.
func (c *clone) board(dir string) string {
	c.write(filepath.Join(dir, ".tasks", "task_1.json"), "{}\n")
	return filepath.Join(dir, ".tasks")
}

func (c *clone) seen() string { return c.git("status", "--short", "-uall") }

func (c *clone) exclude() string { return filepath.Join(c.dir, ".git", "info", "exclude") }

func TestHideAndShow(t *testing.T) {
	for name, before := range map[string]string{
		"as git made it":     "# git ls-files --others --exclude-from=.git/info/exclude\n# *~\n",
		"empty":              "",
		"without a last end": "*.log\nbuild/",
		"of Windows":         "*.log\r\nbuild/\r\n",
		"of Windows, no end": "*.log\r\nbuild/",
		"not UTF-8":          "caf\xe9\n\xef\xbb\xbf\n",
		"with a like line":   "# pawl hides this board\n/other/\n",
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			c := newClone(t)
			board := c.board(c.dir)
			c.write(c.exclude(), before)
			for range 3 {
				if !strings.Contains(c.seen(), "task_1.json") {
					t.Fatal("a board that nobody hid is not seen")
				}
				if done, err := Hide(t.Context(), board, "claude"); !done || err != nil {
					t.Fatal(done, err)
				}
				if seen := c.seen(); seen != "" {
					t.Fatalf("git sees %q, hidden by\n%s", seen, c.read(c.exclude()))
				}
				if by, hidden := Made(board); by != "claude" || !hidden {
					t.Fatalf("read as %q, %v", by, hidden)
				}
				if s, err := Look(t.Context(), board); err != nil || s != (Sight{Git: true, Hidden: true}) {
					t.Fatalf("%+v, %v", s, err)
				}
				hidden := c.read(c.exclude())
				if !strings.HasPrefix(hidden, before) {
					t.Fatalf("other lines changed:\n%q\n%q", before, hidden)
				}
				if done, err := Hide(t.Context(), board, "codex"); !done || err != nil || c.read(c.exclude()) != hidden {
					t.Fatalf("hidden twice: %v, %v\n%s", done, err, c.read(c.exclude()))
				}
				if changed, err := Show(t.Context(), board); !changed || err != nil {
					t.Fatal(changed, err)
				}
				if now := c.read(c.exclude()); now != before {
					t.Fatalf("%q became %q", before, now)
				}
				if changed, err := Show(t.Context(), board); changed || err != nil {
					t.Fatal(changed, err)
				}
			}
		})
	}
}

// Lines that somebody wrote below ours stay, also those above without an end.
func TestLinesAfterOurs(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	c.write(c.exclude(), "*.log")
	if _, err := Hide(t.Context(), board, ""); err != nil {
		t.Fatal(err)
	}
	c.write(c.exclude(), c.read(c.exclude())+"\nbuild/\n")
	if _, err := Show(t.Context(), board); err != nil {
		t.Fatal(err)
	}
	if now := c.read(c.exclude()); now != "*.log\nbuild/\n" {
		t.Errorf("%q", now)
	}
}

func TestTracked(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	c.git("add", ".tasks")
	_, err := Hide(t.Context(), board, "claude")
	if !errors.Is(err, pawl.Conflict) || !strings.Contains(err.Error(), "git tracks 1 file") {
		t.Error(err)
	}
	if _, hidden := Made(board); hidden {
		t.Error("it is hidden nevertheless")
	}
}

// What somebody else's line hides needs none of ours, and is not shown by taking
// ours away.
// Git writes over what is hidden, without a word, when a branch is checked out that
// has it: an agent's first plan was lost so.
func TestOnBranch(t *testing.T) {
	c := newClone(t)
	board := filepath.Join(c.dir, ".tasks")
	if got, err := OnBranch(t.Context(), board); got != "" || err != nil {
		t.Fatalf("%q, %v, and nobody has a board", got, err)
	}
	c.git("switch", "-qc", "feature/a")
	c.board(c.dir)
	c.git("add", "-A")
	c.git("commit", "-qm", "Plan")
	c.git("switch", "-q", "-")
	if got, err := OnBranch(t.Context(), board); got != "feature/a" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	copied := &clone{t, c.dir + "-2"}
	c.git("clone", "-q", ".", copied.dir)
	if got, err := OnBranch(t.Context(), filepath.Join(copied.dir, ".tasks")); got != "origin/feature/a" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := OnBranch(t.Context(), filepath.Join(c.dir, "services", "api", ".tasks")); got != "" || err != nil {
		t.Errorf("%q, %v: another folder has the board", got, err)
	}
}

// A clone without the folders of its commits would fetch them, by a program that
// its configuration names.
func TestOnBranchFetchesNothing(t *testing.T) {
	c := newClone(t)
	c.git("config", "uploadpack.allowFilter", "true")
	c.git("config", "uploadpack.allowAnySHA1InWant", "true")
	bare := &clone{t, c.dir + "-2"}
	c.git("clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+filepath.ToSlash(c.dir), bare.dir)
	ran := filepath.Join(bare.dir, "ran")
	bare.git("config", "remote.origin.uploadpack", "touch ran; git-upload-pack")
	if _, err := OnBranch(t.Context(), filepath.Join(bare.dir, ".tasks")); err == nil {
		t.Error("no error, although git cannot know")
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("git ran what the configuration names")
	}
}

func TestOthersRule(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	c.write(filepath.Join(c.dir, ".gitignore"), "# mine\n.tasks\n")
	if done, err := Hide(t.Context(), board, "claude"); !done || err != nil {
		t.Fatal(done, err)
	}
	if _, hidden := Made(board); hidden {
		t.Error("a line of ours was written")
	}
	if s, err := Look(t.Context(), board); err != nil || s.Rule != ".gitignore:2: .tasks" {
		t.Errorf("%+v, %v", s, err)
	}
}

// Each kind of clone has the file at another place, and both ways of reading find
// the same one.
func TestClones(t *testing.T) {
	for name, dirOf := range map[string]func(*clone) string{
		"below the root": func(c *clone) string { return filepath.Join(c.dir, "services", "a [b] *c \\d#") },
		"linked work tree": func(c *clone) string {
			c.git("worktree", "add", "-q", "../side")
			return filepath.Join(c.dir, "..", "side")
		},
		"submodule": func(c *clone) string {
			c.git("clone", "-q", ".", "../part")
			c.git("submodule", "--quiet", "add", "../part", "part")
			return filepath.Join(c.dir, "part")
		},
		"git folder elsewhere": func(c *clone) string {
			c.git("clone", "-q", "--separate-git-dir", "../elsewhere.git", ".", "../apart")
			return filepath.Join(c.dir, "..", "apart")
		},
		"link to it": func(c *clone) string {
			link := filepath.Join(c.dir, "..", "link")
			mustrun.Link(c.t, c.dir, link)
			return link
		},
		"without info": func(c *clone) string {
			if err := os.RemoveAll(filepath.Join(c.dir, ".git", "info")); err != nil {
				c.t.Fatal(err)
			}
			return c.dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "below the root" && filepath.Separator == '\\' {
				mustrun.NotHere(t, "such names cannot be made")
			}
			c := newClone(t)
			dir := dirOf(c)
			board := c.board(dir)
			at := &clone{t, dir}
			if !strings.Contains(at.seen(), "task_1.json") {
				t.Fatal("a board that nobody hid is not seen")
			}
			if done, err := Hide(t.Context(), board, "claude"); !done || err != nil {
				t.Fatal(done, err)
			}
			if seen := at.seen(); strings.Contains(seen, ".tasks") {
				t.Errorf("git sees %s", seen)
			}
			if by, hidden := Made(board); by != "claude" || !hidden {
				t.Errorf("read as %q, %v", by, hidden)
			}
			if changed, err := Show(t.Context(), board); !changed || err != nil {
				t.Error(changed, err)
			}
			if !strings.Contains(at.seen(), "task_1.json") {
				t.Error("it is not shown")
			}
		})
	}
}

// Some keep their home in git by variables alone.
func TestByVariables(t *testing.T) {
	c := newClone(t)
	home := filepath.Join(c.dir, "..", "home")
	board := c.board(home)
	t.Setenv("GIT_DIR", filepath.Join(c.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", home)
	if done, err := Hide(t.Context(), board, "claude"); !done || err != nil {
		t.Fatal(done, err)
	}
	if !strings.Contains(c.read(c.exclude()), "\n/.tasks/\n") {
		t.Error(c.read(c.exclude()))
	}
}

// The folder of an ordinary clone decides, whatever the variables of another say.
func TestForeignVariables(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	other := newClone(t)
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	if done, err := Hide(t.Context(), board, "claude"); !done || err != nil {
		t.Fatal(done, err)
	}
	if strings.Contains(other.read(other.exclude()), "pawl") || !strings.Contains(c.read(c.exclude()), "pawl") {
		t.Error("another clone's file was changed")
	}
}

// A repository can name programs that git starts. None is.
func TestHostileConfiguration(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	spy := filepath.Join(c.dir, "..", "spy")
	c.write(spy, "#!/bin/sh\ntouch "+filepath.Join(c.dir, "..", "ran")+"\n")
	must.Do(t, os.Chmod(spy, 0o755))
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external", "filter.x.clean", "filter.x.process"} {
		c.git("config", key, spy)
	}
	c.write(filepath.Join(c.dir, ".gitattributes"), "* filter=x\n")
	if done, err := Hide(t.Context(), board, "claude"); !done || err != nil {
		t.Fatal(done, err)
	}
	if changed, err := Show(t.Context(), board); !changed || err != nil {
		t.Fatal(changed, err)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "..", "ran")); err == nil {
		t.Error("a program of the repository ran")
	}
}

// What is not a file is not written, and the folder of git's stays as it is.
func TestExcludeThatIsALink(t *testing.T) {
	c := newClone(t)
	board := c.board(c.dir)
	target := filepath.Join(c.dir, "..", "dotfiles")
	c.write(target, "*.log\n")
	os.Remove(c.exclude())
	mustrun.Link(t, target, c.exclude())
	if _, err := Hide(t.Context(), board, "claude"); err == nil {
		t.Error("it was written")
	}
	if now := c.read(target); now != "*.log\n" {
		t.Errorf("through the link: %q", now)
	}
}

func TestOutsideOfGit(t *testing.T) {
	newClone(t)
	board := filepath.Join(t.TempDir(), ".tasks")
	if done, err := Hide(t.Context(), board, "claude"); done || err != nil {
		t.Error(done, err)
	}
	if s, err := Look(t.Context(), board); s != (Sight{}) || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if _, hidden := Made(board); hidden {
		t.Error("hidden without git")
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\nb"))
	f.Add([]byte("# pawl hides this board\n"))
	f.Fuzz(func(t *testing.T, old []byte) {
		if _, _, found := find(old, "/.tasks/"); found {
			return // hidden already
		}
		hidden := with(old, comment("ada; eve"), "/.tasks/")
		if shown := without(hidden, "/.tasks/"); !bytes.Equal(shown, old) {
			t.Errorf("%q became %q by way of %q", old, shown, hidden)
		}
	})
}
