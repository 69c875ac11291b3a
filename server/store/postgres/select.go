package postgres

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// walkQuery is the query of a walk.
func walkQuery(dir pawl.Direction) string { return fmt.Sprintf(walk, walks[dir], nodeColumns) }

// Select answers from two sources. The database searches the tasks as they were
// recorded. The few whose lease has ended since, or whose document was found damaged,
// are compared here. If a page reveals another damaged one, it is read once more.
func (r *reader) Select(q pawl.Query) (pawl.Page, error) {
	if !r.prepared {
		if err := r.Prepare(pawl.Wanted{}); err != nil {
			return pawl.Page{}, err
		}
	}
	if page, ok := r.fromLapsed(&q); ok {
		return page, nil
	}
	if err := r.allLapsed(); err != nil {
		return pawl.Page{}, err
	}
	if err := r.recall(); err != nil {
		return pawl.Page{}, err
	}
	for _, prepared := range []func(*pawl.Query) (pawl.Page, bool, error){r.fromNext, r.fromClaims} {
		if page, ok, err := prepared(&q); ok || err != nil {
			return page, err
		}
	}
	if q.Damaged { // which are those that are known
		return r.page(&q, nil, 0), nil
	}
	if q.Merging { // what only files can be
		return q.Paginate(nil, r.revision), nil
	}
	if !q.LeaseBefore.IsZero() || strings.ContainsRune(q.Text, separator) {
		return r.compare(q)
	}
	for {
		known := len(r.damaged)
		tasks, total, err := r.search(&q)
		if err != nil {
			return pawl.Page{}, err
		}
		if len(r.damaged) == known {
			return r.page(&q, tasks, total), nil
		}
	}
}

// search asks the database for the tasks of a page, and how many there are in all, without
// those that are compared here.
func (r *reader) search(q *pawl.Query) (tasks []pawl.Task, total int, err error) {
	var found []*row
	var b pg.Batch
	w := r.where(q)
	if !q.Uncounted {
		counting, args := "select count(*) from pawl.task where "+w.text(), w.args
		if onlyReady(q) { // then without looking at the tasks
			counting, args = "select coalesce(sum(n), 0)::bigint from pawl.free_count where board = $1 and owner = any($2)", []any{r.board, []string{"", q.For}}
		}
		b.Queue(counting, args...).QueryRow(func(row pg.Row) error { return row.Scan(&total) })
	}
	w.after(q)
	b.Queue(w.page(q), w.args...).Query(func(rows pg.Rows) error {
		return r.keep(rows, func(one *row) { found = append(found, one) })
	})
	if err := r.send(&b); err != nil {
		return nil, 0, err
	}
	if onlyReady(q) {
		for _, one := range r.damaged { // a column counts them still
			if one.free && (one.owner == "" || one.owner == q.For) {
				total--
			}
		}
	}
	return r.tasks(found), total, nil
}

// fromLapsed answers whose leases have ended by now, which each writer asks first.
func (r *reader) fromLapsed(q *pawl.Query) (page pawl.Page, ok bool) {
	rest := *q
	rest.LeaseBefore, rest.Limit, rest.Brief, rest.Uncounted, rest.Order = time.Time{}, 0, false, false, 0
	if !q.LeaseBefore.Equal(r.now) || !q.Uncounted || q.After != nil || q.Order != pawl.ByID || !plain(&rest) {
		return page, false
	}
	return q.Paginate(r.tasks(r.lapsed), r.revision), true
}

// separator is between the texts in the column search.
const separator = '\x1f'

// page adds the tasks whose lease has ended and those that are damaged, and makes the page.
func (r *reader) page(q *pawl.Query, tasks []pawl.Task, total int) pawl.Page {
	for _, one := range r.apart() {
		t := r.task(one)
		if q.Match(&t, r.now) {
			tasks = append(tasks, t)
			total++
		}
	}
	page := q.Paginate(tasks, r.revision)
	page.Total = total
	if q.Uncounted {
		page.Total = 0
	}
	return page
}

// apart are the tasks that readers see in another state than the columns have.
func (r *reader) apart() []*row {
	all := slices.Clone(r.lapsed)
	for _, one := range r.damaged {
		if !slices.Contains(r.lapsed, one) {
			all = append(all, one)
		}
	}
	return all
}

// compare reads all tasks that may match, and compares each. It is for the questions that
// the database cannot answer alone.
func (r *reader) compare(q pawl.Query) (pawl.Page, error) {
	where, args := "doc is not null", []any{}
	if !q.LeaseBefore.IsZero() {
		where, args = "lease_until is not null and lease_until <= $2 and doc is not null", []any{q.LeaseBefore.UnixMilli()}
	}
	var found []*row
	if err := r.readRows(where, func(one *row) { found = append(found, one) }, args...); err != nil {
		return pawl.Page{}, err
	}
	tasks := slices.DeleteFunc(r.tasks(found), func(t pawl.Task) bool { return !q.Match(&t, r.now) })
	return q.Paginate(tasks, r.revision), nil
}

// onlyReady reports whether a query is about what is ready, and nothing else.
func onlyReady(q *pawl.Query) bool {
	rest := *q
	rest.Ready, rest.For, rest.Order, rest.Limit, rest.Brief, rest.Uncounted, rest.After = false, "", 0, 0, false, false, nil
	return q.Ready && plain(&rest)
}

// plain reports whether a query chooses all tasks.
func plain(q *pawl.Query) bool {
	return len(q.IDs)+len(q.Status)+len(q.Labels)+len(q.Refs) == 0 && !q.Ready && q.For == "" && !q.Blocked && !q.Held && !q.Damaged && !q.Unshown && !q.Merging &&
		q.Was == 0 && q.Owner == "" && q.Mine == (pawl.Actor{}) && !q.Owned && q.Session == "" && q.Parent == 0 && q.Priority == nil && q.Text == "" &&
		q.LeaseBefore.IsZero() && q.QuietBefore.IsZero() && q.DoneSince.IsZero() && q.DoneBefore.IsZero()
}

// where is the condition of a query in SQL, and its parameters.
type where struct {
	all  []string
	args []any
}

// is adds a condition; each ? in it is the next parameter.
func (w *where) is(condition string, args ...any) {
	for _, arg := range args {
		w.args = append(w.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprint("$", len(w.args)), 1)
	}
	w.all = append(w.all, condition)
}

func (w *where) text() string { return strings.Join(w.all, " and ") }

// where is what [pawl.Query.Match] says of tasks whose lease has not ended.
func (r *reader) where(q *pawl.Query) *where {
	w := &where{}
	w.is("board = ?", r.board)
	if q.Ready { // a free task has a doc and no lease
		w.is("free")
		w.is("owner = any(?)", []string{"", q.For})
		if len(r.damaged) > 0 {
			w.is("id <> all(?)", ints(slices.Sorted(maps.Keys(r.damaged))))
		}
	} else {
		w.is("doc is not null")
		if apart := r.apart(); len(apart) > 0 {
			w.is("id <> all(?)", column(apart, func(r *row) int64 { return int64(r.id) }))
		}
	}
	if len(q.IDs) > 0 {
		w.is("id = any(?)", ints(q.IDs))
	}
	if len(q.Status) > 0 {
		some := make([]string, len(q.Status))
		for i, s := range q.Status {
			some[i] = string(s)
		}
		w.is("status = any(?)", some)
		if !slices.Contains(q.Status, pawl.Completed) { // as the index of open tasks has it
			w.is("status <> 'completed'")
		}
	}
	if q.Blocked {
		w.is("status = 'pending' and (cardinality(blocked_by) > 0 or open_children > 0)")
	}
	if q.Held {
		w.is("held")
	}
	if q.Unshown {
		w.is("unshown")
	}
	switch {
	case q.Was == pawl.AnyNumber:
		w.is("cardinality(was) > 0")
	case q.Was != 0:
		w.is("? = any(was)", int64(q.Was))
	}
	if q.Owner != "" {
		w.is("owner = ? and owner <> ''", q.Owner)
	}
	if q.Mine.Name != "" {
		w.is("owner = ? and owner <> '' and clone = '' and (lease_until is null or session = ?)", q.Mine.Name, q.Mine.Session)
	}
	if q.Owned {
		w.is("owner <> ''")
	}
	if q.Session != "" {
		w.is("session = ? and session <> '' and clone = ''", q.Session)
	}
	if len(q.Labels) > 0 {
		w.is("labels @> ?::text[]", q.Labels)
	}
	if q.Parent != 0 {
		w.is("parent = ? and parent <> 0", int64(q.Parent))
	}
	if q.Priority != nil {
		w.is("priority = ?", int16(*q.Priority))
	}
	if len(q.Refs) > 0 {
		w.is("ref = any(?)", q.Refs)
		if !slices.Contains(q.Refs, "") {
			w.is("ref <> ''")
		}
	}
	if !q.QuietBefore.IsZero() {
		w.is("sign <= ?", q.QuietBefore.UnixMilli())
	}
	if !q.DoneSince.IsZero() {
		w.is("(done_at is null or done_at >= ?)", q.DoneSince.UnixMilli())
	}
	if !q.DoneBefore.IsZero() {
		w.is("done_at < ?", q.DoneBefore.UnixMilli())
	}
	if q.Text != "" {
		w.is("strpos(search, ?) > 0", folded(q.Text))
	}
	return w
}

// after leaves out the pages before.
func (w *where) after(q *pawl.Query) {
	if q.After == nil {
		return
	}
	at := q.After.Rank
	switch q.Order {
	case pawl.ByUrgency:
		w.is("(rank_u, rank_h, id) > (?, ?, ?)", -int16(at.Urgency), -int32(at.Height), int64(at.ID))
	case pawl.ByCompletion:
		w.is("(done, id) < (?, ?)", q.After.Done, int64(at.ID))
	default:
		w.is("id > ?", int64(at.ID))
	}
}

var orders = [...]string{pawl.ByID: "id", pawl.ByUrgency: "rank_u, rank_h, id", pawl.ByCompletion: "done desc, id desc"}

// page is the query for the tasks of a page, and one more, by which is known that there
// are more.
func (w *where) page(q *pawl.Query) string {
	limit := q.PageSize() + 1
	if onlyReady(q) && q.Order == pawl.ByUrgency { // which an index alone answers
		return w.first(limit)
	}
	return fmt.Sprintf("select %s from pawl.task where %s order by %s limit %d", columns, w.text(), orders[q.Order], limit)
}

// first is the query for the first tasks that are ready. The index alone chooses them.
func (w *where) first(limit int) string {
	return fmt.Sprintf("select %s from %s", columns, named(fmt.Sprintf("array(select id from pawl.task where %s order by %s limit %d)", w.text(), orders[pawl.ByUrgency], limit)))
}
