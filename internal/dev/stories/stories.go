// Package stories runs most tests of cmd/pawl in the module proof, so that the
// root's go test is quick. The tests stay in cmd/pawl, which no other package can import.
//
//	go -C proof test ./stories -run TestScriptsAtAddress/undo
package stories

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

// Here are the tests of cmd/pawl that its own go test runs: how it is wired, and a program
// that works. All others start the program many times, and proof/stories runs them.
var Here = []string{
	"TestScriptsLocal", "TestNewcomer", "TestBoardPlain", "TestMCPChecks", "TestMCPSettings", "TestServeAgents", "TestCourier",
	"TestHookUnread", "TestHintsAreFollowed", "TestStories", "TestStoryNeedsGit", "TestWhoOverHTTP",
}

// Only matches them.
func Only() string { return anyOf(Here) }

func anyOf(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

// Main runs them with the flags of this process, and returns its exit code.
func Main() int {
	code, err := play(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func play(args []string) (int, error) {
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-test.list=") }) {
		return 0, nil // cmd/pawl lists them
	}
	dir, err := os.MkdirTemp("", "pawl-stories")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	// The program of a story is the test's own, by another name.
	program := filepath.Join(dir, "stories.exe")
	root, err := source.Root()
	if err != nil {
		return 0, err
	}
	sources := filepath.Join(root, "cmd/pawl")
	build := exec.Command("go", "test", "-c", "-ldflags=-s -w", "-o", program, ".")
	build.Dir = sources
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	others := slices.Clone(Here)
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		if skip, ok := strings.CutPrefix(arg, "-test.skip="); ok {
			others = append(others, skip)
			return true
		}
		return strings.HasPrefix(arg, "-test.testlogfile=") // go would take its result for that of the same sources
	})
	run := command(program, sources, append(args, "-test.skip="+anyOf(others))...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := run.Run(); run.ProcessState == nil {
		return 0, err
	}
	return run.ProcessState.ExitCode(), nil
}

func command(program, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	return cmd
}
