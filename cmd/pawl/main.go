// Pawl is the command line of the task memory for coding agents: see
// internal/ui/cli for the verbs, and `pawl help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/gitexclude"
	"github.com/pawl-dev/pawl/internal/project"
	_ "github.com/pawl-dev/pawl/internal/stack" // grows the stack once
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// The linker sets them for a release: -X main.version=1.2.3. All may be empty.
var version, commit, date string

func main() {
	boards.Spawn = spawnSync
	os.Exit(run())
}

// run is main with an exit code, so that tests can be the program.
func run() int {
	ctx := context.Background()
	if dir := trace.Dir(os.Getenv); dir != "" {
		trace.Divert(dir)
	}
	if args := os.Args[1:]; len(args) > 0 && !asksHelp(args) {
		if step, ok := unlisted[args[0]]; ok {
			return ended(step(ctx, args[1:]))
		}
	}
	dir, _ := os.Getwd() // if that folder is gone, the interface says so where it matters
	return cli.Run(ctx, commandLine(dir))
}

// unlisted are the commands that only programs start. They are found before there are any
// verbs: a hook runs at each step of an agent.
var unlisted = map[string]func(ctx context.Context, args []string) error{
	"hook":            answerHook,
	courierVerb:       carry,
	askAgainVerb:      askAgain,
	keeperVerb:        keepAgent,
	clientVerb:        speakWith,
	cli.DemoAgentVerb: playAgent,
}

func asksHelp(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "--help" })
}

// ended tells of an error, and returns the exit code.
func ended(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, "pawl:", err)
		return 1
	}
	return 0
}

// commandLine is the command line as it was typed in a folder, with the stores
// behind it.
func commandLine(dir string) cli.Env {
	return cli.Env{
		Args: os.Args[1:], Program: program, Started: os.Args[0], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Dir: dir, Build: build(),
		Boards: cli.Boards{
			Open: openAny, Briefly: openBriefly, Watched: openAnyWatched, Empty: func() query.Board { return boards.Of(memory.New()) },
			Init: boards.Init, Mend: mend, KeepOut: keepOut, Prepare: file.Prepare,
		},
		Git:     &cli.Git{Merge: mergeBoard, State: gitState, Committed: committed},
		Sharing: &cli.Sharing{Status: shareStatus, Plan: sharePlan, Share: shareBoard, Stop: stopSharing, Sync: syncBoard, Offered: offered},
		Address: &cli.Address{Hello: hello, Page: pageAt, Left: left},
		Agents:  cli.Agents{Serve: serve, Hook: answerHook, Proxy: proxyAgent, Todos: lists, Forget: hook.Forget},
		Screens: cli.Screens{Panel: panel, Look: look, Web: serveWeb},
		Runs:    &cli.Runs{Look: lookAtRun, Work: workOff, Diff: runDiff, Clean: cleanRuns, Trial: tryAgent, Files: runFiles},
		Server:  startServer,
	}
}

func mend(ctx context.Context, b project.Board, by pawl.Actor, dry bool) ([]pawl.Mended, error) {
	store, _, err := boards.Folder(b.Dir, false)
	if err != nil {
		return nil, err
	}
	mended, err := store.Mend(ctx, by, dry)
	tracked, errGit := gitexclude.Machinery(ctx, b.Dir, !dry)
	for _, p := range tracked {
		mended = append(mended, pawl.Mended{Problem: p, Done: "taken out of git's index; to finish: git commit"})
	}
	if err == nil && !dry {
		err = store.KeepOut(ctx)
	}
	return mended, errors.Join(err, errGit, store.Close())
}

// keepOut restores what keeps files of one clone out of git, beside a board whose settings
// were written.
func keepOut(ctx context.Context, dir string) error {
	store, err := file.Open(dir, boards.Knowing(dir))
	if err != nil {
		return err
	}
	return errors.Join(store.KeepOut(ctx), store.Close())
}

// build is what the linker was told.
func build() cli.Build { return cli.Build{Version: version, Commit: commit, Date: date} }

// program is the path of this program; empty: the system does not tell.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

// spawnSync starts a sync of a board in the background.
func spawnSync(board string, keep bool) error { return boards.Sync(program(), board, keep) }

// lists are the todo lists of a folder; without one, in memory.
func lists(dir string) (*todo.Service, error) {
	if dir == "" {
		return todo.New(todomem.New(), time.Now), nil
	}
	store, err := todofile.Open(dir)
	if err != nil {
		return nil, err
	}
	return todo.New(store, time.Now), nil
}
