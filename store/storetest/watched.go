package storetest

import (
	"context"
	"sync/atomic"

	"github.com/pawl-dev/pawl"
)

// watched is a store through which every check goes. It runs the function of
// each update twice and discards what the first run said, since a store may do
// so, and it compares the two and what Update returns.
type watched struct {
	pawl.Store
	tb   TB
	base *atomic.Int64 // the revision before the first change; negative: there was none yet
}

func (s *watched) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	s.tb.Helper()
	var want pawl.Revision
	rev, err := s.Store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
		discarded, firstErr := fn(r)
		commit, err := fn(r)
		same(s.tb, "fn is not pure: it wants two things of one board", discarded, commit)
		if (firstErr == nil) != (err == nil) {
			s.tb.Errorf("fn is not pure: %v, then %v", firstErr, err)
		}
		want = r.Revision() + pawl.Revision(len(commit.Sets))
		if err == nil && !commit.Empty() {
			s.base.CompareAndSwap(-1, int64(r.Revision()))
		}
		return commit, err
	})
	if err == nil {
		same(s.tb, "the revision that Update returned", want, rev)
	}
	return rev, err
}

// Glance answers if the store does.
func (s *watched) Glance(ctx context.Context, q pawl.GlanceQuery) (pawl.Glance, bool, error) {
	if glancer, ok := s.Store.(pawl.Glancer); ok {
		return glancer.Glance(ctx, q)
	}
	return pawl.Glance{}, false, nil
}

// Notify hints if the store does.
func (s *watched) Notify(ctx context.Context) (<-chan struct{}, error) {
	notifier, ok := s.Store.(pawl.Notifier)
	if !ok {
		return nil, pawl.Errorf(pawl.Unavailable, "the store hints at nothing")
	}
	return notifier.Notify(ctx)
}
