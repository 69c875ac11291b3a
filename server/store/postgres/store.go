package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// A Database is a database with many boards.
type Database struct {
	*pg.Database
	clock   func() time.Time // nil: the database's own
	history int64            // how many change sets of a board are kept
	seen    seen
	damaged damaged
	views   atomic.Int32  // that run
	jumped  func(Moved)   // told of boards whose numbers jumped ahead; nil: nobody is
	checks  chan struct{} // held by the one that runs
}

// DefaultHistory is how many change sets a board keeps, unless [WithHistory] says
// otherwise: about a gigabyte, and years of a team's work.
const DefaultHistory = 1_000_000

// Over returns the boards of a database.
func Over(db *pg.Database, options ...Option) *Database {
	d := &Database{Database: db, history: DefaultHistory, checks: make(chan struct{}, 1)}
	for _, o := range options {
		o(d)
	}
	db.LookBy(d.revisions)
	return d
}

// An Option changes how boards are kept.
type Option func(*Database)

// WithClock replaces the database's clock, for tests.
func WithClock(clock func() time.Time) Option { return func(d *Database) { d.clock = clock } }

// WithJumps calls told with each board whose numbers jump ahead.
func WithJumps(told func(Moved)) Option { return func(d *Database) { d.jumped = told } }

// WithHistory sets how many change sets of a board are kept at least; zero: all.
func WithHistory(sets int) Option { return func(d *Database) { d.history = int64(sets) } }

// Make makes the board of a name, if there is none. Its revisions begin at the time in
// milliseconds, as those of a new folder do, so that a board that replaces another one
// repeats no claim token.
func (d *Database) Make(ctx context.Context, name string) error {
	_, err := d.Exec(ctx, `insert into pawl.board (name, rev, origin, trimmed)
		select $1, ms, ms, ms from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms) now
		on conflict (name) do nothing`, name)
	return err
}

// Row is the id of a board's row; 0: no board has that name.
func (d *Database) Row(ctx context.Context, name string) (id int64, err error) {
	err = d.Query(ctx, func() { id = 0 }, func(rows pg.Rows) error { return rows.Scan(&id) }, "select id from pawl.board where name = $1", name)
	return id, err
}

// Find reports whether there is a board of that name.
func (d *Database) Find(ctx context.Context, name string) (bool, error) {
	id, err := d.Row(ctx, name)
	return id != 0, err
}

// Boards returns the names of all boards, in order.
func (d *Database) Boards(ctx context.Context) (names []string, err error) {
	err = d.Query(ctx, func() { names = nil }, func(rows pg.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	}, `select name from pawl.board order by name collate "C"`)
	return names, err
}

// Board returns the store of an existing board. Its Close does not close the
// database.
func (d *Database) Board(name string) *Store {
	return &Store{db: d, name: name, turn: make(chan struct{}, 1)}
}

// A Store is one board.
type Store struct {
	db   *Database
	name string
	turn chan struct{} // held by one Update of this process after another: no more connections wait for the board's row
}

var (
	_ pawl.Store    = (*Store)(nil)
	_ pawl.Notifier = (*Store)(nil)
	_ pawl.Mender   = (*Store)(nil)
)

// Close does nothing: the opener of the database closes it.
func (s *Store) Close() error { return nil }
