package query

import (
	"context"
	"errors"
	"iter"

	"github.com/pawl-dev/pawl"
)

// HistoryQuery asks what happened, the newest first.
type HistoryQuery struct {
	Task     pawl.ID       `json:"task,omitempty"`     // only what concerns it
	After    pawl.Revision `json:"after,omitempty"`    // only later change sets
	Before   pawl.Revision `json:"before,omitempty"`   // only earlier ones; zero: all
	Forward  bool          `json:"forward,omitempty"`  // the oldest first; fails with Gone if the first ones are not kept
	Limit    int           `json:"limit"`              // at most MostSets
	Renewals bool          `json:"renewals,omitempty"` // sets that only renewed claims, too
	Undid    bool          `json:"undid,omitempty"`    // History.Undid is wanted

	At pawl.Revision `json:"at,omitempty"` // only this set, and nothing else counts; fails with NotFound or Gone without it
}

// MostSets bounds a page of history.
const MostSets = pawl.MaxPage

// History is the answer to a [HistoryQuery].
type History struct {
	Head    `json:"head"`
	Sets    []pawl.ChangeSet        `json:"sets,omitempty"`
	Undone  []pawl.Revision         `json:"undone,omitempty"` // which of Sets were taken back since; not of a set that was asked for At
	Undid   map[pawl.Revision]Undid `json:"undid,omitempty"`  // of each undo, what it took back, where history still has that; always of a set that was asked for At
	Names   Subjects                `json:"names,omitempty"`
	More    bool                    `json:"more,omitempty"`    // earlier sets follow; with Forward later ones
	Trimmed *pawl.Error             `json:"trimmed,omitempty"` // why what was earlier is not kept; nil: it is, or was not looked for
	Fault   *pawl.Error             `json:"fault,omitempty"`   // the task is not on the board, and nothing is known of it
}

// Told is one of the sets with what is needed to tell it.
func (h *History) Told(i int) *Told {
	told := &Told{Set: h.Sets[i], Names: h.Names}
	if undid, ok := h.Undid[told.Set.Revision]; ok {
		told.Undid = &undid
	}
	return told
}

func (q HistoryQuery) read(r pawl.Reader, _ Asker) (Answer, error) {
	return &History{Head: headOf(r)}, nil
}

// fill reads the sets that the head's snapshot had.
func (q HistoryQuery) fill(ctx context.Context, b *pawl.Board, r pawl.Reader, answer Answer) error {
	h := answer.(*History)
	for _, rev := range []*pawl.Revision{&q.At, &q.After, &q.Before} {
		var err error
		if *rev, err = full(r, *rev); err != nil {
			return err
		}
	}
	if q.At != 0 {
		set, err := b.ChangeAt(ctx, q.At)
		if err != nil {
			return err
		}
		h.Sets = []pawl.ChangeSet{set}
		return h.explain(ctx, b, r, true, true)
	}
	read := q.backward
	if q.Forward {
		read = q.forward
	}
	if err := read(ctx, b, h); err != nil {
		return err
	}
	if q.Task != 0 && len(h.Sets) == 0 && q.After == 0 && q.Before == 0 {
		if _, err := r.Get(q.Task); err != nil {
			e, ok := errors.AsType[*pawl.Error](err)
			if !ok || e.Kind != pawl.NotFound {
				return err
			}
			missing(ctx, b, r, e)
			h.Fault = e
		}
	}
	return h.explain(ctx, b, r, q.Undid, false)
}

func (q HistoryQuery) backward(ctx context.Context, b *pawl.Board, h *History) error {
	span := pawl.Span{Task: q.Task, After: q.After, Before: h.Revision + 1, Backward: true}
	back := undone{}
	if q.Before != 0 && q.Before < span.Before {
		if err := back.read(ctx, b, pawl.Span{Task: q.Task, After: q.Before - 1, Before: span.Before}); err != nil {
			return err
		}
		span.Before = q.Before
	}
	if err := q.take(ctx, h, b.Changes(ctx, span), back.learn); err != nil {
		return err
	}
	h.mark(back)
	return nil
}

func (q HistoryQuery) forward(ctx context.Context, b *pawl.Board, h *History) error {
	if err := q.take(ctx, h, b.Changes(ctx, pawl.Span{Task: q.Task, After: q.After}), func(*pawl.ChangeSet) {}); err != nil {
		return err
	}
	back := undone{}
	if h.More {
		last := h.Sets[len(h.Sets)-1].Revision
		if err := back.read(ctx, b, pawl.Span{Task: q.Task, After: last, Before: h.Revision + 1}); err != nil {
			return err
		}
	}
	for i := len(h.Sets) - 1; i >= 0; i-- {
		back.learn(&h.Sets[i])
	}
	h.mark(back)
	return nil
}

// take takes a page of sets. Each one that is read is seen first.
func (q HistoryQuery) take(ctx context.Context, h *History, sets iter.Seq2[pawl.ChangeSet, error], see func(*pawl.ChangeSet)) error {
	limit, bytes := min(max(q.Limit, 1), MostSets), 0
	for set, err := range sets {
		if e, ok := errors.AsType[*pawl.Error](err); ok && e.Kind == pawl.Gone {
			if q.Forward && len(h.Sets) == 0 {
				e.Hint = pawl.Hint{Step: pawl.HintHistory}
				return e
			}
			h.Trimmed = e
			return nil
		}
		if err != nil {
			return err
		}
		if set.Revision > h.Revision { // it came after the snapshot
			return nil
		}
		see(&set)
		if !q.Renewals && Renewal(&set) {
			continue
		}
		bytes += setBytes(&set)
		if h.More = len(h.Sets) == limit || bytes > MostBytes && len(h.Sets) > 0; h.More {
			return nil
		}
		if err := tooLarge(bytes, pawl.Room(ctx)); err != nil {
			return err
		}
		h.Sets = append(h.Sets, set)
	}
	return nil
}

func (h *History) mark(back undone) {
	for i := range h.Sets {
		if back[h.Sets[i].Revision] {
			h.Undone = append(h.Undone, h.Sets[i].Revision)
		}
	}
}

// undone are sets that were taken back by one that was not taken back itself.
type undone map[pawl.Revision]bool

// learn takes a set; those that are later come before it.
func (u undone) learn(set *pawl.ChangeSet) {
	if set.Undoes != 0 && !u[set.Revision] {
		u[set.Undoes] = true
	}
}

// read learns the undos of a span, which may have taken back older sets. Undos that
// the store no longer has mark nothing.
func (u undone) read(ctx context.Context, b *pawl.Board, span pawl.Span) error {
	span.Undos, span.Backward = true, true
	for set, err := range b.Changes(ctx, span) {
		if errors.Is(err, pawl.Gone) {
			return nil
		}
		if err != nil {
			return err
		}
		u.learn(&set)
	}
	return nil
}

// explain finds what the tasks are called, and, where that is wanted, what undos
// took back; with deep also the tasks that only what was taken back names.
func (h *History) explain(ctx context.Context, b *pawl.Board, r pawl.Reader, undid, deep bool) (err error) {
	if len(h.Sets) == 0 {
		return nil
	}
	named := h.Sets
	if undid {
		known := make(map[pawl.Revision]pawl.ChangeSet, len(h.Sets))
		for i := range h.Sets {
			known[h.Sets[i].Revision] = h.Sets[i]
		}
		for i := range h.Sets {
			was := loadUndid(ctx, b, &h.Sets[i], known)
			if was == nil {
				continue
			}
			if h.Undid == nil {
				h.Undid = map[pawl.Revision]Undid{}
			}
			if h.Undid[h.Sets[i].Revision] = *was; deep {
				named = append(named[:len(named):len(named)], *was.Set)
			}
		}
	}
	h.Names, err = loadSubjects(r, named...)
	return err
}

func (HistoryQuery) kind() string             { return "history" }
func (HistoryQuery) answer(a Answer) *History { return a.(*History) }
func (*History) answers() string              { return "history" }
