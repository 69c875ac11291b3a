package tables

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/server/pg"
)

// Update implements [keeper.Shelf].
func (s *shelf) Update(ctx context.Context, since keeper.Mark, fn func(keeper.News, keeper.Desk) error) error {
	var n keeper.News
	var xact string
	tx, err := s.begin(ctx, since, &n, &xact)
	if err != nil {
		return s.db.Unnamed(err)
	}
	defer tx.Close()
	d := &desk{shelf: s, tx: tx, xact: xact, seq: n.Seq, floor: n.Floor}
	if err := fn(n, d); err != nil {
		return d.failure(err)
	}
	if len(d.rows) == 0 {
		return nil
	}
	var b pg.Batch
	d.queue(&b)
	err = tx.Commit(ctx, &b)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, pg.ErrUnknown):
		d.failed = err
		return d.failure(err)
	}
	tx.Close()
	return d.find(ctx)
}

// begin locks the board's sessions, reads the news, and tells the transaction's number.
func (s *shelf) begin(ctx context.Context, since keeper.Mark, n *keeper.News, xact *string) (*pg.Tx, error) {
	return s.db.Begin(ctx, func(b *pg.Batch) {
		*n = keeper.News{}
		b.Queue("insert into pawl.session_mark (board, epoch, seq, floor) values ($1, $2, 0, 0) on conflict (board) do nothing", s.board, newEpoch())
		b.Queue("select from pawl.session_mark where board = $1 for update", s.board)
		b.Queue("select pg_current_xact_id()::text").QueryRow(func(r pg.Row) error { return r.Scan(xact) })
		b.Queue(news, s.board, int64(since.Seq), since.Epoch).Query(func(rows pg.Rows) error {
			for rows.Next() {
				if err := s.take(n, rows); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	})
}

// A desk collects what an update writes. All of it goes out with the commit.
type desk struct {
	*shelf
	tx     *pg.Tx
	xact   string    // the number of the transaction
	rows   []written // a later one of the same session is instead of an earlier one
	at     map[string]int
	seq    uint64
	floor  uint64
	failed error // what the database answered
}

// written is a row that is to be written.
type written struct {
	record keeper.Record
	kept   *keeper.Kept // nil: only the record is new
	about  string
	own    *string
	list   *string
}

// failure is the error of an update that wrote nothing.
func (d *desk) failure(err error) error {
	if d.failed == nil {
		return err // of its caller
	}
	if err = d.db.Unnamed(d.failed); pg.Passing(d.failed) {
		return keeper.Again(err)
	}
	return err
}

// Read implements [keeper.Desk].
func (d *desk) Read(ctx context.Context, ids ...string) (map[string]keeper.Kept, error) {
	all := make(map[string]keeper.Kept, len(ids))
	var b pg.Batch
	var wrong error
	b.Queue(read, d.board, ids).Query(func(rows pg.Rows) error {
		for rows.Next() {
			bad, err := kept(rows, all)
			if err != nil {
				return err
			}
			if bad != nil {
				wrong = bad
			}
		}
		return rows.Err()
	})
	if d.failed = d.tx.Send(ctx, &b); d.failed != nil {
		return nil, d.failed
	}
	for _, id := range ids {
		if i, ok := d.at[id]; ok {
			d.rows[i].apply(id, all)
		}
	}
	return all, wrong
}

// apply has what was read show what is to be written.
func (w *written) apply(id string, all map[string]keeper.Kept) {
	switch k, there := all[id]; {
	case w.record.Gone:
		delete(all, id)
	case w.kept != nil:
		all[id] = *w.kept
	case there:
		k.Session.Version, k.Session.Seen = w.record.Version, w.record.Seen
		all[id] = k
	}
}

func (d *desk) put(w written) error {
	var err error
	if w.about, err = text(w.record.Session); err != nil {
		return err
	}
	if w.record.Own != nil {
		own, err := text(w.record.Own)
		if err != nil {
			return err
		}
		w.own = &own
	}
	d.seq = w.record.Seq
	if i, ok := d.at[w.record.ID]; ok {
		if w.kept == nil && !w.record.Gone { // an earlier write of this update has the list
			w.kept, w.list = d.rows[i].kept, d.rows[i].list
		}
		d.rows[i] = w
		return nil
	}
	if d.at == nil {
		d.at = map[string]int{}
	}
	d.at[w.record.ID] = len(d.rows)
	d.rows = append(d.rows, w)
	return nil
}

// Write implements [keeper.Desk].
func (d *desk) Write(_ context.Context, k keeper.Kept, seq uint64) (int64, error) {
	w := written{record: k.Record(), kept: &k}
	w.record.Seq = seq
	list, err := text(listText{k.Session.List, k.Own})
	if err != nil {
		return 0, err
	}
	if len(list) > maxList {
		return 0, pawl.Errorf(pawl.Invalid, "a todo list has at most %d bytes", maxList)
	}
	w.list, w.record.Size = &list, int64(len(list))
	return w.record.Size, d.put(w)
}

// Saw implements [keeper.Desk].
func (d *desk) Saw(_ context.Context, r keeper.Record) error { return d.put(written{record: r}) }

// Remove implements [keeper.Desk].
func (d *desk) Remove(_ context.Context, r keeper.Record) error {
	r.Session.Session = "removed" // a session has a name
	return d.put(written{record: r})
}

// Trim implements [keeper.Desk].
func (d *desk) Trim(_ context.Context, floor uint64) error {
	d.floor = floor
	return nil
}

// queue adds the statements of the update. A row of which only the record is new keeps
// its list.
func (d *desk) queue(b *pg.Batch) {
	var ids, tokens, abouts []string
	var seqs, sizes []int64
	var gones, keeps []bool
	var owns, lists []*string
	for i := range d.rows {
		w := &d.rows[i]
		ids, tokens, abouts = append(ids, w.record.ID), append(tokens, w.record.Token), append(abouts, w.about)
		seqs, sizes = append(seqs, int64(w.record.Seq)), append(sizes, w.record.Size)
		gones, keeps = append(gones, w.record.Gone), append(keeps, w.kept == nil && !w.record.Gone)
		owns, lists = append(owns, w.own), append(lists, w.list)
	}
	b.Queue(`update pawl.session s set seq = w.seq, about = w.about, own = w.own
from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::boolean[]) as w (id, seq, about, own, keep)
where s.board = $1 and s.id = w.id and w.keep`, d.board, ids, seqs, abouts, owns, keeps)
	b.Queue(`insert into pawl.session (board, id, seq, token, gone, size, about, own, list)
select $1, w.id, w.seq, w.token, w.gone, w.size, w.about, w.own, w.list
from unnest($2::text[], $3::bigint[], $4::text[], $5::boolean[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::boolean[])
  as w (id, seq, token, gone, size, about, own, list, keep)
where not w.keep
on conflict (board, id) do update set seq = excluded.seq, token = excluded.token, gone = excluded.gone, size = excluded.size,
  about = excluded.about, own = excluded.own, list = excluded.list`,
		d.board, ids, seqs, tokens, gones, sizes, abouts, owns, lists, keeps)
	b.Queue("delete from pawl.session where board = $1 and gone and seq <= $2 and $2 > (select floor from pawl.session_mark where board = $1)", d.board, int64(d.floor))
	b.Queue("update pawl.session_mark set seq = $2, floor = $3 where board = $1", d.board, int64(d.seq), int64(d.floor))
}

// find says whether an update happened whose commit had no answer. PostgreSQL knows it by
// the number of the transaction. Its last row alone would not tell: another server may have
// written the same session since.
func (d *desk) find(ctx context.Context) error {
	var there bool
	w := &d.rows[len(d.rows)-1]
	tx, err := d.db.Begin(ctx, func(b *pg.Batch) {
		// The update has ended when its lock is free.
		b.Queue("select from pawl.session_mark where board = $1 for update", d.board)
		b.Queue(`select coalesce(pg_xact_status($5::text::xid8) = 'committed',
  exists (select from pawl.session where board = $1 and id = $2 and seq = $3 and about = $4))`,
			d.board, w.record.ID, int64(w.record.Seq), w.about, d.xact).QueryRow(func(r pg.Row) error { return r.Scan(&there) })
	})
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s: %w", pg.ErrUnknown, d.db.Unnamed(err))
	}
	defer tx.Close()
	if !there {
		return keeper.Again(pawl.Errorf(pawl.Unavailable, "the database did not make the change"))
	}
	// It may be on this host only. A commit that is acknowledged after it says that it is
	// where this one is.
	var b pg.Batch
	b.Queue("update pawl.session_mark set seq = seq where board = $1", d.board)
	if err := tx.Commit(ctx, &b); err != nil {
		return pawl.Errorf(pawl.Unavailable, "%s: %w", pg.ErrUnknown, d.db.Unnamed(err))
	}
	return nil
}
