package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/dev/fakeagent"
	"github.com/pawl-dev/pawl/internal/dev/leftover"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/internal/dev/stories"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
)

var (
	update = flag.Bool("update", false, "update the compared parts of the scripts")
)

// programs are what stories can run beside what the machine has.
var programs = map[string]func(){"pawl": func() {
	if err := joinStory(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(97)
	}
	if os.Getenv(wire) != "" {
		boards.Asked = func(b *pawl.Board, o ...query.Option) query.Board { return querytest.Loop(query.Local(b, o...)) }
	}
	takeTime()
	boards.Spawn, spawnCourier = spawnSync, startCourier
	os.Exit(run())
}, "on-tty": func() { os.Exit(onTTY(os.Args[1:])) }, "stand-in": fakeagent.Run}

// onTTY runs a program with its output on the terminal of the story (ttyin), and ends when
// that has been read: a story closes its end of the terminal as soon as the program is
// gone, and what nobody has read by then is lost. A terminal takes few bytes before it
// waits for the reader, so the reader has all that came before some hundred thousand.
func onTTY(args []string) int {
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 97
	}
	defer tty.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, tty, os.Stderr
	err = cmd.Run()
	tty.Write(bytes.Repeat([]byte("\n"), 300_000))
	return exitCode(err)
}

// patient is set where a hook is to take its time, because the machine is busy: for all
// that it does, or with "itself" without a server, which it waits for as short as ever.
// ahead is how far its clock is ahead, and stands the moment at which it stands still.
const (
	patient = "PATIENT"
	ahead   = "CLOCK_AHEAD"
	stands  = "CLOCK_STANDS"
)

func takeTime() {
	switch os.Getenv(patient) {
	case "":
	case "itself":
		answerIn = 2 * time.Minute
	default:
		glance, answerIn, forChat, editorWaits = time.Minute, 2*time.Minute, time.Minute, 2*time.Minute
	}
	if d, err := time.ParseDuration(os.Getenv(ahead)); err == nil {
		hookClock = func() time.Time { return time.Now().Add(d) }
	}
	if at, err := time.Parse(time.RFC3339, os.Getenv(stands)); err == nil {
		hookClock = func() time.Time { return at }
	}
}

// wire is set where the board is to stand behind a wire.
const wire = "BEHIND_A_WIRE"

func TestMain(m *testing.M) {
	boards.Spawn = func(string, bool) error { return nil } // a test as a program of its own would run all tests
	spawnCourier = func(address.Address) error { return nil }
	testscript.Main(part{m}, programs)
}

// A part is the tests that package stories leaves here. Tests that are named run as well.
type part struct{ *testing.M }

func (p part) Run() int {
	flag.Parse()
	if flag.Lookup("test.run").Value.String()+flag.Lookup("test.skip").Value.String() == "" {
		flag.Set("test.run", stories.Only())
	}
	defer func() {
		if builtServer != "" {
			os.RemoveAll(builtServer)
		}
	}()
	return p.M.Run()
}

// TestScripts plays the stories in testdata/script with the real program: a quarter of them,
// or all with -long.
//
//	code N pawl …      run it, and expect this exit code
//	envelope KIND      its output is one JSON envelope of this kind, as the schema has it
//	envelopes KIND     each line of its output is
//	$PROGRAM           the program, where PATH does not lead to it
//	keep NAME REGEXP   set $NAME to what the first group matches in its output
//	follows CODE       run the command of the last hint as it stands, and expect this exit code
//	appears FILE TEXT  wait until a command in the background has written it
//	tell AGENT FILE    have an agent's program tell its hook what is in a file
//	traces TEXT        it stands in the user's state folder: in a file, or in its name
//	renews AGENT FILE  the same, until the lease of task 1 is renewed
//	asks GET ADDRESS   ask a server; the token and a body may follow
//	needs PROGRAM      in CI, fail where the program is not installed
//	exec stand-in …   what plays an agent of pawl run: see package fakeagent
//	exec confined …    run a program that is held to the modes of files even for root (Linux)
//	$TASKS             the folder of the board, which is .tasks, or on the server
//	[address] …        only if the board is at an address
//	[files] …          only if its tasks are files
//
// Their boards stand behind a wire, so that all that the program asks for and gets
// is seen to travel. To play all of them without one as well would take twice the
// time: that is for those that call a hook, which has no time to lose, and for a
// few in [TestScriptsLocal]. Only those few are a part of go test ./...
func TestScripts(t *testing.T) {
	files := slices.DeleteFunc(storiesThat(t, "script", func(text []byte) bool { return !runsGit.Match(text) }), func(file string) bool {
		return !long.Turn("folder/"+filepath.Base(file), 4)
	})
	playScripts(t, played{wired: true}, testscript.Params{Files: files})
}

// TestScriptsWithGit plays those that run git, which take half the time of all: a twelfth
// of them, or all with -long.
func TestScriptsWithGit(t *testing.T) {
	files := slices.DeleteFunc(storiesThat(t, "script", runsGit.Match), func(file string) bool { return !long.Turn("git/"+filepath.Base(file), 12) })
	playScripts(t, played{wired: true}, testscript.Params{Files: files})
}

var runsGit = regexp.MustCompile(`(?m)^(! )?exec git `)

// TestScriptsLocal plays a few stories with the boards as people have them: most of what a
// newcomer and an agent do.
func TestScriptsLocal(t *testing.T) {
	var files []string
	for _, name := range []string{"agents", "plan", "undo"} {
		files = append(files, "testdata/script/"+name+".txtar")
	}
	playScripts(t, played{}, testscript.Params{Files: files})
}

// played is where the boards of stories are: in folders, behind a wire perhaps, or
// at the addresses of a server.
type played struct {
	wired bool
	host  func(*testscript.Env) // tells a story where the server is; nil: in folders
	// database: the server keeps them in one, so that no task is a file
	database bool
	server   bool // all need pawl-server
}

func playScripts(t *testing.T, at played, which testscript.Params) {
	testscript.Run(t, storyParams(t, at, which))
}

func storyParams(t *testing.T, at played, which testscript.Params) testscript.Params {
	t.Helper()
	beads := must.Get(filepath.Abs("../../internal/imports/beads/testdata"))(t)
	book := must.Get(schema.Open())(t)
	return testscript.Params{
		Dir: which.Dir, Files: which.Files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			hooks := callsHook(env)
			if at.server || startsServer(env) {
				dir, err := serverDir()
				if err != nil {
					return err
				}
				env.Setenv("PATH", dir+string(filepath.ListSeparator)+env.Getenv("PATH"))
			}
			env.Defer(func() { leftover.Kill(env.WorkDir) })
			env.Setenv("USER", "ada")
			env.Setenv("HOME", env.WorkDir+".home")                // where it is the only one to write
			env.Setenv(boards.NoBackground, "1")                   // what a story does not wait for would outlive its folder
			if program, err := exec.LookPath("pawl"); err == nil { // for stories without the machine's PATH, where agents may be
				env.Setenv("PROGRAM", program)
			}
			if runtime.GOOS == "windows" { // what every user has there, and a screen as stories expect it
				env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
				env.Setenv("AppData", filepath.Join(env.WorkDir, "appdata"))
				env.Setenv("LocalAppData", filepath.Join(env.WorkDir, "localappdata"))
				env.Setenv("LANG", "C")
			}
			if at.wired && !hooks {
				env.Setenv(wire, "1")
			}
			env.Setenv(patient, "1")
			env.Setenv("TASKS", project.Name)
			if at.host != nil {
				at.host(env)
			}
			env.Setenv("BEADS", beads)
			env.Setenv("IMPORTS", filepath.Join(beads, "..", ".."))
			env.Setenv("GORACE", "atexit_sleep_ms=0")                                // else each command of a race build waits for a second
			env.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(env.WorkDir, "gitconfig")) // a story that writes it must not replace os.DevNull
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, role := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+role+"_NAME", "Ada")
				env.Setenv("GIT_"+role+"_EMAIL", "ada@example.org")
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "links": // [symlink] believes Wine, which makes none
				return mustrun.Links(), nil
			case "address": // the board is at one
				return at.host != nil, nil
			case "files": // its tasks are files, here or on the server
				return !at.database, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": func(ts *testscript.TestScript, neg bool, args []string) {
				want, err := strconv.Atoi(args[0])
				if err != nil || neg || len(args) < 2 {
					ts.Fatalf("usage: code N program [args...]")
				}
				err = ts.Exec(args[1], args[2:]...)
				if got := exitCode(err); got != want {
					ts.Fatalf("exit code %d, want %d (%v)", got, want, err)
				}
			},
			"alter": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 3 {
					ts.Fatalf("usage: alter FILE OLD NEW")
				}
				text := ts.ReadFile(args[0])
				if !strings.Contains(text, args[1]) {
					ts.Fatalf("%s has no %q", args[0], args[1])
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
			},
			"traces": func(ts *testscript.TestScript, neg bool, args []string) {
				if len(args) != 1 {
					ts.Fatalf("usage: traces TEXT")
				}
				var found []string
				ts.Check(filepath.WalkDir(ts.Getenv("XDG_STATE_HOME"), func(path string, entry fs.DirEntry, err error) error {
					if err != nil || entry.IsDir() {
						return err
					}
					text, err := os.ReadFile(path)
					if strings.Contains(entry.Name(), args[0]) || bytes.Contains(text, []byte(args[0])) {
						found = append(found, path)
					}
					return err
				}))
				if (len(found) > 0) == neg {
					ts.Fatalf("%q is in %q", args[0], found)
				}
			},
			"envelope": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: envelope KIND")
				}
				ts.Check(book.Check(args[0], []byte(ts.ReadFile("stdout"))))
			},
			"envelopes": func(ts *testscript.TestScript, neg bool, args []string) {
				out := ts.ReadFile("stdout")
				if neg || len(args) != 1 || out == "" {
					ts.Fatalf("usage: envelopes KIND, after output")
				}
				for line := range strings.Lines(out) {
					ts.Check(book.Check(args[0], []byte(line)))
				}
			},
			"keep": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: keep NAME REGEXP")
				}
				found := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
				if len(found) != 2 {
					ts.Fatalf("the output has no %s", args[1])
				}
				ts.Setenv(args[0], found[1])
			},
			"appears": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: appears file text")
				}
				for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
					text, err := os.ReadFile(ts.MkAbs(args[0]))
					if err == nil && strings.Contains(string(text), args[1]) {
						return
					}
					if time.Now().After(end) {
						ts.Fatalf("%q has not appeared in %s: %q, %v", args[1], args[0], text, err)
					}
				}
			},
			"follows": followCommand,
			"tell":    tellCommand,
			"renews":  renewsCommand,
			"asks":    asksCommand,
			"needs": func(ts *testscript.TestScript, _ bool, args []string) {
				if _, err := exec.LookPath(args[0]); err != nil && os.Getenv("CI") == "true" {
					ts.Fatalf("must run in CI, and cannot: %v", err)
				}
			},
		},
	}
}

func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

// TestStories sees to it that no story is without a command, and that each verb
// answers in one with an envelope of its kind, and each kind is seen in one.
func TestStories(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(scripts) < 20 {
		t.Fatalf("only %d stories were found, %v", len(scripts), err)
	}
	called := regexp.MustCompile(`^(?:exec|code \d+) pawl ([a-z]+)`)
	checked := regexp.MustCompile(`^envelopes? ([a-z]+)$`)
	answered, seen := map[[2]string]bool{}, map[string]bool{}
	for _, script := range scripts {
		text := must.Get(os.ReadFile(script))(t)
		body, _, _ := strings.Cut(string(text), "\n-- ")
		calls, verb := 0, ""
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			if call := called.FindStringSubmatch(line); call != nil {
				verb = call[1]
			}
			if strings.Contains(line, "pawl") && !strings.HasPrefix(line, "#") {
				calls++
			}
			if kind := checked.FindStringSubmatch(line); kind != nil {
				seen[kind[1]] = true
				answered[[2]string{verb, kind[1]}] = true
			}
		}
		if calls == 0 {
			t.Errorf("%s runs nothing", script)
		}
	}
	for _, verb := range verbs(t) {
		if verb.Kind != "" && !answered[[2]string{verb.Name, verb.Kind}] {
			t.Errorf("in no story pawl %s answers --json with: envelope %s", verb.Name, verb.Kind)
		}
	}
	book := must.Get(schema.Open())(t)
	for kind := range book {
		if !seen[kind] {
			t.Errorf("no story says: envelope %s", kind)
		}
	}
}

// verbs are those that the help page lists.
func verbs(t *testing.T) (list []struct{ Name, Kind string }) {
	t.Helper()
	var out bytes.Buffer
	cli.Run(context.Background(), cli.Env{
		Args: []string{"help", "--json"}, Stdout: &out, Stderr: t.Output(), Getenv: func(string) string { return "" },
	})
	envelope := struct {
		Verbs *[]struct{ Name, Kind string }
	}{&list}
	if err := json.Unmarshal(out.Bytes(), &envelope); err != nil || len(list) < 20 {
		t.Fatalf("only %d verbs, %v", len(list), err)
	}
	return list
}

// startsServer reports whether a story is one that needs pawl-server.
func startsServer(env *testscript.Env) bool {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-") + ".txtar"
	_, err := os.Stat(filepath.Join("testdata", "server", name))
	return err == nil
}

// builtVar names a folder with the programs of the module server, where go is not at hand.
const builtVar = "PAWL_TEST_SERVER"

// serverDir builds pawl-server, and returns its folder.
var serverDir = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv(builtVar); dir != "" {
		return dir, nil
	}
	dir, err := os.MkdirTemp("", "pawl-server") // TestMain removes it
	if err == nil {
		builtServer = dir
		err = source.BuildServer(filepath.Join(dir, serverName), "./cmd/pawl-server")
	}
	return dir, err
})

var builtServer string

// callsHook reports whether an agent's program calls its hook in this story. A
// hook that has not answered after a second says nothing.
func callsHook(env *testscript.Env) bool {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-") + ".txtar"
	story, err := os.ReadFile(filepath.Join("testdata", "script", name))
	if err != nil {
		story, err = os.ReadFile(filepath.Join("testdata", "server", name))
	}
	return err != nil || regexp.MustCompile(`(?m)^(! )?(tell|renews) |pawl hook `).Match(story)
}

// TestStoryNeedsGit is here to be seen: the stories that need git skip
// themselves where there is none.
func TestStoryNeedsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
}
