package main

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	agents "github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/ui/cli"
)

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
		return found, hinted(pawl.Conflict, "git commit -a", "these changes are not committed, so agents would not see them, and could not be merged over them: %s", text.Few(standing.Tracked, 5))
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
		found.Setup = show.Command(&trees.Setup)
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
	unset := "pawl config unset run.budget --scope " + w.Settings.Get("run.budget").Origin.Scope.String()
	switch {
	case tokens && !p.Tells.Tokens:
		return hinted(pawl.Invalid, unset, "%s does not tell while it works how many model tokens it uses, so run.budget cannot be kept; run.timeout can", p.Title)
	case l.Attempt.Money > 0 && !p.Tells.Money, money && !p.Tells.Money && !p.Tells.AllMoney:
		return hinted(pawl.Invalid, unset, "%s does not tell while it works what it costs, so run.budget cannot be kept; run.timeout can", p.Title)
	}
	return nil
}

func hinted(kind pawl.Kind, hint, format string, args ...any) error {
	return pawl.Errorf(kind, format, args...).Say(hint)
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
