package pg

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/pawl-dev/pawl"
)

// Level is the number of the newest migration that this program knows. Its queries need
// a database of at least this level.
const Level = 6

//go:embed migrations/*.sql
var migrations embed.FS

// migrateTimeout is long: a migration may build an index of all tasks.
const migrateTimeout = time.Hour

// A migration of tables in use waits for their readers and writers, and all later ones
// wait behind it: so it gives up soon, lets them go on, and tries again.
const (
	lockWait  = time.Second
	lockPause = 2 * time.Second
)

// Migrate makes the tables in the database of a DSN, or upgrades them to this program's
// level. Unknown levels stay as they are. If several run at once, one does it and the
// others wait.
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
	db := stdlib.OpenDB(*conn, stdlib.OptionAfterConnect(func(_ context.Context, conn *pgx.Conn) error { return d.fits(conn.PgConn()) }))
	defer db.Close()
	db.SetMaxOpenConns(1)
	// One at a time, whatever happens to its process: the lock is the session's.
	if _, err := db.ExecContext(ctx, "select pg_advisory_lock($1)", lockMigration); err != nil {
		return 0, 0, d.Error(err)
	}
	// If somebody made the schema for this user, it may have no right to create others.
	var made bool
	if err := db.QueryRowContext(ctx, "select to_regnamespace('pawl') is not null").Scan(&made); err != nil {
		return 0, 0, d.Error(err)
	}
	if !made {
		if _, err := db.ExecContext(ctx, "create schema pawl"); err != nil {
			return 0, 0, d.Error(err)
		}
	}
	if _, err := db.ExecContext(ctx, "set lock_timeout = "+millis(lockWait)); err != nil {
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
	var failed error
	if from, err = p.GetDBVersion(ctx); err != nil {
		return 0, 0, d.Error(err)
	}
	for {
		_, err := p.Up(ctx)
		e, refused := errors.AsType[*pgconn.PgError](err)
		if !refused || e.Code != lockTimeout {
			failed = err
			break
		}
		select {
		case <-time.After(lockPause): // in which those go on who wait behind it
		case <-ctx.Done():
			return from, from, d.Error(err)
		}
	}
	to, err = p.GetDBVersion(ctx)
	if failed != nil {
		return from, max(from, to), d.Error(failed)
	}
	return from, to, d.Error(err)
}

// lockMigration names an advisory lock: "pawl" in ASCII.
const lockMigration = 0x7061776c

// askLevel has a batch refuse a database whose tables this program cannot use, which a
// migration may have changed since the last one.
func (d *Database) askLevel(b *Batch) {
	b.Queue("select level, least from pawl.meta").QueryRow(func(row pgx.Row) error {
		var level, least int64
		err := row.Scan(&level, &least)
		switch {
		case Missing(err):
			return d.unmigrated()
		case err != nil:
			return err
		case least > Level:
			return forOperator(pawl.Errorf(pawl.Invalid, "%s has tables of level %d, which need a Pawl of level %d; this one has %d", d.shown, level, least, Level).
				Say("use the Pawl that migrated it, or a later one"))
		case level < Level:
			return d.unmigrated()
		}
		return nil
	})
}

// checkLevel refuses a database whose tables this program cannot use.
func (d *Database) checkLevel(ctx context.Context) error {
	ctx, done := d.Wait(ctx)
	defer done()
	return d.Error(d.with(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		var b Batch
		d.askLevel(&b)
		return conn.SendBatch(ctx, &b).Close()
	}))
}

// misfit is err, or why the tables are not those of this program if that was the cause.
func (d *Database) misfit(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && (e.Code == undefinedTable || e.Code == undefinedColumn) {
		if why := d.checkLevel(ctx); pawl.KindOf(why) == pawl.Invalid {
			return why
		}
	}
	return err
}

func (d *Database) unmigrated() error {
	return forOperator(pawl.Errorf(pawl.Invalid, "%s does not have the tables that this Pawl needs", d.shown).
		Say("with the address of the role that owns the tables, run: pawl serve migrate --store ADDRESS"))
}

// forOperator has a server tell its clients less: they cannot follow the hint.
func forOperator(e *pawl.Error) error {
	e.Cause = private("the server's program does not fit the tables of its database; tell who runs it")
	return e
}
