package ask

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// Want says what an [Outcome] tells beside the result. It costs reads, so ask for
// what you show.
type Want uint8

// The parts of an outcome.
const (
	WantNames  Want = 1 << iota // how the tasks in question are called and stand
	WantDetail                  // the tasks around the first one
	WantOpen                    // how many tasks are open
	WantEdges                   // what wire.TasksOf needs beside the tasks
	WantTasks                   // the tasks that became ready, are held or wait now
)

// An Outcome is a result and what is said about it, as the request left the
// board: one read model for each face.
type Outcome struct {
	Head   Head             `json:"head"`
	Result pawl.Result      `json:"result"`
	Names  map[pawl.ID]Near `json:"names,omitempty"`
	Detail *Detail          `json:"detail,omitempty"`
	Open   int              `json:"open,omitempty"` // counts tasks that are not completed

	Waiting []pawl.ID `json:"waiting,omitempty"` // which of the tasks in Blocks of an open task of the result are open

	// With WantTasks, in brief: the tasks in Result.Ready and Result.Holding, and
	// those that were free and wait now, without those that the request was about.
	Ready   []pawl.Task `json:"ready,omitempty"`
	Holding []pawl.Task `json:"holding,omitempty"`
	Waits   []pawl.Task `json:"waits,omitempty"`
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
	if want == 0 {
		return all, nil
	}
	for i := range results {
		o := &all[i]
		o.Head = Head{Revision: r.Revision(), Now: r.Now()}
		if want&WantNames != 0 {
			if err := o.name(r, requests[i].By.Name, &results[i]); err != nil {
				return all, err
			}
		}
		if want&WantDetail != 0 && len(results[i].Tasks) > 0 {
			detail, err := LoadDetail(r, results[i].Tasks[0].ID)
			if err != nil {
				return all, err
			}
			o.Detail = detail
		}
		if want&WantEdges != 0 {
			waiting, err := waitingFor(r, results[i].Tasks)
			if err != nil {
				return all, err
			}
			o.Waiting = waiting
		}
		if want&WantTasks != 0 {
			if err := o.tasks(r, &results[i]); err != nil {
				return all, err
			}
		}
		if want&WantOpen != 0 {
			page, err := r.Select(pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Limit: 1, Brief: true})
			if err != nil {
				return all, err
			}
			o.Open = page.Total
		}
	}
	return all, nil
}

// tasks tells of the tasks around those that a result is about.
func (o *Outcome) tasks(r pawl.Reader, result *pawl.Result) (err error) {
	if o.Ready, _, err = Present(r, result.Ready); err != nil {
		return err
	}
	if o.Holding, _, err = Present(r, result.Holding); err != nil {
		return err
	}
	var waits []pawl.ID
	for i := range result.Changes {
		c := &result.Changes[i]
		if c.Before != nil && c.After != nil && c.Before.Free() && c.After.Status == pawl.Pending && !c.After.Free() && !slices.Contains(result.IDs, c.ID) {
			waits = append(waits, c.ID)
		}
	}
	o.Waits, _, err = Present(r, waits)
	return err
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
	tasks, _, err := Present(r, unknown(ids, o.Names))
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
