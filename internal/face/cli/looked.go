package cli

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/say"
)

// Screened makes a completion one that a screen may send: see [checks.Service.Screened].
type Screened = func(context.Context, ask.Board, pawl.Complete) (pawl.Complete, error)

// looked finds out for a screen what this clone knows of the checks of a task, and what
// completing one takes. It opens them each time: settings and trust change while a
// screen is open. Nothing of it runs a check.
func (a *app) looked() (say.Look, Screened) {
	open := func() (*checks.Service, error) {
		return checks.In(project.Open(project.From{Dir: a.env.Dir, Getenv: a.env.Getenv, Address: a.address}), a.env.Getenv)
	}
	look := func(ctx context.Context, t *pawl.Task, files bool) ([]say.Looked, error) {
		service, err := open()
		if err != nil {
			return nil, err
		}
		shown, err := service.Look(ctx, t, files)
		if err != nil {
			return nil, err
		}
		all := make([]say.Looked, len(shown))
		for i := range shown {
			s := &shown[i]
			all[i] = say.Looked{
				Check: s.Check, Project: !s.Own, Evidence: s.Evidence, Stale: s.State == checks.Stale,
				Seen: s.Seen, Waits: !s.Trusted, Tail: s.Tail, Why: s.Why,
			}
		}
		return all, nil
	}
	screened := func(ctx context.Context, b ask.Board, op pawl.Complete) (pawl.Complete, error) {
		service, err := open()
		if err != nil {
			return op, err
		}
		return service.Screened(ctx, b, op)
	}
	return look, screened
}
