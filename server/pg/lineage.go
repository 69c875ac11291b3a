package pg

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A Lineage tells in which cluster a database is, and how often another host took
// over there, or a backup was recovered.
//
//	timeline 1 ──────┬── a goes on, when it comes back ──→ left behind
//	timeline 2       └── b is promoted, and is the database now ──→
type Lineage struct {
	System   string `json:"system,omitempty"` // PostgreSQL's identifier of the cluster; empty: not known
	Timeline uint32 `json:"timeline,omitempty"`
}

// left reports whether one is on a timeline that another one has left.
func (l Lineage) left(newer Lineage) bool {
	return l.System != "" && l.System == newer.System && l.Timeline < newer.Timeline
}

// lineage is the newest one that this process knows.
type lineage struct {
	mu sync.Mutex
	Lineage
}

// Lineage returns the newest lineage that was seen; zero: the server does not tell it.
func (d *Database) Lineage() Lineage {
	d.newest.mu.Lock()
	defer d.newest.mu.Unlock()
	return d.newest.Lineage
}

// Follow adds a lineage that was seen before, for example by an earlier process.
// Connections to a host that was left behind are then closed, and no new ones are made.
func (d *Database) Follow(l Lineage) {
	if is := d.Lineage(); is.left(l) {
		_ = d.follow(l)
	}
}

// follow adds the lineage of a host; the error says that the host was left behind.
func (d *Database) follow(l Lineage) error {
	d.newest.mu.Lock()
	defer d.newest.mu.Unlock()
	is := d.newest.Lineage
	switch {
	case l == is || l.System == "":
		return nil
	case l.left(is):
		return leftBehind{l.Timeline, is.Timeline}
	}
	if d.newest.Lineage = l; is.System != "" {
		d.lost.Store(time.Now().UnixNano()) // the other connections lead to what was before
	}
	return nil
}

// known has each new connection tell its lineage, and refuses one to an old primary that
// came back: what it would acknowledge nobody else would ever see. Another host of the
// address may do.
func (d *Database) known(c *pgconn.Config) {
	valid := c.ValidateConnect
	c.ValidateConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if valid != nil {
			if err := valid(ctx, conn); err != nil {
				return err
			}
		}
		return d.follow(lineageOf(ctx, conn))
	}
}

// lineageOf asks a primary. The checkpoint's timeline (pg_control_checkpoint) would be the
// old one for a while after a promotion; the name of the log that is being written is not.
// A login may have lost the right to ask, and another engine may not know what is asked.
func lineageOf(ctx context.Context, conn *pgconn.PgConn) (l Lineage) {
	results, err := conn.Exec(ctx, "select system_identifier::text, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) from pg_control_system()").ReadAll()
	if err != nil || len(results) != 1 || len(results[0].Rows) != 1 {
		return l
	}
	row := results[0].Rows[0]
	timeline, err := strconv.ParseUint(string(row[1]), 16, 32)
	if err != nil {
		return l
	}
	return Lineage{string(row[0]), uint32(timeline)}
}

// leftBehind is the error of a connection to an old primary.
type leftBehind struct{ is, newest uint32 }

func (e leftBehind) Error() string {
	return fmt.Sprintf("this host was left behind: it is on timeline %d, and the database has gone on to %d", e.is, e.newest)
}
