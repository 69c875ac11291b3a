package query

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
)

// A Sharer says how the sharing of a board stands. It is safe for concurrent use.
type Sharer interface {
	// Status returns what this clone remembers; nil: the board is not shared. It is
	// called for each answer that shows who works where, so it must be quick. Here
	// and Clones are left to [Local], which has the claims.
	Status(ctx context.Context) *share.Status
}

// Sharing lets s say in answers and outcomes how the board is shared.
func Sharing(s Sharer) Option { return func(l *local) { l.sharer = s } }

// A sharing answer says how its board is shared.
type sharing interface{ share(*share.Status) }

func (h *Head) share(s *share.Status)  { h.Shared = s }
func (l *Lanes) share(s *share.Status) { l.Facts.Shared = s }

// tellsSharing reports whether an answer shows who works where.
func tellsSharing(q Question) bool {
	switch q.(type) {
	case OverviewQuery, AgentsQuery, LanesQuery, TaskQuery, TasksQuery, PagesQuery, GraphQuery:
		return true
	}
	return false
}

// shared adds to an answer how the board is shared.
func (l local) shared(ctx context.Context, r pawl.Reader, q Question, a Answer) error {
	to, can := a.(sharing)
	if l.sharer == nil || !can || !tellsSharing(q) {
		return nil
	}
	status, err := l.sharingOf(ctx, r)
	to.share(status)
	return err
}

// sharingOf is how the board is shared; nil: it is not.
func (l local) sharingOf(ctx context.Context, r pawl.Reader) (*share.Status, error) {
	known := l.sharer.Status(ctx)
	if known == nil {
		return nil, nil
	}
	status := *known
	if s, counts := l.sharer.(interface{ Unsent(pawl.Revision) int }); counts {
		status.Unsent = s.Unsent(r.Revision())
	}
	working, err := pages(r, pawl.Query{Status: []pawl.Status{pawl.InProgress}, Brief: true, Limit: pawl.MaxPage})
	status.Here, status.Clones = nil, nil
	for i := range working {
		c := &working[i].Claim
		if HereOnly(*c, r.Now()) {
			status.Here = append(status.Here, working[i].ID)
		}
		if c.Clone != "" && !slices.Contains(status.Clones, c.Clone) {
			status.Clones = append(status.Clones, c.Clone)
		}
	}
	slices.Sort(status.Clones)
	return &status, err
}

// HereOnly reports of a claim on a shared board whether only this clone knows it at
// now: the remote never had it, or all renewals that the remote has are too old.
func HereOnly(c pawl.Claim, now time.Time) bool {
	if !c.Live() || c.Clone != "" {
		return false
	}
	return c.Confirmed.IsZero() || c.Lease > 0 && !now.Before(c.Confirmed.Add(time.Duration(c.Lease)))
}

// tellShared adds to the first outcome how the board is shared, if a request takes
// a task.
func (l local) tellShared(ctx context.Context, requests []pawl.Request, all []Outcome) {
	takes := slices.ContainsFunc(requests, func(r pawl.Request) bool { _, is := begins(r.Op); return is })
	if l.sharer == nil || !takes {
		return
	}
	_ = l.board.View(ctx, func(r pawl.Reader) error { // without it the outcome says less
		status, err := l.sharingOf(ctx, r)
		for i := range all {
			if err == nil && len(all[i].Result.IDs) > 0 {
				all[i].Head.Shared = status
			}
		}
		return err
	})
}
