package host

import (
	"context"
	"errors"
	"os"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// For an administrator this process opens a board in a database itself, to check or repair
// it: without a server, a token or a guard.

// boardInDatabase is a store, and the connection that is its own.
type boardInDatabase struct {
	*postgres.Store
	database *postgres.Database
}

func (b boardInDatabase) Close() error { return errors.Join(b.Store.Close(), b.database.Close()) }

// connect opens the database of an address.
func connect(ctx context.Context, at address.Address) (*postgres.Database, error) {
	database, err := pg.Open(ctx, at.DSN(os.Getenv))
	if err != nil {
		return nil, err
	}
	return postgres.Over(database), nil
}

// inDatabase opens the store of a board, which must exist.
func inDatabase(ctx context.Context, at address.Address) (*boardInDatabase, error) {
	database, err := connect(ctx, at)
	if err != nil {
		return nil, err
	}
	// A dump that was restored into another cluster is found out here as well as by a
	// server: else the first to write would get numbers that somebody has. This process
	// remembers nothing of earlier ones, so it sees neither a backup in the same cluster
	// nor an old primary.
	_, err = database.CheckSystem(ctx)
	found := false
	if err == nil {
		found, err = database.Find(ctx, at.Board)
	}
	if err == nil && !found {
		err = pawl.Errorf(pawl.NotFound, "no board exists at %s", at)
	}
	if err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return &boardInDatabase{database.Board(at.Board), database}, nil
}

// opened opens a board in a database, for its administrator.
func opened(b project.Board) (query.Board, error) {
	if !b.InDatabase() {
		return nil, pawl.Errorf(pawl.Invalid, "pawl-server opens a board in a database only: pawl opens one %s", b.Where())
	}
	store, err := inDatabase(context.Background(), b.Address)
	if err != nil {
		return nil, err
	}
	return boards.Of(store), nil
}

// mend repairs a board in a database, as far as its store can.
func mend(ctx context.Context, b project.Board, by pawl.Actor, dry bool) ([]pawl.Mended, error) {
	store, err := inDatabase(ctx, b.Address)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return store.Mend(ctx, by, dry)
}
