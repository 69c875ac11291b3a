package cli

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
)

// since is a poll: what changed after a revision. Its first answer fixes the
// revision to ask with next time, which a cursor carries from page to page; what
// changes while somebody reads the pages comes then.
type since struct {
	revision pawl.Revision
	changed  []pawl.ID
	next     pawl.Revision
}

func newSince(rev pawl.Revision) *since { return &since{revision: rev} }

// look finds out what changed and narrows the query to it. Since revision zero
// everything has.
func (s *since) look(ctx context.Context, board *pawl.Board, q *pawl.Query) (err error) {
	if s.revision > 0 {
		if s.changed, s.next, err = board.ChangedSince(ctx, s.revision); err != nil {
			return err
		}
		q.IDs = s.changed
	}
	return nil
}

// page is the page of a query; of a poll when there is one.
func (s *since) page(r pawl.Reader, q pawl.Query) (pawl.Page, error) {
	if s == nil {
		return r.Select(q)
	}
	if s.revision > 0 && len(s.changed) == 0 {
		return pawl.Page{Revision: s.next}, nil
	}
	page, err := r.Select(q)
	if s.revision > 0 {
		page.Revision = s.next
	}
	if q.After != nil {
		page.Revision = q.After.Revision
	}
	if page.Next != nil {
		page.Next.Revision = page.Revision
	}
	return page, err
}

// removed lists what changed and does not match the query, of which page is the
// first page.
func (s *since) removed(r pawl.Reader, q pawl.Query, page *pawl.Page) ([]pawl.ID, error) {
	if page.Total == len(s.changed) || s.revision == 0 {
		return nil, nil
	}
	matched := map[pawl.ID]bool{}
	for p := *page; ; {
		for i := range p.Tasks {
			matched[p.Tasks[i].ID] = true
		}
		if q.After = p.Next; q.After == nil {
			break
		}
		q.Limit = pawl.MaxPage
		var err error
		if p, err = r.Select(q); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(s.changed), func(id pawl.ID) bool { return matched[id] }), nil
}
