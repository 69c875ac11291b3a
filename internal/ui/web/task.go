package web

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// detailJSON is a task with the tasks around it.
type detailJSON struct {
	wire.Envelope
	Revision  pawl.Revision   `json:"revision"`         // of the board
	Now       wire.Moment     `json:"now"`              // by the board's clock, which decides leases
	Task      wire.Task       `json:"task"`             // the task
	State     query.StateName `json:"state"`            // its state
	Why       string          `json:"why,omitempty"`    // why it cannot be claimed, or why its owner should stop, in words
	Unblocks  int             `json:"unblocks"`         // number of open tasks that depend on it, directly or not; 99 means 99 or more
	On        string          `json:"on,omitempty"`     // on a shared board: the other clone in which its owner works, as people call it
	Here      string          `json:"here,omitempty"`   // on a shared board: that only this clone knows the claim, and why, in words
	AsDone    bool            `json:"asDone,omitempty"` // completed only in this what-if
	Others    []string        `json:"others,omitempty"` // the tasks of another branch that have its number until pawl merge, in words
	Once      []waitedJSON    `json:"once,omitempty"`   // tasks that had its number until merges gave them others
	Parent    *waitedJSON     `json:"parent,omitempty"` // the task that it is a part of
	WaitsFor  []waitedJSON    `json:"waitsFor"`         // its blockers, open ones first
	WaitedFor []waitedJSON    `json:"waitedFor"`        // the tasks that it blocks or blocked, open ones first
	Children  []waitedJSON    `json:"children"`         // its children, by id
	Shown     string          `json:"shown,omitempty"`  // that a check failed, or that it is completed and not shown to be done, in words: "done, but unit failed"
	Checks    []lookedJSON    `json:"checks,omitempty"` // its checks with what is known of them here, its own first, then the project's
}

func (v *visit) task(_ http.ResponseWriter, r *http.Request) (any, error) {
	id, err := idOf(r)
	if err != nil {
		return nil, err
	}
	board, err := v.board(r.Context())
	if err != nil {
		return nil, err
	}
	found, err := query.Of(r.Context(), board, v.asking(askedOf(r)), query.TaskQuery{Names: []string{id.String()}})
	if err != nil {
		return nil, err
	}
	if fault := found.Tasks[0].Fault; fault != nil {
		return nil, fault
	}
	answer := newDetail(&found, v.By.Name)
	if t := &found.Tasks[0].Detail.Task; t.Damage == "" {
		answer.Checks = newLooked(v.looked(r.Context(), t, true))
	}
	return answer, nil
}

func newDetail(found *query.Details, name string) detailJSON {
	d := found.Tasks[0].Detail
	card := d.Card(name)
	a := detailJSON{
		Envelope: wire.NewEnvelope("detail"), Revision: found.Revision, Now: wire.Time(found.Now),
		Task: wire.TasksOf(name, []pawl.Task{d.Task}, found.Waiting)[0], State: card.State.Name(), Why: show.Why(card),
		AsDone: slices.Contains(found.AsDone, d.Task.ID), Others: show.Others(&d.Task), Once: waitedFor(d.Once, name),
		On: show.On(&d.Task, found.Shared), Here: show.HereOnly(d.Task.ID, found.Shared),
	}
	if d.Task.Damage == "" {
		a.Shown = show.CardChecked(&d.Task)
	}
	if d.Task.Open() {
		a.Unblocks = found.Tasks[0].Unblocks
	}
	if d.Parent != nil {
		a.Parent = new(newWaited(d.Parent, name))
	}
	a.WaitsFor, a.WaitedFor, a.Children = waitedFor(d.Blockers, name), waitedFor(d.Blocks, name), []waitedJSON{}
	for _, id := range d.Lost {
		a.WaitsFor = append(a.WaitsFor, waitedJSON{ID: id, State: query.Missing.Name()})
	}
	for i := range d.Children {
		a.Children = append(a.Children, newWaited(&d.Children[i], name))
	}
	for _, list := range [][]waitedJSON{a.WaitsFor, a.WaitedFor} {
		slices.SortStableFunc(list, func(a, b waitedJSON) int { return cmp.Compare(a.done(), b.done()) })
	}
	return a
}

func newWaited(t *pawl.Task, name string) waitedJSON {
	return waitedJSON{t.ID, t.Subject, query.StateOf(t, name).Name()}
}

func waitedFor(tasks []pawl.Task, name string) []waitedJSON {
	list := make([]waitedJSON, len(tasks))
	for i := range tasks {
		list[i] = newWaited(&tasks[i], name)
	}
	return list
}

// done is 1 for a task that blocks nothing any longer.
func (w waitedJSON) done() int {
	if w.State == query.Done.Name() {
		return 1
	}
	return 0
}
