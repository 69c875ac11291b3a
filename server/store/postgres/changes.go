package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// Change sets are read in chunks. The first one is short, because a look for the newest
// change needs few. Between two chunks nothing is held: a slow reader keeps no transaction
// open.
const (
	changesAtFirst = 20
	changesAtOnce  = 500
)

// Changes reads history in chunks, up to its end at the time of the call.
func (s *Store) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		h := history{store: s, span: span, atOnce: changesAtFirst}
		if err := h.walk(ctx, func(set pawl.ChangeSet) bool { return yield(set, nil) }); err != nil {
			yield(pawl.ChangeSet{}, err)
		}
	}
}

// history is a walk through the change sets of a span.
type history struct {
	store   *Store
	span    pawl.Span // what is left of it
	board   int64
	origin  pawl.Revision
	trimmed pawl.Revision
	last    pawl.Revision
	hole    bool // what was to be read next was trimmed since
	broken  bool // a set that counts as trimmed cannot be read
	atOnce  int  // how many sets are read next
}

// gone reports whether a part of what is left is not kept. After zero is all that there
// ever was, and a board begins at its origin.
func (h *history) gone() bool {
	return h.span.After < h.trimmed && (h.span.After > 0 || h.trimmed > h.origin)
}

// walk gives each set to see, until that wants no more.
func (h *history) walk(ctx context.Context, see func(pawl.ChangeSet) bool) error {
	err := alive(ctx)
	if err == nil {
		err = h.begin(ctx)
	}
	switch {
	case err != nil || h.last <= h.span.After:
		return err
	case h.gone() && !h.span.Backward:
		return goneError(h.trimmed)
	}
	for more := true; more; {
		asked := h.atOnce
		sets, err := h.read(ctx)
		if err != nil {
			return err
		}
		if h.hole && !h.span.Backward {
			return goneError(h.trimmed)
		}
		for i := range sets {
			if !see(sets[i]) {
				return nil
			}
		}
		more = len(sets) == asked
	}
	if h.gone() || h.broken {
		return goneError(h.trimmed)
	}
	return nil
}

func (h *history) begin(ctx context.Context) error {
	err := h.store.db.Query(ctx, nil, func(rows pg.Rows) error { return rows.Scan(&h.board, &h.origin, &h.trimmed, &h.last) },
		"select id, origin, trimmed, rev from pawl.board where name = $1", h.store.name)
	if err == nil && h.board == 0 {
		return pawl.Errorf(pawl.NotFound, "the board %s does not exist", h.store.name)
	}
	if h.span.Before != 0 {
		h.last = min(h.last, h.span.Before-1)
	}
	h.span.Before = h.last + 1
	return err
}

// read reads the next sets, and with them how far history goes back now.
func (h *history) read(ctx context.Context) (sets []pawl.ChangeSet, err error) {
	order, from := "", "pawl.change c"
	where, args := "c.board = $1 and c.rev > $2 and c.rev < $3", []any{h.board, h.span.After, h.span.Before}
	if h.span.Backward {
		order = " desc"
	}
	if h.span.Task != 0 { // in this order whatever the planner thinks: see named
		from = "(select rev from pawl.touched where board = $1 and task = $4 and rev > $2 and rev < $3 order by rev" + order + " offset 0) t, " +
			"lateral (select * from pawl.change where board = $1 and rev = t.rev offset 0) c"
		where, args = "true", append(args, int64(h.span.Task))
	}
	if h.span.Undos {
		where += " and c.undoes"
	}
	by := "c.rev"
	if h.span.Task != 0 {
		by = "t.rev"
	}
	query := fmt.Sprintf(`select b.trimmed, s.rev, s.doc from pawl.board b left join lateral (
		select c.rev, c.doc from %s where %s order by %s%s limit %d) s on true where b.id = $1 order by s.rev%s`, from, where, by, order, h.atOnce, order)
	h.atOnce = min(4*h.atOnce, changesAtOnce)
	err = h.store.db.Query(ctx, func() { sets, h.broken = nil, false }, func(rows pg.Rows) error {
		var rev *pawl.Revision
		var doc *string
		if err := rows.Scan(&h.trimmed, &rev, &doc); err != nil || doc == nil || h.broken {
			return err
		}
		var set pawl.ChangeSet
		if err := json.Unmarshal([]byte(*doc), &set); err != nil {
			if h.broken = *rev <= h.trimmed; h.broken {
				return nil
			}
			return pawl.Errorf(pawl.Internal, "the database has a change set after %d that cannot be read: %w", h.span.After, err)
		}
		sets = append(sets, set)
		return nil
	}, query, args...)
	h.hole = h.gone()
	if n := len(sets); n > 0 {
		if h.span.Backward {
			h.span.Before = sets[n-1].Revision
		} else {
			h.span.After = sets[n-1].Revision
		}
	}
	return sets, err
}

func goneError(trimmed pawl.Revision) error {
	err := pawl.Errorf(pawl.Gone, "some of the history up to revision %d is no longer kept", trimmed)
	err.Revision = trimmed
	return err
}
