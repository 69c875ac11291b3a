//go:build unix

package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/dev/fakeagent"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/pty"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/journal"
)

// patience is for what a busy machine does sooner or later.
const patience = 4 * time.Minute

// A scene is a user's machine with one repository, its board, and scripts of agents.
type scene struct {
	testing.TB
	dir     string // of all of it
	root    string // of the project
	board   string
	scripts string
	program *binary
	env     []string
	shared  map[string]string // what work trees share, at the start
	config  bool              // the scene changes what they share
	kept    bool              // not each task's work becomes a commit of the run
	target  string            // refs/heads/…
	on      string            // the branch that is checked out in the end
	extra   []string          // files of the main checkout that a person left changed
	secret  string            // must be in no object that a reference names
}

// stage makes a scene whose board git has, with settings: words for pawl config set.
func stage(t testing.TB, program *binary, settings ...string) *scene {
	t.Helper()
	long.Seldom(t, 16, "TestKilledAtEachRecord", "TestSemanticConflict", "TestClaimRace")
	s := &scene{TB: t, dir: t.TempDir(), program: program, target: "refs/heads/main", on: "main"}
	if real, err := filepath.EvalSymlinks(s.dir); err == nil {
		s.dir = real
	}
	home := filepath.Join(s.dir, "home")
	s.root, s.scripts = filepath.Join(s.dir, "project"), filepath.Join(s.dir, "scripts")
	s.board = filepath.Join(s.root, ".tasks")
	s.env = []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
		"PATH=" + program.dir(t) + string(os.PathListSeparator) + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(s.dir, "tmp"),
		"LC_ALL=C", "TZ=UTC", "USER=ada", "PAWL_NO_BACKGROUND=1", "SCENE=" + s.dir,
	}
	s.env = append(s.env, goenv()...)
	for _, dir := range []string{home, s.root, s.scripts, filepath.Join(s.dir, "tmp")} {
		s.must(os.MkdirAll(dir, 0o755))
	}
	s.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n[advice]\ndetachedHead = false\n"), 0o644))
	s.git("init", "-q")
	s.write("README", "a project\n")
	s.pawl("init")
	s.save("begin")
	for _, pair := range append([]string{"run.agents=" + s.stand(), "run.agent=stand", "run.review=none"}, settings...) {
		key, value, _ := strings.Cut(pair, "=")
		s.set(key, value)
	}
	s.shared = s.standing()
	return s
}

// set puts a value into the user's settings as an editor does: to change some of them, pawl
// needs a terminal.
func (s *scene) set(key, value string) {
	s.Helper()
	path, all := s.pawl("config", "path", "--user"), map[string]json.RawMessage{}
	if text, err := os.ReadFile(path); err == nil {
		s.must(json.Unmarshal(text, &all))
	}
	if all[key] = json.RawMessage(value); !json.Valid(all[key]) {
		all[key] = json.RawMessage(strconv.Quote(value))
	}
	text, err := json.Marshal(all)
	s.must(err)
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	s.must(os.WriteFile(path, text, 0o600))
}

// stand is the setting run.agents with the stand-in.
func (s *scene) stand() string {
	text, err := json.Marshal(map[string]any{"stand": map[string]any{
		"command": append(fakeagent.Command(), "--scripts", s.scripts), "stream": "claude", "resume": []string{"--resume", "{session}"},
	}})
	s.must(err)
	return string(text)
}

// speaks has the stand-in speak the Agent Client Protocol in place of printing.
func (s *scene) speaks() {
	s.set("run.agents", strings.NewReplacer(`"`+s.scripts+`"`, `"`+s.scripts+`", "--acp"`, `"claude"`, `"acp"`).Replace(s.stand()))
}

// goenv are the variables by which scenes that build share the caches of this user.
var goenv = sync.OnceValue(func() (all []string) {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil
	}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		all = append(all, names[i]+"="+line)
	}
	return all
})

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// write writes a file of the main checkout.
func (s *scene) write(name, text string) {
	s.Helper()
	path := filepath.Join(s.root, name)
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	s.must(os.WriteFile(path, []byte(text), 0o644))
}

// read is a file of the project.
func (s *scene) read(name string) string {
	text, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.Error(err)
	}
	return string(text)
}

// save commits everything.
func (s *scene) save(message string) {
	s.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "-m", message)
}

// script says what the agent of a task does: "1" at each attempt, "1-2" at the second.
func (s *scene) script(name, text string) {
	s.Helper()
	s.must(os.WriteFile(filepath.Join(s.scripts, name+".txt"), []byte(text), 0o644))
}

// add adds a task with a check, and says what its agent does.
func (s *scene) add(script string, words ...string) int {
	s.Helper()
	out := s.pawl(append([]string{"add", "--json", "A task"}, words...)...)
	var said struct{ Tasks []struct{ ID int } }
	s.must(json.Unmarshal([]byte(out), &said))
	id := said.Tasks[0].ID
	s.script(strconv.Itoa(id), script)
	for i := range words {
		if words[i] == "--check" {
			s.trust(words[i+1])
		}
	}
	return id
}

// trust is what typing a check at a terminal does.
func (s *scene) trust(check string) {
	s.Helper()
	getenv := func(name string) string {
		for _, pair := range slices.Backward(s.env) {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	}
	service, err := checks.In(project.Open(project.From{Dir: s.root, Getenv: getenv}), getenv)
	s.must(err)
	c, err := pawl.ParseCheck(check)
	s.must(err)
	s.must(service.Trust(context.Background(), []pawl.Check{c}, nil))
}

// work is what an agent that does its task well does in it: check has what shows it.
func work(n int) (script, check string) {
	return fmt.Sprintf("write f%d.txt \"work of $PAWL_TASK\"\ncommit work on $PAWL_TASK", n), fmt.Sprintf("grep -q work f%d.txt", n)
}

// good adds tasks that agents do well.
func (s *scene) good(n int, words ...string) {
	s.Helper()
	for i := range n {
		script, check := work(i + 1)
		s.add(script, append([]string{"--check", check}, words...)...)
	}
}

func (s *scene) command(name string, args ...string) *exec.Cmd {
	if name == "pawl" {
		name = filepath.Join(s.program.dir(s), "pawl")
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.root, s.env
	return cmd
}

// ask runs a program and returns all that it printed.
func (s *scene) ask(name string, args ...string) (string, int) {
	s.Helper()
	var out bytes.Buffer
	cmd := s.command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if _, exit := errors.AsType[*exec.ExitError](err); err != nil && !exit {
		s.Fatalf("%s: %v", name, err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// git and pawl must succeed; what they print on stdout is returned.
func (s *scene) git(args ...string) string  { s.Helper(); return s.succeeds("git", args...) }
func (s *scene) pawl(args ...string) string { s.Helper(); return s.succeeds("pawl", args...) }

func (s *scene) succeeds(name string, args ...string) string {
	s.Helper()
	var said bytes.Buffer
	cmd := s.command(name, args...)
	cmd.Stderr = &said
	if len(args) > 1 && args[0] == "run" && slices.Contains([]string{"approve", "retry", "take"}, args[1]) { // only a person at a terminal
		cmd.Stdin = pty.Open(s)
	}
	out, err := cmd.Output()
	if err != nil {
		s.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, said.String())
	}
	return strings.TrimRight(string(out), "\n")
}

// A runner is a pawl run at work.
type runner struct {
	s    *scene
	cmd  *exec.Cmd
	log  string // the file with what it says
	over chan error
}

// start begins a run.
func (s *scene) start(args ...string) *runner { s.Helper(); return s.startWith(nil, args...) }

// startWith begins a run with more in its environment.
func (s *scene) startWith(env []string, args ...string) *runner {
	s.Helper()
	file, err := os.CreateTemp(s.dir, "run-*.log")
	s.must(err)
	defer file.Close()
	r := &runner{s: s, cmd: s.command("pawl", append([]string{"run", "--yes"}, args...)...), log: file.Name(), over: make(chan error, 1)}
	r.cmd.Env = append(r.cmd.Env[:len(r.cmd.Env):len(r.cmd.Env)], env...)
	r.cmd.Stdout, r.cmd.Stderr = file, file
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as a terminal of its own
	s.must(r.cmd.Start())
	go func() { r.over <- r.cmd.Wait() }()
	s.Cleanup(r.kill)
	return r
}

// kill ends the runner, and nothing else.
func (r *runner) kill() {
	_ = r.cmd.Process.Kill()
	select {
	case err := <-r.over:
		r.over <- err
	case <-time.After(patience):
	}
}

func (r *runner) said() string {
	text, _ := os.ReadFile(r.log)
	return string(text)
}

// Exit codes of a run after which a person is needed, or others work on what is left.
const (
	needs = 5
	busy  = 10
)

// end waits for the end of the run, which must be in order, and returns what it said.
func (r *runner) end() string {
	r.s.Helper()
	select {
	case err := <-r.over:
		r.over <- err
		if exit, is := errors.AsType[*exec.ExitError](err); err != nil && !(is && (exit.ExitCode() == needs || exit.ExitCode() == busy)) {
			r.s.Fatalf("pawl run: %v\n%s", err, r.said())
		}
	case <-time.After(patience):
		r.s.Fatalf("pawl run does not end:\n%s\n%s", r.said(), r.s.pawl("run", "status"))
	}
	return r.said()
}

// died waits for the end of a runner that kills itself. False: it ended in order.
func (r *runner) died() bool {
	r.s.Helper()
	select {
	case err := <-r.over:
		r.over <- err
		exit, is := errors.AsType[*exec.ExitError](err)
		if err != nil && !is || is && exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			r.s.Fatalf("pawl run: %v\n%s", err, r.said())
		}
		return is
	case <-time.After(patience):
		r.s.Fatalf("pawl run does not end:\n%s", r.said())
	}
	return false
}

// run works the board off.
func (s *scene) run(args ...string) string { s.Helper(); return s.start(args...).end() }

// until waits until something is so.
func (s *scene) until(what string, is func() bool) {
	s.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatalf("waited for %s:\n%s", what, s.pawl("run", "status"))
		}
	}
}

// says waits until the runner has said something.
func (r *runner) says(text string) {
	r.s.Helper()
	r.s.until(text, func() bool { return strings.Contains(r.said(), text) })
}

// phase waits until the newest attempt at a task is in a phase.
func (s *scene) phase(id int, phases ...runs.Phase) runs.Attempt {
	s.Helper()
	var a runs.Attempt
	s.until(fmt.Sprint(phases), func() bool {
		if last := s.last(id); last != nil {
			a = *last
		}
		return slices.Contains(phases, a.Phase)
	})
	return a
}

// folder is that of the run.
func (s *scene) folder() journal.Folder {
	s.Helper()
	found, err := filepath.Glob(filepath.Join(s.dir, "home/state/pawl/run/*/journal.jsonl"))
	s.must(err)
	if len(found) == 0 {
		return journal.Folder{Path: filepath.Join(s.dir, "none")}
	}
	return journal.Folder{Path: filepath.Dir(found[0])}
}

func (s *scene) state() *runs.State {
	s.Helper()
	state, err := s.folder().Read()
	s.must(err)
	return state
}

// work is what was done about a task.
func (s *scene) work(id int) *runs.Work {
	s.Helper()
	for _, w := range s.state().Tasks {
		if last := w.Last(); last != nil && int(last.ID) == id {
			return w
		}
	}
	return nil
}

func (s *scene) last(id int) *runs.Attempt { s.Helper(); return s.work(id).Last() }

// A card is a task as pawl list tells of it.
type card struct {
	ID     int
	Status string
	Hold   *struct{ Reason string }
	Checks []struct{ Run []string }
}

func (s *scene) cards() map[int]card {
	s.Helper()
	var said struct{ Tasks []card }
	s.must(json.Unmarshal([]byte(s.pawl("list", "--all", "--json")), &said))
	byID := map[int]card{}
	for _, c := range said.Tasks {
		byID[c.ID] = c
	}
	return byID
}

// standing is what all work trees share.
func (s *scene) standing() map[string]string {
	s.Helper()
	t, err := git.Find(s.Context(), s.root)
	s.must(err)
	all, err := t.Shared(s.Context())
	s.must(err)
	return all
}

// status is how tasks ended: completed, or on hold for a reason, or their status.
func (s *scene) status(id int) string {
	s.Helper()
	c := s.cards()[id]
	if c.Hold != nil {
		return c.Hold.Reason
	}
	return c.Status
}

// ends demands how a task has ended: completed, or a part of why it is on hold.
func (s *scene) ends(id int, how string, attempts int) {
	s.Helper()
	if got := s.status(id); !strings.Contains(got, how) {
		s.Errorf("#%d: %s; want %s", id, got, how)
	}
	if w := s.work(id); w == nil || len(w.Attempts) != attempts {
		s.Errorf("#%d has not %d attempts: %s", id, attempts, s.story(id))
	}
}

// story is what was tried at a task.
func (s *scene) story(id int) string {
	var b strings.Builder
	if w := s.work(id); w != nil {
		for _, a := range w.Attempts {
			fmt.Fprintf(&b, "\n  attempt %d %s: %s %s %s", a.N, a.Phase, a.Reason, a.Why, a.Tail)
		}
	}
	return b.String()
}
