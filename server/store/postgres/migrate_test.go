package postgres_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/storetest"
)

// nextLevel is the migrations of a later Pawl: ours, and one more.
func nextLevel(t *testing.T, sql string) fstest.MapFS {
	t.Helper()
	const dir = "../../pg/migrations"
	files, err := os.ReadDir(dir)
	must.Do(t, err)
	all := fstest.MapFS{}
	for _, f := range files {
		text, err := os.ReadFile(dir + "/" + f.Name())
		must.Do(t, err)
		all[f.Name()] = &fstest.MapFile{Data: text}
	}
	all[fmt.Sprintf("%05d_next.sql", pg.Level+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + sql)}
	return all
}

// expand is what a migration may do while programs of the level before still write: it
// only adds, and what it adds has a value when they do not give one.
var expand = fmt.Sprintf(`
	lock table pawl.board in access exclusive mode;
	alter table pawl.task add column size integer not null default 0;
	alter table pawl.board add column colour text;
	alter table pawl.change add column place bigint not null default 0;
	create index task_size on pawl.task (board, size) where size > 0;
	create table pawl.idea (board bigint not null, id bigint not null, doc text not null, primary key (board, id));
	update pawl.meta set level = %d;`, pg.Level+1)

// contract is what it may do when none of them runs any longer.
var contract = fmt.Sprintf(`
	lock table pawl.board in access exclusive mode;
	alter table pawl.task rename column search to words;
	update pawl.meta set level = %[1]d, least = %[1]d;`, pg.Level+1)

// work makes, claims, changes and completes a task, and reads it all back.
func work(t *testing.T, store pawl.Store) error {
	t.Helper()
	ann := pawl.Actor{Name: "ann", Session: "s1"}
	board := pawl.NewBoard(store)
	res, err := board.Do(t.Context(), pawl.Request{By: ann, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one", Ref: "one"}, {Subject: "two", BlockedBy: []pawl.Ref{{Name: "one"}}}}}})
	if err != nil {
		return err
	}
	for _, op := range []pawl.Op{
		pawl.ClaimTask{ID: res.IDs[0]}, pawl.AddNote{ID: res.IDs[0], Text: "halfway"}, pawl.Complete{IDs: res.IDs[:1]}, pawl.ClaimTask{}, pawl.Delete{IDs: res.IDs[:1]},
	} {
		if _, err := board.Do(t.Context(), pawl.Request{By: ann, Op: op}); err != nil {
			return fmt.Errorf("%T: %w", op, err)
		}
	}
	if _, err := board.Select(t.Context(), pawl.Query{Text: "two", Order: pawl.ByUrgency}); err != nil {
		return err
	}
	if _, err := board.Glance(t.Context(), pawl.GlanceQuery{Session: "s1", Ready: 3}); err != nil {
		return err
	}
	for _, err := range board.Changes(t.Context(), pawl.Span{}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// migrating is a database of this level with a board, and a server at work on it.
func migrating(t *testing.T) (dsn string, running pawl.Store) {
	t.Helper()
	dsn = pgtest.Server(t).Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	running = boardAt(t, dsn)
	must.Do(t, work(t, running))
	return dsn, running
}

func boardAt(t *testing.T, dsn string) pawl.Store {
	t.Helper()
	db, err := pg.Open(t.Context(), dsn)
	must.Do(t, err)
	t.Cleanup(func() { db.Close() })
	boards := postgres.Over(db)
	must.Do(t, boards.Make(t.Context(), "shop"))
	return boards.Board("shop")
}

// While the next Pawl is rolled out, servers of this one read and write the tables that
// it has made: those that run, through the change, and those that start after it.
func TestExpandedTables(t *testing.T) {
	pgtest.Need(t)
	dsn, running := migrating(t)
	stop, failed := make(chan struct{}), make(chan error, 1)
	var rounds int
	var at sync.WaitGroup
	at.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := work(t, running); err != nil {
				failed <- err
				return
			}
			rounds++
		}
	})
	from, to, err := pg.MigrateWith(t.Context(), dsn, nextLevel(t, expand))
	if err != nil || from != pg.Level || to != pg.Level+1 {
		t.Errorf("from level %d to %d, %v", from, to, err)
	}
	starting := boardAt(t, dsn)
	for range 3 {
		if err := work(t, starting); err != nil {
			t.Errorf("a server that starts: %v", err)
		}
		if err := work(t, running); err != nil {
			t.Errorf("a server that runs: %v", err)
		}
	}
	close(stop)
	at.Wait()
	select {
	case err := <-failed:
		t.Errorf("a server that runs, in round %d: %v", rounds, err)
	default:
	}
	storetest.CheckInvariants(t, running)
	if from, to, err := pg.Migrate(t.Context(), dsn); err != nil || from != pg.Level+1 || to != pg.Level+1 {
		t.Errorf("the Pawl before migrates from level %d to %d, %v", from, to, err)
	}
}

// Where the next Pawl has taken something away, this one refuses with a sentence, and
// writes nothing: one that starts, and one that runs.
func TestContractedTables(t *testing.T) {
	pgtest.Need(t)
	dsn, running := migrating(t)
	if _, _, err := pg.MigrateWith(t.Context(), dsn, nextLevel(t, contract)); err != nil {
		t.Fatal(err)
	}
	before := pgtest.Server(t).SQL(t, dsn, "select rev, last_id from pawl.board")
	want := fmt.Sprintf("has tables of level %d, which need a Pawl of level %d; this one has %d", pg.Level+1, pg.Level+1, pg.Level)
	refused := func(what string, err error) {
		t.Helper()
		if pawl.KindOf(err) != pawl.Invalid || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	db, err := pg.Open(t.Context(), dsn)
	if err == nil {
		db.Close()
	}
	refused("one that starts", err)
	refused("one that runs, at a change", work(t, running))
	board := pawl.NewBoard(running)
	_, err = board.Select(t.Context(), pawl.Query{})
	refused("one that runs, at a question", err)
	for _, err := range board.Changes(t.Context(), pawl.Span{}) {
		refused("one that runs, at its history", err)
	}
	if after := pgtest.Server(t).SQL(t, dsn, "select rev, last_id from pawl.board"); after != before {
		t.Errorf("the board went from %s to %s", before, after)
	}
}

// A migration that fails leaves the tables as they were, and can be run again. Of several
// that run at once, one does it.
func TestMigrationsAtOnce(t *testing.T) {
	pgtest.Need(t)
	dsn, running := migrating(t)
	if _, to, err := pg.MigrateWith(t.Context(), dsn, nextLevel(t, expand+"select 1 / 0;")); err == nil || to != pg.Level {
		t.Errorf("to level %d, %v", to, err)
	}
	if err := work(t, running); err != nil {
		t.Errorf("after a migration that failed: %v", err)
	}
	var at sync.WaitGroup
	var mu sync.Mutex
	did := 0
	for range 4 {
		at.Go(func() {
			from, to, err := pg.MigrateWith(t.Context(), dsn, nextLevel(t, expand))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || to != pg.Level+1 {
				t.Errorf("to level %d, %v", to, err)
			}
			if from != to {
				did++
			}
		})
	}
	at.Wait()
	if did != 1 {
		t.Errorf("%d have done it", did)
	}
}

// A migration waits for who reads, but not so that all others wait behind it.
func TestMigrationLetsOthersWork(t *testing.T) {
	pgtest.Need(t)
	dsn, running := migrating(t)
	reading, read := make(chan struct{}), make(chan struct{})
	var at sync.WaitGroup
	at.Go(func() {
		err := running.View(t.Context(), func(r pawl.Reader) error {
			close(reading)
			<-read
			return nil
		})
		if err != nil {
			t.Errorf("who reads for long: %v", err)
		}
	})
	<-reading
	at.Go(func() {
		if _, to, err := pg.MigrateWith(t.Context(), dsn, nextLevel(t, expand)); err != nil || to != pg.Level+1 {
			t.Errorf("to level %d, %v", to, err)
		}
	})
	for pgtest.Server(t).SQL(t, dsn, "select count(*) from pg_locks where not granted") == "0" {
		if t.Context().Err() != nil {
			t.Fatal("the migration does not wait")
		}
	}
	for range 3 {
		if err := work(t, running); err != nil {
			t.Errorf("while a migration waits: %v", err)
		}
	}
	close(read)
	at.Wait()
}
