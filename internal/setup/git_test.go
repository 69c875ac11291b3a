package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// withBoard is a clone with a board of two tasks.
func withBoard(t *testing.T) *house {
	h := newHouse(t)
	h.write("project/.tasks/task_1.json", "{\"subject\": \"One\"}\n")
	h.write("project/.tasks/.gitattributes", string(gitdir.BoardAttributes(nil)))
	h.inGit()
	h.git("config", "user.name", "Ada")
	h.git("config", "user.email", "ada@example.com")
	return h
}

// Git calls the program, whatever its folder is called, with files that it can read
// and write; and uninstalling gives both files back.
func TestGitCallsTheDriver(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not here: the driver of the test is a shell script")
	}
	for _, dir := range []string{"bin", "so me 100%O x;y#z $HOME", `it's a"b\c`} {
		t.Run(dir, func(t *testing.T) {
			h := withBoard(t)
			h.git("status", "--short")
			before := h.tree()
			h.write(dir+"/pawl", "#!/bin/sh\necho \"$1 $# $5\" >called\ncat \"$2\" \"$3\" \"$4\" >sides\necho merged >\"$3\"\n")
			h.planner.Command = filepath.Join(h.home, dir, "pawl")
			must.Do(t, os.Chmod(h.planner.Command, 0o755))
			s := h.of(Git, Project)
			p := h.setup(s)
			if p.Failed() || len(p.Changes) != 2 {
				t.Fatalf("%+v", p)
			}
			if p := h.setup(s); !p.Empty() {
				t.Errorf("a second setup changes %+v", p.Changes)
			}
			if health := h.planner.Check(s, h.planner.Command); len(health.Findings) > 0 {
				t.Errorf("%+v", health.Findings)
			}
			h.git("checkout", "-qb", "side")
			h.write("project/.tasks/task_1.json", "theirs\n")
			h.git("commit", "-qam", "Side")
			h.git("checkout", "-q", "-")
			h.write("project/.tasks/task_1.json", "ours\n")
			h.git("commit", "-qam", "Main")
			h.git("merge", "-q", "--no-edit", "side")
			if got := h.read("project/called"); got != "merge-file 5 .tasks/task_1.json\n" {
				t.Errorf("it was called with %q", got)
			}
			if got := h.read("project/sides"); got != "{\"subject\": \"One\"}\nours\ntheirs\n" {
				t.Errorf("its files have %q", got)
			}
			if got := h.read("project/.tasks/task_1.json"); got != "merged\n" {
				t.Errorf("the task is %q", got)
			}
			must.Do(t, os.Remove(h.planner.Command))
			if health := h.planner.Check(s, h.planner.Command); len(health.Findings) != 1 || !strings.Contains(health.Findings[0].Text, "git calls") {
				t.Errorf("without the program: %+v", health.Findings)
			}
			h.uninstall(s)
			for _, name := range []string{"project/.git/config", "project/.git/info/attributes"} {
				if after := h.tree(); after[name] != before[name] {
					t.Errorf("%s is %q", name, after[name])
				}
			}
		})
	}
}

// What others write into git's files stays, through setups of another path and an
// uninstalling.
func TestGitConfigOfOthers(t *testing.T) {
	h := withBoard(t)
	s := h.of(Git, Project)
	h.setup(s)
	h.git("config", "merge.pawl.recursive", "binary")
	h.git("config", "branch.side.remote", "origin")
	h.git("config", "merge.other.driver", "cat %O")
	h.write("project/.git/info/attributes", h.read("project/.git/info/attributes")+"*.png -text\n")
	s.Command = "/opt/some where/pawl"
	h.setup(s)
	if got := h.git("config", "--get-all", "merge.pawl.driver"); got != "'/opt/some where/pawl' merge-file %O %A %B %P\n" {
		t.Errorf("the driver is %q", got)
	}
	h.uninstall(s)
	for _, gone := range []string{"merge.pawl.driver", "merge.pawl.name"} {
		if out, err := exec.Command("git", "-C", h.root, "config", gone).Output(); err == nil {
			t.Errorf("%s is still %q", gone, out)
		}
	}
	for key, want := range map[string]string{"merge.pawl.recursive": "binary", "branch.side.remote": "origin", "merge.other.driver": "cat %O"} {
		if got := strings.TrimSpace(h.git("config", key)); got != want {
			t.Errorf("%s is %q", key, got)
		}
	}
	if got := h.read("project/.git/info/attributes"); got != "*.png -text\n" {
		t.Errorf("the attributes are %q", got)
	}
}

// A driver that somebody wrote stays, and is told of.
func TestGitDriverOfOthers(t *testing.T) {
	for _, test := range []struct{ name, config, note string }{
		{"another program", "[merge \"pawl\"]\n\tdriver = mine %A\n", "something else is in that place"},
		{"by hand", "[Merge \"pawl\"] ; ours\n\tdriver = \"nice pawl merge-file %O %A %B %P\"\n", "in other words"},
		{"by hand, on several lines", "[Merge \"pawl\"]\n\tname = [merge \\\n[x]\n\tdriver = pawl \\\n merge-file %O %A %B %P\n", "in other words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := withBoard(t)
			config := h.read("project/.git/config") + test.config
			h.write("project/.git/config", config)
			if out := h.git("config", "merge.pawl.driver"); out == "" {
				t.Fatal("git does not read it")
			}
			p := h.setup(h.of(Git, Project))
			if len(p.Notes) != 1 || !strings.Contains(p.Notes[0].Text, test.note) {
				t.Errorf("%+v", p.Notes)
			}
			h.uninstall(h.of(Git, Project))
			if got := h.read("project/.git/config"); got != config {
				t.Errorf("it is %q", got)
			}
		})
	}
}

func TestGitIsNotSetUp(t *testing.T) {
	plan := func(h *house) *Plan {
		return must.Get(h.planner.Setup([]Setup{h.of(Git, Project)}))(t)
	}
	h := newHouse(t)
	if p := plan(h); !p.Failed() || !strings.Contains(p.Notes[0].Text, "no git work tree") {
		t.Errorf("outside of git: %+v", p.Notes)
	}
	h = withBoard(t)
	h.write("project/.git/config.lock", "")
	if p := plan(h); !p.Failed() || !strings.Contains(p.Notes[0].Text, "git is writing it") {
		t.Errorf("locked: %+v", p.Notes)
	}
	h = newHouse(t)
	h.inGit()
	h.write("project/.git/info/exclude", "/.tasks/\n")
	if p := plan(h); !p.Failed() || !strings.Contains(p.Notes[0].Text, "hidden from git") {
		t.Errorf("hidden: %+v", p.Notes)
	}
}

// Two linked work trees have the same files of git's: they stay while one needs them.
func TestGitInWorktrees(t *testing.T) {
	h := withBoard(t)
	before := h.read("project/.git/config")
	h.git("worktree", "add", "-q", "../side")
	main, side := h.of(Git, Project), h.planner.ForProject(Git, filepath.Join(h.home, "side"))
	h.setup(main)
	if p := h.setup(side); len(p.Changes) > 0 || p.Failed() {
		t.Errorf("the second changes %+v", p)
	}
	h.uninstall(main)
	if got := h.git("config", "merge.pawl.driver"); !strings.Contains(got, "merge-file") {
		t.Errorf("the driver is %q", got)
	}
	h.uninstall(side)
	if got := h.read("project/.git/config"); got != before {
		t.Errorf("it is %q", got)
	}
}

// An older board gets its rules, which stay: they are for everybody.
func TestGitAttributesOfABoard(t *testing.T) {
	h := newHouse(t)
	h.write("project/.tasks/task_1.json", "{}\n")
	h.inGit()
	p := h.setup(h.of(Git, Project))
	if len(p.Changes) != 3 {
		t.Fatalf("%+v", p.Changes)
	}
	want := string(gitdir.BoardAttributes(nil))
	h.uninstall(h.of(Git, Project))
	if got := h.read("project/.tasks/.gitattributes"); got != want {
		t.Errorf("they are %q", got)
	}
}

func FuzzGitConfig(f *testing.F) {
	for _, s := range []string{"", "[core]\n\tbare = false\n", "[merge \"pawl\"]\n\tdriver = x\n", "[a]\r\nb=c\r\n", "[merge \"pawl\"]\n\tname = \\", "[x", "=\n["} {
		f.Add([]byte(s))
	}
	section, _ := driverSection("/a b/pawl", "linux")
	p := Piece{Kind: "section", Path: []string{"merge", "pawl"}, Text: section}
	f.Fuzz(func(t *testing.T, text []byte) {
		is, err := lookSection(text, p)
		if err != nil || is != missing {
			return
		}
		now, _, _ := putSection(text, p)
		if is, _ := lookSection(now, p); is != same && !continues(text) {
			t.Fatalf("put and not found: %q", now)
		}
		left, _ := takeSection(now, p, nil)
		if is, _ := lookSection(left, p); is != missing {
			t.Fatalf("taken and still there: %q", left)
		}
	})
}

// The program's path stands as git and its shell read it, also on Windows, where git
// brings a shell of Unix.
func TestDriverSection(t *testing.T) {
	for _, test := range []struct{ program, system, driver string }{
		{"pawl", "linux", `pawl merge-file %O %A %B %P`},
		{"/opt/100%/pawl", "linux", `/opt/100%%/pawl merge-file %O %A %B %P`},
		{`C:\Program Files\Pawl\pawl.exe`, "windows", `'C:/Program Files/Pawl/pawl.exe' merge-file %O %A %B %P`},
		{`C:\pawl\pawl.exe`, "windows", `C:/pawl/pawl.exe merge-file %O %A %B %P`},
		{`\\host\share\pawl.exe`, "windows", `//host/share/pawl.exe merge-file %O %A %B %P`},
		{"/it's/pawl", "linux", `"'/it'\\''s/pawl' merge-file %O %A %B %P"`},
	} {
		text, ok := driverSection(test.program, test.system)
		if !ok || !strings.HasSuffix(text, "\tdriver = "+test.driver+"\n") {
			t.Errorf("%s: %q %v", test.program, text, ok)
		}
	}
	if text, ok := driverSection("/a\nb/pawl", "linux"); ok {
		t.Errorf("two lines: %q", text)
	}
}
