package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/server/pg"
)

// A reader is a board within a transaction. It keeps the rows that it has read.
type reader struct {
	ctx   context.Context
	store *Store
	tx    *pg.Tx

	board    int64
	revision pawl.Revision
	origin   pawl.Revision
	lastID   pawl.ID
	trimmed  pawl.Revision
	epoch    int64
	now      time.Time

	rows     map[pawl.ID]*row // nil: there is no row
	damaged  map[pawl.ID]*row // those of which that is known; nil: nobody has asked
	lapsed   []*row           // leases that have ended, by id
	cut      bool             // lapsed are the first ones only
	prepared bool             // lapsed was read
	results  map[pawl.OpID][]byte
	asked    map[pawl.OpID]bool // op ids that were looked up
	recalled bool               // a result of an earlier request was read
	next     *nextOnes
	claims   *claims
	failed   error // the transaction has ended with it
	lost     bool  // and with it the connection
}

var (
	_ pawl.Reader   = (*reader)(nil)
	_ pawl.Preparer = (*reader)(nil)
)

const boardColumns = "id, rev, origin, last_id, trimmed, epoch, floor(extract(epoch from clock_timestamp()) * 1000)::bigint"

// begin queues what each transaction reads first: the board's row, which a writer locks,
// and the leases that have ended. The reader is filled when the batch is sent.
func (r *reader) begin(b *pg.Batch, lock bool) {
	*r = reader{
		ctx: r.ctx, store: r.store, rows: map[pawl.ID]*row{}, results: map[pawl.OpID][]byte{}, asked: map[pawl.OpID]bool{},
	}
	query := "select " + boardColumns + " from pawl.board where name = $1"
	if lock {
		query += " for no key update"
	}
	b.Queue(query, r.store.name).QueryRow(func(found pg.Row) error {
		var ms int64
		err := found.Scan(&r.board, &r.revision, &r.origin, &r.lastID, &r.trimmed, &r.epoch, &ms)
		if pg.Missing(err) {
			return pawl.Errorf(pawl.NotFound, "the board %s does not exist", r.store.name)
		}
		if r.now = time.UnixMilli(ms).UTC(); r.store.db.clock != nil {
			r.now = r.store.db.clock().UTC().Truncate(time.Millisecond)
		}
		return err
	})
}

// prepare queues what the next questions will need.
func (r *reader) prepare(b *pg.Batch, w *pawl.Wanted) {
	r.lapsed, r.cut, r.prepared = nil, false, true
	// After a pause there may be thousands of them, which the next writer records first.
	read := 0
	r.queueNamed(b, "array(select id from (select id from pawl.task where board = $1 and "+ended+" offset 0) all_ended order by id limit $3)", func(found *row) {
		read++
		r.lapse(found)
		r.cut = read == mostLapsed
	}, r.now.UnixMilli(), mostLapsed)
	if w == nil {
		return
	}
	if len(w.Ops) > 0 {
		r.queueResults(b, w.Ops)
	}
	if len(w.IDs) > 0 {
		// With their neighbours: what waits for them, their parents and children change
		// with them, or their names are told.
		r.queueNamed(b, `array(
			select unnest($2::bigint[])
			union select unnest(blocks || parent || blocked_by) from `+named("$2::bigint[]")+`)`, nil, ints(w.IDs))
	}
	if w.Next > 0 {
		r.queueNext(b, w.Next+1, w.Names) // one more tells that there are more
	}
	r.queueClaims(b, w.Sessions, w.Names)
}

// ended chooses the tasks whose lease has ended at $2. Not by status, too: a planner
// without statistics would look through all tasks in progress.
const ended = "lease_until is not null and lease_until <= $2"

// mostLapsed is how many ended leases are prefetched: a page, and one more that
// tells that there are more.
const mostLapsed = pawl.MaxPage + 1

func (r *reader) lapse(found *row) {
	if found.status == string(pawl.InProgress) {
		r.lapsed = append(r.lapsed, found)
	}
}

// allLapsed reads those that prepare has left out.
func (r *reader) allLapsed() error {
	if !r.cut {
		return nil
	}
	r.lapsed = nil
	err := r.readRows(ended, r.lapse, r.now.UnixMilli())
	r.cut = err != nil
	return err
}

// Prepare prefetches all wanted data in one round trip.
func (r *reader) Prepare(w pawl.Wanted) error {
	var b pg.Batch
	r.prepare(&b, &w)
	if err := r.send(&b); err != nil {
		return err
	}
	for _, id := range w.IDs { // what was not found does not exist
		if _, known := r.rows[id]; !known {
			r.rows[id] = nil
		}
	}
	return nil
}

// send asks what was queued, in one round trip.
func (r *reader) send(b *pg.Batch) error {
	ctx, done := r.store.db.Wait(r.ctx)
	defer done()
	if r.failed == nil {
		err := r.tx.Send(ctx, b)
		r.lost, r.failed = pg.Passing(err), r.store.db.Error(err)
	}
	return r.failed
}

// ask asks one question, and gives each row of the answer to scan.
func (r *reader) ask(scan func(pg.Rows) error, query string, args ...any) error {
	var b pg.Batch
	b.Queue(query, args...).Query(pg.Each(scan))
	return r.send(&b)
}

// readRows reads whole rows of the board. The parameters of where count from $2.
func (r *reader) readRows(where string, each func(*row), args ...any) error {
	var b pg.Batch
	b.Queue("select "+columns+" from pawl.task where board = $1 and "+where, append([]any{r.board}, args...)...).Query(func(rows pg.Rows) error {
		return r.keep(rows, each)
	})
	return r.send(&b)
}

// named is the rows of the board whose ids are in an array. Each is looked up by a
// subquery of its own: of id = any(…) the planner makes a walk through the whole board
// where it does not know yet how many tasks that has.
func named(array string) string {
	return "unnest(" + array + ") as named (at), lateral (select * from pawl.task where board = $1 and id = at offset 0) one"
}

// queueNamed queues a query for the rows whose ids are in an array.
func (r *reader) queueNamed(b *pg.Batch, array string, each func(*row), args ...any) {
	b.Queue("select "+columns+" from "+named(array), append([]any{r.board}, args...)...).Query(func(rows pg.Rows) error {
		return r.keep(rows, each)
	})
}

// keep keeps the rows of an answer.
func (r *reader) keep(rows pg.Rows, each func(*row)) error {
	for rows.Next() {
		found, err := scan(rows)
		if err != nil {
			return err
		}
		if was := r.rows[found.id]; was != nil { // within a transaction nobody else changes it
			found = was
		} else {
			r.rows[found.id] = found
		}
		if each != nil {
			each(found)
		}
	}
	return rows.Err()
}

// fetch reads the rows that are not known yet.
func (r *reader) fetch(wanted []pawl.ID) error {
	var missing []int64
	for _, id := range wanted {
		if _, known := r.rows[id]; !known {
			missing = append(missing, int64(id))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	var b pg.Batch
	r.queueNamed(&b, "$2::bigint[]", nil, missing)
	if err := r.send(&b); err != nil {
		return err
	}
	for _, id := range missing {
		if _, known := r.rows[pawl.ID(id)]; !known {
			r.rows[pawl.ID(id)] = nil
		}
	}
	return nil
}

func (r *reader) Revision() pawl.Revision { return r.revision }
func (r *reader) Origin() pawl.Revision   { return r.origin }
func (r *reader) Epoch() int64            { return r.epoch }
func (r *reader) LastID() pawl.ID         { return r.lastID }
func (r *reader) high() epoch.High {
	return epoch.High{Revision: r.revision, LastID: r.lastID, Epoch: r.epoch}
}
func (r *reader) Now() time.Time { return r.now }

func (r *reader) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	if err := r.fetch(ids); err != nil {
		return nil, err
	}
	tasks := make([]pawl.Task, 0, len(ids))
	var missing []pawl.ID
	for _, id := range ids {
		found := r.rows[id]
		if !found.exists() {
			missing = append(missing, id)
			continue
		}
		tasks = append(tasks, r.task(found))
	}
	if missing != nil {
		return nil, pawl.NotFoundError(missing...)
	}
	return tasks, nil
}

func (r *reader) Briefs(ids ...pawl.ID) ([]pawl.Task, error) {
	tasks, err := r.Get(ids...)
	for i := range tasks {
		tasks[i] = tasks[i].Brief()
	}
	return tasks, err
}

// Nodes reads whole rows, because callers often want the texts of these tasks next.
func (r *reader) Nodes(ids ...pawl.ID) ([]pawl.Node, error) {
	if err := r.fetch(ids); err != nil {
		return nil, err
	}
	nodes := make([]pawl.Node, len(ids))
	for i, id := range ids {
		found := r.rows[id]
		if !found.exists() {
			nodes[i] = pawl.Node{ID: id, Missing: true}
			continue
		}
		nodes[i] = found.node()
		nodes[i].Damaged = r.broken(found)
	}
	return nodes, nil
}

// A walk follows edges level by level inside the database. A subquery of its own looks up
// the neighbours of each level (the offset keeps the planner from rewriting the join), so
// that a long chain costs one look-up for each task.
const walk = `with recursive reached (at) as (
	select unnest($2::bigint[])
	union
	select unnest(n.next) from reached, lateral (
		select %s as next from pawl.task t where t.board = $1 and t.id = at and t.doc is not null offset 0) n)
select %s from reached, lateral (select * from pawl.task t where t.board = $1 and t.id = at offset 0) t`

var walks = map[pawl.Direction]string{
	pawl.Dependents:   "case when t.parent <> 0 then t.blocks || t.parent else t.blocks end",
	pawl.Dependencies: "t.blockers || t.children",
}

func (r *reader) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	if err := r.recall(); err != nil {
		return nil, err
	}
	reached := map[pawl.ID]pawl.Node{}
	var named []pawl.ID
	err := r.ask(func(rows pg.Rows) error {
		found, err := scan(rows)
		if err != nil {
			return err
		}
		n := pawl.Node{ID: found.id, Missing: true}
		if found.exists() {
			n = found.node()
			n.Damaged = r.damaged[n.ID] != nil // as far as is known: documents are not read here
		}
		reached[n.ID] = n
		named = append(named, n.Toward(dir)...)
		return nil
	}, walkQuery(dir), r.board, ints(from))
	if err != nil {
		return nil, err
	}
	for _, id := range append(named, from...) { // those without a row
		if _, known := reached[id]; !known {
			reached[id] = pawl.Node{ID: id, Missing: true}
		}
	}
	nodes := make([]pawl.Node, 0, len(reached))
	for _, id := range slices.Sorted(maps.Keys(reached)) {
		nodes = append(nodes, reached[id])
	}
	return nodes, nil
}

// resultsQuery looks up the results of op ids. Its order forces the index on op: a plan
// made while the table was empty would scan all results of the board by time.
const resultsQuery = "select op, result from unnest($2::text[]) as named (name), lateral (" +
	"select op, result from pawl.op where board = $1 and op >= name and op <= name order by op limit 1) one"

func (r *reader) queueResults(b *pg.Batch, ops []pawl.OpID) {
	names := make([]string, len(ops))
	for i, op := range ops {
		names[i], r.asked[op] = string(op), true
	}
	b.Queue(resultsQuery, r.board, names).Query(pg.Each(func(rows pg.Rows) error {
		var op pawl.OpID
		var result []byte
		err := rows.Scan(&op, &result)
		r.results[op] = result
		return err
	}))
}

func (r *reader) Result(op pawl.OpID) ([]byte, bool, error) {
	if !r.asked[op] {
		var b pg.Batch
		r.queueResults(&b, []pawl.OpID{op})
		if err := r.send(&b); err != nil {
			return nil, false, err
		}
	}
	result, found := r.results[op]
	r.recalled = r.recalled || found
	return slices.Clone(result), found, nil
}
