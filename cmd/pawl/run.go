package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	acpclient "github.com/pawl-dev/pawl/internal/runs/client"
	"github.com/pawl-dev/pawl/internal/runs/engine"
	runlocal "github.com/pawl-dev/pawl/internal/runs/local"
	agents "github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/supervise"
	"github.com/pawl-dev/pawl/internal/ui/cli"
)

// keeperVerb is the command of the process that waits for an agent's program. Only Pawl
// itself starts it.
const keeperVerb = "run-keeper"

// keepAgent is the keeper.
func keepAgent(_ context.Context, args []string) error { return supervise.Keep(args) }

// clientVerb is the command of the process that speaks with an agent's program. Only Pawl
// itself starts it, with an order on its standard input.
const clientVerb = "run-client"

// speakWith is the client.
func speakWith(ctx context.Context, _ []string) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	var order acpclient.Order
	if err := json.NewDecoder(os.Stdin).Decode(&order); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	os.Exit(acpclient.Run(ctx, order, acpclient.Place{Dir: dir, Environ: os.Environ(), Pawl: program(), Out: os.Stdout, Errs: os.Stderr}))
	return nil
}

// playAgent is an agent of pawl demo --run.
func playAgent(_ context.Context, args []string) error {
	return cli.DemoAgent(args, os.Stdin, os.Stdout, os.Getenv)
}

// mostDiff bounds the diff that is shown.
const mostDiff = 4 << 20

// clone opens the main checkout of a run.
func clone(ctx context.Context, w *cli.Working) (*git.Tree, error) {
	t, err := git.Find(ctx, w.Root)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, pawl.Errorf(pawl.Invalid, "%s is in no git repository", w.Root)
	}
	return t, nil
}

// finder looks for agents' programs, never among the files of the project.
func finder(w *cli.Working) agents.Finder {
	return agents.Finder{Own: settings.Of[settings.OwnAgents](w.Settings, "run.agents"), Programs: lookup.Outside(os.Getenv, w.Root, w.Place.Dir), Client: []string{program(), clientVerb}}
}

// checksOf are the checks of the clone.
func checksOf(w *cli.Working) (*checks.Service, error) {
	return checks.In(project.Open(project.From{Dir: w.Root, Address: named(w.Place), Getenv: os.Getenv}), os.Getenv)
}

// named is a board as --board takes it.
func named(p project.Board) string {
	if p.Dir != "" {
		return p.Dir
	}
	return p.Address.Whole()
}

// boardIn is the board's folder, whose files do not count as the project's.
func boardIn(w *cli.Working) []string {
	if w.Place.Dir == "" {
		return nil
	}
	return []string{w.Place.Dir}
}

// locally is the clone of a run, with the program of its agent.
func locally(ctx context.Context, w *cli.Working, p *agents.Program) (*runlocal.Local, error) {
	t, err := clone(ctx, w)
	if err != nil {
		return nil, err
	}
	service, err := checksOf(w)
	if err != nil {
		return nil, err
	}
	trees, err := service.TrustsRun()
	if err != nil {
		return nil, err
	}
	o := runlocal.Options{
		Tree: t, Folder: w.Folder, Board: named(w.Place), Dir: w.Place.Dir, Program: p, Model: w.Model,
		Skip:  skips(w),
		Setup: trees.Setup.Run, Copy: trees.Copy, Limit: w.Run.Limits.Attempt.Time,
		Keeper: []string{program(), keeperVerb}, Getenv: os.Getenv, Environ: os.Environ(), Checks: service,
	}
	if w.Place.Dir != "" {
		o.Boards = func(ctx context.Context, commit string) error {
			_, err := mergeBoard(ctx, cli.Merging{Dir: w.Place.Dir, From: w.Root, By: w.By, Ref: commit})
			return err
		}
	}
	return runlocal.New(o), nil
}

// workOff works a board off.
func workOff(ctx context.Context, w *cli.Working, signals <-chan os.Signal) (cli.RunEnd, error) {
	p, err := finder(w).Find(w.Run.Agent)
	if err != nil {
		return cli.RunEnd{}, err
	}
	here, err := locally(ctx, w, p)
	if err != nil {
		return cli.RunEnd{}, err
	}
	j, state, err := w.Folder.Open()
	if err != nil {
		return cli.RunEnd{}, err
	}
	defer j.Close()
	standing, err := here.Standing(ctx, w.Run.Target)
	if err != nil {
		return cli.RunEnd{}, err
	}
	here.Prune(state, time.Now())
	run := w.Run
	run.PID, run.Dirty, run.Standing = os.Getpid(), standing.Dirty, standing.Shared
	if _, paused := state.Paused[""]; state.Run != nil && (paused || state.Running && len(state.Live()) > 0) {
		// A runner was killed, or ended before a person had looked. Changes that agents have
		// made to git's configuration since it began count.
		run.Standing = state.Run.Standing
	}
	if halfMerged(state) {
		run.Dirty = state.Run.Dirty
	}
	r := engine.New(engine.Options{
		Board: w.Board, Repo: here, Agents: runlocal.Agents{Local: here}, Checks: runlocal.Checker{Local: here, Board: w.Board}, Journal: j, State: state, Run: run,
		Controls: func() ([]runs.Control, int64, error) { return w.Folder.Controls(state.Done) },
		Folder: func(id runs.Identity, n int) string {
			return filepath.Join(w.Folder.Attempt(runs.Key{Task: id, N: n}), "tree")
		},
		Free:  func() int64 { return runlocal.Free(w.Folder.Path) },
		Live:  func(l runs.Live) { _ = w.Folder.SetLive(l) },
		Tell:  w.Tell,
		Now:   time.Now,
		Rules: here.Checks.Rules,
	})
	done := make(chan struct{})
	defer close(done)
	go func() {
		for n := 0; ; {
			select {
			case <-signals:
				if n++; n == 1 {
					w.Tell("no more tasks begin; once more stops the agents")
					r.Drain()
				} else {
					w.Tell("the agents are stopped; what they did is kept")
					r.StopAll()
				}
			case <-done:
				return
			}
		}
	}()
	end, err := r.Run(ctx)
	return cli.RunEnd{Status: end.Status, Why: end.Why}, err
}
