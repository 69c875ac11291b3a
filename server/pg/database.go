package pg

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Database is a pool of connections to a migrated database. It is safe for
// concurrent use.
type Database struct {
	views   *pool // for snapshots, which a slow reader may hold long and while it asks for more
	inner   *pool // for snapshots that somebody takes who is reading another one
	pool    *pool // for all else, held for a moment
	lost    atomic.Int64
	newest  lineage
	config  *pgxpool.Config
	shown   string
	timeout time.Duration
	bells   *bells

	passfile string // which others may read; empty: they may not, or none was used
}

// An Option of Open.
type Option func(*Database)

// WithTimeout bounds how long a request waits for the database in all; the usual is
// [Timeout].
func WithTimeout(d time.Duration) Option {
	return func(db *Database) { db.timeout = d }
}

// Open connects to the database of a DSN, and checks that this program can use its
// tables. The context bounds only the connecting.
func Open(ctx context.Context, dsn string, options ...Option) (*Database, error) {
	c, err := parse(dsn)
	if err != nil {
		return nil, err
	}
	d := &Database{config: c, shown: shown(c), timeout: Timeout, passfile: openPassfile(dsn, c)}
	for _, o := range options {
		o(d)
	}
	noticed(c.ConnConfig)
	d.known(&c.ConnConfig.Config)
	moments := c.Copy()
	moments.MaxConns = min(c.MaxConns, maxMoments)
	for _, p := range []struct {
		pool   **pool
		config *pgxpool.Config
	}{{&d.views, c}, {&d.inner, c.Copy()}, {&d.pool, moments}} {
		if *p.pool, err = d.newPool(ctx, p.config); err != nil {
			d.disconnect()
			return nil, d.Error(err)
		}
	}
	if err := d.checkLevel(ctx); err != nil {
		d.disconnect()
		return nil, err
	}
	d.bells = newBells(d)
	return d, nil
}

// Close ends all connections.
func (d *Database) Close() error {
	d.bells.close()
	d.disconnect()
	return nil
}

func (d *Database) disconnect() {
	for _, p := range []*pool{d.views, d.inner, d.pool} {
		if p != nil {
			p.Close()
		}
	}
}

// Shown is how texts name the database.
func (d *Database) Shown() string { return d.shown }

// Wait is a context in which a request may wait for the database.
func (d *Database) Wait(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d.timeout)
}

// Query runs a query outside of a transaction and gives each row to scan. It is
// repeated if the connection was lost, so scan may see rows twice; begin is called
// before each try.
func (d *Database) Query(ctx context.Context, begin func(), scan func(Rows) error, query string, args ...any) error {
	ctx, done := d.Wait(ctx)
	defer done()
	err := d.with(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		if begin != nil {
			begin()
		}
		var b Batch
		d.askLevel(&b)
		b.Queue(query, args...).Query(Each(scan))
		return conn.SendBatch(ctx, &b).Close()
	})
	return d.Error(d.misfit(ctx, err))
}

// Each gives each row of an answer to scan.
func Each(scan func(Rows) error) func(Rows) error {
	return func(rows Rows) error {
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}

// PutValue is the statement that keeps a text ($2) under a key ($1), for all servers of a
// database.
const PutValue = "insert into pawl.server (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value"

// Value returns the text of a key; empty: there is none.
func (d *Database) Value(ctx context.Context, key string) (text string, err error) {
	err = d.Query(ctx, func() { text = "" }, func(rows Rows) error { return rows.Scan(&text) }, "select value from pawl.server where key = $1", key)
	return text, err
}

// FirstValue keeps a text under a key that has none, and returns the one that it has.
func (d *Database) FirstValue(ctx context.Context, key, text string) (string, error) {
	if _, err := d.Exec(ctx, "insert into pawl.server (key, value) values ($1, $2) on conflict (key) do nothing", key, text); err != nil {
		return "", err
	}
	return d.Value(ctx, key)
}

// Exec runs a statement that may run twice, and returns how many rows it changed. A second
// run may find the work of the first one, which is perhaps only on this host. So Exec also
// writes something: when that is acknowledged, so is all before it.
func (d *Database) Exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	ctx, done := d.Wait(ctx)
	defer done()
	again, warned := false, true
	for warned && err == nil {
		err = d.with(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
			var b Batch
			d.askLevel(&b)
			b.Queue(statement, args...).Exec(func(tag pgconn.CommandTag) error {
				changed = tag.RowsAffected()
				return nil
			})
			if again {
				b.Queue("update pawl.meta set level = level")
			}
			again = true
			data := conn.Conn().PgConn().CustomData()
			delete(data, unproved)
			err := conn.SendBatch(ctx, &b).Close()
			_, warned = data[unproved]
			return err
		})
	}
	return changed, d.Error(d.misfit(ctx, err))
}

// with lends a connection, again and again as long as that may help. One that does not
// answer takes half of the time of a request at most.
func (d *Database) with(ctx context.Context, fn func(context.Context, *pgxpool.Conn) error) error {
	return d.patiently(ctx, func(ctx context.Context) error {
		ctx, done := context.WithTimeout(ctx, d.timeout/2)
		defer done()
		conn, err := d.pool.take(ctx)
		if err != nil {
			return err
		}
		defer d.pool.give(conn)
		err = fn(ctx, conn)
		d.pool.doubt(err)
		return err
	})
}

// The pauses between retries after a lost connection.
const (
	firstPause = 20 * time.Millisecond
	mostPause  = 500 * time.Millisecond
)

// patiently tries again as long as the context allows and a try may work.
func (d *Database) patiently(ctx context.Context, try func(context.Context) error) error {
	var old error // says more than that the time is over
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		err := try(ctx)
		if _, is := errors.AsType[leftBehind](err); is {
			old = err
		}
		if err != nil && ctx.Err() != nil && old != nil {
			return old
		}
		if !Passing(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// Missing reports whether a query found no row.
func Missing(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// unproved marks a connection whose last commit may be on no standby, though
// PostgreSQL says that it is done.
const unproved = "pawl.unproved"

// noticed keeps the warnings of PostgreSQL. The one that counts comes with a commit
// that somebody has cancelled while it waited for a synchronous standby.
func noticed(c *pgx.ConnConfig) {
	c.OnNotice = func(conn *pgconn.PgConn, n *pgconn.Notice) {
		if warns(n) {
			conn.CustomData()[unproved] = true
		}
	}
}

func warns(n *pgconn.Notice) bool { return n.SeverityUnlocalized == "WARNING" }

// Live says whether the database answers.
func (d *Database) Live(ctx context.Context) error {
	_, err := d.Exec(ctx, "select 1")
	return err
}
