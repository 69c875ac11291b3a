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
// in one round trip. A failed one ends the transaction. A write waits for an answer at
// most half of the time of a request: the other half is for finding out its fate on
// another connection, or for repeating it there.
type Tx struct {
	pool  *pool
	conn  *pgxpool.Conn
	try   time.Duration // for an answer; zero: as long as the context allows
	ended bool          // by a commit that has an answer
}

// The kinds of transactions.
const (
	write    = "begin isolation level read committed"
	snapshot = "begin isolation level repeatable read read only"
)

// Begin begins a transaction that writes, with the first queries. first is called
// before each try to reach the database, since none of them has had an effect.
func (d *Database) Begin(ctx context.Context, first func(*Batch)) (*Tx, error) {
	return d.begin(ctx, d.pool, write, first)
}

// Snapshot begins a transaction that reads the database as it is at this moment.
func (d *Database) Snapshot(ctx context.Context, first func(*Batch)) (*Tx, error) {
	return d.snapshot(ctx, d.views, first)
}

// Inner is Snapshot for a caller that has one already. It uses other connections: with
// the same ones callers could wait for each other.
func (d *Database) Inner(ctx context.Context, first func(*Batch)) (*Tx, error) {
	return d.snapshot(ctx, d.inner, first)
}

func (d *Database) snapshot(ctx context.Context, from *pool, first func(*Batch)) (*Tx, error) {
	tx, err := d.begin(ctx, from, snapshot, func(b *Batch) {
		b.Queue("set local idle_in_transaction_session_timeout = " + millis(idleInRead))
		first(b)
	})
	if err == nil {
		tx.try = 0 // nobody could begin again where it was
	}
	return tx, err
}

func (d *Database) begin(ctx context.Context, from *pool, how string, first func(*Batch)) (tx *Tx, err error) {
	err = d.patiently(ctx, func(ctx context.Context) error {
		conn, err := from.take(ctx)
		if err != nil {
			return err
		}
		tx = &Tx{pool: from, conn: conn, try: d.timeout / 2}
		var b Batch
		b.Queue(how)
		d.askLevel(&b)
		first(&b)
		if err := tx.Send(ctx, &b); err != nil {
			tx.Close()
			return err
		}
		return nil
	})
	if err != nil {
		return nil, d.misfit(ctx, err)
	}
	return tx, nil
}

// Send runs queries in one round trip; each answers to the function that it was queued
// with. The error is as the driver has it: see [Database.Error] and [Passing].
func (t *Tx) Send(ctx context.Context, b *Batch) error {
	if b.Len() == 0 {
		return nil
	}
	if t.try > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, t.try)
		defer done()
	}
	err := t.conn.SendBatch(ctx, b).Close()
	t.pool.doubt(err)
	return err
}

// ErrUnknown is the cause of an error after which nobody knows whether a commit
// happened.
var ErrUnknown = errors.New("it is not known whether the change was made")

// Commit runs the last queries and the commit in one round trip. After an error whose
// cause is [ErrUnknown] the commit may have happened; after any other it has not.
func (t *Tx) Commit(ctx context.Context, b *Batch) error {
	undone := false
	b.Queue("commit").Exec(func(did pgconn.CommandTag) error {
		undone = did.String() != "COMMIT"
		return nil
	})
	data := t.conn.Conn().PgConn().CustomData()
	delete(data, unproved)
	err := t.Send(ctx, b)
	if err == nil && undone { // which PostgreSQL does not call an error
		t.ended = true
		return errFailed
	}
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

// errFailed is the error of a transaction in which a query had failed, even if its caller
// ignored that.
var errFailed = pawl.Errorf(pawl.Internal, "a query of the transaction had failed, so nothing was changed")

type unknown struct{ cause error }

func (u unknown) Error() string {
	if u.cause == nil {
		return ErrUnknown.Error()
	}
	return ErrUnknown.Error() + ": " + u.cause.Error()
}

func (u unknown) Unwrap() []error { return []error{ErrUnknown, u.cause} }

// Close ends the transaction, which rolls back uncommitted work, and returns the
// connection.
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
			drop(conn) // which is what undoes it then
			return
		}
	}
	t.pool.give(conn)
}
