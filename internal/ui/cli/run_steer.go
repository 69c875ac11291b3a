package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// onlyRun returns the newest attempt at the task that was named.
func (r *runRun) onlyRun(ctx context.Context, name string) (*Working, runs.Attempt, error) {
	w, err := r.working(ctx)
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	if w.Board, err = r.open(); err != nil {
		return nil, runs.Attempt{}, err
	}
	ids, err := r.resolveWords(ctx, []string{name})
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	state, err := w.Folder.Read()
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	found, err := query.Of(ctx, w.Board, query.Asker{}, query.TaskQuery{Names: []string{ids[0].String()}})
	if err != nil {
		return nil, runs.Attempt{}, err
	}
	if detail := found.Tasks[0].Detail; detail != nil {
		if last := state.Tasks[runs.IdentityOf(&detail.Task)].Last(); last != nil {
			last.ID = detail.Task.ID // a merge may have changed it
			return w, *last, nil
		}
	}
	for _, work := range state.Tasks { // the task was deleted
		if last := work.Last(); last != nil && last.ID == ids[0] && found.Tasks[0].Detail == nil {
			return w, *last, nil
		}
	}
	return nil, runs.Attempt{}, pawl.Errorf(pawl.NotFound, "no attempt at %v is known in this clone", ids[0]).
		Say(fmt.Sprintf("pawl run %d", ids[0]))
}

// control sends a request to the run.
func (r *runRun) control(w *Working, c runs.Control) error {
	c.By, c.At = w.By.Name, time.Now().UTC()
	return w.Folder.Ask(c)
}

// when says when a request is carried out.
func (r *runRun) when(w *Working) string { return whenRun(w.Folder.Alive()) }

func whenRun(alive bool) string {
	if alive {
		return ""
	}
	return "; no run is at work here, so the next pawl run does it"
}

// askedRun says what follows a request.
func askedRun(op runs.ControlOp, a *runs.Attempt) string {
	switch op {
	case runs.Approve:
		return fmt.Sprintf("Approved attempt %d at %v", a.N, a.ID)
	case runs.Retry:
		return fmt.Sprintf("Another attempt at %v follows attempt %d", a.ID, a.N)
	}
	return fmt.Sprintf("Attempt %d at %v stops; what it did is kept, and the task is put on hold", a.N, a.ID)
}

func (r *runRun) approve(ctx context.Context, args []string) error {
	if err := r.consents("approve an attempt", r.sameLine()); err != nil {
		return err
	}
	if r.flags.share {
		w, err := r.working(ctx)
		if err != nil {
			return err
		}
		if err := r.control(w, runs.Control{Op: runs.Approve}); err != nil {
			return err
		}
		return r.answer("Accepted git's shared configuration, hooks and attributes as they are now" + r.when(w))
	}
	if len(args) == 0 {
		return pawl.Errorf(pawl.Invalid, "usage: pawl run approve ID...").Say("pawl run status")
	}
	for _, name := range args {
		if err := r.steer(ctx, runs.Control{Op: runs.Approve}, name); err != nil {
			return err
		}
	}
	return nil
}

// steer asks the run for something about the newest attempt at a task.
func (r *runRun) steer(ctx context.Context, c runs.Control, name string) error {
	w, a, err := r.onlyRun(ctx, name)
	if err != nil {
		return err
	}
	if err := c.Op.Fits(&a, w.Folder.Alive()); err != nil {
		return err
	}
	if c.Op == runs.Retry && c.Op.Persons(&a) {
		if err := r.consents("send back an attempt that waits for approval", r.sameLine()); err != nil {
			return err
		}
	}
	c.ID, c.Task = a.ID, a.Task
	if err := r.control(w, c); err != nil {
		return err
	}
	return r.answer(askedRun(c.Op, &a) + r.when(w))
}

func (r *runRun) retry(ctx context.Context, args []string) error {
	return r.steer(ctx, runs.Control{Op: runs.Retry, Text: r.flags.remark}, args[0])
}

func (r *runRun) stop(ctx context.Context, args []string) error {
	if len(args) == 0 {
		w, err := r.working(ctx)
		if err != nil {
			return err
		}
		if !w.Folder.Alive() {
			return pawl.Errorf(pawl.Conflict, "no run is at work here")
		}
		if err := r.control(w, runs.Control{Op: runs.StopAll}); err != nil {
			return err
		}
		return r.answer("The run stops its agents and ends; what they did is kept")
	}
	return r.steer(ctx, runs.Control{Op: runs.StopOne}, args[0])
}

func (r *runRun) take(ctx context.Context, args []string) error {
	if err := r.consents("take over an attempt", r.sameLine()); err != nil {
		return err
	}
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	if a.Cleaned || a.Tree == "" {
		return pawl.Errorf(pawl.Conflict, "the work tree of attempt %d at %v is gone; its work is %s", a.N, a.ID, a.Ref())
	}
	alive := w.Folder.Alive()
	if err := r.control(w, runs.Control{Op: runs.Take, ID: a.ID, Task: a.Task}); err != nil {
		return err
	}
	if alive { // the claim is the attempt's until its agent has ended
		for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(200 * time.Millisecond) {
			state, err := w.Folder.Read()
			if err != nil {
				return err
			}
			if now, _ := state.Attempt(a.Key); now.Phase.Over() {
				break
			}
		}
	}
	if _, err := r.do(ctx, pawl.ClaimTask{ID: a.ID, Force: true}); err != nil {
		return err
	}
	if r.json {
		return r.answer(a.Tree)
	}
	r.print("%s\n", a.Tree)
	r.say("%v is yours: go on in this folder, on branch %s; then pawl done %d", a.ID, runs.Branch(a.Branch), a.ID)
	return nil
}

func (r *runRun) diff(ctx context.Context, args []string) error {
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	diff, err := r.env.Runs.Diff(ctx, w, &a)
	if err != nil {
		return err
	}
	if r.json {
		return r.answer(diff)
	}
	if diff == "" {
		r.say("attempt %d at %v has changed no file", a.N, a.ID)
		return nil
	}
	for line := range strings.Lines(diff) {
		r.print("%s\n", text.Line(strings.TrimRight(line, "\r\n")))
	}
	r.say("attempt %d at %v: %s since %.12s", a.N, a.ID, text.Count(len(a.Files), "file", "files"), a.Base)
	return nil
}

func (r *runRun) clean(ctx context.Context, _ []string) error {
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	all, err := r.env.Runs.Clean(ctx, w, r.flags.dry)
	if err != nil {
		return err
	}
	if r.json {
		return r.answerRun(runJSON{Trees: all})
	}
	for _, c := range all {
		switch {
		case c.Why != "":
			r.print("%s stays: %s\n", text.Line(c.Dir), text.Line(c.Why))
		case r.flags.dry:
			r.print("%s would be removed\n", text.Line(c.Dir))
		default:
			r.print("%s was removed\n", text.Line(c.Dir))
		}
	}
	if len(all) == 0 {
		r.say("there are no work trees of runs")
	}
	return nil
}

func (r *runRun) check(ctx context.Context, args []string) error {
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	w.Run.Agent = settings.Of[string](w.Settings, "run.agent")
	if r.flags.agent != "" {
		w.Run.Agent = r.flags.agent
	}
	if len(args) > 0 {
		w.Run.Agent = args[0]
	}
	said, err := r.env.Runs.Trial(ctx, w)
	if err != nil {
		return err
	}
	return r.answer(said)
}
