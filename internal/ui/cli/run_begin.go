package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// begin works the board off.
func (r *runRun) begin(ctx context.Context, args []string) error {
	if r.env.Getenv(runs.EnvRun) != "" {
		return pawl.Errorf(pawl.Invalid, "this is an attempt of a run: an agent of a run cannot start another run")
	}
	if r.flags.all && len(args)+len(r.flags.labels) > 0 {
		return pawl.Errorf(pawl.Invalid, "--all goes with neither IDs nor --label")
	}
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	if w.Board, err = r.open(); err != nil {
		return err
	}
	if w.Run.Select.IDs, err = r.chosen(ctx, w, args); err != nil {
		return err
	}
	w.Run.Select.Labels = r.flags.labels
	if err := r.limits(w); err != nil {
		return err
	}
	found, err := r.env.Runs.Look(ctx, w)
	if err != nil {
		return err
	}
	w.Run.Agent, w.Run.Target = found.Agent, found.Target
	state, err := w.Folder.Read()
	if err != nil {
		return err
	}
	if r.flags.dry {
		return r.prospect(ctx, w, found, state)
	}
	if len(found.Waits) > 0 && r.atTerminal() {
		service, tasks, left, err := r.checkedTasks(ctx)
		if err == nil {
			err = r.askTrust(ctx, false, service, tasks, left)
		}
		if err != nil {
			return err
		}
		if found, err = r.env.Runs.Look(ctx, w); err != nil {
			return err
		}
	}
	if len(found.Waits) > 0 {
		return pawl.Errorf(pawl.Unmet, "a person must trust first: %s", strings.Join(found.Waits, "; ")).
			Say("pawl trust checks")
	}
	if w.Folder, err = w.Folder.Marked(); err != nil {
		return err
	}
	if state.Run == nil {
		r.introduce(w, found)
		if err := r.confirm(r.flags.yes, "start agents here", "no agent was started"); err != nil {
			return err
		}
	}
	if w.Board, err = r.openWatchedAt(w.Place, func(warning string) { r.say("%s", warning) }); err != nil {
		return err
	}
	defer w.Board.Close()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	end, err := r.env.Runs.Work(ctx, w, signals)
	if err != nil {
		return err
	}
	return r.told(w, end)
}

// chosen are the tasks that a run is for, which must exist.
func (r *runRun) chosen(ctx context.Context, w *Working, args []string) ([]pawl.ID, error) {
	ids, err := r.resolveWords(ctx, args)
	if err != nil || len(ids) == 0 {
		return ids, err
	}
	q := query.TaskQuery{}
	for _, id := range ids {
		q.Names = append(q.Names, id.String())
	}
	found, err := query.Of(ctx, w.Board, query.Asker{}, q)
	if err != nil {
		return nil, err
	}
	for i := range found.Tasks {
		if fault := found.Tasks[i].Fault; fault != nil {
			return nil, fault
		}
	}
	return ids, nil
}

// limits reads what bounds the run from the settings.
func (r *runRun) limits(w *Working) error {
	s := w.Settings
	run := &w.Run
	run.ID, run.Began, run.Once = newRunID(), time.Now().UTC(), r.flags.once
	run.Slots, run.Agent = settings.Of[int](s, "run.slots"), settings.Of[string](s, "run.agent")
	if r.slots {
		if r.flags.agents < 1 || r.flags.agents > 16 {
			return pawl.Errorf(pawl.Invalid, "--agents is a number from 1 to 16")
		}
		run.Slots = r.flags.agents
	}
	if r.flags.agent != "" {
		run.Agent = r.flags.agent
	}
	run.Review, run.Merge = settings.Of[string](s, "run.review"), settings.Of[string](s, "run.integrate")
	if r.flags.noMerge {
		run.Merge = "none"
	}
	times, budget := settings.Of[settings.Times](s, "run.timeout"), settings.Of[settings.Budget](s, "run.budget")
	limit := func(of int) runs.Limit {
		return runs.Limit{Time: times[of], Usage: runs.Usage{Tokens: int64(budget[of].Tokens), Money: budget[of].Money}}
	}
	run.Limits = runs.Limits{
		Attempts: settings.Of[int](s, "run.attempts"), Idle: times[settings.OfIdle],
		Attempt: limit(settings.OfAttempt), Task: limit(settings.OfTask), Run: limit(settings.OfRun),
	}
	return nil
}

// introduce says before the first run of a clone what is about to happen.
func (r *runRun) introduce(w *Working, found Prospect) {
	r.say("%s (%s) works on ready tasks, %d at once, each in a work tree of its own under %s", found.Agent, found.Program, w.Run.Slots, w.Folder.Path)
	switch {
	case w.Run.Merge == "branch", w.Run.Merge == "none":
		r.say("its commits stay on branches pawl/ID-…")
	case w.Run.Review == "before-merge":
		r.say("when a task's checks have passed, you are asked before its commits go to %s: pawl run approve ID. pawl config set run.review none --user changes that", runs.Branch(found.Target))
	default:
		r.say("when a task's checks have passed, its commits go to %s", runs.Branch(found.Target))
	}
	if found.Setup != "" {
		r.say("each work tree is set up with: %s", text.Line(found.Setup))
	}
	if len(found.Copy) > 0 {
		r.say("each work tree gets a copy of %s, which the agent can read", text.And(found.Copy))
	}
	if found.Skips {
		r.say("the agent does everything without asking (run.permissions is skip), outside of its work tree, too")
	}
	r.say("an attempt may take %s%s; agents use your account with their provider", span(w.Run.Limits.Attempt.Time), cost(&w.Run.Limits))
}

func span(d time.Duration) string {
	if d == 0 {
		return "as long as it likes"
	}
	return d.String()
}

func cost(l *runs.Limits) string {
	switch {
	case l.Attempt.Money > 0:
		return fmt.Sprintf(" and $%.2f", l.Attempt.Money)
	case l.Attempt.Tokens > 0:
		return fmt.Sprintf(" and %d model tokens", l.Attempt.Tokens)
	}
	return ", and there is no limit on model tokens or money (run.budget)"
}
