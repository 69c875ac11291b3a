package query

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// Nth names the n-th change set of a board, counted from 1: the one that
// [pawl.Revision.Short] writes @n. Undo.Revision in a request, HistoryQuery,
// TasksQuery.Since and From.After take it in the place of a full revision. Answers
// have full ones, and the origin to shorten them with.
func Nth(n int64) pawl.Revision { return pawl.Revision(-n) }

// ParseRevision reads a revision as people write it, 1790000000123 or @3. @0 and 0
// are before the first change.
func ParseRevision(s string) (pawl.Revision, bool) {
	digits, short := strings.CutPrefix(s, "@")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || strings.HasPrefix(digits, "+") {
		return 0, false
	}
	if short {
		return Nth(n), true
	}
	return pawl.Revision(n), true
}

// full returns the revision that rev stands for on the board of r; NotFound: the
// board never had so many changes.
func full(r pawl.Reader, rev pawl.Revision) (pawl.Revision, error) {
	origin, last := r.Origin(), r.Revision()
	switch {
	case rev >= 0:
		return rev, nil
	case rev >= origin-last:
		return origin - rev, nil
	}
	e := pawl.Errorf(pawl.NotFound, "no change @%s; the last is %s", strings.TrimPrefix(strconv.FormatInt(int64(rev), 10), "-"), last.Short(origin))
	if last == origin {
		e = pawl.Errorf(pawl.NotFound, "no change @%s: the board has none yet", strings.TrimPrefix(strconv.FormatInt(int64(rev), 10), "-"))
	}
	e.Hint = pawl.Hint{Step: pawl.HintHistory}
	return 0, e
}

// spelledOut returns the requests with full revisions in their undos, and the errors
// of those that name none. The meaning of @3 never changes, so it can be read before
// the requests run.
func spelledOut(ctx context.Context, b *pawl.Board, requests []pawl.Request) (all []pawl.Request, unknown map[int]error) {
	undos := map[int]pawl.Undo{}
	for i := range requests {
		if undo, is := requests[i].Op.(pawl.Undo); is && undo.Revision < 0 {
			undos[i] = undo
		}
	}
	if len(undos) == 0 {
		return requests, nil
	}
	all, unknown = slices.Clone(requests), map[int]error{}
	read := func(r pawl.Reader) error {
		clear(unknown)
		for i, undo := range undos {
			rev, err := full(r, undo.Revision)
			if err != nil {
				rev, unknown[i] = math.MaxInt64, err // no board comes that far
			}
			undo.Revision = rev
			all[i].Op = undo
		}
		return nil
	}
	err := b.View(ctx, read)
	if err == nil && len(unknown) > 0 {
		// It may be an external edit that nobody has recorded yet.
		_, _, _ = b.ChangedSince(ctx, math.MaxInt64)
		err = b.View(ctx, read)
	}
	for i, undo := range undos {
		if err != nil {
			undo.Revision, unknown[i] = math.MaxInt64, err
			all[i].Op = undo
		}
	}
	return all, unknown
}

// because is err, where requests that failed did so for a reason that is known.
func because(err error, unknown map[int]error) error {
	if batch, ok := errors.AsType[*pawl.BatchError](err); ok {
		for i, why := range unknown {
			if batch.Errs[i] != nil {
				batch.Errs[i] = why
			}
		}
	}
	return err
}
