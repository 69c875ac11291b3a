package main

import (
	"context"
	"slices"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/tool"
)

// A workshop runs the checks of tasks that agents complete through a server in their
// clone. It is there until the server ends, and ends what runs then.
type workshop struct {
	cli.Serving
	life context.Context
	stop context.CancelFunc

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

func newWorkshop(s cli.Serving) *workshop {
	w := &workshop{Serving: s}
	w.life, w.stop = context.WithCancel(context.Background())
	return w
}

// begins reports whether something more may run.
func (w *workshop) begins() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.work.Add(1)
	}
	return !w.closed
}

// close ends the checks that run, with all that they started.
func (w *workshop) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.stop()
	w.work.Wait()
}

// complete completes tasks when their checks have passed. An agent asks for it, so that
// nothing runs which no person has trusted.
func (w *workshop) complete(ctx context.Context, c tool.Completion) (tool.CheckReport, error) {
	if !w.begins() {
		return tool.CheckReport{}, pawl.Errorf(pawl.Unavailable, "the server ends")
	}
	defer w.work.Done()
	if id, inside := runs.Inside(w.Getenv); inside && slices.Contains(c.Op.IDs, id) {
		return tool.CheckReport{}, pawl.Errorf(pawl.Unmet, "%s", runs.ReadySays(id))
	}
	service, err := w.Checks()
	if err != nil {
		return tool.CheckReport{}, err
	}
	report, err := service.Done(ctx, checks.Request{By: c.By.Name, Read: c.Read, Past: checks.Past(c.Board, c.By.Actor), Do: c.Do, Tell: c.Tell}, c.Op)
	return told(&report), err
}

// looked finds out for the tools what this clone knows.
func (w *workshop) looked(ctx context.Context, t *pawl.Task) ([]tool.RanCheck, error) {
	return looked(ctx, w.Checks, t)
}

// looked are the failed runs of a task's checks that this clone has seen.
func looked(ctx context.Context, open func() (*checks.Service, error), t *pawl.Task) ([]tool.RanCheck, error) {
	service, err := open()
	if err != nil {
		return nil, err
	}
	shown, err := service.Look(ctx, t, false)
	if err != nil {
		return nil, err
	}
	var all []tool.RanCheck
	for i := range shown {
		if s := &shown[i]; s.Seen && !s.Evidence.Passed {
			all = append(all, tool.RanCheck{Check: s.Name, Command: s.Command(), Exit: s.Evidence.Exit, Why: s.Why, Tail: s.Tail})
		}
	}
	return all, nil
}

// told is a report as the tools have it.
func told(report *checks.Report) tool.CheckReport {
	var r tool.CheckReport
	for i := range report.Ran {
		ran := &report.Ran[i]
		r.Ran = append(r.Ran, tool.RanCheck{
			Check: ran.Check.Name, Command: ran.Check.Command(), Tasks: ran.Tasks, Passed: ran.Passed, Exit: ran.Exit,
			Took: ran.Took, Why: ran.Why, Tail: ran.Tail, Line: text.Line(ran.Line()),
		})
	}
	for i := range report.Skipped {
		r.Skipped = append(r.Skipped, report.Skipped[i].Name)
	}
	return r
}
