package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/internal/access/tables"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

const (
	// placeLooked is for how long a board that was found counts as there, and
	// placeMissed the same of a failed look, so that a database that is away is not
	// asked for each request.
	placeLooked = 5 * time.Second
	placeMissed = time.Second
	// placeTime bounds a look.
	placeTime = 3 * time.Second
	// mostMissed bounds the names that are remembered for a failed look: a token for all
	// boards may ask for any while the database is away.
	mostMissed = 1000
	// readyFor is for how long it counts that the database answered, or did not: anybody
	// may ask for that, without a token.
	readyFor = time.Second
)

// databaseBoards is the source of boards in a database.
type databaseBoards struct {
	db   *postgres.Database
	find func(ctx context.Context, name string) (id int64, err error) // 0: the board does not exist
	live func(context.Context) error
	now  func() time.Time

	mu    sync.Mutex
	found map[string]*boardLook

	asking sync.Mutex // whether the database answers, one at a time
	asked  time.Time
	ready  error
}

// A boardLook is what is known of a board's place.
type boardLook struct {
	place *databasePlace // nil: the board did not exist, or is not known to
	at    time.Time      // when somebody looked last
	err   error          // why that failed
	going chan struct{}  // not nil: somebody looks; closed then
}

var _ team.Source = (*databaseBoards)(nil)

// InDatabase returns the source of the boards in a database.
func InDatabase(db *postgres.Database) *databaseBoards {
	return &databaseBoards{db: db, find: db.Row, live: db.Live, now: time.Now, found: map[string]*boardLook{}}
}

// A databasePlace is a board's row.
type databasePlace struct {
	db   *postgres.Database
	name string
	id   int64
}

// Same reports whether the row is the same: one that was removed does not come back.
func (p *databasePlace) Same(other team.Place) bool {
	was, is := other.(*databasePlace)
	return is && was.id == p.id
}

// Open opens the board, for many callers.
func (p *databasePlace) Open(func(string)) (query.Board, error) {
	return boards.Of(p.db.Board(p.name), query.Bounded()), nil
}

// Find answers for a known board from memory, and looks again now and then. One caller
// at a time looks for an unknown one.
func (d *databaseBoards) Find(ctx context.Context, name string) (team.Place, error) {
	for {
		d.mu.Lock()
		is := d.found[name]
		if is == nil {
			d.forget()
			is = &boardLook{}
			d.found[name] = is
		}
		age := d.now().Sub(is.at)
		due := is.going == nil && (is.place == nil && is.err == nil || is.err == nil && age > placeLooked || is.err != nil && age > placeMissed)
		if due {
			is.going = make(chan struct{})
			go d.look(is, name)
		}
		place, err, going := is.place, is.err, is.going
		d.mu.Unlock()
		switch {
		case place != nil:
			return place, nil
		case going == nil:
			return nil, err
		}
		select {
		case <-going:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !due {
			continue // it may have been looked for before the board was made
		}
		d.mu.Lock()
		place, err = is.place, is.err
		d.mu.Unlock()
		if place != nil {
			return place, nil
		}
		return nil, err
	}
}

// forget makes room for another name; the caller holds d.mu.
func (d *databaseBoards) forget() {
	if len(d.found) >= mostMissed {
		maps.DeleteFunc(d.found, func(_ string, is *boardLook) bool { return is.place == nil && is.going == nil })
	}
}

// look looks for a board.
func (d *databaseBoards) look(is *boardLook, name string) {
	ctx, done := context.WithTimeout(context.Background(), placeTime)
	defer done()
	id, err := d.find(ctx, name)
	d.mu.Lock()
	defer d.mu.Unlock()
	close(is.going)
	is.at, is.err, is.going = d.now(), err, nil
	switch {
	case err != nil: // what was known before still counts: the board itself will say what is wrong
	case id == 0:
		is.place = nil
		delete(d.found, name) // names that nobody has are not remembered
	default:
		is.place = &databasePlace{d.db, name, id}
	}
}

// Make makes the row of a board.
func (d *databaseBoards) Make(ctx context.Context, name string) error { return d.db.Make(ctx, name) }

// Ready says whether the database answers. Concurrent callers share one answer.
func (d *databaseBoards) Ready(ctx context.Context) error {
	d.asking.Lock()
	defer d.asking.Unlock()
	if age := d.now().Sub(d.asked); !d.asked.IsZero() && age >= 0 && age < readyFor {
		return d.ready
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), placeTime)
	defer done()
	d.ready = nil
	if d.live(ctx) != nil {
		d.ready = pawl.Errorf(pawl.Unavailable, "the database does not answer")
	}
	d.asked = d.now()
	return d.ready
}

// Hidden is how errors name the database.
func (d *databaseBoards) Hidden() []string { return []string{d.db.Shown()} }

// keptInDatabase keeps all that several servers share in a database, and the rest in the
// server's own folder.
func keptInDatabase(ctx context.Context, s cli.Teaming) (k kept, err error) {
	if k.own, err = ownFolder(s); err != nil {
		return k, err
	}
	unlock, err := onlyServer(k.own)
	if err != nil {
		return k, err
	}
	db, err := openStore(ctx, s.Store)
	if err != nil {
		unlock()
		return k, err
	}
	boards := postgres.Over(db, postgres.WithJumps(func(m postgres.Moved) {
		s.Warn(fmt.Sprintf("%s was restored, or lost changes: the board %s goes on after revision %d and #%d, so that no number is given twice", db.Shown(), m.Name, m.Revision, m.LastID))
	}))
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	var watch sync.WaitGroup
	k.close = func() error {
		stop()
		watch.Wait()
		return errors.Join(db.Close(), unlock())
	}
	fail := func(err error) (kept, error) {
		k.close()
		return kept{}, err
	}
	seen, err := openSeen(ctx, boards, k.own)
	if err != nil {
		return fail(err)
	}
	if _, err := boards.Check(ctx); err != nil {
		return fail(err)
	}
	health, err := db.Health(ctx)
	if err != nil {
		s.Warn("the settings of the database are not known: " + err.Error())
	}
	if text, next := db.Exposed(); text != "" {
		s.Warn(text + ": " + next)
	}
	for _, danger := range health.Dangers() {
		s.Warn(danger.Text + ": " + danger.Next)
	}
	tokens := tables.In(db)
	tokens.Remember(seen.Revoked)
	watch.Go(func() {
		boards.Watch(watching, func() {
			if err := seen.save(boards, tokens); err != nil {
				s.Warn(err.Error())
			}
		})
	})
	if k.tokens, err = access.New(tokens); err != nil {
		return fail(err)
	}
	if k.keys, err = tables.PageKeys(ctx, db); err != nil {
		return fail(err)
	}
	k.codes = tables.Codes(db)
	k.boards = InDatabase(boards)
	k.tell = func(ctx context.Context, at access.Where) error { return tables.Tell(ctx, db, at) }
	return k, nil
}

// ownFolder is the folder that a server has for itself.
func ownFolder(s cli.Teaming) (string, error) {
	dir := s.State
	if dir == "" {
		state, err := userdir.State(s.Getenv)
		if err != nil {
			return "", err
		}
		dir = filepath.Join(state, "server")
	}
	if err := userdir.Make(dir); err != nil {
		return "", err
	}
	return dir, ignoreAll(dir)
}

// onlyServer keeps a second server out of a folder: both would write one audit, and
// each takes the other's certificate for its own.
func onlyServer(dir string) (unlock func() error, err error) {
	file, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	got, err := filelock.Try(file)
	if err == nil && !got {
		err = pawl.Errorf(pawl.Unavailable, "another server uses the folder %s", dir).
			Say("give each server on a machine a folder of its own: --state DIR")
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return func() error { return filelock.Free(file) }, nil
}
