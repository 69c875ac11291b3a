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

// A pool keeps connections. It hands out none that is older than the last loss of one:
// the same fault has broken the others, and a caller would wait for an answer that never
// comes.
type pool struct {
	*pgxpool.Pool
	lost *atomic.Int64 // when a connection was lost last, in Unix nanoseconds
}

// Keys of a connection's custom data.
const (
	made   = "pawl.made"   // when, in Unix nanoseconds
	rested = "pawl.rested" // it was not used for a while
)

const (
	// restful is after how long without use a connection is asked whether it still is one.
	restful = time.Second
	// echo is how long that may take.
	echo = 2 * time.Second
)

func (d *Database) newPool(ctx context.Context, c *pgxpool.Config) (*pool, error) {
	c.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.PgConn().CustomData()[made] = time.Now().UnixNano()
		return d.fits(conn.PgConn())
	}
	c.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
		if p.IdleDuration > restful {
			p.Conn.PgConn().CustomData()[rested] = true
		}
		return false // the pool would count a dead one long after it was found dead
	}
	p, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), c)
	return &pool{p, &d.lost}, err
}

// take takes a connection that works, as far as is known; give gives it back.
func (p *pool) take(ctx context.Context) (*pgxpool.Conn, error) {
	for {
		conn, err := p.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		data := conn.Conn().PgConn().CustomData()
		idle := data[rested] != nil
		delete(data, rested)
		since, _ := data[made].(int64)
		switch {
		case since <= p.lost.Load():
			drop(conn)
			continue
		case !idle:
			return conn, nil
		}
		asking, done := context.WithTimeout(ctx, echo)
		err = conn.Ping(asking)
		done()
		if err == nil {
			return conn, nil
		}
		drop(conn)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.doubt(err)
	}
}

// give gives a connection back, or up.
func (p *pool) give(conn *pgxpool.Conn) {
	if conn.Conn().IsClosed() {
		drop(conn)
		return
	}
	conn.Release()
}

// drop gives up a connection at once. The driver says good-bye to a server that may not
// answer, 15 seconds long, and in the pool the connection would count as one all that time.
func drop(conn *pgxpool.Conn) {
	lost := conn.Hijack()
	lost.PgConn().Conn().Close()
	if !lost.IsClosed() {
		over, done := context.WithCancel(context.Background())
		done()
		_ = lost.Close(over)
	}
}

// doubt notes that a connection was lost, if that is what an error says. A caller that
// went away has lost none.
func (p *pool) doubt(err error) {
	if err == nil || errors.Is(err, context.Canceled) || !Passing(err) {
		return
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && !connectionLost(e) && e.Code != readOnly {
		return
	}
	p.lost.Store(time.Now().UnixNano())
}
