package checks

import (
	"context"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// Reader reads whole tasks from a board, for a [Request].
func Reader(b query.Board, by pawl.Actor) func(context.Context, []pawl.ID) ([]pawl.Task, error) {
	return func(ctx context.Context, ids []pawl.ID) ([]pawl.Task, error) {
		return query.Whole(ctx, b, query.Asker{By: by}, ids)
	}
}

// Past reads the newest changes of a task from a board, for a [Request].
func Past(b query.Board, by pawl.Actor) func(context.Context, pawl.ID, pawl.Revision) ([]pawl.ChangeSet, error) {
	return func(ctx context.Context, id pawl.ID, after pawl.Revision) ([]pawl.ChangeSet, error) {
		found, err := query.Of(ctx, b, query.Asker{By: by}, query.HistoryQuery{Task: id, After: after, Limit: query.MostSets})
		if err != nil {
			return nil, err
		}
		return found.Sets, nil
	}
}

// Open returns the open tasks of a board that have checks, or that this clone knows to
// have had some, whole.
func (s *Service) Open(ctx context.Context, b query.Board, by pawl.Actor) ([]pawl.Task, error) {
	var tasks []pawl.Task
	for t, err := range b.Export(ctx, query.Asker{By: by}, pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}}) {
		if err != nil {
			return nil, err
		}
		lost, err := s.Lost(&t)
		if err != nil {
			return nil, err
		}
		if len(t.AllChecks(s.Rules)) > 0 || len(lost) > 0 {
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// LeftOut returns the completed tasks of a board that are not shown to be done because a
// required check has not run, whole.
func (s *Service) LeftOut(ctx context.Context, b query.Board, by pawl.Actor) ([]pawl.Task, error) {
	var tasks []pawl.Task
	for t, err := range b.Export(ctx, query.Asker{By: by}, pawl.Query{Unshown: true}) {
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(t.AllChecks(s.Rules), func(c pawl.Check) bool {
			e := t.LastEvidence(c.Sum())
			return !c.Optional && (e == nil || e.LeftOut())
		}) {
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// Merged records, for tasks that a merge completed, which of the checks that they needed
// here have not run: a merge takes what a file says, and may leave a task with fewer.
func (s *Service) Merged(ctx context.Context, r Request, ids []pawl.ID) error {
	tasks, err := r.Read(ctx, ids)
	if err == nil {
		err = s.recollect(ctx, r, tasks)
	}
	if err != nil {
		return err
	}
	list, err := s.had()
	if err != nil {
		return err
	}
	var ops []pawl.Op
	for i := range tasks {
		t := &tasks[i]
		op := pawl.AddEvidence{ID: t.ID}
		needed := hadOf(list, s.keys(t)).Checks
		for _, sum := range slices.Sorted(maps.Keys(needed)) {
			if t.LastEvidence(sum) == nil {
				op.Evidence = append(op.Evidence, pawl.Evidence{Check: needed[sum], Sum: sum, Tree: pawl.NoTree, Exit: pawl.NoExit})
			}
		}
		if len(op.Evidence) > 0 {
			ops = append(ops, op)
		}
	}
	return record(ctx, r, ops)
}

// Runnable are the tasks that lack only a run of trusted checks: completed ones, and those
// that agents have finished.
func (s *Service) Runnable(tasks []pawl.Task) ([]pawl.ID, error) {
	var ids []pawl.ID
	for i := range tasks {
		t := &tasks[i]
		if t.Open() && !t.Hold.Finished() {
			continue
		}
		items, err := s.Items(t)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(items, func(item Item) bool { return !item.Optional && !item.Trusted }) {
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

// Wanted is a command that waits for a person's trust.
type Wanted struct {
	pawl.Check
	Tasks   []pawl.ID  // whose own it is
	Lists   []todo.Key // the todo lists whose check it is
	Project bool       // the project asks it of its tasks
	Part    Part       // empty: a check
}

// Wanted are the checks of the project, of tasks and of todo lists that this clone does
// not trust, and what the project asks pawl run for.
func (s *Service) Wanted(tasks []pawl.Task, lists []todo.List) ([]Wanted, error) {
	trusted, err := s.trusted()
	if err != nil {
		return nil, err
	}
	var all []Wanted
	find := func(c *pawl.Check) *Wanted {
		sum := c.Sum()
		if trusted.has(sum) {
			return nil
		}
		at := slices.IndexFunc(all, func(w Wanted) bool { return w.Sum() == sum })
		if at < 0 {
			all, at = append(all, Wanted{Check: *c}), len(all)
		}
		return &all[at]
	}
	for i := range s.Rules {
		if w := find(&s.Rules[i].Check); w != nil {
			w.Project = true
		}
	}
	for i := range tasks {
		for j := range tasks[i].Checks {
			if w := find(&tasks[i].Checks[j]); w != nil {
				w.Tasks = append(w.Tasks, tasks[i].ID)
			}
		}
	}
	for i := range lists {
		if c := lists[i].Check; c != nil {
			if w := find(c); w != nil {
				w.Lists = append(w.Lists, lists[i].Key)
			}
		}
	}
	return append(all, s.untrustedParts(trusted)...), nil
}

// Gets sorts the variables that a check asks for: those that it gets, if they are set, and
// those that no check gets.
func Gets(c *pawl.Check) (gets, never []string) {
	for _, name := range c.Env {
		if run.May(name) {
			gets = append(gets, name)
		} else {
			never = append(never, name)
		}
	}
	return gets, never
}
