package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/engine"
	runlocal "github.com/pawl-dev/pawl/internal/runs/local"
	agents "github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/supervise"
)

// keeperVerb is the command of the process that waits for an agent's program. Only Pawl
// itself starts it.
const keeperVerb = "run-keeper"

// keptAgent is the keeper. It reports whether it was called.
func keptAgent(args []string) bool {
	if len(args) < 2 || args[1] != keeperVerb {
		return false
	}
	if err := supervise.Keep(args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "pawl:", err)
	}
	return true
}

// demoAgent is an agent of pawl demo --run. It reports whether it was called, and the
// exit code.
func demoAgent(args []string) (code int, called bool) {
	if len(args) < 2 || args[1] != cli.DemoAgentVerb {
		return 0, false
	}
	if err := cli.DemoAgent(args[2:], os.Stdin, os.Stdout, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "pawl:", err)
		return 1, true
	}
	return 0, true
}

// runner is what the command line needs for runs.
func runner() *cli.Runs {
	return &cli.Runs{Look: lookAtRun, Work: workOff, Diff: runDiff, Clean: cleanRuns, Trial: tryAgent, Files: runFiles}
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
	return agents.Finder{Own: settings.Of[settings.OwnAgents](w.Settings, "run.agents"), Getenv: os.Getenv, Avoid: []string{w.Root}}
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

// lookAtRun finds out what a run would use, and why it cannot begin.
func lookAtRun(ctx context.Context, w *cli.Working) (cli.Prospect, error) {
	p, err := finder(w).Find(w.Run.Agent)
	if err != nil {
		return cli.Prospect{}, err
	}
	found := cli.Prospect{Agent: p.Name, Program: p.Path, Skips: skips(w) && p.Skip != nil}
	if err := bounded(w, p); err != nil {
		return found, err
	}
	if err := tells(p, w); err != nil {
		return found, err
	}
	t, err := clone(ctx, w)
	if err != nil {
		return found, err
	}
	state, err := t.State(ctx)
	switch {
	case err != nil:
		return found, err
	case state.Head == "":
		return found, hinted(pawl.Invalid, "git add -A && git commit -m start", "this repository has no commit yet that agents could begin at")
	case state.Branch == "":
		return found, hinted(pawl.Invalid, "git switch main", "no branch is checked out here that agents' work could go to")
	}
	found.Target = state.Branch
	standing, err := t.Standing(ctx, boardIn(w))
	if err != nil {
		return found, err
	}
	if standing.Under != "" {
		return found, hinted(pawl.Conflict, "git status", "a %s is under way in the main checkout: finish or abort it first", standing.Under)
	}
	before, err := w.Folder.Read()
	if err != nil {
		return found, err
	}
	if len(standing.Tracked) > 0 && !halfMerged(before) {
		return found, hinted(pawl.Conflict, "git commit -a", "these changes are not committed, so agents would not see them, and could not be merged over them: %s", strings.Join(standing.Tracked, ", "))
	}
	service, err := checksOf(w)
	if err != nil {
		return found, err
	}
	trees, err := service.TrustsRun()
	if err != nil {
		return found, err
	}
	found.Copy = trees.Copy
	if len(trees.Setup.Run) > 0 {
		found.Setup = trees.Setup.Command()
	}
	if found.Waits, err = waits(ctx, w, service); err != nil {
		return found, err
	}
	return found, nil
}

// skips reports whether the person lets agents do everything without asking.
func skips(w *cli.Working) bool { return settings.Of[string](w.Settings, "run.permissions") == "skip" }

// bounded refuses a program that keeps to no bounds, unless the person lets it.
func bounded(w *cli.Working, p *agents.Program) error {
	if !p.Free || skips(w) {
		return nil
	}
	return hinted(pawl.Invalid, "pawl config set run.permissions skip --user", "%s keeps to no bounds of its own: it would do everything without asking, and the setting run.permissions does not let it", p.Title)
}

// halfMerged reports whether a runner was killed while it moved the target: it may have
// written some of the files of the main checkout, and the next one completes that.
func halfMerged(s *runs.State) bool {
	return s.Run != nil && slices.ContainsFunc(s.Live(), func(a runs.Attempt) bool { return a.Phase == runs.Merging })
}

// tells refuses limits that the agent's program does not tell enough for.
func tells(p *agents.Program, w *cli.Working) error {
	l := &w.Run.Limits
	tokens, money := l.Asks()
	switch {
	case tokens && !p.Tells.Tokens:
		key, unset := limitSet(w, "run.tokens")
		return hinted(pawl.Invalid, unset, "%s does not tell while it works how many model tokens it uses, so %s cannot be kept; run.timeout can", p.Title, key)
	case l.Attempt.Money > 0 && !p.Tells.Money, money && !p.Tells.Money && !p.Tells.AllMoney:
		key, unset := limitSet(w, "run.money")
		return hinted(pawl.Invalid, unset, "%s does not tell while it works what it costs, so %s cannot be kept; run.tokens or run.timeout may", p.Title, key)
	}
	return nil
}

// limitSet is the first of a limit's settings that is set, and the command that ends it.
func limitSet(w *cli.Working, of string) (key, unset string) {
	for _, key := range []string{of, of + ".task", of + ".run"} {
		if v := w.Settings.Get(key); v.Origin.Scope != settings.Default {
			return key, "pawl config unset " + key + " --scope " + v.Origin.Scope.String()
		}
	}
	return of, "pawl config unset " + of
}

func hinted(kind pawl.Kind, hint, format string, args ...any) error {
	e := pawl.Errorf(kind, format, args...)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: hint}
	return e
}

// waits are what a person must trust before a run can begin: checks of tasks, and what
// the project's settings ask for.
func waits(ctx context.Context, w *cli.Working, service *checks.Service) ([]string, error) {
	var all []string
	tasks, err := service.Open(ctx, w.Board, w.By)
	if err != nil {
		return nil, err
	}
	wanted, err := service.Wanted(tasks, nil)
	if err != nil {
		return nil, err
	}
	for i := range wanted {
		all = append(all, wanted[i].Command())
	}
	return all, nil
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
		Setup: trees.Setup.Run, SetupIn: trees.Setup.Timeout, Copy: trees.Copy, Limit: w.Run.Limits.Attempt.Time,
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
	standing, err := here.Standing(ctx)
	if err != nil {
		return cli.RunEnd{}, err
	}
	here.Prune(state, time.Now())
	run := w.Run
	run.PID, run.Dirty, run.Standing = os.Getpid(), standing.Dirty, standing.Shared
	if _, paused := state.Paused[""]; state.Run != nil && (paused || state.Running && len(state.Live()) > 0) {
		// A runner was killed, or ended before a person had looked. What agents have done to
		// git's configuration since it began counts.
		run.Standing = state.Run.Standing
	}
	if halfMerged(state) {
		run.Dirty = state.Run.Dirty
	}
	needed := int64(settings.Of[int](w.Settings, "run.disk")) << 20
	r := engine.New(engine.Options{
		Board: w.Board, Repo: here, Agents: runlocal.Agents{Local: here}, Checks: runlocal.Checker{Local: here, Board: w.Board}, Journal: j, State: state, Run: run,
		Controls: func() ([]runs.Control, int64, error) { return w.Folder.Controls(state.Done) },
		Folder: func(id runs.Identity, n int) string {
			return filepath.Join(w.Folder.Attempt(runs.Key{Task: id, N: n}), "tree")
		},
		Free:  func() (int64, int64) { return runlocal.Free(w.Folder.Path), needed },
		Live:  func(l runs.Live) { _ = w.Folder.SetLive(l) },
		Tell:  w.Tell,
		Now:   time.Now,
		Rules: here.Checks.Rules, Leftover: settings.Of[string](w.Settings, "run.leftovers") == "commit",
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

// runDiff is what an attempt changed.
func runDiff(ctx context.Context, w *cli.Working, a *runs.Attempt) (string, error) {
	t, err := clone(ctx, w)
	if err != nil {
		return "", err
	}
	tip := a.Tip
	if tip == "" { // it is at work: what it has committed so far
		if tip, err = t.Ref(ctx, a.Branch); err != nil {
			return "", err
		}
	}
	if tip == "" || a.Base == "" || tip == a.Base {
		return "", nil
	}
	return t.Diff(ctx, a.Base, tip, mostDiff)
}

// cleanRuns removes the work trees of attempts whose work is kept elsewhere.
func cleanRuns(ctx context.Context, w *cli.Working, dry bool) ([]cli.CleanedTree, error) {
	here, err := locally(ctx, w, nil)
	if err != nil {
		return nil, err
	}
	var state *runs.State
	if !dry {
		j, s, err := w.Folder.Open()
		if err != nil {
			return nil, err
		}
		defer j.Close()
		state = s
	} else if state, err = w.Folder.Read(); err != nil {
		return nil, err
	}
	asked, _, err := w.Folder.Controls(state.Done)
	if err != nil {
		return nil, err
	}
	var all []cli.CleanedTree
	for _, work := range state.Tasks {
		seen := map[string]bool{}
		for i := len(work.Attempts) - 1; i >= 0; i-- {
			a := work.Attempts[i]
			if a.Tree == "" || seen[a.Tree] {
				continue
			}
			seen[a.Tree] = true
			if _, err := os.Lstat(a.Tree); errors.Is(err, os.ErrNotExist) {
				continue
			}
			one := cli.CleanedTree{Dir: a.Tree, ID: a.ID}
			switch last := work.Last(); {
			case !last.Phase.Over() || last.Phase == runs.Waiting:
				one.Why = "attempt " + fmt.Sprint(last.N) + " is " + last.Phase.Word()
			case last.Phase == runs.Taken, slices.ContainsFunc(asked, func(c runs.Control) bool { return c.Op == runs.Take && c.Task == last.Task }): // the next run notes it
				one.Why = "a person has taken it over"
			case last.Phase == runs.Handed:
				one.Why = "its branch waits for a person"
			default:
				if one.Why, err = here.Keeps(ctx, &a); err != nil {
					one.Why = err.Error()
				}
			}
			if one.Why == "" && !dry {
				if err := here.Clean(ctx, &a); err != nil {
					one.Why = err.Error()
				}
			}
			all = append(all, one)
		}
	}
	if !dry {
		err = here.CleanPrivate(ctx)
	}
	return all, err
}

// tryAgent has an agent answer one trivial prompt.
func tryAgent(ctx context.Context, w *cli.Working) (string, error) {
	p, err := finder(w).Find(w.Run.Agent)
	if err == nil {
		err = bounded(w, p)
	}
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "pawl-trial-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	tried, err := agents.Trial{Program: p, Dir: dir, Environ: os.Environ(), Model: w.Model, Skip: skips(w)}.Run(ctx)
	switch {
	case err != nil:
		return "", err
	case !tried.Works:
		return "", hinted(pawl.Unavailable, tried.Fix, "%s does not work without a person: %s", p.Title, tried.Why)
	}
	return fmt.Sprintf("%s works: it answered in %v (%s)", p.Title, tried.Took.Round(100*time.Millisecond), p.Path), nil
}

// runFiles are the outputs of an attempt.
func runFiles(dir string) []cli.RunFile {
	all := []cli.RunFile{}
	for _, f := range []struct{ what, name string }{{"prompt", runlocal.PromptFile}, {"stream", runlocal.StreamFile}, {"errors", runlocal.ErrorsFile}} {
		path := filepath.Join(dir, f.name)
		if info, err := os.Stat(path); err == nil {
			all = append(all, cli.RunFile{What: f.what, Path: path, Size: info.Size()})
		}
	}
	return all
}
