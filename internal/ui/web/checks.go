package web

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// lookedJSON is a check of a task, as the server knows it.
type lookedJSON struct {
	Name     string      `json:"name"`               // what it is called
	What     string      `json:"what"`               // its name and what it runs, in words: "unit: go test ./..., in web"
	State    CheckState  `json:"state"`              // how it stands
	Said     string      `json:"said"`               // what its last run showed and what that is worth here, in words, but for when: "failed on 1a2b3c4 by ada, exit code 1, 2.1 s"
	At       wire.Moment `json:"at,omitempty"`       // when it ran last; absent: it has not run
	Project  bool        `json:"project,omitempty"`  // the project asks it of the task, so it cannot be removed from the task
	Optional bool        `json:"optional,omitempty"` // completing does not need it
	Claimed  bool        `json:"claimed,omitempty"`  // this clone has not seen the run: it is what the task's file says
	Waits    bool        `json:"waits,omitempty"`    // it does not run in this clone before a person trusts it: pawl trust checks
	Tail     string      `json:"tail,omitempty"`     // the end of what it printed in this clone: text, at most 4 KiB
}

// A CheckState says how a check of a task stands: passed, failed, open (it has not run
// as it is now) or stale (it has passed, and files have changed since).
type CheckState string

// looked is what is known here of a task's checks.
func (s *Server) looked(ctx context.Context, t *pawl.Task, files bool) []show.Looked {
	look := s.Checks
	if len(t.Evidence)+len(t.Checks) == 0 && !files {
		look = nil
	}
	all, err := look.Known(ctx, t, files)
	if err != nil && ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded) {
		s.Log.Warn("what this clone knows of checks cannot be read", "err", err)
	}
	return all
}

func newLooked(all []show.Looked) []lookedJSON {
	var out []lookedJSON
	for i := range all {
		l := all[i]
		j := lookedJSON{
			Name: l.Check.Name, Project: l.Project, Optional: l.Check.Optional, Waits: l.Waits, Tail: strings.Join(show.TailLines(l.Tail), "\n"),
			State: CheckState(l.Is()),
		}
		if l.Stale {
			j.State = "stale"
		}
		if e := l.Evidence; e != nil {
			j.At, j.Claimed = wire.Time(e.At), !l.Seen
			untimed := *e
			untimed.At = time.Time{} // the page tells how long ago that was, as it goes on
			l.Evidence = &untimed
		}
		shown := l.Line(inUTC)
		j.What, j.Said = shown.What, shown.Last
		out = append(out, j)
	}
	return out
}

// failedOn adds to cards of tasks that have a failed check what it printed last here.
func (s *Server) failedOn(ctx context.Context, l *query.Lanes, a *lanesJSON) {
	if s.Checks == nil {
		return
	}
	printed := show.Printed(l, func(t *pawl.Task) []show.Looked { return s.looked(ctx, t, false) })
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			a.Lanes[lane].Cards[i].Tail = strings.Join(printed[l.Cards[lane][i].Task.ID], "\n")
		}
	}
}
