package postgres

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// claims are the tasks in progress of some sessions and owners, read beforehand.
type claims struct {
	sessions, names map[string]bool
	rows            []*row // by id
}

// mostClaims is how many claims are prefetched. If there are more, each session's
// are read on request.
const mostClaims = 2 * pawl.MaxPage

// queueClaims reads the claims of sessions, and of names those that are no session's: a
// name can have thousands of the others. Of a session's, the status is not asked for: a
// planner without statistics would look through all tasks in progress, for each session.
func (r *reader) queueClaims(b *pg.Batch, sessions, names []string) {
	if len(sessions)+len(names) == 0 {
		return
	}
	c := &claims{sessions: map[string]bool{}, names: map[string]bool{}}
	for _, s := range sessions {
		c.sessions[s] = true
	}
	for _, n := range names {
		c.names[n] = true
	}
	b.Queue("select "+columns+" from "+named(`array(
		(select id from unnest($2::text[]) as session_of (name), lateral (
			select id from pawl.task where board = $1 and session = name and session <> '' limit $4) found limit $4)
		union all
		(select id from unnest($3::text[]) as owner_of (name), lateral (
			select id from pawl.task where board = $1 and owner = name and status = 'in_progress' and (lease_until is null or session = '') limit $4) found limit $4))`),
		r.board, sessions, names, mostClaims).Query(func(rows pg.Rows) error {
		if err := r.keep(rows, func(one *row) { c.rows = append(c.rows, one) }); err != nil {
			return err
		}
		if len(c.rows) < mostClaims {
			slices.SortFunc(c.rows, func(a, b *row) int { return cmp.Compare(a.id, b.id) })
			c.rows = slices.Compact(c.rows) // one may be a session's and an owner's
			r.claims = c
		}
		return nil
	})
}

// fromClaims answers what a session or an owner has claimed, if that was read before.
func (r *reader) fromClaims(q *pawl.Query) (page pawl.Page, ok bool, err error) {
	if r.claims == nil || q.Order != pawl.ByID || !slices.Equal(q.Status, []pawl.Status{pawl.InProgress}) {
		return page, false, nil
	}
	rest := *q
	rest.Status, rest.Session, rest.Mine, rest.Limit, rest.Brief, rest.Uncounted, rest.After = nil, "", pawl.Actor{}, 0, false, false, nil
	if !plain(&rest) || !(q.Session != "" && r.claims.sessions[q.Session]) && !(q.Mine.Name != "" && r.claims.names[q.Mine.Name] && (q.Mine.Session == "" || r.claims.sessions[q.Mine.Session])) {
		return page, false, nil
	}
	var tasks []pawl.Task
	for _, one := range r.claims.rows {
		if q.Session != "" && one.session != q.Session || q.Mine.Name != "" && (one.owner != q.Mine.Name || one.leaseUntil != nil && one.session != q.Mine.Session) {
			continue // most, and cheaper to tell by the columns
		}
		t := r.task(one)
		if q.Match(&t, r.now) {
			tasks = append(tasks, t)
		}
	}
	return q.Paginate(tasks, r.revision), true, nil
}

// nextOnes are the first free tasks, for any assignee. They answer all claims of one
// commit, each of which asks for the next task under its own name.
type nextOnes struct {
	rows     []*row         // in the order in which they are chosen
	all      bool           // there are no more
	assigned map[string]int // by name, how many free tasks are: of each name that claims
}

func (r *reader) queueNext(b *pg.Batch, n int, names []string) {
	w := &where{}
	w.is("board = ?", r.board)
	w.is("free")
	next := &nextOnes{assigned: map[string]int{}}
	for _, name := range names {
		next.assigned[name] = 0
	}
	b.Queue("select owner, n from pawl.free_count where board = $1 and owner = any($2)", r.board, names).Query(pg.Each(func(rows pg.Rows) error {
		var owner string
		var n int
		err := rows.Scan(&owner, &n)
		next.assigned[owner] = n
		return err
	}))
	b.Queue(w.first(n), w.args...).Query(func(rows pg.Rows) error {
		if err := r.keep(rows, func(one *row) { next.rows = append(next.rows, one) }); err != nil {
			return err
		}
		slices.SortFunc(next.rows, func(a, b *row) int { return pawl.ByUrgency.Compare(a.rank(), b.rank()) })
		next.all = len(next.rows) < n
		r.next = next
		return nil
	})
}

func (r *row) rank() pawl.Rank {
	return pawl.Rank{ID: r.id, Urgency: pawl.Priority(-r.u), Height: int(-r.h)}
}

// fromNext answers what is ready from the tasks that were read before, if they suffice
// and nobody wants to know how many there are.
func (r *reader) fromNext(q *pawl.Query) (page pawl.Page, ok bool, err error) {
	if r.next == nil || !q.Uncounted || q.Order != pawl.ByUrgency {
		return page, false, nil
	}
	rest := *q
	if q.Owner != "" && q.Owner == q.For { // what is assigned to one name: mostly nothing
		rest.Owner = ""
	}
	if !onlyReady(&rest) {
		return page, false, nil
	}
	if rest.Owner != q.Owner {
		if n, known := r.next.assigned[q.Owner]; !known || n > 0 {
			return page, false, nil
		}
		return r.page(q, nil, 0), true, nil
	}
	limit := q.PageSize()
	var found []*row
	for _, one := range r.next.rows {
		if len(found) > limit {
			break
		}
		if r.damaged[one.id] != nil {
			continue
		}
		at := pawl.Cursor{Rank: one.rank()}
		if (one.owner == "" || one.owner == q.For) && (q.After == nil || at.Compare(q.Order, *q.After) > 0) {
			found = append(found, one)
		}
	}
	if len(found) <= limit && !r.next.all {
		return page, false, nil
	}
	known := len(r.damaged)
	tasks := r.tasks(found)
	if len(r.damaged) > known {
		return page, false, nil
	}
	return r.page(q, tasks, 0), true, nil
}
