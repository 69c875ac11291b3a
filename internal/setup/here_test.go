package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// inGit makes the project a clone, with a first commit.
func (h *house) inGit() {
	h.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(h.T, "git is not installed")
	}
	h.Setenv("HOME", h.home)
	h.Setenv("XDG_CONFIG_HOME", filepath.Join(h.home, ".config"))
	h.git("init", "-q")
	h.git("add", "-A")
	h.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "Begin")
	sight, err := Sees(h.Context(), h.root)
	if err != nil || sight == nil {
		h.Fatal(sight, err)
	}
	h.planner.Git = sight
}

func (h *house) git(args ...string) string {
	h.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// A setup for one person in one project is not seen by git, changes nothing a
// second time, and leaves no trace.
func TestHere(t *testing.T) {
	excludes := []string{"*.log", "a\r\nb", "# mine\n*.log\n"} // the code that adds lines is the same for all agents: they take turns
	for i, a := range Agents() {
		if a.Config.NoProject != "" {
			continue
		}
		exclude := excludes[i%len(excludes)]
		t.Run(a.Name, func(t *testing.T) {
			h := newHouse(t)
			h.inGit()
			h.write("project/.git/info/exclude", exclude)
			h.git("status", "--short") // which may write the index
			before := h.tree()
			s := h.planner.ForHere(a.Name, h.root)
			p := h.setup(s)
			if p.Failed() || len(p.Changes) == 0 {
				t.Fatalf("%+v", p.Notes)
			}
			if seen, err := h.planner.Git.Seen(p); seen != 0 || err != nil {
				t.Errorf("%d files are told to be seen, %v", seen, err)
			}
			if seen := h.git("status", "--short", "-uall"); seen != "" {
				t.Errorf("git sees\n%s", seen)
			}
			if !strings.HasPrefix(h.read("project/.git/info/exclude"), exclude) {
				t.Errorf("other lines changed: %q", h.read("project/.git/info/exclude"))
			}
			if p := h.setup(s); len(p.Changes) > 0 || !p.Empty() {
				t.Errorf("a second setup changes %v", p.Changes[0].Path)
			}
			if found := h.planner.Found(h.root); len(found) > 0 {
				t.Errorf("it is found again as %+v", found)
			}
			if health := h.planner.Check(s, "pawl"); len(health.Findings) > 1 { // one finding: pawl is not on PATH
				t.Errorf("%+v", health.Findings)
			}
			h.uninstall(s)
			h.mustBe(before, "uninstalled")
		})
	}
}

// Two agents share a skill: its line stays until the last is gone.
func TestHereShared(t *testing.T) {
	h := newHouse(t)
	h.inGit()
	before := h.tree()
	codex, copilot := h.planner.ForHere("codex", h.root), h.planner.ForHere("copilot", h.root)
	h.setup(codex)
	h.setup(copilot)
	h.uninstall(codex)
	if seen := h.git("status", "--short", "-uall"); seen != "" {
		t.Errorf("git sees\n%s", seen)
	}
	h.uninstall(copilot)
	h.mustBe(before, "uninstalled")
}

// What git tracks is not changed for one person; nothing of that agent is done.
func TestHereTracked(t *testing.T) {
	h := newHouse(t)
	h.write("project/.gemini/settings.json", "{}\n")
	h.inGit()
	before := h.tree()
	p := h.setup(h.planner.ForHere("gemini", h.root))
	if !p.Failed() || !strings.Contains(p.Notes[0].Text, "git tracks .gemini/settings.json") {
		t.Errorf("%+v", p.Notes)
	}
	h.mustBe(before, "refused")
}

// A file that is there already and that nobody hid stays as visible as it was.
func TestHereUntracked(t *testing.T) {
	h := newHouse(t)
	h.inGit()
	h.write("project/.claude/settings.local.json", "{}\n")
	p := must.Get(h.planner.Setup([]Setup{h.planner.ForHere("claude", h.root)}))(t)
	if seen, err := h.planner.Git.Seen(p); seen != 1 || err != nil {
		t.Errorf("%d files are told to be seen, %v", seen, err)
	}
	h.apply(p)
	if seen := h.git("status", "--short", "-uall"); seen != "?? .claude/settings.local.json\n" {
		t.Errorf("git sees\n%s", seen)
	}
}

// Programs are known by where they are kept, without starting them.
func TestPresent(t *testing.T) {
	h := newHouse(t)
	h.write("opt/claude/versions/2.1.330", "")
	h.write("lib/node_modules/@openai/codex/package.json", `{"version": "0.169.0", "bin": {"codex": "bin/codex.js"}}`)
	h.write("lib/node_modules/@openai/codex/bin/codex.js", "")
	h.write("bin/gemini", "")
	for name, to := range map[string]string{"claude": "opt/claude/versions/2.1.330", "codex": "lib/node_modules/@openai/codex/bin/codex.js"} {
		mustrun.Link(t, filepath.Join(h.home, filepath.FromSlash(to)), filepath.Join(h.home, "bin", name))
	}
	for _, name := range []string{"opt/claude/versions/2.1.330", "lib/node_modules/@openai/codex/bin/codex.js", "bin/gemini"} {
		must.Do(t, os.Chmod(filepath.Join(h.home, filepath.FromSlash(name)), 0o755))
	}
	h.write(".qwen/settings.json", "{}")
	h.env["PATH"] = filepath.Join(h.home, "bin")
	got := ""
	for _, p := range h.planner.Present() {
		got += p.Name + "=" + p.Version + " "
	}
	if got != "claude=2.1.330 codex=0.169.0 gemini= qwen= " {
		t.Error(got)
	}
}

// A program of npx, or of go run, is not one to write into settings.
func TestPassing(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/ada/.npm/_npx/5d1/node_modules/@pawl/linux-x64/bin/pawl": true,
		"/tmp/go-build123/b001/exe/pawl":                                true,
		"/home/ada/.cache/pnpm/dlx-12/node_modules/pawl/bin/pawl":       true,
		"/usr/local/bin/pawl":                                           false,
		"/home/ada/go/bin/pawl":                                         false,
	} {
		if Passing(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
