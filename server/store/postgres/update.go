package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/server/pg"
)

// View runs fn in a read-only transaction, which sees the database as it was at one
// moment.
func (s *Store) View(ctx context.Context, fn func(pawl.Reader) error) error {
	if err := alive(ctx); err != nil {
		return err
	}
	waiting, done := s.db.Wait(ctx)
	defer done()
	r := &reader{ctx: ctx, store: s}
	begin := s.db.Snapshot
	if s.db.views.Add(1) > fewViews && inside() {
		begin = s.db.Inner
	}
	defer s.db.views.Add(-1)
	tx, err := begin(waiting, func(b *pg.Batch) { r.begin(b, false) })
	if err != nil {
		return s.db.Error(err)
	}
	defer tx.Close()
	r.tx = tx
	s.db.seen.note(s.name, r.high())
	if err := r.Prepare(pawl.Wanted{}); err != nil {
		return err
	}
	return look(fn, r)
}

// Update runs fn in a transaction that has locked the board's row. If the transaction
// certainly did not commit, it runs again on another connection, within the time of a
// request. If that is unknown, the board itself tells, as soon as it can be reached.
func (s *Store) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if err := alive(ctx); err != nil {
		return 0, err
	}
	waiting, done := s.db.Wait(ctx)
	defer done()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-waiting.Done():
		return 0, pawl.Errorf(pawl.Unavailable, "the board %s was busy all the time that a request has", s.name).
			Next(pawl.HintRetry)
	}
	for {
		last, again, err := s.attempt(waiting, fn)
		if !again || waiting.Err() != nil {
			return last, err
		}
	}
}

// attempt is one try of an update. It says whether another one may work; then it has
// committed nothing.
func (s *Store) attempt(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (last pawl.Revision, again bool, err error) {
	r := &reader{ctx: ctx, store: s}
	r.tx, err = s.db.Begin(ctx, func(b *pg.Batch) { r.begin(b, true) })
	if err != nil {
		return 0, false, s.db.Error(err) // it was tried as long as that made sense
	}
	defer r.tx.Close()
	if r.high().Behind(s.db.seen.get(s.name)) {
		r.tx.Close()
		_, err := s.db.catchUp(ctx, s.name)
		return 0, err == nil, err
	}
	commit, err := fn(r)
	if r.lost {
		return 0, true, pawl.Errorf(pawl.Unavailable, "%s was lost, and nothing was changed", s.db.Shown()).
			Next(pawl.HintRetry)
	}
	if err != nil {
		return 0, false, err
	}
	w, err := r.stage(&commit)
	if err != nil {
		return 0, r.lost, err
	}
	var b pg.Batch
	if w == nil {
		if r.recalled { // the caller counts on what an earlier commit did
			err = s.db.Error(s.prove(ctx, r))
		}
		return r.revision, false, err
	}
	w.queue(&b)
	err = r.tx.Commit(ctx, &b)
	if err == nil {
		s.db.seen.note(s.name, epoch.High{Revision: w.last, LastID: w.lastID, Epoch: w.r.epoch})
		return w.last, false, nil
	}
	if !errors.Is(err, pg.ErrUnknown) {
		return 0, pg.Passing(err), s.db.Error(err)
	}
	r.tx.Close() // cuts the connection, which ends what the database still does for it
	happened, errLook := s.happened(ctx, w)
	switch {
	case errLook != nil:
		e := pawl.Errorf(pawl.Unavailable, "%s was lost while a change was being made: it is not known whether it was made", s.db.Shown()).Next(pawl.HintHistory)
		e.Cause = errors.Join(pg.ErrUnknown, errLook)
		return 0, false, e
	case happened:
		s.db.seen.note(s.name, epoch.High{Revision: w.last, LastID: w.lastID, Epoch: w.r.epoch})
		return w.last, false, nil
	}
	return 0, true, s.db.Error(err)
}

// happened finds out whether a commit happened whose answer was lost. It waits for the
// row of the board, which the lost transaction has locked as long as it is under way.
// A commit that is there may not be on a synchronous standby yet: one more commit after
// it, which is, shows that it is too.
func (s *Store) happened(ctx context.Context, w *writing) (bool, error) {
	for {
		r := &reader{ctx: ctx, store: s}
		found := false
		tx, err := s.db.Begin(ctx, func(b *pg.Batch) {
			found = false
			r.begin(b, true)
			b.Queue("select from pawl.change c, pawl.board b where b.name = $1 and c.board = b.id and c.rev = $2 and c.nonce = $3", s.name, w.last, w.nonce).
				Query(pg.Each(func(pg.Rows) error { found = true; return nil }))
		})
		if err != nil {
			return false, err
		}
		r.tx = tx
		if found {
			err = s.prove(ctx, r)
		}
		tx.Close()
		if !errors.Is(err, pg.ErrUnknown) && !pg.Passing(err) || ctx.Err() != nil {
			return found, err
		}
	}
}

// prove commits a write of nothing: when it is acknowledged, so is all before it.
func (s *Store) prove(ctx context.Context, r *reader) error {
	var b pg.Batch
	b.Queue("update pawl.board set proved = proved + 1 where id = $1", r.board)
	return r.tx.Commit(ctx, &b)
}

// Notify hints after each commit on the board, by whatever process.
func (s *Store) Notify(ctx context.Context) (<-chan struct{}, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	board, err := s.db.Row(ctx, s.name)
	if err != nil {
		return nil, err
	}
	if board == 0 {
		return nil, pawl.Errorf(pawl.NotFound, "the board %s does not exist", s.name)
	}
	return s.db.Listen(ctx, topic(board)), nil
}

// topic is what is rung for after a commit.
func topic(board int64) string { return beforeID + strconv.FormatInt(board, 10) }

const beforeID = "board "

// revisions tells of all boards that somebody watches which revision they have, in one
// query, while nobody can be rung for.
func (d *Database) revisions(ctx context.Context, topics []string) (map[string]int64, error) {
	ids := make([]int64, 0, len(topics))
	for _, one := range topics {
		id, err := strconv.ParseInt(strings.TrimPrefix(one, beforeID), 10, 64)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	revs := make(map[string]int64, len(ids))
	err := d.Query(ctx, nil, func(rows pg.Rows) error {
		var id, rev int64
		err := rows.Scan(&id, &rev)
		revs[topic(id)] = rev
		return err
	}, "select id, rev from pawl.board where id = any($1)", ids)
	return revs, err
}

func alive(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return pawl.Errorf(pawl.Unavailable, "the request ended before the board was asked: %w", context.Cause(ctx))
}

// dayAndBit is for how long the result of an op id is kept.
const dayAndBit = 25 * time.Hour
