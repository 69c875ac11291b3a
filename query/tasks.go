package query

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// TasksQuery asks for a page of tasks.
type TasksQuery struct {
	Query    pawl.Query `json:"query"`
	Edges    bool       `json:"edges,omitempty"`    // Tasks.Waiting is wanted
	Unblocks bool       `json:"unblocks,omitempty"` // Tasks.Unblocks is wanted
	Totals   bool       `json:"totals,omitempty"`   // Tasks.Totals is wanted
	Open     bool       `json:"open,omitempty"`     // if the query chooses more than a page, choose only what is not completed
	Why      bool       `json:"why,omitempty"`      // Tasks.Nothing is wanted

	// Archived chooses only what [Asker.Archive] leaves out otherwise.
	Archived bool `json:"archived,omitempty"`
	// Since chooses only tasks that changed after this revision, as
	// [pawl.Board.ChangedSince] does; zero: all of them; nil: whenever they changed.
	// Page.Revision is then the one to ask with next time, the same on all pages.
	Since *pawl.Revision `json:"since,omitempty"`
	// Quiet chooses only tasks that neither changed nor were renewed for so long, by
	// the board's clock; zero: any.
	Quiet pawl.Duration `json:"quiet,omitempty"`

	poll *poll
}

// A poll is what changed since a revision.
type poll struct {
	changed []pawl.ID
	next    pawl.Revision // to ask with next time; zero: that of the page
}

// Tasks is the answer to a [TasksQuery].
type Tasks struct {
	Head     `json:"head"`
	Page     pawl.Page       `json:"page"`
	Waiting  []pawl.ID       `json:"waiting,omitempty"`  // which of the tasks in Blocks of an open task of the page are open
	Unblocks map[pawl.ID]int `json:"unblocks,omitempty"` // how many open tasks wait for each ready one, through others too
	Totals   *Totals         `json:"totals,omitempty"`
	Open     bool            `json:"open,omitempty"`     // the page has only what is not completed, as TasksQuery.Open asked for
	Nothing  *pawl.Error     `json:"nothing,omitempty"`  // if the query chooses nothing: why nothing is ready for the asker, as [pawl.NothingReady] says
	Archived int             `json:"archived,omitempty"` // how many more the query would choose if they were not archived; with Totals whatever its Status
	Removed  []pawl.ID       `json:"removed,omitempty"`  // with TasksQuery.Since, of the first page: what changed and the query does not choose, or no longer
}

// Totals are how many tasks a query chooses, wherever they stand: its Status,
// Ready, Blocked and Held do not count.
type Totals struct {
	Pending    int `json:"pending"`
	InProgress int `json:"inProgress"`
	Completed  int `json:"completed"`
	Ready      int `json:"ready"`   // of the pending ones, for Query.For
	Blocked    int `json:"blocked"` // of the pending ones
	Damaged    int `json:"damaged"` // of the pending ones
}

func (q TasksQuery) totals(r pawl.Reader) (*Totals, error) {
	t := &Totals{}
	for _, one := range []struct {
		into   *int
		narrow func(*pawl.Query)
	}{
		{&t.InProgress, func(q *pawl.Query) { q.Status = []pawl.Status{pawl.InProgress} }},
		{&t.Pending, func(q *pawl.Query) { q.Status = []pawl.Status{pawl.Pending} }},
		{&t.Completed, func(q *pawl.Query) { q.Status = []pawl.Status{pawl.Completed} }},
		{&t.Ready, func(q *pawl.Query) { q.Ready = true }},
		{&t.Blocked, func(q *pawl.Query) { q.Blocked = true }},
		{&t.Damaged, func(q *pawl.Query) { q.Damaged, q.Status = true, []pawl.Status{pawl.Pending} }},
	} {
		query := q.Query
		query.Status, query.Ready, query.Blocked, query.Held, query.After, query.Limit, query.Brief = nil, false, false, false, nil, 1, true
		one.narrow(&query)
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		*one.into = page.Total
	}
	return t, nil
}

// begin finds out what changed. That is an access of its own, before the one
// snapshot of the answer: the store records first what other programs did. A change
// between the two comes with this answer and with the next.
func (q TasksQuery) begin(ctx context.Context, b *pawl.Board, who Asker) (Question, error) {
	switch {
	case q.Since == nil:
		return q, nil
	case len(q.Query.IDs) > 0:
		return nil, pawl.Errorf(pawl.Invalid, "what changed since a revision cannot be chosen by ids, too")
	case len(who.AsDone) > 0:
		return nil, pawl.Errorf(pawl.Invalid, "what changed is told of the board as it is, not of a what-if")
	}
	q.poll = &poll{}
	if *q.Since == 0 {
		return q, nil
	}
	since := *q.Since
	var err error
	if since < 0 {
		err = b.View(ctx, func(r pawl.Reader) (err error) { since, err = full(r, since); return err })
	}
	if err != nil {
		return nil, err
	}
	if q.poll.changed, q.poll.next, err = b.ChangedSince(ctx, since); err != nil {
		return nil, err
	}
	if q.Query.IDs = q.poll.changed; len(q.Query.IDs) == 0 {
		q.Query.IDs = []pawl.ID{0} // no task has it, and without ids all would be chosen
	}
	return q, nil
}

// page is the page of the query; of a poll it fixes the revision, which a cursor
// carries on.
func (q *TasksQuery) page(r pawl.Reader) (pawl.Page, error) {
	p := q.poll
	if p == nil {
		return r.Select(q.Query)
	}
	page, err := r.Select(q.Query)
	if p.next > 0 {
		page.Revision = p.next
	}
	if q.Query.After != nil {
		page.Revision = q.Query.After.Revision
	}
	if page.Next != nil {
		page.Next.Revision = page.Revision
	}
	return page, err
}

// removed lists what changed and is not on a page of the query. first is the first
// page.
func (q *TasksQuery) removed(r pawl.Reader, first pawl.Page) ([]pawl.ID, error) {
	if q.poll == nil || q.Query.After != nil || first.Total == len(q.poll.changed) || q.poll.next == 0 {
		return nil, nil
	}
	matched, query := map[pawl.ID]bool{}, q.Query
	query.Limit, query.Brief = pawl.MaxPage, true
	for page := first; ; {
		for i := range page.Tasks {
			matched[page.Tasks[i].ID] = true
		}
		if query.After = page.Next; query.After == nil {
			break
		}
		var err error
		if page, err = r.Select(query); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(q.poll.changed), func(id pawl.ID) bool { return matched[id] }), nil
}

func (q TasksQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	a := &Tasks{Head: headOf(r)}
	if q.Quiet > 0 {
		q.Query.QuietBefore = a.Now.Add(time.Duration(-q.Quiet))
	}
	all := q.Query
	switch {
	case q.Archived:
		who.archived(r, &q.Query)
	case q.Since == nil:
		who.unarchived(r, &q.Query)
	}
	var err error
	if a.Page, err = q.page(r); err != nil {
		return nil, err
	}
	if q.Open && a.Page.Next != nil {
		a.Open, q.Query.Status = true, []pawl.Status{pawl.Pending, pawl.InProgress}
		if a.Page, err = q.page(r); err != nil {
			return nil, err
		}
	}
	if !q.Query.DoneSince.IsZero() && (q.Totals || len(all.Status) == 0 || slices.Contains(all.Status, pawl.Completed)) {
		if q.Totals {
			all.Status, all.Ready, all.Blocked, all.Held = nil, false, false, false
		}
		all.DoneBefore, all.After, all.Limit, all.Brief = q.Query.DoneSince, nil, 1, true
		old, err := r.Select(all)
		if err != nil {
			return nil, err
		}
		a.Archived = old.Total
	}
	if a.Removed, err = q.removed(r, a.Page); err != nil {
		return nil, err
	}
	if q.Why && a.Page.Total == 0 {
		if a.Nothing, err = pawl.NothingReady(r, who.By, q.Query); err != nil {
			return nil, err
		}
	}
	if q.Totals {
		if a.Totals, err = q.totals(r); err != nil {
			return nil, err
		}
	}
	if q.Edges {
		if a.Waiting, err = waitingFor(r, a.Page.Tasks); err != nil {
			return nil, err
		}
	}
	if q.Unblocks {
		facts, err := loadFacts(r, who.By.Name, a.Page.Tasks)
		if err != nil {
			return nil, err
		}
		a.Unblocks = facts.Unblocks
	}
	return a, nil
}

// waitingFor are the open tasks that wait for open ones of these.
func waitingFor(r pawl.Reader, tasks []pawl.Task) (open []pawl.ID, err error) {
	var ids []pawl.ID
	for i := range tasks {
		if tasks[i].Open() {
			ids = append(ids, tasks[i].Blocks...)
		}
	}
	if ids = unknown(ids, map[pawl.ID]bool{}); len(ids) == 0 {
		return nil, nil
	}
	nodes, err := r.Nodes(ids...)
	for _, n := range nodes {
		if n.Open() {
			open = append(open, n.ID)
		}
	}
	return open, err
}

func (TasksQuery) kind() string           { return "tasks" }
func (TasksQuery) answer(a Answer) *Tasks { return a.(*Tasks) }
func (*Tasks) answers() string            { return "tasks" }
