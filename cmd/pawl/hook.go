package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	agents "github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/gitshare"
	folder "github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/todo"
)

// answerHook answers one event of an agent, and never fails.
func answerHook(ctx context.Context, args []string) error {
	signal.Ignore(syscall.SIGPIPE) // a program that does not wait for the answer sees no failure either
	env := hookEnv()
	env.Args, env.Stdin, env.Stdout, env.Stderr, env.Command = args, os.Stdin, os.Stdout, os.Stderr, asPerson
	hook.Run(ctx, env)
	return nil
}

func hookEnv() hook.Env {
	dir, _ := os.Getwd()
	return hook.Env{
		Getenv: os.Getenv, Dir: dir, Now: hookClock, Wait: answerIn,
		Open: openQuick, Prepare: file.Prepare, Todos: lists, Saw: looker(), Lost: gitshare.Notices, Begins: sessionBegins, Post: postOf, Checks: failedChecks, ListCheck: listCheck,
	}
}

// failedChecks are the checks of a task in a project whose last run failed. Nothing runs
// for it.
func failedChecks(ctx context.Context, dir string, t *pawl.Task) ([]nudge.FailedCheck, error) {
	service, err := checks.In(folder.Open(folder.From{Dir: dir, Getenv: os.Getenv}), os.Getenv)
	if err != nil {
		return nil, err
	}
	all, err := service.Look(ctx, t, false)
	var failed []nudge.FailedCheck
	for i := range all {
		if all[i].State == checks.Failed {
			failed = append(failed, nudge.FailedCheck{Task: t.ID, Check: all[i].Name, Tail: all[i].Tail})
		}
	}
	return failed, err
}

// listCheck is what is known of the check of a todo list in a project. Nothing runs for it.
func listCheck(_ context.Context, dir string, l *todo.List) (nudge.ListCheck, error) {
	service, err := checks.In(folder.Open(folder.From{Dir: dir, Getenv: os.Getenv}), os.Getenv)
	if err != nil {
		return nudge.ListCheck{}, err
	}
	trusted, tail, err := service.LastOf(l)
	return nudge.ListCheck{Runs: trusted, Tail: tail}, err
}

// sessionBegins notes that a session begins on the board in a folder.
func sessionBegins(dir string, by pawl.Actor) {
	if store, err := file.Open(dir); err == nil {
		defer store.Close()
		boards.MergerOf(dir, store).Begins(by)
	}
}

// looker records what hooks see and answer while pawl doctor --live looks on.
func looker() func(agents.Event, agents.Answer) {
	dir := trace.Dir(os.Getenv)
	if dir == "" {
		return nil
	}
	return func(e agents.Event, a agents.Answer) {
		trace.Add(dir, trace.Line{
			At: time.Now(), Event: e.Name, Kind: string(e.Kind), Source: string(e.Source), Session: e.Session, Agent: e.Agent, Tool: e.Tool,
			Context: a.Context, Continue: a.Continue,
		})
	}
}

// asPerson runs the command line for the person in an agent's chat. It passes on only
// personal variables: those of the agent's program would make the person an agent.
func asPerson(ctx context.Context, dir string, args []string) (string, int) {
	var out bytes.Buffer
	env := commandLine(dir)
	env.Args, env.Stdin, env.Stdout, env.Stderr = args, new(bytes.Buffer), &out, &out
	env.Getenv = func(name string) string {
		if !slices.Contains(personal, name) {
			return ""
		}
		return os.Getenv(name)
	}
	env.Boards.Open, env.Git, env.Sharing, env.Server = openForChat, nil, nil, nil
	env.Boards.Init = func(context.Context, cli.Making) (cli.Made, error) {
		return cli.Made{}, pawl.Errorf(pawl.NotFound, "no board exists here, and a chat makes none: run pawl init in a terminal")
	}
	code := cli.Run(ctx, env)
	return out.String(), code
}

// personal are the variables that say where things of a person are.
var personal = []string{
	"HOME", "USER", "LOGNAME", "USERNAME", "USERPROFILE", "APPDATA", "AppData", "LOCALAPPDATA", "LocalAppData",
	"XDG_CONFIG_HOME", "XDG_STATE_HOME", "PAWL_BOARD", "PAWL_TOKEN", "LANG", "LC_ALL", "TZ",
}
