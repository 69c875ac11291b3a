package ask

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
)

// HistoryQuery asks what happened, the newest first.
type HistoryQuery struct {
	Task     pawl.ID       `json:"task,omitempty"`     // only what concerns it
	After    pawl.Revision `json:"after,omitempty"`    // only later change sets
	Before   pawl.Revision `json:"before,omitempty"`   // only earlier ones; zero: all
	Limit    int           `json:"limit"`              // at most MostSets
	Renewals bool          `json:"renewals,omitempty"` // sets that only renewed claims, too

	At pawl.Revision `json:"at,omitempty"` // only this set, and nothing else counts; fails with NotFound or Gone without it
}

// MostSets bounds a page of history.
const MostSets = 200

// History is the answer to a [HistoryQuery].
type History struct {
	Head    `json:"head"`
	Sets    []pawl.ChangeSet        `json:"sets,omitempty"`
	Undone  []pawl.Revision         `json:"undone,omitempty"` // which of Sets were taken back since; not of a set that was asked for At
	Undid   map[pawl.Revision]Undid `json:"undid,omitempty"`  // of each undo, what it took back, where history still has that
	Names   Subjects                `json:"names,omitempty"`
	More    bool                    `json:"more,omitempty"`    // earlier sets follow
	Trimmed bool                    `json:"trimmed,omitempty"` // what was earlier is not kept
}

func (q HistoryQuery) read(r pawl.Reader, _ Asker) (Answer, error) {
	return &History{Head: headOf(r)}, nil
}

// fill reads the sets that the head's snapshot had.
func (q HistoryQuery) fill(ctx context.Context, b *pawl.Board, answer Answer) error {
	h := answer.(*History)
	if q.At != 0 {
		set, err := b.ChangeAt(ctx, q.At)
		if err != nil {
			return err
		}
		h.Sets = []pawl.ChangeSet{set}
		return h.explain(ctx, b, true)
	}
	limit := min(max(q.Limit, 1), MostSets)
	span := pawl.Span{Task: q.Task, After: q.After, Before: h.Revision + 1, Backward: true}
	undone := map[pawl.Revision]bool{}
	if q.Before != 0 && q.Before < span.Before {
		var err error
		if undone, err = undoneBy(ctx, b, pawl.Span{After: q.Before - 1, Before: span.Before}); err != nil {
			return err
		}
		span.Before = q.Before
	}
	for set, err := range b.Changes(ctx, span) {
		if errors.Is(err, pawl.Gone) {
			h.Trimmed = true
			break
		}
		if err != nil {
			return err
		}
		if set.Undoes != 0 && !undone[set.Revision] { // an undo that was undone takes nothing back
			undone[set.Undoes] = true
		}
		if !q.Renewals && Renewal(&set) {
			continue
		}
		if len(h.Sets) == limit {
			h.More = true
			break
		}
		if h.Sets = append(h.Sets, set); undone[set.Revision] {
			h.Undone = append(h.Undone, set.Revision)
		}
	}
	return h.explain(ctx, b, false)
}

// undoneBy finds what the undos of a span took back, which may be older. What the
// store no longer has of it marks nothing.
func undoneBy(ctx context.Context, b *pawl.Board, span pawl.Span) (map[pawl.Revision]bool, error) {
	undone := map[pawl.Revision]bool{}
	span.Undos, span.Backward = true, true
	for set, err := range b.Changes(ctx, span) {
		if errors.Is(err, pawl.Gone) {
			break
		}
		if err != nil {
			return nil, err
		}
		if !undone[set.Revision] { // an undo that was undone takes nothing back
			undone[set.Undoes] = true
		}
	}
	return undone, nil
}

// explain finds what undos took back and what the tasks are called; with deep
// also those that only what was taken back names.
func (h *History) explain(ctx context.Context, b *pawl.Board, deep bool) error {
	known := make(map[pawl.Revision]pawl.ChangeSet, len(h.Sets))
	for i := range h.Sets {
		known[h.Sets[i].Revision] = h.Sets[i]
	}
	named := h.Sets
	for i := range h.Sets {
		if undid := LoadUndid(ctx, b, &h.Sets[i], known); undid != nil {
			if h.Undid == nil {
				h.Undid = map[pawl.Revision]Undid{}
			}
			h.Undid[h.Sets[i].Revision] = *undid
			if deep {
				named = append(named[:len(named):len(named)], *undid.Set)
			}
		}
	}
	if len(h.Sets) == 0 {
		return nil
	}
	return b.View(ctx, func(r pawl.Reader) (err error) {
		h.Names, err = LoadSubjects(r, named...)
		return err
	})
}

func (HistoryQuery) kind() string             { return "history" }
func (HistoryQuery) answer(a Answer) *History { return a.(*History) }
func (*History) answers() string              { return "history" }
