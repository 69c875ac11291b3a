package checks

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// Screened returns a request for an interface that runs no checks. Every op that can complete
// a task gets the checks that the project asks, for the board to enforce. Screened itself
// refuses to complete a task that a trusted check was taken from, because only this clone
// remembers that; of an import only those tasks stay open. An agent takes no required check
// and no criterion away, removes no task that has one, and ends no hold and no assignment to
// another name but its session's own. Person says that a person at a terminal asks. Before are
// requests that go before it in the same commit, and may make possible what the board would
// refuse now. The commit holds only for what an agent's screening saw ([pawl.Seen]).
func (s *Service) Screened(ctx context.Context, b query.Board, person bool, r pawl.Request, before ...pawl.Request) (pawl.Request, error) {
	if !person {
		r.Seen = &pawl.Seen{Again: func(ctx context.Context, r pawl.Request) (pawl.Request, error) {
			return s.Screened(ctx, b, false, r) // what went before it has been done or refused
		}}
	}
	op, err := s.screened(ctx, b, person, before, r, r.Op)
	if err == nil {
		r.Op = op
	}
	return r, err
}

func (s *Service) screened(ctx context.Context, b query.Board, person bool, before []pawl.Request, r pawl.Request, op pawl.Op) (pawl.Op, error) {
	switch op := op.(type) {
	case pawl.Complete:
		if err := s.refuseFewer(ctx, b, person, before, r, op); err != nil {
			return nil, err
		}
		return s.completion(ctx, b, op)
	case pawl.Update, pawl.Delete, pawl.LiftHold, pawl.PutHold, pawl.Release, pawl.Assign, pawl.Start, pawl.ClaimTask:
		return op, s.refuseFewer(ctx, b, person, before, r, op)
	case pawl.Undo:
		op.Rules = s.Rules
		effects, err := s.would(ctx, b, person, before, r, op)
		if err != nil {
			return nil, err
		}
		for i := range effects.completed {
			if err := s.refuseCompletion(ctx, b, &effects.completed[i]); err != nil {
				return nil, err
			}
		}
		// Checks that passed before are not run, and nobody here has trusted them.
		if waits, err := s.plan(effects.completed, false); err != nil {
			return nil, err
		} else if s.Refuse && len(waits.skipped) > 0 {
			return nil, untrusted(waits.skipped)
		}
		return op, nil
	case pawl.Import:
		op.Rules = s.Rules
		var effects effects
		may, err := s.anyHad()
		if err == nil && (may || s.Broken != "" || !person && s.fewer(op)) {
			effects, err = s.would(ctx, b, person, before, r, alone(op))
		}
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
		r.ID = "" // which is that of the whole
		// The whole is seen first: the commit then holds for what each part is judged by.
		if err := s.refuseFewer(ctx, b, person, before, r, op); err != nil {
			return nil, err
		}
		r.Seen = nil
		for i := range op.Ops { // one can make the next one possible, or put back what another took
			ahead := before
			if i > 0 {
				ahead = append(slices.Clone(before), r)
				ahead[len(before)].Op = pawl.All{Ops: op.Ops[:i]}
			}
			one, err := s.screened(ctx, b, person, ahead, r, op.Ops[i])
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

func (s *Service) completion(ctx context.Context, b query.Board, op pawl.Complete) (pawl.Op, error) {
	if s.Broken != "" {
		return op, s.broken()
	}
	op.Rules = s.Rules
	if may, err := s.anyHad(); err != nil || !may {
		return op, err
	}
	tasks, err := query.Whole(ctx, b, query.Asker{}, op.IDs)
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

type effects struct {
	ids       []pawl.ID     // of the result
	changes   []pawl.Change // of tasks that were there
	completed []pawl.Task   // as they are before it
}

// would finds out what an op would do, and refuses what only a person may. An op that the
// board refuses has no effect: the board will refuse it again. A request that is sent again
// has been done.
func (s *Service) would(ctx context.Context, b query.Board, person bool, before []pawl.Request, r pawl.Request, op pawl.Op) (effects, error) {
	seen := r.Seen
	if r.Op, r.Seen = op, nil; seen != nil {
		seen.Tasks = map[pawl.ID]*pawl.Task{}
	}
	came, err := b.Try(ctx, 0, append(slices.Clone(before), r)...)
	if err = pawl.ErrorAt(err, len(before)); err != nil {
		if kind := pawl.KindOf(err); kind == pawl.Unavailable || kind == pawl.Internal || errors.Is(err, pawl.ErrTooMuch) {
			return effects{}, err
		}
		return effects{}, nil
	}
	would := &came[len(before)].Result
	e := effects{ids: would.IDs}
	for _, c := range would.Changes {
		if c.Before == nil {
			continue
		}
		e.changes = append(e.changes, c)
		if seen != nil {
			seen.Tasks[c.ID] = c.Before
		}
		if c.Before.Open() && c.After != nil && !c.After.Open() {
			e.completed = append(e.completed, *c.Before)
		}
	}
	if person {
		return e, nil
	}
	return e, s.refuse(ctx, b, r, e.changes)
}

func (s *Service) refuseCompletion(ctx context.Context, b query.Board, t *pawl.Task) error {
	if s.Broken != "" {
		return s.broken()
	}
	if err := s.recollect(ctx, Request{Past: Past(b, pawl.Actor{})}, []pawl.Task{*t}); err != nil {
		return err
	}
	return s.refuseLost(t)
}

// fewer reports whether an op can leave a task with fewer checks or criteria, or without its hold.
func (s *Service) fewer(op pawl.Op) bool {
	if Takes(op) {
		return true
	}
	switch op := op.(type) {
	case pawl.Import:
		return len(s.Rules) > 0 || slices.ContainsFunc(op.Tasks, func(t pawl.ImportTask) bool {
			return t.Checks != nil || t.Accept != nil || t.ID != 0
		})
	case pawl.Delete, pawl.Undo:
		return true
	case pawl.All:
		return slices.ContainsFunc(op.Ops, s.fewer)
	}
	return false
}

// refuseFewer is refuse for what an op of an agent would do.
func (s *Service) refuseFewer(ctx context.Context, b query.Board, person bool, before []pawl.Request, r pawl.Request, op pawl.Op) error {
	if person || !s.fewer(op) {
		return nil
	}
	_, err := s.would(ctx, b, false, before, r, op)
	return err
}

// Takes reports whether an op can end a hold or an assignment, or take away a check or a
// criterion, or put another one in its place.
func Takes(op pawl.Op) bool {
	switch op := op.(type) {
	case pawl.Update:
		return len(op.AddChecks)+len(op.RemoveChecks)+len(op.RemoveAccept)+len(op.RemoveLabels) > 0
	case pawl.LiftHold, pawl.PutHold, pawl.Assign:
		return true
	case pawl.Release:
		return op.Hold != "" || op.Force
	}
	return pawl.Forced(op)
}

// refuseEnd refuses to end a hold which the caller's session has not put, or to go on beside
// it: it asked for something that only a person can say is there. The caller's own work that went on beside a
// hold may be completed.
func refuseEnd(ctx context.Context, b query.Board, r pawl.Request, before, after *pawl.Task) error {
	hold := before.Hold
	switch {
	case hold == nil, hold.Finished(), sameHold(after, hold) && (after.Status == before.Status || after.Status == pawl.Pending):
		return nil
	case before.Status == pawl.InProgress && !after.Open() && (r.By.Owns(before) && !before.Claim.Until.IsZero() || before.Claim.Clone == "" && isCaller(r, before.Owner, before.Claim.Session)):
		return nil
	case hold.By == r.By.Name:
		sets, err := Past(b, r.By)(ctx, before.ID, 0)
		if err != nil || putBy(r, sets, before.ID, func(t *pawl.Task) bool { return sameHold(t, hold) }) {
			return err
		}
	}
	return pawl.Errorf(pawl.Blocked, "%v was put on hold by %s, and a person at a terminal or the same session lifts it: %s", before.ID, hold.By, hold.Reason).
		About(before.ID).Next(pawl.HintShow, before.ID)
}

// refuseOverride refuses to override another person's claim by force. A program without a
// terminal may be a person's script, and nothing shows that the person means it.
func refuseOverride(r pawl.Request, before, after *pawl.Task) error {
	c := before.Claim
	if !pawl.Forced(r.Op) || before.Status != pawl.InProgress || !c.Live() || !c.Until.IsZero() || before.Owner == r.By.Name || c.Of(r.By.Session) ||
		after.Status == before.Status && after.Owner == before.Owner {
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "only a person may override the claim of %s on %v, and this command has no terminal", before.Owner, before.ID).
		About(before.ID).Say("ask a person at a terminal to run it")
}

// refuseOther refuses a known agent to take a task from the name that it is assigned to: it, or
// another agent, could claim it then. A person's scripts may.
func refuseOther(ctx context.Context, b query.Board, r pawl.Request, before, after *pawl.Task) error {
	if !r.Agent || before.Status != pawl.Pending || before.Owner == "" || before.Owner == r.By.Name || after.Owner == before.Owner {
		return nil
	}
	sets, err := Past(b, r.By)(ctx, before.ID, 0)
	if err != nil || putBy(r, sets, before.ID, func(t *pawl.Task) bool { return t != nil && t.Owner == before.Owner }) {
		return err
	}
	return pawl.Errorf(pawl.Conflict, "%v is assigned to %s, and only a person or the same session may change that", before.ID, before.Owner).
		About(before.ID).Next(pawl.HintNext)
}

// putBy reports whether the caller has put what a task has, by its changes: a hold has only a
// name, and a criterion none. A sync or a merge brings those of others under the name of its caller.
func putBy(r pawl.Request, sets []pawl.ChangeSet, id pawl.ID, has func(*pawl.Task) bool) bool {
	at := slices.IndexFunc(sets, func(set pawl.ChangeSet) bool {
		return slices.ContainsFunc(set.Changes, func(c pawl.Change) bool {
			return c.ID == id && has(c.After) && !has(c.Before)
		})
	})
	return at >= 0 && sets[at].Verb != pawl.VerbSync && sets[at].Verb != pawl.VerbMerge && isCaller(r, sets[at].By.Name, sets[at].By.Session)
}

func sameHold(t *pawl.Task, hold *pawl.Hold) bool {
	return t != nil && t.Hold != nil && t.Hold.By == hold.By && t.Hold.Reason == hold.Reason && t.Hold.At.Equal(hold.At)
}

// isCaller reports whether a session is the caller's, or one of the same agent process.
func isCaller(r pawl.Request, name, session string) bool {
	return name == r.By.Name && (session == r.By.Session || slices.Contains(r.Sessions, session) || r.Same != nil && r.Same(session))
}

// refuse refuses an agent to take a required check or a criterion from a task, to remove an open
// task that needs one, and to end a hold: without it a task would be completed as if nothing had been
// asked.
func (s *Service) refuse(ctx context.Context, b query.Board, r pawl.Request, changes []pawl.Change) error {
	for i := range changes {
		before, after := changes[i].Before, changes[i].After
		if after == nil && !before.Open() {
			continue
		}
		err := refuseEnd(ctx, b, r, before, cmp.Or(after, &pawl.Task{}))
		if err == nil {
			err = refuseOverride(r, before, cmp.Or(after, &pawl.Task{}))
		}
		if err == nil && after != nil {
			err = cmp.Or(refuseOther(ctx, b, r, before, after), s.refuseLess(ctx, b, r, before, after))
		} else if err == nil {
			err = s.refuseRemoval(ctx, b, r, before)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refuseLess refuses a change by which a task requires a criterion or a check no longer.
func (s *Service) refuseLess(ctx context.Context, b query.Board, r pawl.Request, before, after *pawl.Task) error {
	taken, err := criteria(ctx, b, r, before, after)
	if err != nil {
		return err
	}
	now := after.AllChecks(s.Rules)
	for _, c := range before.AllChecks(s.Rules) {
		sum := c.Sum()
		if c.Optional || slices.ContainsFunc(now, func(is pawl.Check) bool { return !is.Optional && is.Sum() == sum }) {
			continue
		}
		taken = append(taken, "the check "+c.Name)
	}
	if len(taken) == 0 {
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "only a person may take %s from %v", strings.Join(taken, ", "), before.ID).
		About(before.ID).Say("ask a person to change it, and say why in a note")
}

// criteria are those that a known agent would take from a task, and that its own session
// did not write: it could tick them first. A person's scripts may.
func criteria(ctx context.Context, b query.Board, r pawl.Request, before, after *pawl.Task) (taken []string, err error) {
	for i := range before.Accept {
		c := &before.Accept[i]
		has := func(t *pawl.Task) bool {
			return t != nil && slices.ContainsFunc(t.Accept, func(is pawl.Criterion) bool { return is.Text == c.Text })
		}
		if !r.Agent || has(after) {
			continue
		}
		sets, err := Past(b, r.By)(ctx, before.ID, 0)
		if err != nil {
			return nil, err
		}
		if !putBy(r, sets, before.ID, has) {
			taken = append(taken, "the criterion "+strconv.Quote(c.Text))
		}
	}
	return taken, nil
}

// refuseRemoval refuses an agent to remove a task that needs a check or a criterion: it could
// add it again without.
func (s *Service) refuseRemoval(ctx context.Context, b query.Board, r pawl.Request, t *pawl.Task) error {
	if err := s.recollect(ctx, Request{Past: Past(b, pawl.Actor{})}, []pawl.Task{*t}); err != nil {
		return err
	}
	names, err := s.needed(t)
	if err == nil && len(names) == 0 && s.home != nil {
		names, err = s.home.needed(t)
	}
	if err == nil {
		var more []string
		more, err = criteria(ctx, b, r, t, nil)
		names = append(names, more...)
	}
	if err != nil || len(names) == 0 {
		return err
	}
	return pawl.Errorf(pawl.Invalid, "only a person may remove %v, which needs %s: another task in its place would not", t.ID, strings.Join(names, ", ")).
		About(t.ID).Say("ask a person to run pawl rm " + strings.TrimPrefix(t.ID.String(), "#"))
}

// needed are the names of the checks that a task requires, or that were trusted and it required
// here once, without those that the project asks of every task.
func (s *Service) needed(t *pawl.Task) ([]string, error) {
	of := map[string]string{}
	for _, c := range t.AllChecks(s.Rules) {
		if !c.Optional {
			of[c.Sum()] = c.Name
		}
	}
	list, err := s.had()
	if err != nil {
		return nil, err
	}
	maps.Copy(of, hadOf(list, s.keys(t)).Checks)
	for i := range s.Rules {
		if len(s.Rules[i].Labels) == 0 {
			delete(of, s.Rules[i].Sum())
		}
	}
	return slices.Compact(slices.Sorted(maps.Values(of))), nil
}
