package memory

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// history is the latest change sets, oldest first. A set that is in it is
// never written again.
type history struct {
	sets  []pawl.ChangeSet
	bound int
}

func (h *history) add(set pawl.ChangeSet) {
	h.sets = append(h.sets, set)
	if len(h.sets) > h.bound {
		h.sets = h.sets[len(h.sets)-h.bound:]
	}
}

// trim returns a set as history keeps it, sharing nothing with the one given.
func trim(set pawl.ChangeSet) pawl.ChangeSet {
	set.Result, set.Ready = bytes.Clone(set.Result), slices.Clone(set.Ready)
	set.Changes = slices.Clone(set.Changes)
	for i, c := range set.Changes {
		set.Changes[i] = c.Trim()
	}
	return set
}

// Changes returns the sets of a span as they were when the iteration began.
func (s *Store) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		if err := alive(ctx); err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		s.mu.Lock()
		sets, last := s.now.history.sets, s.now.revision
		s.mu.Unlock()

		trimmed := last - pawl.Revision(len(sets)) // the last revision that is no longer kept
		if span.Before != 0 {
			last = min(last, span.Before-1)
		}
		if last <= span.After {
			return
		}
		gone := span.After < trimmed
		sets = sets[max(0, span.After-trimmed):max(0, last-trimmed)]
		if gone && !span.Backward {
			yield(pawl.ChangeSet{}, goneError(trimmed))
			return
		}
		for i := range sets {
			set := sets[i]
			if span.Backward {
				set = sets[len(sets)-1-i]
			}
			if span.Has(&set) && !yield(trim(set), nil) {
				return
			}
		}
		if gone {
			yield(pawl.ChangeSet{}, goneError(trimmed))
		}
	}
}

func goneError(trimmed pawl.Revision) error {
	err := pawl.Errorf(pawl.Gone, "the history up to revision %d is no longer kept", trimmed)
	err.Revision = trimmed
	return err
}

// results remembers what requests with an op id led to, for a day.
type results struct {
	byOp  map[pawl.OpID][]byte
	order []remembered // oldest first
}

type remembered struct {
	op pawl.OpID
	at time.Time
}

// keepResults is how long a request may be sent again.
const keepResults = 24 * time.Hour

func (r *results) add(set pawl.ChangeSet, now time.Time) {
	if set.OpID == "" {
		return
	}
	for len(r.order) > 0 && r.order[0].at.Before(now.Add(-keepResults)) {
		delete(r.byOp, r.order[0].op)
		r.order = r.order[1:]
	}
	r.byOp[set.OpID] = set.Result
	r.order = append(r.order, remembered{set.OpID, now})
}
