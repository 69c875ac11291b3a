package checks

import (
	"context"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// Screened is a request as an interface may send it that runs no checks. Every op that can
// complete a task gets the checks that the project asks, for the board to hold it to. What
// this clone remembers no board knows, so that Screened refuses it: to complete a task
// which a trusted check was taken from, and for an agent to remove a task that has one. Of
// an import only those tasks stay open.
func (s *Service) Screened(ctx context.Context, b ask.Board, person bool, r pawl.Request) (pawl.Request, error) {
	op, err := s.screened(ctx, b, person, r, r.Op)
	if err == nil {
		r.Op = op
	}
	return r, err
}

func (s *Service) screened(ctx context.Context, b ask.Board, person bool, r pawl.Request, op pawl.Op) (pawl.Op, error) {
	switch op := op.(type) {
	case pawl.Complete:
		return s.completion(ctx, b, op)
	case pawl.Delete:
		if person {
			return op, nil
		}
		effects, err := s.effects(ctx, b, r, op)
		if err != nil {
			return nil, err
		}
		return op, s.refuseRemoval(ctx, b, effects.removed)
	case pawl.Update:
		if person || len(op.RemoveChecks)+len(op.AddChecks) == 0 {
			return op, nil
		}
		return op, s.refuseFewer(ctx, b, op)
	case pawl.Undo:
		op.Rules = s.Rules
		effects, err := s.would(ctx, b, r, op)
		if err != nil {
			return nil, err
		}
		if !person {
			if err := s.refuseRemoval(ctx, b, effects.removed); err != nil {
				return nil, err
			}
		}
		for i := range effects.completed {
			if err := s.refuseCompletion(ctx, b, &effects.completed[i]); err != nil {
				return nil, err
			}
		}
		// What passed before is not run here, and nobody here has trusted that it is.
		if waits, err := s.plan(effects.completed, false); err != nil {
			return nil, err
		} else if s.Refuse && len(waits.skipped) > 0 {
			return nil, untrusted(waits.skipped)
		}
		return op, nil
	case pawl.Import:
		op.Rules = s.Rules
		effects, err := s.effects(ctx, b, r, alone(op))
		if err != nil {
			return nil, err
		}
		for i := range effects.completed {
			t := &effects.completed[i]
			err := s.refuseCompletion(ctx, b, t)
			if pawl.KindOf(err) == pawl.Unmet {
				op.Tasks = slices.Clone(op.Tasks)
				for j, id := range effects.ids {
					if id == t.ID {
						op.Tasks[j].Status, op.Tasks[j].CompletedAt = "", t.CompletedAt
					}
				}
			} else if err != nil {
				return nil, err
			}
		}
		return op, nil
	case pawl.All:
		op.Ops = slices.Clone(op.Ops)
		for i := range op.Ops {
			one, err := s.screened(ctx, b, person, r, op.Ops[i])
			if err != nil {
				return nil, err
			}
			op.Ops[i] = one
		}
		return op, nil
	}
	return op, nil
}

// alone is an import without the edges, which decide nothing here and may lead to tasks
// that are made only before it.
func alone(op pawl.Import) pawl.Import {
	op.Tasks = slices.Clone(op.Tasks)
	for i := range op.Tasks {
		t := &op.Tasks[i]
		t.Parent, t.BlockedBy, t.Blocks = pawl.Ref{}, nil, nil
	}
	return op
}

// completion is a completion with the checks that the project asks.
func (s *Service) completion(ctx context.Context, b ask.Board, op pawl.Complete) (pawl.Op, error) {
	if s.Broken != "" {
		return op, s.broken()
	}
	op.Rules = s.Rules
	if may, err := s.anyHad(); err != nil || !may {
		return op, err
	}
	tasks, err := Reader(b, pawl.Actor{})(ctx, op.IDs)
	if err != nil {
		return op, err
	}
	for i := range tasks {
		if tasks[i].Open() {
			if err := s.refuseCompletion(ctx, b, &tasks[i]); err != nil {
				return op, err
			}
		}
	}
	return op, nil
}

// effects are what an op would do that matters here: to open tasks, as they are before it.
type effects struct {
	ids                []pawl.ID // of the result
	completed, removed []pawl.Task
}

// effects is would where this clone knows of checks.
func (s *Service) effects(ctx context.Context, b ask.Board, r pawl.Request, op pawl.Op) (effects, error) {
	if may, err := s.anyHad(); err != nil || !may && s.Broken == "" {
		return effects{}, err
	}
	return s.would(ctx, b, r, op)
}

// would finds out what an op would do. What the board refuses does nothing: it refuses it
// again.
func (s *Service) would(ctx context.Context, b ask.Board, r pawl.Request, op pawl.Op) (effects, error) {
	r.Op, r.ID = op, ""
	came, err := b.Try(ctx, 0, r)
	if err != nil {
		if kind := pawl.KindOf(pawl.ErrorAt(err, 0)); kind == pawl.Unavailable || kind == pawl.Internal {
			return effects{}, err
		}
		return effects{}, nil
	}
	e := effects{ids: came[0].Result.IDs}
	for _, c := range came[0].Result.Changes {
		switch {
		case c.Before == nil || !c.Before.Open():
		case c.After == nil:
			e.removed = append(e.removed, *c.Before)
		case !c.After.Open():
			e.completed = append(e.completed, *c.Before)
		}
	}
	return e, nil
}

// refuseCompletion refuses to complete a task for which a person has to agree first.
func (s *Service) refuseCompletion(ctx context.Context, b ask.Board, t *pawl.Task) error {
	if s.Broken != "" {
		return s.broken()
	}
	if err := s.recollect(ctx, Request{Past: Past(b, pawl.Actor{})}, []pawl.Task{*t}); err != nil {
		return err
	}
	return s.refuseLost(t)
}

// refuseRemoval refuses an agent to remove tasks that have a trusted check, or had one: it
// could add them again without it.
func (s *Service) refuseRemoval(ctx context.Context, b ask.Board, tasks []pawl.Task) error {
	for i := range tasks {
		t := &tasks[i]
		if err := s.recollect(ctx, Request{Past: Past(b, pawl.Actor{})}, tasks[i:i+1]); err != nil {
			return err
		}
		names, err := s.needed(t)
		if err == nil && len(names) == 0 && s.home != nil {
			names, err = s.home.needed(t)
		}
		if err != nil {
			return err
		}
		if len(names) > 0 {
			e := pawl.Errorf(pawl.Invalid, "only a person may remove %v, which needs %s: another task in its place would not", t.ID, strings.Join(names, ", "))
			e.IDs, e.Hint = []pawl.ID{t.ID}, pawl.Hint{Step: pawl.HintSay, Text: "ask a person to run pawl rm " + strings.TrimPrefix(t.ID.String(), "#")}
			return e
		}
	}
	return nil
}

// refuseFewer refuses an agent to take a required check from a task, or to put another one in
// its place, if nobody here has trusted it yet: a trusted one is remembered (see Lost), and
// without this one the task would be completed as if nothing had been asked.
func (s *Service) refuseFewer(ctx context.Context, b ask.Board, op pawl.Update) error {
	tasks, err := Reader(b, pawl.Actor{})(ctx, []pawl.ID{op.ID})
	if err != nil {
		return nil // the board says why
	}
	trusted, err := s.trusted()
	if err != nil {
		return err
	}
	for i := range tasks[0].Checks {
		c := &tasks[0].Checks[i]
		other := slices.IndexFunc(op.AddChecks, func(add pawl.Check) bool { return add.Name == c.Name })
		if c.Optional || slices.Contains(trusted, c.Sum()) || !slices.Contains(op.RemoveChecks, c.Name) && (other < 0 || op.AddChecks[other].Equal(c)) {
			continue
		}
		e := pawl.Errorf(pawl.Invalid, "only a person may take the check %s from %v", c.Name, op.ID)
		e.IDs, e.Hint = []pawl.ID{op.ID}, pawl.Hint{Step: pawl.HintSay, Text: "ask a person to change it, and say why in a note"}
		return e
	}
	return nil
}

// needed are the names of the trusted checks that a task requires, or required here once,
// without those that the project asks of every task.
func (s *Service) needed(t *pawl.Task) ([]string, error) {
	trusted, err := s.trusted()
	if err != nil {
		return nil, err
	}
	of := map[string]string{}
	for _, c := range t.AllChecks(s.Rules) {
		if sum := c.Sum(); !c.Optional && slices.Contains(trusted, sum) {
			of[sum] = c.Name
		}
	}
	list, err := s.had()
	if err != nil {
		return nil, err
	}
	keys := s.keys(t)
	for _, h := range list {
		if slices.Contains(keys, h.Task) {
			for sum, name := range h.Checks {
				of[sum] = name
			}
		}
	}
	for i := range s.Rules {
		if len(s.Rules[i].Labels) == 0 {
			delete(of, s.Rules[i].Sum())
		}
	}
	var names []string
	for _, name := range of {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
