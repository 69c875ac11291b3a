package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// A past is a database that goes back to earlier moments, its servers, and all numbers
// that these ever gave to somebody.
type past struct {
	*testing.T
	*pgtest.Cluster
	dsn string

	mu    sync.Mutex
	given map[string]string // by what was given: to whom
	moved []postgres.Moved
	late  time.Duration // by how much the clock of all is ahead
}

func newPast(t *testing.T) *past {
	t.Helper()
	p := &past{T: t, Cluster: pgtest.Server(t), given: map[string]string{}}
	p.dsn = p.From(t, "boards", func(dsn string) error {
		_, _, err := pg.Migrate(t.Context(), dsn)
		return err
	})
	return p
}

// server is a process that has seen nothing yet.
func (p *past) server() *postgres.Database {
	p.Helper()
	db, err := pg.Open(p.Context(), p.dsn)
	must.Do(p, err)
	p.T.Cleanup(func() { db.Close() })
	return postgres.Over(db, postgres.WithJumps(func(m postgres.Moved) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.moved = append(p.moved, m)
	}), postgres.WithClock(func() time.Time {
		p.mu.Lock()
		defer p.mu.Unlock()
		return time.Now().Add(p.late)
	}))
}

// wait lets time go by.
func (p *past) wait(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late += d
}

// jumps is how often boards have jumped since the last call.
func (p *past) jumps() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	times := map[string]int{}
	for _, m := range p.moved {
		times[m.Name]++
	}
	p.moved = nil
	return times
}

func (p *past) make(d *postgres.Database, boards ...string) {
	p.Helper()
	for _, name := range boards {
		must.Do(p, d.Make(p.Context(), name))
	}
}

// work makes tasks and claims them, and fails the test if somebody has one of their
// numbers already.
func (p *past) work(d *postgres.Database, board, who string, times int) {
	p.Helper()
	b := pawl.NewBoard(d.Board(board))
	for i := range times {
		by := pawl.Actor{Name: who, Session: fmt.Sprint("s", i)}
		made, err := b.Do(p.Context(), pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: who}}}})
		if err != nil {
			p.Fatalf("%s makes a task on %s: %v", who, board, err)
		}
		claimed, err := b.Do(p.Context(), pawl.Request{By: by, Op: pawl.ClaimTask{ID: made.IDs[0]}})
		if err != nil {
			p.Fatalf("%s claims a task on %s: %v", who, board, err)
		}
		p.give(who, fmt.Sprint(board, " ", made.IDs[0]))
		p.give(who, fmt.Sprint(board, " revision ", made.Revision))
		p.give(who, fmt.Sprint(board, " revision ", claimed.Revision))
		p.give(who, fmt.Sprint(board, " token ", claimed.Tasks[0].Claim.Token))
	}
}

func (p *past) give(who, what string) {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if before := p.given[what]; before != "" {
		p.Errorf("%s is given to %s, and was given to %s before", what, who, before)
	}
	p.given[what] = who
}

func (p *past) check(d *postgres.Database) {
	p.Helper()
	must.Do(p, errOf(d.Check(p.Context())))
}

func (p *past) restored(d *postgres.Database) {
	p.Helper()
	must.Do(p, errOf(d.Restored(p.Context())))
}

// No id, revision or token is given again after a backup was restored: by a server that
// has seen more, as it runs on or is started again; nor, once it is told, by one that has
// seen nothing.
func TestRestored(t *testing.T) {
	boards := []string{"shop", "blog"}
	for name, goesOn := range map[string]func(p *past, was *postgres.Database) *postgres.Database{
		"it runs on, and writes": func(_ *past, was *postgres.Database) *postgres.Database { return was },
		"it runs on, and looks":  func(p *past, was *postgres.Database) *postgres.Database { p.check(was); return was },
		"it is started again": func(p *past, was *postgres.Database) *postgres.Database {
			is := p.server()
			is.Remember(was.Seen())
			p.check(is)
			return is
		},
		"beside it, when it has looked": func(p *past, was *postgres.Database) *postgres.Database { p.check(was); return p.server() },
		"somewhere else, and is told": func(p *past, _ *postgres.Database) *postgres.Database {
			is := p.server()
			p.restored(is)
			return is
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			was := p.server()
			p.make(was, boards...)
			for _, b := range boards {
				p.work(was, b, "before", 3)
			}
			backup := p.Dump(t, p.dsn)
			for _, b := range boards {
				p.work(was, b, "lost", 7)
			}
			p.Restore(t, backup, p.dsn)
			is := goesOn(p, was)
			for _, b := range boards {
				p.work(is, b, "after", 9)
			}
			if got := p.jumps(); got["shop"] != 1 || got["blog"] != 1 {
				t.Errorf("the boards jumped %v times", got)
			}
			p.undoBefore(is)
		})
	}
}

// undoBefore undoes the last change before the jump: it was shown, and could not be undone.
func (p *past) undoBefore(d *postgres.Database) {
	p.Helper()
	b := pawl.NewBoard(d.Board("shop"))
	var told error
	var last pawl.ChangeSet
	for set, err := range b.Changes(p.Context(), pawl.Span{Backward: true}) {
		if told = err; err == nil && set.By.Name == "before" && last.Revision == 0 {
			last = set
		}
	}
	if pawl.KindOf(told) != pawl.Gone || !strings.HasPrefix(told.Error(), "some of the history up to revision ") {
		p.Errorf("history before the jump ends with: %v", told)
	}
	if res, err := b.Undo(p.Context(), last.By, last.Revision); err != nil || res.Undoes != last.Revision {
		p.Errorf("the undo of %d: %+v, %v", last.Revision, res, err)
	}
}

// The same backup is restored again, after more was done: also then no number comes back.
func TestRestoredTwice(t *testing.T) {
	for name, other := range map[string]func(p *past, was *postgres.Database) *postgres.Database{
		"servers that have seen more": func(_ *past, was *postgres.Database) *postgres.Database { return was },
		"servers that have seen nothing": func(p *past, _ *postgres.Database) *postgres.Database {
			is := p.server()
			p.restored(is)
			return is
		},
		"both": func(p *past, was *postgres.Database) *postgres.Database { p.restored(p.server()); return was },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			is := p.server()
			p.make(is, "shop")
			p.work(is, "shop", "before", 2)
			first := p.Dump(t, p.dsn)
			p.work(is, "shop", "lost", 2)
			var second pgtest.Dump
			for n, backup := range []*pgtest.Dump{&first, &first, &second, &second} {
				p.wait(time.Minute)
				p.Restore(t, *backup, p.dsn)
				is = other(p, is)
				p.work(is, "shop", fmt.Sprint("after restore ", n), 2)
				if n == 1 {
					second = p.Dump(t, p.dsn)
				}
			}
		})
	}
}

// Told twice, or told while servers run, boards jump twice, and nothing else happens.
func TestRestoredAtWork(t *testing.T) {
	p := newPast(t)
	a, b := p.server(), p.server()
	p.make(a, "shop")
	var all sync.WaitGroup
	for n, d := range []*postgres.Database{a, b, a, b} {
		all.Go(func() { p.work(d, "shop", fmt.Sprint("server ", n), 20) })
	}
	teller := p.server()
	for range 5 {
		p.restored(teller)
	}
	all.Wait()
	if got := p.jumps(); got["shop"] != 5 {
		t.Errorf("told five times, the board jumped %v", got)
	}
}

// A board that the backup does not have is made again by who needs it. A server that has
// seen the other one lets it go on behind it; for the others it is a new board, which
// gives out no revision or token of the other one.
func TestBoardAfterBackup(t *testing.T) {
	p := newPast(t)
	was := p.server()
	p.make(was, "shop")
	backup := p.Dump(t, p.dsn)
	p.make(was, "late", "later")
	p.work(was, "late", "lost", 3)
	p.work(was, "later", "lost", 3)
	p.Restore(t, backup, p.dsn)
	must.Do(t, errOf(was.Check(t.Context())))
	err := was.Board("late").View(t.Context(), func(pawl.Reader) error { return nil })
	if !errors.Is(err, pawl.NotFound) {
		t.Errorf("a board that is not there: %v", err)
	}
	p.make(was, "late")
	p.work(was, "late", "after", 3)
	other := p.server()
	p.restored(other)
	p.make(other, "later")
	made, err := pawl.NewBoard(other.Board("later")).Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ann", Session: "s"}, Op: pawl.All{Ops: []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}, pawl.ClaimTask{},
	}}})
	must.Do(t, err)
	p.give("after", fmt.Sprint("later revision ", made.Revision))
}

// Who follows a board at another server while its numbers jump is told so, and gets what
// comes after: when an administrator says so, and when a backup is restored under them.
func TestJumpSeen(t *testing.T) {
	for name, jump := range map[string]func(p *past, backup pgtest.Dump){
		"told":     func(p *past, _ pgtest.Dump) { p.restored(p.server()) },
		"restored": func(p *past, backup pgtest.Dump) { p.Restore(p, backup, p.dsn) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			a, b := p.server(), p.server()
			p.make(a, "shop")
			backup := p.Dump(t, p.dsn)
			p.work(a, "shop", "before", 2)
			began := make(chan struct{})
			gone, seen := make(chan bool), make(chan bool)
			go func() {
				follow := pawl.NewBoard(b.Board("shop"))
				var after pawl.Revision
				changes, told, first := 0, false, true
				for t.Context().Err() == nil {
					for set, err := range follow.Watch(t.Context(), after) { // ends while the database is away
						if after = set.Revision; errors.Is(err, pawl.Gone) && !told {
							told = true
							close(gone)
						}
						if err != nil {
							continue
						}
						if first {
							first = false
							close(began)
						}
						if set.By.Name == "after" {
							if changes++; changes == 6 {
								close(seen)
							}
						}
					}
				}
			}()
			<-began
			jump(p, backup)
			p.work(a, "shop", "after", 3)
			for what, told := range map[string]<-chan bool{"that history is gone": gone, "what came after": seen} {
				select {
				case <-told:
				case <-time.After(time.Minute):
					t.Errorf("nobody tells %s", what)
				}
			}
		})
	}
}

// A database in another cluster than before was copied, nobody knows when: all boards jump
// once, whichever server or administrator looks first.
func TestOtherCluster(t *testing.T) {
	p := newPast(t)
	was := p.server()
	p.make(was, "shop", "blog")
	p.check(was)
	p.work(was, "shop", "before", 2)
	if got := p.jumps(); len(got) > 0 {
		t.Fatalf("jumped %v for nothing", got)
	}
	p.SQL(t, p.dsn, "update pawl.server set value = '4711' where key = 'system'")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { p.check(p.server()) })
	}
	all.Wait()
	if got := p.jumps(); got["shop"] != 1 || got["blog"] != 1 {
		t.Errorf("jumped %v", got)
	}
	p.SQL(t, p.dsn, "update pawl.server set value = '4711' where key = 'system'")
	p.restored(p.server())
	p.check(p.server())
	if got := p.jumps(); got["shop"] != 1 || got["blog"] != 1 {
		t.Errorf("told, and then seen: jumped %v", got)
	}
}

// Where the login may not ask for the cluster, all else works.
func TestClusterUnknown(t *testing.T) {
	p := newPast(t)
	role := "pawl_" + strings.ToLower(t.Name())
	owner := p.dsn
	p.SQL(t, owner, "revoke execute on function pg_control_system() from public; create role "+role+" login; grant usage on schema pawl to "+role+"; grant all on all tables in schema pawl to "+role)
	t.Cleanup(func() { p.SQL(t, owner, "drop owned by "+role+"; drop role "+role) })
	p.dsn = strings.Replace(p.dsn, "postgres@", role+"@", 1)
	d := p.server()
	p.make(d, "shop")
	p.check(d)
	p.work(d, "shop", "ann", 2)
	p.restored(d)
	p.work(d, "shop", "bob", 2)
}

// A server that is stopped in order saves what it has seen since its last look.
func TestWatchSavesAtTheEnd(t *testing.T) {
	over, stop := context.WithCancel(t.Context())
	stop()
	saved := 0
	new(postgres.Database).Watch(over, func() { saved++ })
	if saved != 1 {
		t.Errorf("it saved %d times", saved)
	}
}
