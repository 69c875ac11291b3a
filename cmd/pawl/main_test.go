package main

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/mustrun"
)

var update = flag.Bool("update", false, "write the compared parts of the scripts anew")

// programs are what stories can run beside what the machine has.
var programs = map[string]func(){"pawl": func() { os.Exit(run()) }}

func TestMain(m *testing.M) { testscript.Main(m, programs) }

// TestScripts plays the stories in testdata/script with the real program.
//
//	code N pawl …      run it, and expect this exit code
//	envelope KIND      its output is one JSON envelope of this kind
//	needs PROGRAM      in CI, fail where the program is not installed
//	exec confined …    run a program that is held to the modes of files even for root (Linux)
func TestScripts(t *testing.T) {
	beads, err := filepath.Abs("../../internal/beads/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("USER", "ada")
			env.Setenv("BEADS", beads)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command of a race build waits for a second
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, role := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+role+"_NAME", "Ada")
				env.Setenv("GIT_"+role+"_EMAIL", "ada@example.org")
			}
			return nil
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
			"envelope": func(ts *testscript.TestScript, neg bool, args []string) {
				out := ts.ReadFile("stdout")
				var envelope struct {
					Pawl int
					Kind string
				}
				if err := json.Unmarshal([]byte(out), &envelope); err != nil || strings.Count(out, "\n") != 1 {
					ts.Fatalf("not one line of JSON: %v", err)
				}
				if neg || len(args) != 1 || envelope.Pawl != 1 || envelope.Kind != args[0] {
					ts.Fatalf("an envelope of kind %q, version %d", envelope.Kind, envelope.Pawl)
				}
			},
			"needs": func(ts *testscript.TestScript, _ bool, args []string) {
				if _, err := exec.LookPath(args[0]); err != nil && os.Getenv("CI") == "true" {
					ts.Fatalf("must run in CI, and cannot: %v", err)
				}
			},
		},
	})
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

// TestStories sees to it that no verb is without a story, and no story without
// a command.
func TestStories(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < 20 {
		t.Fatalf("only %d stories were found, %v", len(scripts), err)
	}
	told := map[string]bool{}
	call := regexp.MustCompile(`(?m)^[^#\n]*\bpawl ([a-z]+)`)
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		body, _, _ := strings.Cut(string(text), "\n-- ")
		calls := call.FindAllStringSubmatch(body, -1)
		if len(calls) == 0 {
			t.Errorf("%s runs nothing", script)
		}
		for _, c := range calls {
			told[c[1]] = true
		}
	}
	for _, verb := range cli.Verbs() {
		if !told[verb] {
			t.Errorf("no story is about pawl %s", verb)
		}
	}
}

// TestStoryNeedsGit is here to be seen: the stories that need git skip
// themselves where there is none.
func TestStoryNeedsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
}
