// Package live has an agent's real program work in a toy project, on the user's
// own account, and says what came of it: whether hooks fire and tools are there,
// whether a plan comes back, lists stay apart, stop means stop, and finished
// work is ticked. It is behind pawl doctor --live.
//
//	Look.Run ─→ toy project ─→ turns, each a run of the program ─→ Report
//
// It sees the messages of Pawl's own hooks and server (package trace), the lists that
// are left, and what the agent says. Nothing of the user's is changed: the project,
// Pawl's state and its settings are in a temporary folder, and the program is told by
// arguments to trust it.
package live

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A Look says what is to be looked at.
type Look struct {
	Agent   *agent.Agent
	Program string   // the agent's, absolute
	Pawl    string   // this program, absolute
	Version string   // of this program
	Environ []string // of the user
	Home    string   // of the user, absolute
	Model   string   // empty: the program's own choice
	// Setup sets Pawl up in the toy project, called by that command, and reports
	// whether it did: a user may have it in all projects already, and then that set-up
	// is looked at.
	Setup func(ctx context.Context, root, command string, getenv func(string) string) (own bool, err error)
	Tell  func(text string) // what is done now
	Now   func() time.Time
	Limit time.Duration // of one run; 0: MaxRun
}

// MaxRun is how long one run of a program may take. A turn has a handful of
// requests.
const MaxRun = 5 * time.Minute

// Cost is what a look takes, as far as that can be known before.
func Cost(a *agent.Agent) (runs, requests, tokens int) {
	for _, t := range turns {
		if !t.fits(a) {
			continue
		}
		runs++
		requests += t.requests
	}
	return runs, requests, requests * a.Headless.Tokens
}

// Run looks. An error means that the look could not take place; all findings, good or
// bad, are in the report.
func (l *Look) Run(ctx context.Context) (*Report, error) {
	if l.Limit == 0 {
		l.Limit = MaxRun
	}
	began := l.Now()
	r := &Report{Agent: l.Agent.Name, Title: l.Agent.Title, Pawl: l.Version, System: system(), At: wire.Time(began), Model: l.Model}
	y, err := l.makeToy(ctx)
	if err != nil {
		return nil, err
	}
	defer y.remove()
	if r.Version, err = l.version(ctx, y); err != nil {
		return nil, err
	}
	own, err := l.Setup(ctx, y.root, y.command, y.getenv)
	if err != nil {
		return nil, err
	}
	if r.Setup = "yours, for all projects"; own {
		r.Setup = "for the toy project alone"
	}
	if err := y.pawl(ctx, nil, "add", kestrels); err != nil {
		return nil, err
	}
	s := &story{Look: l, toy: y, seen: map[string]*seen{}, trusted: own}
	if err := s.playAll(ctx, r); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxClean) // a person who ends the look does not wait long
		defer cancel()
		s.clean(ctx)
		return nil, err
	}
	r.Left = s.clean(ctx)
	r.Seconds = round(l.Now().Sub(began))
	return r, nil
}

// maxClean is how long it may take to clean up after a look that failed.
const maxClean = 10 * time.Second

// playAll plays the turns that fit the agent, and judges what came of them.
func (s *story) playAll(ctx context.Context, r *Report) error {
	for _, t := range turns {
		if !t.fits(s.Agent) {
			continue
		}
		if err := s.play(ctx, t); err != nil {
			return err
		}
		if s.seen[t.name].refused {
			return pawl.Errorf(pawl.Unavailable, "%s is not logged in here: %s", s.Agent.Title, s.seen[t.name].fault).
				Say(s.Agent.Headless.Login)
		}
	}
	return r.judge(ctx, s)
}

func (l *Look) version(ctx context.Context, y *toy) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.Program, "--version")
	cmd.Dir, cmd.Env = y.root, y.env
	out, err := cmd.Output()
	if err != nil {
		return "", pawl.Errorf(pawl.Unavailable, "%s --version fails: %w", l.Agent.Headless.Program, err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return y.mask(first), nil
}

// round is a time as reports have it.
func round(d time.Duration) float64 { return d.Round(100 * time.Millisecond).Seconds() }
