package query

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Deed is who did something to a task, and when.
type Deed struct {
	Revision pawl.Revision `json:"revision"`
	By       pawl.Actor    `json:"by"`
	At       time.Time     `json:"at"`
}

// mostAlready bounds the tasks whose history is gone through: more of them no
// confirmation names.
const mostAlready = 10

// already adds to the outcomes who had completed tasks that a request was to
// complete, as far as history still has it.
func already(ctx context.Context, b *pawl.Board, requests []pawl.Request, outcomes []Outcome) {
	for i := range outcomes {
		if !completes(requests[i].Op) {
			continue
		}
		o, sought := &outcomes[i], 0
		for j := range o.Result.Tasks {
			t := &o.Result.Tasks[j]
			if t.Status != pawl.Completed || turned(o.Result.Changes, t.ID) {
				continue
			}
			if sought++; sought > mostAlready {
				return
			}
			if deed, ok := completion(ctx, b, t.ID); ok {
				if o.Already == nil {
					o.Already = map[pawl.ID]Deed{}
				}
				o.Already[t.ID] = deed
			}
		}
	}
}

// completes reports whether an op completes tasks.
func completes(op pawl.Op) bool {
	switch op := op.(type) {
	case pawl.Complete, *pawl.Complete:
		return true
	case pawl.All:
		return slices.ContainsFunc(op.Ops, completes)
	case *pawl.All:
		return op != nil && slices.ContainsFunc(op.Ops, completes)
	}
	return false
}

// turned reports whether one of the changes gave a task another status.
func turned(changes []pawl.Change, id pawl.ID) bool {
	return slices.ContainsFunc(changes, func(c pawl.Change) bool {
		return c.ID == id && (c.Before == nil || c.After == nil || c.Before.Status != c.After.Status)
	})
}

// completion finds who completed a task last. An undo can only have brought that
// back.
func completion(ctx context.Context, b *pawl.Board, id pawl.ID) (Deed, bool) {
	for set, err := range b.Changes(ctx, pawl.Span{Task: id, Backward: true}) {
		if err != nil || set.Bulk {
			return Deed{}, false
		}
		i := slices.IndexFunc(set.Changes, func(c pawl.Change) bool {
			return c.ID == id && c.After != nil && c.After.Status == pawl.Completed
		})
		if set.Undoes != 0 || i < 0 || !turned(set.Changes, id) {
			continue
		}
		if set.Verb != pawl.VerbSync && set.Verb != pawl.VerbMerge {
			return Deed{set.Revision, set.By, set.At}, true
		}
		is := set.Changes[i].After // who it is brought from is in the task alone
		return Deed{set.Revision, pawl.Actor{Name: is.Owner}, is.CompletedAt}, is.Owner != ""
	}
	return Deed{}, false
}
