package hook

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// listCheck is what is known of the check of the agent's todo list, and how it is run.
func (s *session) listCheck(ctx context.Context, l *todo.List) (known nudge.ListCheck) {
	if s.env.ListCheck != nil {
		var err error
		known, err = s.env.ListCheck(ctx, s.place.project, l)
		s.try(err)
	}
	known.How = "pawl check --todos" + s.flags()
	return known
}

// flags name the agent's list on a command line.
func (s *session) flags() string {
	flags := " --session " + s.key.Session
	if s.key.Agent != "" {
		flags += " --agent " + s.key.Agent
	}
	return flags
}

// mostFailed is how many tasks with failed checks are looked at: each is read whole.
const mostFailed = 3

// failedChecks are the checks of the agent's tasks whose last run failed. A glance says
// which tasks have some, so that a board without checks costs nothing. Of a board at an
// address no more than that is known here.
func (s *session) failedChecks(ctx context.Context, owned []pawl.Task) []nudge.FailedCheck {
	var failed []nudge.FailedCheck
	looked := 0
	for i := range owned {
		t := &owned[i]
		if nudge.Standing(t) != pawl.CheckedFailed {
			continue
		}
		var known []nudge.FailedCheck
		if looked++; s.board != nil && s.env.Checks != nil && looked <= mostFailed {
			found, err := query.Of(ctx, s.board, query.Asker{}, query.TaskQuery{Names: []string{t.ID.String()}})
			if err == nil && len(found.Tasks) == 1 && found.Tasks[0].Detail != nil {
				known, err = s.env.Checks(ctx, s.place.project, &found.Tasks[0].Detail.Task)
			}
			s.try(err)
		}
		if len(known) == 0 {
			known = []nudge.FailedCheck{{Task: t.ID}}
		}
		failed = append(failed, known...)
	}
	return failed
}
