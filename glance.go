package pawl

import (
	"context"
	"slices"
)

// A GlanceQuery selects what a [Glance] shows.
type GlanceQuery struct {
	Session string `json:"session,omitempty"` // the tasks that this session has claimed; empty: none
	IDs     []ID   `json:"ids,omitempty"`     // these tasks, claimed or not; the first MaxGlance of them count
	Ready   int    `json:"ready,omitempty"`   // how many of the next ones, at most MaxGlance
	For     string `json:"for,omitempty"`     // with Ready: also what is assigned to this name
}

// MaxGlance bounds each list of a [Glance], so that it takes only a moment.
const MaxGlance = 20

// A Glance is the part of a board that is needed at each step of an agent. It
// costs the same on a board of any size. Everything that Pawl committed is in
// it, and every lease that has ended reads as settled. External edits since Pawl
// last looked may be missing, but not in Claimed and Tasks: they show what their own
// files say. Only their place in the order, and what depends on other tasks, may
// be out of date.
type Glance struct {
	Revision Revision `json:"revision"`
	Claimed  []Task   `json:"claimed,omitempty"` // in progress and claimed by the session, by id
	Tasks    []Task   `json:"tasks,omitempty"`   // those that were asked for by id and exist, by id
	Ready    []Task   `json:"ready,omitempty"`   // the next ones, best first, as Task.Brief has them
	Free     int      `json:"free,omitempty"`    // when any were asked for: how many are ready in all
}

// A Glancer is a store that can answer faster than a view of the board.
//
//  10. A glance shows what a view shows, as far as [Glance] promises it, and
//     writes nothing.
//
// The query that it is given is within its bounds, its ids sorted. Without ok it
// has no quick answer this time, and the [Board] uses a view.
type Glancer interface {
	Glance(ctx context.Context, q GlanceQuery) (g Glance, ok bool, err error)
}

// Glance returns the part of the board that q selects, quickly if the store is a
// [Glancer].
func (b *Board) Glance(ctx context.Context, q GlanceQuery) (Glance, error) {
	if err := refuseInside(); err != nil {
		return Glance{}, err
	}
	q = q.bounded()
	if store, ok := b.store.(Glancer); ok {
		if g, ok, err := store.Glance(ctx, q); ok || err != nil {
			return g, err
		}
	}
	var g Glance
	err := b.View(ctx, func(r Reader) (err error) {
		g, err = q.read(r)
		return err
	})
	return g, err
}

func (q GlanceQuery) bounded() GlanceQuery {
	q.Ready = min(max(q.Ready, 0), MaxGlance)
	q.IDs = slices.Clone(q.IDs[:min(len(q.IDs), MaxGlance)])
	slices.Sort(q.IDs)
	q.IDs = slices.Compact(q.IDs)
	return q
}

// read answers the query from a view.
func (q *GlanceQuery) read(r Reader) (Glance, error) {
	g := Glance{Revision: r.Revision()}
	if q.Session != "" {
		page, err := r.Select(Query{Session: q.Session, Status: []Status{InProgress}, Limit: MaxGlance})
		if err != nil {
			return Glance{}, err
		}
		g.Claimed = page.Tasks
	}
	nodes, err := r.Nodes(q.IDs...)
	if err != nil {
		return Glance{}, err
	}
	var there []ID
	for i := range nodes {
		if !nodes[i].Missing {
			there = append(there, nodes[i].ID)
		}
	}
	if g.Tasks, err = r.Get(there...); err != nil {
		return Glance{}, err
	}
	if q.Ready > 0 {
		page, err := r.Select(Query{Ready: true, For: q.For, Order: ByUrgency, Brief: true, Limit: q.Ready})
		if err != nil {
			return Glance{}, err
		}
		g.Ready, g.Free = page.Tasks, page.Total
	}
	return g, nil
}
