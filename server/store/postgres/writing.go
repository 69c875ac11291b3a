package postgres

import (
	"cmp"
	"crypto/rand"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/server/pg"
)

// A writing is what a commit does to the tables.
type writing struct {
	r      *reader
	last   pawl.Revision
	lastID pawl.ID
	nonce  [16]byte
	sets   []pawl.ChangeSet
	docs   []string
	rows   map[pawl.ID]*row // as they will be
	waiter map[pawl.ID]bool // tasks of which only what they wait for changes
	free   map[string]int64 // by how much the number of free tasks changes, by owner
}

// stage works out what a commit writes; nil: nothing.
func (r *reader) stage(commit *pawl.Commit) (*writing, error) {
	if commit.Empty() {
		return nil, nil
	}
	w := &writing{r: r, last: r.revision, lastID: max(r.lastID, commit.LastID), rows: map[pawl.ID]*row{}, free: map[string]int64{}}
	rand.Read(w.nonce[:])
	tasks, err := w.apply(commit)
	if err != nil {
		return nil, err
	}
	if err := w.derive(tasks); err != nil {
		return nil, err
	}
	for _, set := range commit.Sets {
		w.last++
		set.Revision = w.last
		doc, err := taskjson.EncodeTrimmed(set)
		if err != nil {
			return nil, err
		}
		w.sets, w.docs = append(w.sets, set), append(w.docs, string(doc))
	}
	w.countFree()
	return w, nil
}

// countFree works out how the numbers of free tasks change.
func (w *writing) countFree() {
	for id, now := range w.rows {
		was := w.r.rows[id]
		if was != nil && was.free {
			w.free[was.owner]--
		}
		if now.free {
			w.free[now.owner]++
		}
	}
}

// apply carries the changes out on the tasks that they name; nil: deleted.
func (w *writing) apply(commit *pawl.Commit) (map[pawl.ID]*pawl.Task, error) {
	var named []pawl.ID
	for _, set := range commit.Sets {
		for _, c := range set.Changes {
			named = append(named, c.ID)
		}
	}
	for _, rank := range commit.Ranks {
		named = append(named, rank.ID)
	}
	if err := w.r.fetch(named); err != nil {
		return nil, err
	}
	tasks := map[pawl.ID]*pawl.Task{}
	w.waiter = map[pawl.ID]bool{}
	for _, set := range commit.Sets {
		for _, c := range set.Changes {
			t, changed := tasks[c.ID]
			if was := w.r.rows[c.ID]; !changed && was.exists() {
				copied, err := was.shared()
				if err != nil {
					return nil, pawl.Errorf(pawl.Internal, "%v cannot be changed: %s", c.ID, was.damage())
				}
				t = &copied
			}
			w.waiter[c.ID] = t != nil && t.Open() && (w.waiter[c.ID] || !changed) && waits(&c)
			switch {
			case c.Before == nil && c.After != nil && t == nil:
				made := *c.After
				tasks[c.ID] = &made
			case c.Before != nil && c.After == nil && t != nil:
				tasks[c.ID] = nil
			case c.Before != nil && c.After != nil && t != nil:
				pawl.CopyFields(t, c.After, c.Fields...) // and nothing else: see [pawl.Change]
				t.Urgency, t.Height = c.After.Urgency, c.After.Height
				tasks[c.ID] = t
			default:
				return nil, pawl.Errorf(pawl.Internal, "a change of %s does not fit the board", c.ID)
			}
		}
	}
	for _, rank := range commit.Ranks {
		t, changed := tasks[rank.ID]
		if was := w.r.rows[rank.ID]; !changed && was.exists() {
			now := was.derived()
			now.u, now.h = int16(-rank.Urgency), int32(-rank.Height)
			w.rows[rank.ID] = now
			continue
		}
		if t == nil {
			return nil, pawl.Errorf(pawl.Internal, "a commit ranks %s, which does not exist", rank.ID)
		}
		t.Urgency, t.Height = rank.Urgency, rank.Height
	}
	return tasks, nil
}

// waits reports whether a change says nothing but what a task waits for.
func waits(c *pawl.Change) bool {
	return c.Before != nil && c.After != nil && !slices.ContainsFunc(c.Fields, func(f pawl.Field) bool {
		return f != pawl.FieldBlockedBy && f != pawl.FieldUpdatedAt
	})
}

// derive makes the rows of the tasks, and changes those of others that follow from them.
func (w *writing) derive(tasks map[pawl.ID]*pawl.Task) error {
	order := slices.Sorted(maps.Keys(tasks))
	var others []pawl.ID
	for _, id := range order {
		now, err := w.next(id, tasks[id])
		if err != nil {
			return err
		}
		w.rows[id] = now
		was := w.was(id)
		others = append(others, differing(was, now)...)
	}
	if err := w.r.fetch(others); err != nil {
		return err
	}
	for _, id := range order {
		was, now := w.was(id), w.rows[id]
		for _, other := range differing(was, now) {
			w.include(other)
		}
		for _, waits := range was.blocks {
			if !slices.Contains(now.blocks, waits) {
				other := w.rows[pawl.ID(waits)]
				other.blockers = without(other.blockers, id)
			}
		}
		for _, waits := range now.blocks {
			if !slices.Contains(was.blocks, waits) {
				other := w.rows[pawl.ID(waits)]
				other.blockers = with(other.blockers, id)
			}
		}
		stays := was.parent == now.parent
		if stays && was.open() == now.open() {
			continue
		}
		if was.parent != 0 {
			w.rows[was.parent].child(id, stays, was.open(), stays && now.open())
		}
		if now.parent != 0 && !stays {
			w.rows[now.parent].child(id, true, false, now.open())
		}
	}
	for _, now := range w.rows {
		now.refresh()
	}
	return nil
}

// differing are the tasks that have something derived from was or now, and not from both
// alike.
func differing(was, now *row) []pawl.ID {
	var all []pawl.ID
	if !slices.Equal(was.blocks, now.blocks) {
		all = append(ids(was.blocks), ids(now.blocks)...)
	}
	if was.parent != now.parent || was.open() != now.open() {
		all = append(all, was.parent, now.parent)
	}
	return slices.DeleteFunc(all, func(id pawl.ID) bool { return id == 0 })
}

// child adds or removes a child, and counts it by whether it is open.
func (r *row) child(id pawl.ID, is, wasOpen, isOpen bool) {
	if is {
		r.children = with(r.children, id)
	} else {
		r.children = without(r.children, id)
	}
	if wasOpen {
		r.openChildren--
	}
	if isOpen {
		r.openChildren++
	}
}

// was is the row before the commit, of a task that did not exist, too.
func (w *writing) was(id pawl.ID) *row {
	if was := w.r.rows[id]; was != nil {
		return was
	}
	return ghost(id)
}

// next is the row after the commit of a task that the commit changes.
func (w *writing) next(id pawl.ID, t *pawl.Task) (*row, error) {
	was := w.was(id)
	if t == nil {
		gone := ghost(id)
		gone.blockers, gone.children, gone.openChildren = was.blockers, was.children, was.openChildren
		return gone, nil
	}
	if w.waiter[id] {
		return waiterOf(t, was)
	}
	return rowOf(t, was)
}

// include has the commit write the row of a task that something is derived for.
func (w *writing) include(id pawl.ID) {
	if w.rows[id] != nil {
		return
	}
	if was := w.r.rows[id]; was != nil {
		w.rows[id] = was.derived()
		return
	}
	w.rows[id] = ghost(id)
}

// queue queues the statements, each for many rows.
func (w *writing) queue(b *pg.Batch) {
	w.queueTasks(b)
	w.queueSets(b)
	b.Queue("update pawl.board set rev = $2, last_id = $3 where id = $1", w.r.board, w.last, w.lastID)
	if bound := w.r.store.db.history; bound > 0 {
		w.queueTrim(b, bound)
	}
	if w.r.revision/tidyEach != w.last/tidyEach {
		b.Queue(`delete from pawl.op where board = $1 and at < $2 and op = any(array(select op from pawl.op where board = $1 and at < $2 order by at limit 5000))`,
			w.r.board, w.r.now.Add(-dayAndBit).UnixMilli())
		b.Queue("delete from pawl.free_count where board = $1 and n = 0", w.r.board)
	}
	pg.Ring(b, topic(w.r.board))
}

// tidyEach is after how many revisions old results are removed.
const tidyEach = 256

func (w *writing) queueSets(b *pg.Batch) {
	var revs []int64
	var undoes []bool
	var named, ops []string
	var tasks, at, of []int64
	var results [][]byte
	for i := range w.sets {
		set := &w.sets[i]
		revs, undoes = append(revs, int64(set.Revision)), append(undoes, set.Undoes != 0)
		var some []int64
		for _, c := range set.Changes {
			if !slices.Contains(some, int64(c.ID)) {
				some = append(some, int64(c.ID))
				tasks, at = append(tasks, int64(c.ID)), append(at, int64(set.Revision))
			}
		}
		named = append(named, array(some))
		if set.OpID != "" {
			ops, results, of = append(ops, string(set.OpID)), append(results, set.Result), append(of, w.r.now.UnixMilli())
		}
	}
	b.Queue(`insert into pawl.change (board, rev, nonce, undoes, tasks, doc)
		select $1, rev, $2, undoes, tasks::bigint[], doc from unnest($3::bigint[], $4::boolean[], $5::text[], $6::text[]) as s (rev, undoes, tasks, doc)`,
		w.r.board, w.nonce, revs, undoes, named, w.docs)
	if len(tasks) > 0 {
		b.Queue("insert into pawl.touched (board, task, rev) select $1, * from unnest($2::bigint[], $3::bigint[])", w.r.board, tasks, at)
	}
	if len(ops) > 0 {
		b.Queue(`insert into pawl.op (board, op, result, at) select $1, * from unnest($2::text[], $3::bytea[], $4::bigint[])
			on conflict (board, op) do update set result = excluded.result, at = excluded.at`, w.r.board, ops, results, of)
	}
}

// queueTrim forgets the oldest change sets, if there are more than bound.
func (w *writing) queueTrim(b *pg.Batch, bound int64) {
	least := max(int64(w.last)-bound, int64(w.r.origin)) // the last one to forget
	if least <= int64(w.r.trimmed) {
		return
	}
	least = min(least, int64(w.r.trimmed)+mostTrimmed)
	// After numbers have jumped ahead, more sets than usual are old.
	b.Queue(`with old as (select rev from pawl.change where board = $1 and rev <= $2 order by rev limit $3),
		gone as (delete from pawl.change where board = $1 and rev = any(array(select rev from old)) returning rev, tasks)
		delete from pawl.touched t using gone, lateral unnest(gone.tasks) as one where t.board = $1 and t.task = one and t.rev = gone.rev`, w.r.board, least, mostTrimmed)
	b.Queue("update pawl.board set trimmed = $2 where id = $1", w.r.board, least)
}

// mostTrimmed bounds how many change sets one commit removes.
const mostTrimmed = 2000

const taskColumns = "rev, id, doc, status, priority, rank_u, rank_h, free, owner, claim, session, clone, lease_until, expired, held, parent, " +
	"open_children, ref, sign, done, done_at, search, unshown, children, blocks, blockers, blocked_by, labels, was"

// upsert is the statement that writes tasks. Arrays come as texts: an array of arrays of
// different lengths does not exist.
var upsert = strings.NewReplacer("\n", " ", "\t", "").Replace(`insert into pawl.task (board, ` + taskColumns + `)
	select $1, $2, id, doc, status, priority, rank_u, rank_h, free, owner, claim, session, clone, lease_until, expired, held, parent,
		open_children, ref, sign, done, done_at, search, unshown, children::bigint[], blocks::bigint[], blockers::bigint[], blocked_by::bigint[], labels::text[], was::bigint[]
	from unnest($3::bigint[], $4::text[], $5::text[], $6::smallint[], $7::smallint[], $8::integer[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::text[],
		$14::bigint[], $15::integer[], $16::boolean[], $17::bigint[], $18::integer[], $19::text[], $20::bigint[], $21::bigint[], $22::bigint[], $23::text[],
		$24::boolean[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::text[])
	as t (id, doc, status, priority, rank_u, rank_h, free, owner, claim, session, clone, lease_until, expired, held, parent,
		open_children, ref, sign, done, done_at, search, unshown, children, blocks, blockers, blocked_by, labels, was)
	on conflict (board, id) do update set (` + taskColumns + `) = row (excluded.` + strings.ReplaceAll(taskColumns, ", ", ", excluded.") + `)`)

func (w *writing) queueFree(b *pg.Batch) {
	var owners []string
	var by []int64
	for _, owner := range slices.Sorted(maps.Keys(w.free)) {
		if n := w.free[owner]; n != 0 {
			owners, by = append(owners, owner), append(by, n)
		}
	}
	if len(owners) > 0 {
		b.Queue(`insert into pawl.free_count as f (board, owner, n) select $1, * from unnest($2::text[], $3::bigint[])
			on conflict (board, owner) do update set n = f.n + excluded.n`, w.r.board, owners, by)
	}
}

func (w *writing) queueTasks(b *pg.Batch) {
	w.queueFree(b)
	rows := slices.SortedFunc(maps.Values(w.rows), func(a, b *row) int { return cmp.Compare(a.id, b.id) })
	var gone []int64
	rows = slices.DeleteFunc(rows, func(r *row) bool {
		if !r.needless() {
			return false
		}
		if w.r.rows[r.id] != nil {
			gone = append(gone, int64(r.id))
		}
		return true
	})
	if len(gone) > 0 {
		b.Queue("delete from pawl.task where ctid = any(array(select ctid from unnest($2::bigint[]) as named (at), lateral ("+
			"select ctid from pawl.task where board = $1 and id = at offset 0) one))", w.r.board, gone) // see named
	}
	if len(rows) == 0 {
		return
	}
	changed := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.from == nil })
	if len(changed) > 0 {
		w.queueSlim(b, changed)
	}
	rows = slices.DeleteFunc(rows, func(r *row) bool { return r.from != nil })
	if len(rows) == 0 {
		return
	}
	b.Queue(upsert, w.r.board, w.last,
		column(rows, func(r *row) int64 { return int64(r.id) }),
		column(rows, func(r *row) *string {
			if !r.exists() {
				return nil
			}
			return &r.doc
		}),
		column(rows, func(r *row) string { return r.status }),
		column(rows, func(r *row) int16 { return r.priority }),
		column(rows, func(r *row) int16 { return r.u }),
		column(rows, func(r *row) int32 { return r.h }),
		column(rows, func(r *row) bool { return r.free }),
		column(rows, func(r *row) string { return r.owner }),
		column(rows, func(r *row) *string { return r.claim }),
		column(rows, func(r *row) string { return r.session }),
		column(rows, func(r *row) string { return r.clone }),
		column(rows, func(r *row) *int64 { return r.leaseUntil }),
		column(rows, func(r *row) int32 { return r.expired }),
		column(rows, func(r *row) bool { return r.held }),
		column(rows, func(r *row) int64 { return int64(r.parent) }),
		column(rows, func(r *row) int32 { return r.openChildren }),
		column(rows, func(r *row) string { return r.ref }),
		column(rows, func(r *row) int64 { return r.sign }),
		column(rows, func(r *row) int64 { return r.done }),
		column(rows, func(r *row) *int64 { return r.doneAt }),
		column(rows, func(r *row) string { return r.search }),
		column(rows, func(r *row) bool { return r.unshown }),
		column(rows, func(r *row) string { return array(r.children) }),
		column(rows, func(r *row) string { return array(r.blocks) }),
		column(rows, func(r *row) string { return array(r.blockers) }),
		column(rows, func(r *row) string { return array(r.blockedBy) }),
		column(rows, func(r *row) string { return texts(r.labels) }),
		column(rows, func(r *row) string { return array(r.was) }),
	)
}

// slim is the statement that writes what tasks derive from others, such as the
// dependents of a completed one. Null leaves a column as it is. Each row is looked up as
// in [named]; the limit, which is above all counts, only tells the planner to expect few
// rows, so that it keeps no copy of each for a second look-up.
const slim = `update pawl.task t set rev = $2, doc = coalesce(n.doc, t.doc), sign = coalesce(n.sign, t.sign),` +
	` rank_u = n.rank_u, rank_h = n.rank_h, free = n.free, open_children = n.open_children,` +
	` children = coalesce(n.children::bigint[], t.children), blockers = coalesce(n.blockers::bigint[], t.blockers),` +
	` blocked_by = coalesce(n.blocked_by::bigint[], t.blocked_by)` +
	` from (select * from unnest($3::bigint[], $4::text[], $5::bigint[], $6::smallint[], $7::integer[], $8::boolean[], $9::integer[], $10::text[], $11::text[], $12::text[])` +
	` as n (at, doc, sign, rank_u, rank_h, free, open_children, children, blockers, blocked_by) limit (select 1000000)) n,` +
	` lateral (select ctid as place from pawl.task where board = $1 and id = n.at offset 0) one` +
	` where t.ctid = one.place`

func (w *writing) queueSlim(b *pg.Batch, rows []*row) {
	unlike := func(list func(*row) []int64) []*string {
		return column(rows, func(r *row) *string {
			if slices.Equal(list(r.from), list(r)) {
				return nil
			}
			text := array(list(r))
			return &text
		})
	}
	b.Queue(slim, w.r.board, w.last,
		column(rows, func(r *row) int64 { return int64(r.id) }),
		column(rows, func(r *row) *string {
			if r.doc == r.from.doc {
				return nil
			}
			return &r.doc
		}),
		column(rows, func(r *row) *int64 {
			if r.doc == r.from.doc {
				return nil
			}
			return &r.sign
		}),
		column(rows, func(r *row) int16 { return r.u }),
		column(rows, func(r *row) int32 { return r.h }),
		column(rows, func(r *row) bool { return r.free }),
		column(rows, func(r *row) int32 { return r.openChildren }),
		unlike(func(r *row) []int64 { return r.children }),
		unlike(func(r *row) []int64 { return r.blockers }),
		unlike(func(r *row) []int64 { return r.blockedBy }),
	)
}

func column[T any](rows []*row, of func(*row) T) []T {
	all := make([]T, len(rows))
	for i, r := range rows {
		all[i] = of(r)
	}
	return all
}

// array is a list of numbers as PostgreSQL writes it: {1,2}.
func array(all []int64) string {
	text := []byte{'{'}
	for i, n := range all {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, n, 10)
	}
	return string(append(text, '}'))
}

// texts is a list of texts as PostgreSQL writes it: {"a","b"}.
func texts(all []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, s := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		for j := range len(s) {
			if s[j] == '"' || s[j] == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(s[j])
		}
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}
