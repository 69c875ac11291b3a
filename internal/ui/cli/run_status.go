package cli

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// runJSON is the envelope of run and its actions.
type runJSON struct {
	wire.Envelope
	Status   *wire.RunStatus `json:"status,omitempty"`   // of run and run status: how the run stands
	Said     string          `json:"said,omitempty"`     // of other actions: what was done; of diff: the diff; of take: the folder
	Attempts []attemptJSON   `json:"attempts,omitempty"` // of run log
	Trees    []CleanedTree   `json:"trees,omitempty"`    // of run clean
	Begins   []pawl.ID       `json:"begins,omitempty"`   // of a dry run: the tasks that would begin now
	Why      string          `json:"why,omitempty"`      // why nothing more begins
}

// attemptJSON is an attempt with its outputs.
type attemptJSON struct {
	wire.RunView
	Files []RunFile `json:"outputs"` // its prompt and what its program printed
}

// newRunID names a run.
func newRunID() string { return strings.ToLower(rand.Text()[:8]) }

// answer prints what was done.
func (r *runRun) answer(said string) error {
	if r.json {
		return r.answerRun(runJSON{Said: said})
	}
	r.print("%s\n", said)
	return nil
}

func (r *runRun) answerRun(j runJSON) error {
	j.Envelope = wire.NewEnvelope("run")
	return r.printJSON(j)
}

// statusNow is how the run of a folder stands.
func statusNow(w *Working) (runs.Status, error) {
	state, err := w.Folder.Read()
	if err != nil {
		return runs.Status{}, err
	}
	return runs.StatusOf(state, w.Folder.Live(), w.Folder.Alive(), time.Now()), nil
}

func (r *runRun) status(ctx context.Context, _ []string) error {
	w, err := r.working(ctx)
	if err != nil {
		return err
	}
	st, err := statusNow(w)
	if err != nil {
		return err
	}
	if r.json {
		out := wire.RunStatusOf(&st)
		return r.answerRun(runJSON{Status: &out})
	}
	r.showStatus(&st)
	return nil
}

func (r *runRun) showStatus(st *runs.Status) {
	r.print("%s\n", show.RunHead(st))
	for _, s := range st.Slots {
		if s.Attempt == nil {
			r.print("  %d  free\n", s.Slot)
			continue
		}
		r.print("  %d  %s\n", s.Slot, show.RunLine(s.Attempt))
	}
	r.views("To be integrated", st.Queue, "")
	r.views("Waiting for approval", st.Waiting, "pawl run diff ID, then pawl run approve ID, or pawl run retry ID --remark TEXT")
	r.views("On hold", st.Held, "pawl run log ID, then pawl run retry ID --remark TEXT, or pawl run take ID")
	if st.Completed > 0 {
		r.print("Completed: %s\n", text.Count(st.Completed, "task", "tasks"))
	}
	for i := range st.Paused {
		r.print("%s\n", show.RunPause(&st.Paused[i]))
	}
	if nothing := show.RunNothing(st); nothing != "" {
		r.print("%s\n", nothing)
	}
	if used := show.RunUsed(st.Spent); used != "" {
		r.print("Used: %s\n", used)
	}
	if st.Unpushed != "" {
		r.print("%s\n", text.Line(st.Unpushed))
	}
}

func (r *runRun) views(title string, all []runs.View, hint string) {
	if len(all) == 0 {
		return
	}
	r.print("%s:\n", title)
	for i := range all {
		v := &all[i]
		r.print("  %s\n", show.RunLine(v))
	}
	if hint != "" { // with a task's number it can be typed as it stands
		r.print("  next: %s\n", strings.ReplaceAll(hint, "ID", strconv.FormatInt(int64(all[0].ID), 10)))
	}
}

func (r *runRun) log(ctx context.Context, args []string) error {
	w, a, err := r.onlyRun(ctx, args[0])
	if err != nil {
		return err
	}
	state, err := w.Folder.Read()
	if err != nil {
		return err
	}
	attempts := state.Tasks[a.Task].Attempts
	if r.json {
		var all []attemptJSON
		for i := range attempts {
			v := attempts[i].View(time.Now())
			all = append(all, attemptJSON{wire.RunViewOf(&v), r.env.Runs.Files(w.Folder.Attempt(attempts[i].Key))})
		}
		return r.answerRun(runJSON{Attempts: all})
	}
	r.print("%v %s\n", a.ID, text.Line(a.Subject))
	for i := range attempts {
		view := attempts[i].View(time.Now())
		v := &view
		r.print("\nAttempt %d by %s, %s: %s\n", v.N, text.Line(v.Agent), v.Began.Local().Format("2006-01-02 15:04"), v.Word)
		for _, line := range []struct{ what, is string }{
			{"took", took(v)}, {"used", show.RunUsed(v.Usage)}, {"why", v.Why}, {"check", v.Check}, {"branch", v.Branch}, {"kept as", v.Ref}, {"work tree", v.Tree}, {"commit", v.Commit},
		} {
			if line.is != "" {
				r.print("  %-9s %s\n", line.what, text.Line(line.is))
			}
		}
		for line := range strings.Lines(v.Tail) {
			r.print("  | %s\n", text.Line(strings.TrimRight(line, "\n")))
		}
		for _, f := range r.env.Runs.Files(w.Folder.Attempt(attempts[i].Key)) {
			r.print("  %-9s %s (%d bytes)\n", f.What, text.Line(filepath.ToSlash(f.Path)), f.Size)
		}
	}
	return nil
}

func took(v *runs.View) string {
	if v.Took == 0 {
		return ""
	}
	return show.RunSpan(v.Took)
}

// prospect shows what a run would do.
func (r *runRun) prospect(ctx context.Context, w *Working, found Prospect, state *runs.State) error {
	q := pawl.Query{Ready: true, For: found.Agent, Order: pawl.ByUrgency, Labels: w.Run.Select.Labels, IDs: w.Run.Select.IDs}
	ready, err := query.Of(ctx, w.Board, query.Asker{}, query.TasksQuery{Query: q, Why: true})
	if err != nil {
		return err
	}
	choice := state.Pick(ready.Page.Tasks, w.Run.Slots, w.Run.Limits, found.Agent, time.Now())
	why := choice.Why
	if ready.Nothing != nil && len(ready.Page.Tasks) == 0 {
		why = ready.Nothing.Message
	}
	if r.json {
		j := runJSON{Why: why, Begins: []pawl.ID{}}
		for _, p := range choice.Picks {
			j.Begins = append(j.Begins, p.Task.ID)
		}
		return r.answerRun(j)
	}
	r.introduce(w, found)
	for _, p := range choice.Picks {
		r.print("%v %s would begin: attempt %d\n", p.Task.ID, text.Line(p.Task.Subject), p.N)
	}
	if n := len(ready.Page.Tasks) - len(choice.Picks); n > 0 {
		r.print("%s would follow\n", text.Count(n, "ready task", "ready tasks"))
	}
	for _, what := range found.Waits {
		r.print("A person must trust first: %s\n", text.Line(what))
	}
	if why != "" {
		r.print("%s\n", text.Line(why))
	}
	r.say("dry run: nothing was started")
	return nil
}

// told says how a run ended, and what is left for a person.
func (r *runRun) told(w *Working, end RunEnd) error {
	st := &end.Status
	why := ""
	if end.Why != nil {
		why = end.Why.Message
	}
	if r.json {
		out := wire.RunStatusOf(st)
		if err := r.answerRun(runJSON{Status: &out, Why: why}); err != nil {
			return err
		}
	} else {
		r.showStatus(st)
		if why != "" && len(st.Waiting)+len(st.Held) == 0 { // else that is why
			r.print("%s\n", text.Line(why))
		}
	}
	switch {
	case len(st.Waiting) > 0:
		return errAnswered{pawl.Errorf(pawl.Blocked, "%s for your approval", text.Count(len(st.Waiting), "task waits", "tasks wait"))}
	case len(st.Held) > 0:
		return errAnswered{pawl.Errorf(pawl.Blocked, "%s on hold: a person is needed", text.Count(len(st.Held), "task is", "tasks are"))}
	case end.Why != nil && end.Why.Kind != pawl.Idle && !r.flags.once:
		return errAnswered{end.Why}
	}
	return nil
}
