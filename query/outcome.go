package query

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// Want says what an [Outcome] tells beside the result. It costs reads, so ask for
// what you show.
type Want uint16

// The parts of an outcome.
const (
	WantNames    Want = 1 << iota // how the tasks in question are called and stand
	WantDetail                    // the tasks around the first one
	WantOpen                      // how many tasks are open
	WantEdges                     // what wire.TasksOf needs beside the tasks
	WantTasks                     // the tasks that became ready, are held or wait now
	WantTwins                     // open tasks that are called like those that were made
	WantUnblocks                  // how much the tasks of the result unblock
	WantUndid                     // what an undo took back
	WantAlready                   // who had completed what a request was to complete
)

// An Outcome is a result with what an interface needs to describe it, as the
// request left the board: one read model for all interfaces.
type Outcome struct {
	Head   Head             `json:"head"`
	Result pawl.Result      `json:"result"`
	Names  map[pawl.ID]Near `json:"names,omitempty"`
	Detail *Detail          `json:"detail,omitempty"`
	Open   int              `json:"open,omitempty"` // counts tasks that are not completed

	Waiting []pawl.ID `json:"waiting,omitempty"` // which of the tasks in Blocks of an open task of the result are open

	// With WantTasks, in brief: the tasks in Result.Ready and Result.Holding, and
	// those that were free and are blocked now, without those that the request was
	// about.
	Ready   []pawl.Task `json:"ready,omitempty"`
	Holding []pawl.Task `json:"holding,omitempty"`
	Waits   []pawl.Task `json:"waits,omitempty"`
	// Left are, of one of several requests, the tasks in Result.IDs as the last
	// request left them.
	Left []pawl.Task `json:"left,omitempty"`

	Twins    []pawl.ID       `json:"twins,omitempty"`    // open tasks under the subjects of the result's tasks, looked for among the first 5,000
	Unblocks map[pawl.ID]int `json:"unblocks,omitempty"` // how many open tasks wait for each ready task of the result, through others too
	Undid    *Told           `json:"undid,omitempty"`    // the change set in Result.Undoes, where history still has it
	// Already is who had completed tasks that the request was to complete, of the
	// first ten of them, where history still has it.
	Already map[pawl.ID]Deed `json:"already,omitempty"`

	// Merged is, in the first outcome of a call, the merge before it, because git
	// had brought boards together. It is there if the request failed, too.
	Merged *merge.Outcome `json:"merged,omitempty"`

	// Shared is, on a board that is shared through a git remote, the remote's answer
	// to the claims of the request; nil: it made none. It is there if the claim was
	// lost, too.
	Shared *Shared `json:"shared,omitempty"`
}

// Told is a change set with what is needed to tell it.
type Told struct {
	Set   pawl.ChangeSet `json:"set"`
	Names Subjects       `json:"names,omitempty"`
	Undid *Undid         `json:"undid,omitempty"` // of an undo: what it took back, where history still has that
}

// Subjects are what the tasks in question are called.
func (o *Outcome) Subjects() Subjects {
	names := make(Subjects, len(o.Names))
	for id, near := range o.Names {
		names[id] = near.Subject
	}
	return names
}

// Near is as much of a task as a sentence about another one needs.
type Near struct {
	Subject string `json:"subject,omitempty"`
	State   State  `json:"state"`
	Owner   string `json:"owner,omitempty"`
}

// settled puts the results that count into what was told of them. Where nothing
// could be told (broke) but everything was carried out, only that is missing.
func settled(requests []pawl.Request, told []Outcome, results []pawl.Result, broke, failed error) ([]Outcome, error) {
	if len(told) != len(requests) {
		told = make([]Outcome, len(requests))
	}
	if len(results) != len(requests) {
		results = make([]pawl.Result, len(requests))
		if failed == nil {
			failed = broke
		}
	}
	for i := range told {
		if pawl.ErrorAt(failed, i) != nil {
			told[i] = Outcome{}
		}
		told[i].Result = results[i]
	}
	return told, failed
}

// outcomes tells what is wanted of results that are not written yet.
func outcomes(r pawl.Reader, want Want, requests []pawl.Request, results []pawl.Result) ([]Outcome, error) {
	all := make([]Outcome, len(results))
	for i := range results {
		all[i].Head = headOf(r)
		if err := all[i].read(r, want, requests[i].By.Name, &results[i], len(results) > 1); err != nil {
			return all, err
		}
	}
	return all, nil
}

// read reads what is wanted of a result, with others beside it or not.
func (o *Outcome) read(r pawl.Reader, want Want, by string, result *pawl.Result, several bool) (err error) {
	if want&WantNames != 0 {
		if err = o.name(r, by, result); err != nil {
			return err
		}
	}
	if want&WantDetail != 0 && len(result.Tasks) > 0 {
		if o.Detail, err = loadDetail(r, result.Tasks[0].ID); err != nil {
			return err
		}
	}
	if want&WantTasks != 0 {
		if err = o.tasks(r, result, several); err != nil {
			return err
		}
	}
	if want&WantEdges != 0 {
		if o.Waiting, err = waitingFor(r, slices.Concat(result.Tasks, o.Left)); err != nil {
			return err
		}
	}
	if want&WantTwins != 0 {
		if o.Twins, err = twins(r, result); err != nil {
			return err
		}
	}
	if want&WantUnblocks != 0 {
		facts, err := loadFacts(r, by, result.Tasks)
		if err != nil {
			return err
		}
		o.Unblocks = facts.Unblocks
	}
	if want&WantOpen != 0 {
		page, err := r.Select(pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Limit: 1, Brief: true})
		if err != nil {
			return err
		}
		o.Open = page.Total
	}
	return nil
}

// tasks tells of the tasks around those that a result is about, and of these if
// others were changed with them.
func (o *Outcome) tasks(r pawl.Reader, result *pawl.Result, several bool) (err error) {
	if several {
		if o.Left, _, err = present(r, result.IDs); err != nil {
			return err
		}
	}
	if o.Ready, _, err = present(r, result.Ready); err != nil {
		return err
	}
	if o.Holding, _, err = present(r, result.Holding); err != nil {
		return err
	}
	var waits []pawl.ID
	for i := range result.Changes {
		c := &result.Changes[i]
		if c.Before != nil && c.After != nil && c.Before.Free() && c.After.Status == pawl.Pending && !c.After.Free() && !slices.Contains(result.IDs, c.ID) {
			waits = append(waits, c.ID)
		}
	}
	o.Waits, _, err = present(r, waits)
	return err
}

// mostTwins bounds the open tasks that new ones are compared with: this is a
// courtesy, and must not be felt.
const mostTwins = 5_000

// twins finds open tasks that are called like those of a result.
func twins(r pawl.Reader, result *pawl.Result) ([]pawl.ID, error) {
	if len(result.Tasks) == 0 {
		return nil, nil
	}
	subjects := map[string]bool{}
	for i := range result.Tasks {
		subjects[result.Tasks[i].Subject] = true
	}
	var found []pawl.ID
	seen := 0
	for q := (pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Brief: true}); seen < mostTwins; {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			if t := &page.Tasks[i]; subjects[t.Subject] && !slices.Contains(result.IDs, t.ID) {
				found = append(found, t.ID)
			}
		}
		seen += len(page.Tasks)
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	return found, nil
}

// undid tells what undos took back, by the names that the tasks had before. The
// undos know most of these: only for the others the board is read again.
func undid(ctx context.Context, b *pawl.Board, outcomes []Outcome) {
	for i := range outcomes {
		rev := outcomes[i].Result.Undoes
		if rev == 0 {
			continue
		}
		set, err := b.ChangeAt(ctx, rev)
		if err != nil {
			continue // history has forgotten it since
		}
		sets := []pawl.ChangeSet{set}
		told := &Told{Set: set, Names: Subjects{}, Undid: loadUndid(ctx, b, &set, map[pawl.Revision]pawl.ChangeSet{})}
		if told.Undid != nil {
			sets = append(sets, *told.Undid.Set)
		}
		missing := told.Names.learnSets(sets)
		told.Names.take(missing, before(outcomes, missing))
		if len(missing) > 0 {
			err = b.View(ctx, func(r pawl.Reader) error { return told.Names.load(r, sets...) })
		}
		if err == nil {
			outcomes[i].Undid = told
		}
	}
}

// before are some tasks as they were before the requests, as far as their results
// tell.
func before(outcomes []Outcome, some map[pawl.ID]pawl.Change) []pawl.Task {
	var tasks []pawl.Task
	for i := range outcomes {
		for _, c := range outcomes[i].Result.Changes {
			if _, meant := some[c.ID]; meant && c.Before != nil {
				tasks = append(tasks, *c.Before)
			}
		}
	}
	for i := range outcomes {
		for _, t := range outcomes[i].Result.Tasks { // those that stayed as they were
			if _, meant := some[t.ID]; meant {
				tasks = append(tasks, t)
			}
		}
	}
	return tasks
}

// name tells what the tasks are called that a result is about, and those that
// these wait for.
func (o *Outcome) name(r pawl.Reader, by string, result *pawl.Result) error {
	o.Names = map[pawl.ID]Near{}
	var ids []pawl.ID
	learn := func(t *pawl.Task) { o.Names[t.ID] = Near{t.Subject, StateOf(t, by), t.Owner} }
	for i := range result.Tasks {
		learn(&result.Tasks[i])
		ids = append(ids, result.Tasks[i].BlockedBy...)
	}
	for i := range result.Changes {
		ids = append(ids, result.Changes[i].ID)
	}
	ids = append(append(append(ids, result.IDs...), result.Ready...), result.Holding...)
	tasks, _, err := present(r, unknown(ids, o.Names))
	for i := range tasks {
		learn(&tasks[i])
	}
	return err
}

// unknown are those of the ids that are not known, each once.
func unknown[V any](ids []pawl.ID, known map[pawl.ID]V) []pawl.ID {
	var rest []pawl.ID
	seen := map[pawl.ID]bool{}
	for _, id := range ids {
		if _, ok := known[id]; !ok && !seen[id] {
			seen[id], rest = true, append(rest, id)
		}
	}
	return rest
}
