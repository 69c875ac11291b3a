package fakeagent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// A play is a run of a stand-in in a repository of its own.
type play struct {
	dir  string
	out  string
	exit int
	text []string // what the agent said
}

func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"commit", "-q", "--allow-empty", "-m", "begin"}} {
		must.Do(t, git(args...))
	}
	return dir
}

func run(t *testing.T, dir, script string, env ...string) play {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script")
	must.Do(t, os.WriteFile(name, []byte(script), 0o600))
	return start(t, dir, append(Command(), "--script", name, "--output-format", "stream-json"), env...)
}

func start(t *testing.T, dir string, words []string, env ...string) play {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader("the prompt"), append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run()
	p := play{dir: dir, out: out.String(), exit: cmd.ProcessState.ExitCode()}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Message struct{ Content []struct{ Text string } }
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && len(line.Message.Content) > 0 {
			p.text = append(p.text, line.Message.Content[0].Text)
		}
	}
	return p
}

func (p play) want(t *testing.T, exit int, said ...string) {
	t.Helper()
	if p.exit != exit || strings.Join(p.text, "|") != strings.Join(said, "|") {
		t.Errorf("exit %d, said %q; want %d, %q; it printed\n%s", p.exit, p.text, exit, said, p.out)
	}
}

// last is the last line as the agent's package reads it.
func (p play) last() string {
	lines := strings.Split(strings.TrimSpace(p.out), "\n")
	said := claude.Prints([]byte(lines[len(lines)-1]))
	return fmt.Sprintf("%s %q %q %+v", said.Session, said.Text, said.Failed, said.Usage)
}

func TestWork(t *testing.T) {
	dir := repository(t)
	run(t, dir, `
		# files
		write a/b.txt "one\ntwo" of $PAWL_TASK
		edit a/b.txt two 2
		append a/b.txt three
		prompt prompt.txt
		touch empty
		write gone x
		rm gone
		tokens 100 20 0.5
		tokens 10 2
		commit all of it
		say I am done`, "PAWL_TASK=7").want(t, 0, "thinking", "thinking", "I am done")
	for name, want := range map[string]string{"a/b.txt": "one\n2 of 7\nthree\n", "prompt.txt": "the prompt", "empty": ""} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s has %q, %v", name, text, err)
		}
	}
	if state, err := ask("status", "--porcelain"); err != nil || state != "" {
		t.Errorf("%s, %v", state, err)
	}
	if subject, err := ask("log", "-1", "--format=%s"); err != nil || subject != "all of it" {
		t.Errorf("%s, %v", subject, err)
	}
}

func TestEnds(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		script string
		exit   int
		last   string
	}{
		{"tokens 100 20 0.5\ntokens 10 2\nsay bye", 0, `"bye" "" {In:110 Cached:0 Out:22 Money:0.5}`},
		{"no-work\nsay never", 0, `"" "" {In:0 Cached:0 Out:0 Money:0}`},
		{"say no\nexit 3", 3, `"" "no" {In:0 Cached:0 Out:0 Money:0}`},
		{"flood 200000", 0, `"" "" {In:0 Cached:0 Out:0 Money:0}`},
	} {
		p := run(t, dir, test.script)
		if _, last, _ := strings.Cut(p.last(), " "); p.exit != test.exit || last != test.last {
			t.Errorf("%q: exit %d, %s; want %s", test.script, p.exit, last, test.last)
		}
	}
	for script, exit := range map[string]int{"edit none a b": 70, "dance": 70, "write a": 70, `say "a`: 70} {
		if p := run(t, dir, script); p.exit != exit || !strings.Contains(p.out, ":1: ") {
			t.Errorf("%q: exit %d\n%s", script, p.exit, p.out)
		}
	}
	if runtime.GOOS != "windows" {
		if p := run(t, dir, "signal KILL"); p.exit != -1 {
			t.Errorf("exit %d", p.exit)
		}
		run(t, dir, "sh echo a; exit 4").want(t, 0, "a\nexit 4")
		run(t, dir, "done\nhold it is stuck", "PAWL_BIN=/bin/echo", "PAWL_TASK=3").want(t, 0, "done 3\nexit 0", "hold 3 it is stuck\nexit 0")
	}
}

func TestRateLimit(t *testing.T) {
	p := run(t, t.TempDir(), "rate-limit 60")
	limited := false
	for line := range strings.Lines(p.out) {
		said := claude.Prints([]byte(line))
		limited = limited || said.Limited && !said.Until.IsZero()
	}
	if p.exit != 1 || !limited || !strings.Contains(p.last(), "usage limit reached|") {
		t.Errorf("exit %d\n%s", p.exit, p.out)
	}
}

func TestScripts(t *testing.T) {
	scripts, dir := t.TempDir(), t.TempDir()
	words := append(Command(), "-p", "--scripts", scripts)
	for _, name := range []string{"default", "4", "4-2"} {
		if name == "default" {
			if p := start(t, dir, words); p.exit != exitBroken {
				t.Errorf("without a script it exits with %d", p.exit)
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(scripts, name+".txt"), []byte("say "+name+"\nresume-print"), 0o600))
	}
	start(t, dir, words).want(t, 0, "default", "started afresh")
	start(t, dir, words, "PAWL_TASK=5", "PAWL_ATTEMPT=1").want(t, 0, "default", "started afresh")
	start(t, dir, words, "PAWL_TASK=4", "PAWL_ATTEMPT=1").want(t, 0, "4", "started afresh")
	start(t, dir, append(words, "--resume", "s1"), "PAWL_TASK=4", "PAWL_ATTEMPT=2").want(t, 0, "4-2", "resumed s1")
}

func TestMischief(t *testing.T) {
	main := repository(t)
	tree := filepath.Join(t.TempDir(), "tree")
	must.Do(t, git("worktree", "add", "-q", "-b", "work", tree))
	run(t, tree, "edit-main theirs.txt mine now\nconfig core.hooksPath x\nmid-rebase").want(t, 0)
	if text, err := os.ReadFile(filepath.Join(main, "theirs.txt")); err != nil || string(text) != "mine now\n" {
		t.Errorf("%q, %v", text, err)
	}
	if value, err := ask("config", "--local", "core.hooksPath"); err != nil || value != "x" {
		t.Errorf("%q, %v", value, err)
	}
	t.Chdir(tree)
	if state, err := ask("status"); err != nil || !strings.Contains(state, "rebase in progress") {
		t.Errorf("%s, %v", state, err)
	}
	must.Do(t, git("rebase", "--abort"))
	run(t, tree, "rename-branch other\ndetach").want(t, 0)
	if branches, err := ask("branch", "--format=%(refname:short)"); err != nil || !strings.Contains(branches, "detached") || !strings.HasSuffix(branches, "other") {
		t.Errorf("%s, %v", branches, err)
	}
	t.Chdir(main)
	run(t, tree, "rm-tree")
	if _, err := os.Stat(tree); !os.IsNotExist(err) && runtime.GOOS != "windows" {
		t.Errorf("the tree is there: %v", err)
	}
}
