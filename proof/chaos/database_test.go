//go:build unix

package chaos

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/proof/e2e/server"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/pg"
)

// climates are the weathers between servers and their database.
var climates = []weather{
	{name: "latency", faults: []Fault{{Type: "latency", Toxicity: 1, Attributes: map[string]any{"latency": 20, "jitter": 10}}}},
	{name: "narrow", faults: []Fault{{Type: "bandwidth", Toxicity: 1, Attributes: map[string]any{"rate": 300}}, {Type: "bandwidth", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"rate": 300}}}},
	{name: "sliced", faults: []Fault{{Type: "slicer", Toxicity: 1, Attributes: map[string]any{"average_size": 200, "size_variation": 150, "delay": 50}}, {Type: "slicer", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"average_size": 200, "size_variation": 150, "delay": 50}}}},
	{name: "resets", bad: 40 * time.Millisecond, faults: []Fault{{Type: "reset_peer", Toxicity: 0.5, Attributes: map[string]any{"timeout": 5}}}},
	{name: "resets of requests", bad: 40 * time.Millisecond, faults: []Fault{{Type: "reset_peer", Stream: "upstream", Toxicity: 0.5, Attributes: map[string]any{"timeout": 5}}}},
	{name: "cuts", cut: true, bad: 60 * time.Millisecond},
	{name: "few bytes", faults: []Fault{{Type: "limit_data", Toxicity: 0.7, Attributes: map[string]any{"bytes": 60000}}}},
	{name: "commits that are not told", again: true, faults: []Fault{{Type: "uncommitted", Toxicity: 1, Attributes: map[string]any{"share": 0.4}}}},
	{name: "silence", bad: 40 * time.Millisecond, faults: []Fault{{Type: "timeout", Toxicity: 0.4, Attributes: map[string]any{"timeout": 0}}}},
	{name: "silence upstream", bad: 40 * time.Millisecond, faults: []Fault{{Type: "timeout", Stream: "upstream", Toxicity: 0.4, Attributes: map[string]any{"timeout": 0}}}},
	{name: "half-open", freeze: true},
}

// TestDatabaseWeather: clients of two instances work off a board in a database to which
// the line is bad, and one looks on. The clients' own line is good, and they are told of
// nothing but delays.
func TestDatabaseWeather(t *testing.T) {
	for _, w := range climates {
		t.Run(w.name, func(t *testing.T) {
			long.Seldom(t, 3)
			b := NewBase(t, pgtest.Server(t))
			o := server.Options{Store: b.Direct, Line: b.Through}
			c := server.NewCampaign(t, "shop", *clients, server.Start(t, o), server.Start(t, o))
			server.Fill(t, c.Boss, 1) // the board is there
			lookout := newLookout(c.Boss)
			before := unsaid.Load()
			ctx, still := context.WithCancel(context.Background())
			times := 0
			var blew sync.WaitGroup
			blew.Go(func() { times = w.blow(ctx, b.Line, c.Ledger) })
			server.Fill(t, c.Boss, *tasks-1)
			server.Crowd(t, c.Workers, *tasks)
			still()
			blew.Wait()
			server.AllDone(t, c.Boss, *tasks)
			seen := lookout.until(t, c.Boss)
			c.Ledger.Check(t, c.Servers[0].Kept("shop"))
			all, again, unknown := c.Ledger.Acknowledged()
			t.Logf("%d clients, %d tasks: %d ops acknowledged, %d of them on being repeated, %d not known, the slowest took %.2f s; the line was bad %d times, %d commits were not told; one who looked on saw %d changes",
				*clients, *tasks, all, again, unknown, c.Ledger.Slowest().Seconds(), times, unsaid.Load()-before, seen)
			if all < 2**tasks || w.again && unsaid.Load() == before || w.bad > 0 && times == 0 {
				t.Error("the test did not test what it means to")
			}
		})
	}
}

// TestTold: a commit of which the answer was lost is found in the database, so that the
// caller is told that it was made, and it is made once, though it has no op id.
func TestTold(t *testing.T) {
	LeavesNothing(t)
	b := NewBase(t, pgtest.Server(t))
	store := b.Board(b.Open(b.Through), "shop")
	board := pawl.NewBoard(store)
	create := func() (pawl.Result, error) {
		return board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})
	}
	if _, err := create(); err != nil {
		t.Fatal(err)
	}
	before := unsaid.Load()
	for n := range 20 {
		mend := b.Spoil(Fault{Type: "uncommitted", Toxicity: 1, Attributes: map[string]any{"share": 0.7}})
		made, err := create()
		mend()
		if err != nil || len(made.IDs) != 1 || made.IDs[0] != pawl.ID(n+2) {
			t.Fatalf("the %d. task: %+v, %v", n+2, made.IDs, err)
		}
	}
	if lost := unsaid.Load() - before; lost < 10 {
		t.Errorf("only %d answers were lost", lost)
	}
	tasks, err := query.Of(t.Context(), query.Local(board), query.Asker{}, query.TasksQuery{})
	if err != nil || tasks.Page.Total != 21 {
		t.Errorf("%d tasks, %v", tasks.Page.Total, err)
	}
}

// TestUnknown: where it is not known whether a commit was made, since the database is not
// reached again in time, the caller is told just that; the op id tells later, and the op
// runs once.
func TestUnknown(t *testing.T) {
	long.Only(t)
	LeavesNothing(t)
	b := NewBase(t, pgtest.Server(t))
	board := pawl.NewBoard(b.Board(b.Open(b.Through, pg.WithTimeout(time.Second)), "shop"))
	request := func(id string) pawl.Request {
		return pawl.Request{ID: pawl.OpID(id), By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: id}}}}
	}
	if _, err := board.Do(t.Context(), request("first")); err != nil {
		t.Fatal(err)
	}
	unclear := 0
	for n := range 5 {
		id := fmt.Sprint("op", n)
		mend := b.Spoil(Fault{Type: "uncommitted", Toxicity: 1, Attributes: map[string]any{"share": 1.0}})
		_, err := board.Do(t.Context(), request(id)) // each look of it is cut off, too
		mend()
		if err != nil && !unavailable(err) {
			t.Fatal(err)
		}
		if err != nil {
			unclear++
		}
		again, err := board.Do(t.Context(), request(id))
		if err != nil || again.IDs[0] != pawl.ID(n+2) {
			t.Errorf("%s, sent again: %+v, %v", id, again, err)
		}
	}
	if unclear == 0 {
		t.Error("the test did not test what it means to")
	}
}

// TestTerminated: an administrator ends all connections of the servers, again and again,
// while stubborn clients work.
func TestTerminated(t *testing.T) {
	LeavesNothing(t)
	b := NewBase(t, pgtest.Server(t))
	instances := []query.Board{}
	for range 2 {
		instances = append(instances, query.Local(pawl.NewBoard(b.Board(b.Open(b.Direct), "shop"))))
	}
	server.Fill(t, instances[0], *tasks)
	ledger := server.NewLedger()
	var repeated atomic.Int64
	workers := crew(*clients, ledger, func(i int) query.Board {
		var at atomic.Int64
		return stubborn{hand{instances[0], func() query.Board { return instances[(int64(i)+at.Add(1))%2] }}, &repeated}
	})
	ctx, still := context.WithCancel(t.Context())
	var ending sync.WaitGroup
	times := 0
	ending.Go(func() {
		for ctx.Err() == nil {
			b.SQL(t, b.Direct, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pawl' and datname = current_database()")
			times++
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	server.Crowd(t, workers, *tasks)
	still()
	ending.Wait()
	server.AllDone(t, instances[0], *tasks)
	ledger.Check(t, b.Board(b.Open(b.Direct), "shop"))
	all, again, unknown := ledger.Acknowledged()
	t.Logf("%d ops acknowledged, %d of them on being repeated, %d not known; all connections ended %d times, ops repeated %d times", all, again, unknown, times, repeated.Load())
	if all < 2**tasks || times < 3 {
		t.Error("the test did not test what it means to")
	}
}

// TestHangs: a database that hangs keeps nobody longer than a request has, reads and
// changes alike, however many wait. When it goes on, so does everybody, and nothing is
// left of what waited.
func TestHangs(t *testing.T) {
	long.Only(t)
	LeavesNothing(t)
	srv := pgtest.Start(t, pgtest.Options{})
	b := NewBase(t, srv)
	const patience = 2 * time.Second
	db := b.Open(b.Direct, pg.WithTimeout(patience))
	board := query.Local(pawl.NewBoard(b.Board(db, "shop")))
	other := query.Local(pawl.NewBoard(b.Board(db, "other")))
	server.Fill(t, board, 10)
	srv.Freeze()
	thawed := false
	defer func() {
		if !thawed {
			srv.Thaw()
		}
	}()
	var group sync.WaitGroup
	var longest atomic.Int64
	timed := func(what string, fn func() error) {
		group.Go(func() {
			began := time.Now()
			if err := fn(); !unavailable(err) {
				t.Errorf("%s: %v", what, err)
			}
			if took := time.Since(began); took > time.Duration(longest.Load()) {
				longest.Store(int64(took))
			}
		})
	}
	for i := range 100 {
		timed("a read", func() error {
			_, err := query.Of(t.Context(), board, query.Asker{}, query.TasksQuery{})
			return err
		})
		timed("a change", func() error {
			_, err := []query.Board{board, other}[i%2].Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "late"}}}}, 0)
			return err
		})
	}
	group.Wait()
	if took := time.Duration(longest.Load()); took > time.Minute {
		t.Errorf("somebody waited %v", took)
	}
	srv.Thaw()
	thawed = true
	began := time.Now()
	claim := pawl.Request{ID: "after", By: pawl.Actor{Name: "ada"}, Op: pawl.ClaimTask{ID: 1}}
	_, err := board.Do(t.Context(), claim, 0)
	for unavailable(err) && time.Since(began) < time.Minute { // on a busy machine patience is soon over
		_, err = board.Do(t.Context(), claim, 0)
	}
	if err != nil {
		t.Errorf("afterwards: %v", err)
	}
	t.Logf("while it hung the longest wait was %v; afterwards a claim took %v", time.Duration(longest.Load()), time.Since(began))
}

// TestNested: readers that ask for more while they read do not wait for each other,
// though there are more of them than connections.
func TestNested(t *testing.T) {
	LeavesNothing(t)
	b := NewBase(t, pgtest.Server(t))
	store := b.Board(b.Open(b.Direct), "shop")
	server.Fill(t, query.Local(pawl.NewBoard(store)), 5)
	var group sync.WaitGroup
	began := time.Now()
	for range 100 {
		group.Go(func() {
			err := store.View(t.Context(), func(r pawl.Reader) error {
				for _, err := range store.Changes(t.Context(), pawl.Span{}) {
					if err != nil {
						return err
					}
				}
				_, err := store.Update(t.Context(), func(pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil })
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	t.Logf("100 readers took %v", time.Since(began))
}

// TestNestedViews is TestNested for views in views, which need two connections at once.
func TestNestedViews(t *testing.T) {
	LeavesNothing(t)
	b := NewBase(t, pgtest.Server(t))
	store := b.Board(b.Open(b.Direct), "shop")
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			err := store.View(t.Context(), func(r pawl.Reader) error {
				return store.View(t.Context(), func(pawl.Reader) error { return nil })
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// TestServersHang: PostgreSQL stops for a while, again and again, and goes on. The
// clients of its servers wait, and are told of nothing else. While it stands still the servers
// say that they live, and that they are not ready.
func TestServersHang(t *testing.T) {
	long.Only(t)
	srv := pgtest.Start(t, pgtest.Options{})
	b := NewBase(t, srv)
	o := server.Options{Store: b.Direct}
	c := server.NewCampaign(t, "shop", *clients, server.Start(t, o), server.Start(t, o))
	c.Under(2, 4**tasks, func() {
		srv.Freeze()
		defer srv.Thaw()
		over := time.After(15 * time.Second) // longer than a request waits
		for _, s := range c.Servers {
			if live := s.Request("", http.MethodGet, "/healthz", ""); live.Status != http.StatusOK {
				t.Errorf("a server whose database hangs says %d", live.Status)
			}
			if ready := s.Request("", http.MethodGet, "/readyz", ""); ready.Status != http.StatusServiceUnavailable {
				t.Errorf("a server whose database hangs says %d to /readyz: %s", ready.Status, ready.Body)
			}
		}
		<-over
	})
	c.Check()
	if _, _, unknown := c.Ledger.Acknowledged(); unknown > 0 {
		t.Errorf("of %d ops the clients do not know what became of them", unknown)
	}
}
