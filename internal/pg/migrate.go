package pg

import (
	"context"
	"embed"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/pawl-dev/pawl"
)

// Level is the number of the newest migration that this program knows. Its queries need
// a database of at least this level.
const Level = 2

//go:embed migrations/*.sql
var migrations embed.FS

// migrateTimeout is long: a migration may build an index of all tasks.
const migrateTimeout = time.Hour

// Migrate makes the tables in the database of a DSN, or brings them up to this program's
// level. Levels that it does not know stay as they are. Several may run at once: one does
// it, the others wait.
func Migrate(ctx context.Context, dsn string) (from, to int64, err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, 0, err
	}
	return MigrateWith(ctx, dsn, files)
}

// MigrateWith is Migrate with other migrations.
func MigrateWith(ctx context.Context, dsn string, files fs.FS) (from, to int64, err error) {
	c, err := parse(dsn)
	if err != nil {
		return 0, 0, err
	}
	d := &Database{shown: shown(c)}
	conn := c.ConnConfig
	for _, name := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		delete(conn.RuntimeParams, name)
	}
	for _, p := range planning {
		delete(conn.RuntimeParams, p[0])
	}
	ctx, done := context.WithTimeout(ctx, migrateTimeout)
	defer done()
	db := stdlib.OpenDB(*conn)
	defer db.Close()
	db.SetMaxOpenConns(1)
	// One at a time, whatever happens to its process: the lock is the session's.
	if _, err := db.ExecContext(ctx, "select pg_advisory_lock($1)", lockMigration); err != nil {
		return 0, 0, d.Error(err)
	}
	if _, err := db.ExecContext(ctx, "create schema if not exists pawl"); err != nil {
		return 0, 0, d.Error(err)
	}
	store, err := database.NewStore(goose.DialectPostgres, "pawl.migration")
	if err != nil {
		return 0, 0, err
	}
	p, err := goose.NewProvider("", db, files, goose.WithStore(store), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return 0, 0, err
	}
	if from, err = p.GetDBVersion(ctx); err != nil {
		return 0, 0, d.Error(err)
	}
	if _, err := p.Up(ctx); err != nil {
		return from, from, d.Error(err)
	}
	to, err = p.GetDBVersion(ctx)
	return from, to, d.Error(err)
}

// lockMigration names an advisory lock: "pawl" in ASCII.
const lockMigration = 0x7061776c

// checkLevel refuses a database whose tables this program cannot use.
func (d *Database) checkLevel(ctx context.Context) error {
	ctx, done := d.Wait(ctx)
	defer done()
	var level, least int64
	err := d.with(ctx, func(conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, "select level, least from pawl.meta").Scan(&level, &least)
	})
	switch {
	case err == pgx.ErrNoRows:
		return d.unmigrated()
	case err != nil:
		return d.Error(err)
	case least > Level:
		e := pawl.Errorf(pawl.Invalid, "%s has tables of level %d, which need a Pawl of level %d; this one has %d", d.shown, level, least, Level)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "use the Pawl that migrated it, or a later one"}
		return e
	case level < Level:
		return d.unmigrated()
	}
	return nil
}

func (d *Database) unmigrated() error {
	e := pawl.Errorf(pawl.Invalid, "%s does not have the tables that this Pawl needs", d.shown)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "run: pawl serve migrate --store ADDRESS"}
	return e
}
