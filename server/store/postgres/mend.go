package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// Mend rewrites data that contradicts the tasks' documents, and completes edges that only
// one end names. It replaces no text: an unreadable document stays as it is. It checks the
// board once more in one transaction, for which the board's writers wait.
func (s *Store) Mend(ctx context.Context, by pawl.Actor, dry bool) (mended []pawl.Mended, err error) {
	var c *checkup
	err = s.oneCheck(ctx, func() error {
		if err := s.View(ctx, func(r pawl.Reader) error {
			c = newCheckup(r.(*reader))
			return c.run()
		}); err != nil || dry || !c.curable() {
			return err
		}
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return alive(ctx)
		}
		c, err = s.mend(ctx, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, f := range fewOf(slices.DeleteFunc(c.finds, func(f find) bool { return f.did == "" })) {
		mended = append(mended, pawl.Mended{Problem: f.Problem, Done: f.did})
	}
	return mended, nil
}

func (c *checkup) curable() bool {
	return slices.ContainsFunc(c.finds, func(f find) bool { return f.did != "" })
}

// mend checks the board whose row it has locked, and writes what has to be.
func (s *Store) mend(ctx context.Context, by pawl.Actor) (*checkup, error) {
	r := &reader{ctx: ctx, store: s}
	waiting, done := s.db.Wait(ctx)
	defer done()
	tx, err := s.db.Begin(waiting, func(b *pg.Batch) {
		r.begin(b, true)
		b.Queue("set local idle_in_transaction_session_timeout = '1min'") // a large board takes a while to compare
	})
	if err != nil {
		return nil, s.db.Error(err)
	}
	defer tx.Close()
	r.tx = tx
	c := newCheckup(r)
	if err := c.run(); err != nil || !c.curable() {
		return c, err
	}
	var b pg.Batch
	last, err := c.write(&b, by)
	if err != nil {
		return nil, err
	}
	if err := tx.Commit(ctx, &b); err != nil {
		if errors.Is(err, pg.ErrUnknown) {
			e := pawl.Errorf(pawl.Unavailable, "%s was lost while the board was being mended: it is not known whether it was", s.db.Shown()).Next(pawl.HintRetry)
			e.Cause = err
			return nil, e
		}
		return nil, s.db.Error(err)
	}
	r.revision, r.lastID = last, max(r.lastID, c.mendLastID)
	s.db.seen.note(s.name, r.high())
	return c, nil
}

// write writes the rows of tasks, the most of a batch in one change set, and queues the
// rest. Some rows belong to no task, and counters to none either: history has nothing of
// those.
func (c *checkup) write(b *pg.Batch, by pawl.Actor) (last pawl.Revision, err error) {
	r := c.r
	if last = r.revision; c.mendRev != 0 {
		last = c.mendRev
	}
	rows := map[pawl.ID]bool{}
	for _, f := range c.finds {
		for _, id := range f.rows {
			rows[id] = true
		}
	}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(rows)), pawl.MaxBatch) {
		var some pg.Batch
		if last, err = c.writeRows(&some, chunk, last, by); err == nil {
			err = r.send(&some)
		}
		if err != nil {
			return 0, err
		}
		clear(r.rows)
	}
	if c.freeWrong {
		b.Queue("delete from pawl.free_count where board = $1", r.board)
		w := writing{r: r, free: c.free}
		w.queueFree(b)
	}
	for _, set := range c.wrong {
		b.Queue("update pawl.change set undoes = $3, tasks = $4 where board = $1 and rev = $2", r.board, set.rev, set.undoes, append([]int64{}, set.tasks...))
	}
	if p := c.touched; len(p.tasks) > 0 {
		b.Queue("insert into pawl.touched (board, task, rev) select $1, * from unnest($2::bigint[], $3::bigint[]) on conflict do nothing", r.board, p.tasks, p.revs)
	}
	if p := c.untouched; len(p.tasks) > 0 {
		b.Queue("delete from pawl.touched where ctid = any(array(select ctid from unnest($2::bigint[], $3::bigint[]) as named (one, at), lateral ("+
			"select ctid from pawl.touched where board = $1 and task = one and rev = at offset 0) found))", r.board, p.tasks, p.revs) // see named
	}
	trimmed := r.trimmed
	if c.trims {
		trimmed = c.unbroken
	}
	b.Queue("update pawl.board set rev = $2, last_id = $3, trimmed = $4 where id = $1", r.board, last, max(r.lastID, c.mendLastID), trimmed)
	pg.Ring(b, topic(r.board))
	return last, nil
}

// writeRows queues rows as they have to be, and the change set that says so.
func (c *checkup) writeRows(b *pg.Batch, named []pawl.ID, last pawl.Revision, by pawl.Actor) (pawl.Revision, error) {
	w := &writing{r: c.r, last: last, rows: map[pawl.ID]*row{}, free: map[string]int64{}}
	rand.Read(w.nonce[:])
	if err := c.r.fetch(named); err != nil {
		return 0, err
	}
	set := pawl.ChangeSet{At: c.r.now, By: by, Verb: pawl.VerbMend}
	for _, id := range named {
		s := c.of(int64(id))
		now := ghost(id)
		if s.exists {
			was := c.r.rows[id]
			t, err := was.shared()
			if err != nil { // of such a one nothing is written
				return 0, pawl.Errorf(pawl.Internal, "%v cannot be mended: %s", id, was.damage())
			}
			before := t.Clone()
			t.Blocks, t.BlockedBy = ids(s.blocks), ids(s.blockedBy)
			if now, err = rowOf(&t, nil); err != nil {
				return 0, err
			}
			change := pawl.Change{ID: id, CreatedAt: t.CreatedAt, Fields: pawl.Diff(&before, &t), Before: &before, After: &t}
			if len(change.Fields) == 0 { // the task is as it was, so there is nothing that an undo could take back
				change.Fields = []pawl.Field{pawl.FieldBlockedBy}
			}
			set.Changes = append(set.Changes, change.Trim())
			if s.want.free && !s.is.free && s.owner == "" {
				set.Ready = append(set.Ready, id)
			}
		}
		now.blockers, now.children, now.openChildren, now.u, now.h = s.want.blockers, s.want.children, s.want.openChildren, s.want.u, s.want.h
		now.refresh()
		w.rows[id] = now
	}
	if len(set.Changes) > 0 {
		w.last++
		set.Revision = w.last
		doc, err := pawl.Encode(set)
		if err != nil {
			return 0, err
		}
		w.sets, w.docs = []pawl.ChangeSet{set}, []string{string(doc)}
		w.queueSets(b)
	}
	w.queueTasks(b)
	return w.last, nil
}
