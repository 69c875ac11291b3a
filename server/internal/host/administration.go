package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/server/internal/access/tables"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
)

// dsnOf refuses a database whose password other users of the machine can see.
func dsnOf(s cli.Store) (string, error) {
	if s.Typed && pg.HasPassword(s.DSN) {
		return "", pawl.Errorf(pawl.Invalid, "other users of this machine can see a password on a command line").
			Say("leave it out and name a file that has it with PGPASSFILE or PGSERVICEFILE, or give the whole address as PAWL_STORE instead of --store")
	}
	return s.DSN, nil
}

func openStore(ctx context.Context, s cli.Store) (*pg.Database, error) {
	dsn, err := dsnOf(s)
	if err != nil {
		return nil, err
	}
	return pg.Open(ctx, dsn)
}

func migrateStore(ctx context.Context, s cli.Store) (done cli.Migrated, err error) {
	dsn, err := dsnOf(s)
	if err != nil {
		return done, err
	}
	done.Database = pg.Shown(dsn)
	done.From, done.To, err = pg.Migrate(ctx, dsn)
	return done, err
}

func restoredStore(ctx context.Context, s cli.Store) ([]cli.Jumped, error) {
	db, err := openStore(ctx, s)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	boards, err := postgres.Over(db).Restored(ctx)
	jumped := make([]cli.Jumped, 0, len(boards))
	for _, b := range boards {
		jumped = append(jumped, cli.Jumped{Board: b.Name, Revision: b.Revision, LastID: b.LastID})
	}
	return jumped, err
}

// restoredFolder lets the numbers of all boards in a folder jump ahead.
func restoredFolder(ctx context.Context, dir string) (jumped []cli.Jumped, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	boards := &team.Folder{Dir: dir}
	for _, e := range entries {
		if !e.IsDir() || address.CheckName(e.Name()) != nil {
			continue
		}
		at, err := boards.Find(ctx, e.Name())
		if err != nil {
			return jumped, err
		}
		if at == nil {
			continue
		}
		store, err := file.Open(filepath.Join(dir, e.Name(), ".tasks"))
		if err != nil {
			return jumped, err
		}
		high, err := store.Jump(ctx)
		if err := errors.Join(err, store.Close()); err != nil {
			return jumped, err
		}
		jumped = append(jumped, cli.Jumped{Board: e.Name(), Revision: high.Revision, LastID: high.LastID})
	}
	return jumped, nil
}

// healthAt asks how the database of an administrator's board is set up.
func healthAt(ctx context.Context, at address.Address) (h cli.DatabaseHealth, err error) {
	database, err := connect(ctx, at)
	if err != nil {
		return h, err
	}
	defer database.Close()
	is, err := database.Health(ctx)
	if err != nil {
		return h, err
	}
	h = cli.DatabaseHealth{
		Version: is.Version, Level: is.Level, Millis: is.RoundTrip.Round(10*time.Microsecond).Seconds() * 1000, TLS: is.TLS,
		Clock: is.Ahead.Milliseconds(), Standbys: is.Standbys, Sync: is.Sync,
	}
	for _, f := range is.Findings {
		if one := (cli.DatabaseAdvice{Text: f.Text, Next: f.Next}); f.Loses {
			h.Dangers = append(h.Dangers, one)
		} else {
			h.Advice = append(h.Advice, one)
		}
	}
	return h, nil
}

func tokensOfStore(ctx context.Context, s cli.Store) (tokens *access.Tokens, at access.Where, done func() error, err error) {
	db, err := openStore(ctx, s)
	if err != nil {
		return nil, at, nil, err
	}
	if at, err = tables.Find(ctx, db); err == nil {
		tokens, err = access.New(tables.In(db))
	}
	if err != nil {
		db.Close()
		return nil, at, nil, err
	}
	return tokens, at, db.Close, nil
}
