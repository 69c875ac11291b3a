package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/pg"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/store/postgres"
)

// An administrator's board in a database is opened by this process: without a server, a
// token or a guard, with the rules of a board in a folder.

// forLine is how long a line waits for a database that is drawn again and again.
const forLine = 200 * time.Millisecond

// boardInDatabase is a store, and the connection that is its own.
type boardInDatabase struct {
	*postgres.Store
	database *postgres.Database
}

func (b boardInDatabase) Close() error { return errors.Join(b.Store.Close(), b.database.Close()) }

// connect opens the database of an address, and waits for it no longer than patience,
// then and with each request.
func connect(ctx context.Context, at address.Address, patience time.Duration) (*postgres.Database, error) {
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	database, err := pg.Open(ctx, at.DSN(os.Getenv), pg.WithTimeout(patience))
	if err != nil {
		return nil, err
	}
	return postgres.Over(database), nil
}

// inDatabase opens the store of a board. One that does not exist is [project.NoBoard].
func inDatabase(ctx context.Context, at address.Address, patience time.Duration) (*boardInDatabase, error) {
	database, err := connect(ctx, at, patience)
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
		err = project.NoBoard{At: at}
	}
	if err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return &boardInDatabase{database.Board(at.Board), database}, nil
}

// openDatabase opens a board in a database. Of what it changes, hooks on this machine
// learn by marks, as of one on a server; changed is called before and after.
func openDatabase(at address.Address, patience time.Duration, changed func(string, address.Address) func([]pawl.Request)) (ask.Board, error) {
	store, err := inDatabase(context.Background(), at, patience)
	if err != nil {
		return nil, err
	}
	board := boardOf(store)
	state, err := userdir.State(os.Getenv)
	if err != nil {
		return board, nil
	}
	return marking{board.(local), changed(state, at)}, nil
}

// marking is a board that tells what is changed.
type marking struct {
	local
	changed func([]pawl.Request)
}

func (m marking) Do(ctx context.Context, request pawl.Request, want ask.Want) (ask.Outcome, error) {
	defer m.around(request)()
	return m.local.Do(ctx, request, want)
}

func (m marking) DoAll(ctx context.Context, want ask.Want, requests ...pawl.Request) ([]ask.Outcome, error) {
	defer m.around(requests...)()
	return m.local.DoAll(ctx, want, requests...)
}

func (m marking) around(requests ...pawl.Request) func() {
	m.changed(requests)
	return func() { m.changed(requests) }
}

// openAdministrator is openDatabase for a command.
func openAdministrator(at address.Address, patience time.Duration) (ask.Board, error) {
	return openDatabase(at, patience, courier.Changed)
}

// makeInDatabase makes a board in a database.
func makeInDatabase(ctx context.Context, at address.Address) (cli.Made, error) {
	database, err := connect(ctx, at, pg.Timeout)
	if err != nil {
		return cli.Made{}, err
	}
	_, err = database.CheckSystem(ctx)
	if err == nil {
		err = database.Make(ctx, at.Board)
	}
	return cli.Made{}, errors.Join(err, database.Close())
}

// mendInDatabase repairs a board in a database, as far as its store can.
func mendInDatabase(ctx context.Context, at address.Address, by pawl.Actor, dry bool) ([]pawl.Mended, error) {
	store, err := inDatabase(ctx, at, pg.Timeout)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	mender, ok := any(store).(pawl.Mender)
	if !ok {
		return nil, pawl.Errorf(pawl.Invalid, "this pawl cannot repair a board in a database")
	}
	return mender.Mend(ctx, by, dry)
}
