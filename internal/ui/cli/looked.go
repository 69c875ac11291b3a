package cli

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// Screened returns a request for an interface that runs no checks: see
// [checks.Service.Screened].
type Screened = func(context.Context, query.Board, pawl.Request) (pawl.Request, error)

// looked finds out for a screen what this clone knows of the checks of a task, and what
// completing one takes. It opens them each time: settings and trust change while a
// screen is open. Nothing of it runs a check.
func (a *app) looked() (show.Look, Screened) {
	look := func(ctx context.Context, t *pawl.Task, files bool) ([]show.Looked, error) {
		service, err := a.checksNow()
		if err != nil {
			return nil, err
		}
		shown, err := service.Look(ctx, t, files)
		if err != nil {
			return nil, err
		}
		all := make([]show.Looked, len(shown))
		for i := range shown {
			s := &shown[i]
			all[i] = show.Looked{
				Check: s.Check, Project: !s.Own, Evidence: s.Evidence, Stale: s.State == checks.Stale,
				Seen: s.Seen, Waits: !s.Trusted && (t.Open() || t.Unshown()), Tail: s.Tail, Why: s.Why,
			}
		}
		return all, nil
	}
	return look, a.screening(a.mayConsent())
}

// checksNow opens the checks of the clone as settings and trust are now.
func (a *app) checksNow() (*checks.Service, error) {
	return checks.In(project.Open(project.From{Dir: a.env.Dir, Getenv: a.env.Getenv, Address: a.address}), a.env.Getenv)
}

// screening screens the requests of a person, or of others, for as long as a server runs.
func (a *app) screening(person bool) Screened {
	return func(ctx context.Context, b query.Board, r pawl.Request) (pawl.Request, error) {
		service, err := a.checksNow()
		if err != nil {
			return r, err
		}
		return a.screenOne(ctx, service, b, person, r, "do it without force")
	}
}

// screened screens requests of the caller for one commit.
func (a *app) screened(ctx context.Context, b query.Board, requests ...pawl.Request) ([]pawl.Request, error) {
	service, err := a.checks()
	requests = slices.Clone(requests)
	for i := range requests {
		if err == nil {
			requests[i], err = a.screenOne(ctx, service, b, a.mayConsent(), requests[i], a.lineWithout("--force"), requests[:i]...)
		}
	}
	return requests, err
}

// screenOne screens one request, which comes after others, and marks an agent's.
func (a *app) screenOne(ctx context.Context, service *checks.Service, b query.Board, person bool, r pawl.Request, unforced string, before ...pawl.Request) (pawl.Request, error) {
	if err := a.mayForce(r.Op, unforced); err != nil {
		return r, err
	}
	r.Agent = r.Agent || !a.caller().Person
	return service.Screened(ctx, b, person, r, before...)
}

// mayForce refuses an agent to override what others have decided, whatever it would do.
func (a *app) mayForce(op pawl.Op, instead string) error {
	if a.caller().Person || !pawl.Forced(op) {
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "only a person may override claims, blockers and holds, and this is an agent's command").
		Say(instead)
}
