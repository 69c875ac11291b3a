package cli

import (
	"context"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/journal"
	"github.com/pawl-dev/pawl/internal/text"
)

// seenRuns is what this clone knows of its runs, for screens. Without a git repository
// there are none.
func (a *app) seenRuns(ctx context.Context) runs.Watched {
	if a.env.Runs == nil {
		return nil
	}
	w, err := (&runRun{app: a}).working(ctx)
	if err != nil {
		return nil
	}
	s := &seenRuns{journal: journal.Seen{Folder: w.Folder}, w: w, diff: a.env.Runs.Diff, person: a.mayConsent()}
	s.inside = a.env.Getenv(runs.EnvRun) != ""
	return s
}

type seenRuns struct {
	journal        journal.Seen
	w              *Working
	diff           func(context.Context, *Working, *runs.Attempt) (string, error)
	person, inside bool // a person at a terminal opened the screen; inside: in an attempt of a run
}

func (s *seenRuns) Status() (runs.Status, bool) {
	st, ever, err := s.journal.Status(time.Now())
	if err != nil { // of a damaged journal, pawl run tells
		return runs.Status{}, false
	}
	return st, ever
}

func (s *seenRuns) Attempts(task runs.Identity) []runs.View {
	all, _ := s.journal.Attempts(task)
	views := make([]runs.View, len(all))
	for i := range all {
		views[i] = all[i].View(time.Now())
	}
	return views
}

func (s *seenRuns) last(task runs.Identity) (*runs.Attempt, error) {
	all, err := s.journal.Attempts(task)
	if err == nil && len(all) == 0 {
		err = pawl.Errorf(pawl.NotFound, "no attempt at this task is known in this clone")
	}
	if err != nil {
		return nil, err
	}
	return &all[len(all)-1], nil
}

func (s *seenRuns) Diff(ctx context.Context, task runs.Identity) (string, error) {
	a, err := s.last(task)
	if err != nil {
		return "", err
	}
	return s.diff(ctx, s.w, a)
}

func (s *seenRuns) Ask(c runs.Control) (string, error) {
	a, err := s.last(c.Task)
	if err != nil {
		return "", err
	}
	folder := s.journal.Now()
	alive := folder.Alive()
	switch {
	case s.inside:
		return "", pawl.Errorf(pawl.Invalid, "this is an attempt of a run: an agent of a run cannot steer it")
	case c.Op.Persons(a) && !s.person:
		return "", pawl.Errorf(pawl.Invalid, "only a person may decide on an attempt that waits for approval, and no person at a terminal opened this screen").
			Say("ask a person at a terminal to run: " + command("run "+string(c.Op), []pawl.ID{a.ID}))
	}
	if err := c.Op.Fits(a, alive); err != nil {
		return "", err
	}
	if c.ID == 0 {
		c.ID = a.ID
	}
	c.At = time.Now().UTC()
	if err := folder.Ask(c); err != nil {
		return "", err
	}
	return askedRun(c.Op, a) + whenRun(alive), nil
}

// tellRun says in a line that a run is at work, or waits for a person.
func (a *app) tellRun(st *runs.Status) {
	working, queued := st.Working, len(st.Queue)
	if !st.Running {
		working, queued = 0, 0
	}
	parts := text.Counts([]string{"working", "to be integrated", "waiting for approval"}, working, queued, len(st.Waiting))
	switch {
	case st.Killed:
		parts = append(parts, "ended without order, and pawl run goes on with it")
	case st.Running && len(parts) == 0:
		parts = append(parts, "nothing to do at the moment")
	}
	if len(parts) > 0 {
		a.print("\nRun: %s: pawl run status\n", strings.Join(parts, ", "))
	}
}
