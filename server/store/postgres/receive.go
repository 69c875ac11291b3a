package postgres

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// Receiving returns the copy that has not ended.
func (s *Store) Receiving(ctx context.Context) (*pawl.Receiving, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	var is *pawl.Receiving
	err := s.db.Query(ctx, func() { is = nil }, func(rows pg.Rows) error {
		found := &pawl.Receiving{}
		var doc *string
		if err := rows.Scan(&found.Run, &found.Origin, &found.Revision, &doc); err != nil {
			return err
		}
		is = found
		if doc == nil {
			return nil
		}
		return json.Unmarshal([]byte(*doc), &found.Last)
	}, `select b.copying, b.origin, b.rev, c.doc from pawl.board b left join pawl.change c on c.board = b.id and c.rev = b.rev
		where b.name = $1 and b.copying is not null`, s.name)
	return is, err
}

// Receive takes the next part of a copy in a transaction of its own. A board that does
// not exist is made by the first one.
func (s *Store) Receive(ctx context.Context, part pawl.Part) error {
	if err := alive(ctx); err != nil {
		return err
	}
	if err := part.Check(); err != nil {
		return err
	}
	ctx, done := s.db.Wait(ctx)
	defer done()
	if part.Begin != nil && part.Begin.Empty {
		if err := s.db.Make(ctx, s.name); err != nil {
			return err
		}
	}
	r := &reader{ctx: ctx, store: s, receives: true}
	tx, err := s.db.Begin(ctx, func(b *pg.Batch) { r.begin(b, true) })
	if err != nil {
		return s.db.Error(err)
	}
	defer tx.Close()
	r.tx = tx
	var b pg.Batch
	switch {
	case part.Begin != nil:
		err = r.beginCopy(&b, &part)
	case r.copying != part.Run:
		err = pawl.OtherRunError()
	default:
		if err = part.Follows(r.revision); err == nil {
			err = r.receive(&b, &part)
		}
	}
	if err != nil {
		return err
	}
	if err := tx.Commit(ctx, &b); err != nil {
		if errors.Is(err, pg.ErrUnknown) {
			e := pawl.Errorf(pawl.Unavailable, "%s was lost while a part of the copy was being written", s.db.Shown())
			e.Cause = err
			return e
		}
		return s.db.Error(err)
	}
	s.db.seen.note(s.name, r.high())
	return nil
}

// beginCopy queues what makes the board unfinished. An empty one goes on from where
// the history of the other board begins, which may be lower: that is another epoch.
func (r *reader) beginCopy(b *pg.Batch, part *pawl.Part) error {
	var used bool
	var first pg.Batch
	first.Queue("select exists (select from pawl.task where board = $1 and doc is not null offset 0) or exists (select from pawl.change where board = $1 offset 0)", r.board).
		QueryRow(func(found pg.Row) error { return found.Scan(&used) })
	if err := r.send(&first); err != nil {
		return err
	}
	begin := part.Begin
	if err := begin.Fits(r.copying == "" && !used, r.origin, r.revision); err != nil {
		return err
	}
	if !begin.Empty {
		b.Queue("update pawl.board set copying = $2 where id = $1", r.board, part.Run)
		return nil
	}
	r.revision, r.origin, r.trimmed, r.lastID = begin.Since, begin.Origin, begin.Since, 0
	r.epoch++
	b.Queue("update pawl.board set rev = $2, origin = $3, trimmed = $2, last_id = 0, epoch = $4, copying = $5 where id = $1",
		r.board, r.revision, r.origin, r.epoch, part.Run)
	for _, table := range []string{"pawl.task", "pawl.op", "pawl.free_count"} { // what an empty board may have left
		b.Queue("delete from "+table+" where board = $1", r.board)
	}
	return nil
}

// receive queues what a later part writes.
func (r *reader) receive(b *pg.Batch, part *pawl.Part) error {
	w := &writing{r: r, last: r.revision, lastID: r.lastID, rows: map[pawl.ID]*row{}, free: map[string]int64{}}
	rand.Read(w.nonce[:])
	switch {
	case part.Tasks != nil:
		if err := w.replace(part.Tasks); err != nil {
			return err
		}
		w.queueTasks(b)
	case part.End != nil:
		r.lastID = max(r.lastID, part.End.LastID)
		b.Queue("update pawl.board set last_id = $2, copying = null where id = $1", r.board, r.lastID)
		pg.Ring(b, topic(r.board))
	default:
		for i := range part.Sets {
			set := part.Sets[i]
			set.Changes = slices.Clone(set.Changes)
			for j, c := range set.Changes {
				set.Changes[j] = c.Trim()
			}
			doc, err := pawl.Encode(set)
			if err != nil {
				return err
			}
			w.sets, w.docs = append(w.sets, set), append(w.docs, string(doc))
			r.revision = set.Revision
		}
		w.queueSets(b)
		b.Queue("update pawl.board set rev = $2 where id = $1", r.board, r.revision)
	}
	return nil
}

// replace makes the rows of a stretch those of the tasks in it.
func (w *writing) replace(s *pawl.Stretch) error {
	var b pg.Batch
	var there []*row
	w.r.queueRows(&b, "id > $2 and id <= $3", func(found *row) { there = append(there, found) }, int64(s.After), int64(s.UpTo))
	if err := w.r.send(&b); err != nil {
		return err
	}
	tasks := map[pawl.ID]*pawl.Task{}
	for _, was := range there {
		if was.exists() {
			tasks[was.id] = nil
		}
	}
	for i := range s.Tasks {
		t := s.Tasks[i].Clone()
		was, known := w.r.rows[t.ID]
		if !known {
			w.r.rows[t.ID] = nil // it was looked for, and is not there
		}
		next, err := rowOf(&t, was)
		if err != nil {
			return err
		}
		if was != nil && was.doc == next.doc && was.u == next.u && was.h == next.h {
			delete(tasks, t.ID) // as it was
			continue
		}
		if len(next.doc) > pawl.MaxTask {
			return pawl.Errorf(pawl.Invalid, "%s is larger than 1 MiB", t.ID)
		}
		tasks[t.ID] = &t
	}
	if err := w.derive(tasks); err != nil {
		return err
	}
	w.countFree()
	return nil
}
