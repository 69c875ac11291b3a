package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pawl-dev/pawl"
)

// A Tx is a transaction on a connection of its own. Several queries go to the database
// in one round trip. A failed one ends the transaction.
type Tx struct {
	db    *Database
	conn  *pgxpool.Conn
	ended bool // by a commit that has an answer
}

// The kinds of transactions.
const (
	write    = "begin isolation level read committed"
	snapshot = "begin isolation level repeatable read read only"
)

// Begin begins a transaction that writes, with the first queries. first is called
// before each try to reach the database, since none of them has had an effect.
func (d *Database) Begin(ctx context.Context, first func(*Batch)) (*Tx, error) {
	return d.begin(ctx, write, first)
}

// Snapshot begins one that reads the database as it is at this moment.
func (d *Database) Snapshot(ctx context.Context, first func(*Batch)) (*Tx, error) {
	return d.begin(ctx, snapshot, func(b *Batch) {
		b.Queue("set local idle_in_transaction_session_timeout = " + millis(idleInRead))
		first(b)
	})
}

func (d *Database) begin(ctx context.Context, how string, first func(*Batch)) (tx *Tx, err error) {
	err = d.patiently(ctx, func(ctx context.Context) error {
		conn, err := d.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		tx = &Tx{db: d, conn: conn}
		var b Batch
		b.Queue(how)
		first(&b)
		if err := tx.Send(ctx, &b); err != nil {
			tx.Close()
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tx, nil
}

// Send runs queries in one round trip; each answers to the function that it was queued
// with. The error is as the driver has it: see [Database.Error] and [Passing].
func (t *Tx) Send(ctx context.Context, b *Batch) error {
	if b.Len() == 0 {
		return nil
	}
	return t.conn.SendBatch(ctx, b).Close()
}

// ErrUnknown is the cause of an error after which nobody knows whether a commit
// happened.
var ErrUnknown = errors.New("it is not known whether the change was made")

// Commit runs the last queries and the commit in one round trip. After an error whose
// cause is [ErrUnknown] the commit may have happened; after any other it has not.
func (t *Tx) Commit(ctx context.Context, b *Batch) error {
	b.Queue("commit")
	data := t.conn.Conn().PgConn().CustomData()
	delete(data, unproved)
	err := t.conn.SendBatch(ctx, b).Close()
	_, warned := data[unproved]
	t.ended = err == nil
	if e, refused := errors.AsType[*pgconn.PgError](err); err == nil && !warned || refused && !connectionLost(e) {
		return err
	}
	if _, own := errors.AsType[*pawl.Error](err); own {
		return err // a query answered, and its reader refused the answer: the connection is used to the end
	}
	return unknown{err}
}

type unknown struct{ cause error }

func (u unknown) Error() string {
	if u.cause == nil {
		return ErrUnknown.Error()
	}
	return ErrUnknown.Error() + ": " + u.cause.Error()
}

func (u unknown) Unwrap() []error { return []error{ErrUnknown, u.cause} }

// Close ends the transaction, which undoes what was not committed, and gives the
// connection back.
func (t *Tx) Close() {
	if t.conn == nil {
		return
	}
	conn := t.conn
	t.conn = nil
	if !t.ended && !conn.Conn().IsClosed() {
		const soon = 2 * time.Second // it is a word to a server that answers; else the connection is cut
		ctx, done := context.WithTimeout(context.Background(), soon)
		defer done()
		if _, err := conn.Exec(ctx, "rollback"); err != nil {
			_ = conn.Conn().Close(ctx) // which is what undoes it then
		}
	}
	conn.Release()
}
