package file

import (
	"context"
	"iter"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Changes returns the sets of a span as far as they were committed when the
// iteration began.
func (s *Store) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		h, err := s.history(ctx)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		if len(h.segments) == 0 {
			return
		}
		h.span = span
		if span.Backward {
			h.backward(yield)
		} else {
			h.forward(yield)
		}
	}
}

// A history goes through the journal up to an end that is known to be committed.
type history struct {
	fs       FS
	segments []int
	end      position
	span     pawl.Span
}

func (s *Store) history(ctx context.Context) (*history, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	if !s.held.exists {
		return &history{}, nil
	}
	all, err := segments(s.fs)
	if err != nil {
		return nil, unreadable(err)
	}
	end := s.held.tail.end
	all = slices.DeleteFunc(all, func(n int) bool { return n > end.segment })
	return &history{fs: s.fs, segments: all, end: end}, nil
}

// start returns the revision that a segment continues from.
func (h *history) start(i int) (pawl.Revision, bool) {
	r, err := readRecord(h.fs, position{segment: h.segments[i]})
	if err != nil || r.Kind != checkpointRecord {
		return 0, false
	}
	return r.Rev, true
}

// trimmed returns the error for a span that reaches back before what is kept,
// or nil. A board's first segment goes back to its beginning.
func (h *history) trimmed() error {
	first, ok := h.start(0)
	if !ok || h.span.After >= first || h.segments[0] == 1 && h.span.After == 0 {
		return nil
	}
	return goneError(first)
}

func goneError(trimmed pawl.Revision) error {
	err := pawl.Errorf(pawl.Gone, "the history up to revision %d is not kept any more", trimmed)
	err.Revision = trimmed
	return err
}

// records reads the committed records of a segment. broken says that the
// history stops in it, although later segments follow.
func (h *history) records(i int) (records []located, broken bool, err error) {
	st, err := readStretch(h.fs, position{segment: h.segments[i]})
	if err != nil {
		if absent(err) {
			return nil, true, nil // trimmed meanwhile
		}
		return nil, false, unreadable(err)
	}
	records = st.records
	last := i == len(h.segments)-1
	if last {
		records = slices.DeleteFunc(records, func(r located) bool { return r.end.offset > h.end.offset })
	} else if next, ok := h.start(i + 1); ok {
		records = slices.DeleteFunc(records, func(r located) bool { return r.Rev > next })
	}
	return records, st.bad > 0, nil
}

func (h *history) forward(yield func(pawl.ChangeSet, error) bool) {
	if err := h.trimmed(); err != nil {
		yield(pawl.ChangeSet{}, err)
		return
	}
	from := len(h.segments) - 1
	for ; from > 0; from-- {
		if rev, ok := h.start(from); ok && rev <= h.span.After {
			break
		}
	}
	for i := from; i < len(h.segments); i++ {
		records, broken, err := h.records(i)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		for j := range records {
			if !h.yield(&records[j], yield) {
				return
			}
		}
		if broken && i+1 < len(h.segments) {
			if next, ok := h.start(i + 1); !ok || next > h.span.After {
				yield(pawl.ChangeSet{}, goneError(next))
				return
			}
		}
	}
}

func (h *history) backward(yield func(pawl.ChangeSet, error) bool) {
	for i := len(h.segments) - 1; i >= 0; i-- {
		records, broken, err := h.records(i)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		if broken && i+1 < len(h.segments) {
			if next, ok := h.start(i + 1); !ok || next > h.span.After {
				yield(pawl.ChangeSet{}, goneError(next))
				return
			}
		}
		for j := len(records) - 1; j >= 0; j-- {
			if !h.yield(&records[j], yield) {
				return
			}
		}
		if rev, ok := h.start(i); ok && rev <= h.span.After {
			return
		}
	}
	if err := h.trimmed(); err != nil {
		yield(pawl.ChangeSet{}, err)
	}
}

// yield hands out the sets of a record that are in the span.
func (h *history) yield(r *located, yield func(pawl.ChangeSet, error) bool) bool {
	for i := range r.Sets {
		set := &r.Sets[i]
		if h.span.Backward {
			set = &r.Sets[len(r.Sets)-1-i]
		}
		id := h.span.Task
		if set.Rev <= h.span.After || id != 0 && !slices.ContainsFunc(set.Changes, func(c journalChange) bool { return c.ID == id }) {
			continue
		}
		unpacked, err := set.unpack()
		if err != nil {
			yield(pawl.ChangeSet{}, pawl.Errorf(pawl.Internal, "revision %d in %s cannot be read: %w", set.Rev, segmentName(r.at.segment), err))
			return false
		}
		if !yield(unpacked, nil) {
			return false
		}
	}
	return true
}
