package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/proof/e2e/server"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
)

// Bounds of `pawl serve` on PostgreSQL (docs/benchmarks.md).
const (
	loadClaims   = 5_000                  // claims a second
	loadClaim    = 50 * time.Millisecond  // one, 99 of 100 times
	loadComplete = 50 * time.Millisecond  // of a task that 1,000 wait for
	loadSeen     = 100 * time.Millisecond // from the beginning of a change until a watcher has it, 99 of 100 times
	loadMemory   = 100 * mebi             // of the server with 1,000 clients
)

// A stage is a server whose boards are in a store, and those who use it.
type stage struct {
	loadPlan
	plan
	host   *server.Host
	db     *pgtest.Cluster // nil: a folder
	report *loaded

	*server.Server
	boss   server.Token
	agents []server.Token
	opened *pg.Database
}

func measureLoad(p plan, l loadPlan) (r *loaded, err error) {
	server.Use(p.pawl)
	host := &server.Host{Dir: p.work}
	s := &stage{loadPlan: l, plan: p, host: host, report: &loaded{Machine: machine()}}
	at := "PostgreSQL" // what failed
	defer func() {
		host.Close()
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: %v", at, fault)
		}
		err = errors.Join(err, host.Err())
		if s.db != nil {
			s.db.End()
		}
	}()
	if !l.folder {
		p.say("starting PostgreSQL")
		if s.db, err = pgtest.New(pgtest.Options{Durable: true}); err != nil {
			return nil, err
		}
		version, err := s.db.Query(s.db.DSN(), "show server_version")
		s.must(err)
		s.report.Machine += ", PostgreSQL " + version
	}
	for _, part := range []struct {
		name string
		do   func()
	}{{"claims", s.claims}, {"complete", s.completes}, {"watch", s.watch}, {"memory", s.memory}, {"sizes", s.growth}} {
		if at = part.name; len(l.parts) == 0 || slices.Contains(l.parts, at) {
			part.do()
		}
	}
	return s.report, nil
}

func (s *stage) must(err error) { must(s.host, err) }

// must ends the measurement.
func must(host *server.Host, err error) {
	if err != nil {
		host.Fatal(err)
	}
}

// fresh starts a server on an empty store.
func (s *stage) fresh() {
	o := server.Options{TLS: s.tls}
	if s.db != nil {
		name, err := s.db.Create("template1")
		s.must(err)
		o.Store = s.db.Address(name)
		ctx := context.Background()
		_, _, err = pg.Migrate(ctx, o.Store)
		s.must(err)
		s.opened, err = pg.Open(ctx, o.Store)
		s.must(err)
	}
	s.Server = server.Start(s.host, o)
	s.boss = s.Token("boss", "--board", "*", "--role", "admin")
	s.agents = nil
	for i := range s.tokens {
		s.agents = append(s.agents, s.Token(fmt.Sprint("agent", i), "--board", "*", "--role", "work", "--agent"))
	}
}

// over ends the server and forgets its boards.
func (s *stage) over() {
	s.Stop()
	if s.opened != nil {
		s.opened.Close()
	}
}

// board fills a board.
func (s *stage) board(name string, size int, of shape) {
	s.say("making a board of %s tasks", thousands(size))
	began := time.Now()
	ctx := context.Background()
	var store pawl.Store
	if s.db != nil {
		db := postgres.Over(s.opened)
		s.must(db.Make(ctx, name))
		store = db.Board(name)
	} else {
		dir := filepath.Join(s.Dir, name, ".tasks")
		s.must(os.MkdirAll(dir, 0o755))
		kept, err := file.Open(dir)
		s.must(err)
		defer kept.Close()
		store = kept
	}
	s.must(fill(ctx, store, size, of))
	s.say("filled in %.1f s", time.Since(began).Seconds())
	if s.db != nil { // as autovacuum would, in a while
		_, err := s.db.Query(s.Store, "vacuum analyze")
		s.must(err)
	}
	if checker, can := store.(pawl.Checker); can {
		problems, err := checker.Check(ctx)
		if err != nil || len(problems) > 0 {
			s.host.Fatalf("the board that was made has %d problems, such as %.200v, %v", len(problems), problems, err)
		}
	}
	client := s.Client(s.boss, name)
	hello, err := client.Hello(ctx)
	s.must(err)
	s.say("made in %.1f s: %s tasks are open", time.Since(began).Seconds(), thousands(hello.Tasks))
}

// used is the processor time until now.
func (s *stage) used() shares {
	var now shares
	now.serve, _ = processor(s.Pid(), false)
	if s.db != nil {
		for i, pid := range s.db.Pids() {
			took, _ := processor(pid, i == 0) // none if it has ended
			now.database += took
		}
	}
	var own syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) == nil {
		now.clients = time.Duration(own.Utime.Nano() + own.Stime.Nano())
	}
	return now
}

// A claimer claims, and completes what it has claimed if that is wanted.
type claimer struct {
	*server.Lean
	claimed, finished []time.Duration
}

// once claims one task. Nothing left is an error.
func (c *claimer) once(complete bool) error {
	began := time.Now()
	task, err := c.Claim()
	c.claimed = append(c.claimed, time.Since(began))
	if err != nil || !complete {
		return err
	}
	began = time.Now()
	err = c.Complete(task)
	c.finished = append(c.finished, time.Since(began))
	return err
}

// An exercise is what clients did for a while.
type exercise struct {
	claimed, finished spread
	n                 int // of claims
	took              time.Duration
	used              shares
}

// rate is how many a second.
func (e *exercise) rate() float64 { return float64(e.n) / e.took.Seconds() }

// drive lets clients claim for a while, as fast as they are answered.
func (s *stage) drive(board string, clients int, last time.Duration, complete bool) *exercise {
	all := make([]*claimer, clients)
	for i := range all {
		all[i] = &claimer{Lean: s.Lean(i, s.agents[i%len(s.agents)], board)}
		defer all[i].Close()
	}
	run := func(last time.Duration, most int64) {
		errs := make([]error, clients)
		var begun atomic.Int64
		end := time.Now().Add(last)
		var group sync.WaitGroup
		for i, c := range all {
			group.Go(func() {
				for errs[i] == nil && time.Now().Before(end) && begun.Add(1) <= most {
					errs[i] = c.once(complete)
				}
			})
		}
		group.Wait()
		s.must(errors.Join(errs...))
	}
	run(last/5, int64(s.most/5)) // warms up
	for _, c := range all {
		c.claimed, c.finished = nil, nil
	}
	before, began := s.used(), time.Now()
	run(last, int64(s.most))
	e := &exercise{took: time.Since(began), used: s.used().minus(before)}
	var claimed, finished []time.Duration
	for _, c := range all {
		claimed, finished = append(claimed, c.claimed...), append(finished, c.finished...)
	}
	e.n, e.claimed, e.finished = len(claimed), spreadOf(claimed), spreadOf(finished)
	return e
}

// claims has clients claim from a board on which enough stays ready.
func (s *stage) claims() {
	s.fresh()
	defer s.over()
	s.board("ready", s.ready+2*len(s.clients)*s.most*6/5, allReady)
	table := loadTable{
		Title: fmt.Sprintf("Claims, each as soon as the one before is answered, at %s ready tasks and more, for %v or %s claims", thousands(s.ready), s.last, thousands(s.most)),
		Head:  fmt.Sprintf("clients | claims/s | median / p99 / worst | CPU of one: serve + PostgreSQL + clients | %s/s, p99 %v", thousands(loadClaims), loadClaim),
	}
	cycles := loadTable{
		Title: "The same, each followed by the completion of what was claimed",
		Head:  "clients | claims/s, and as many completions | a claim: median / p99 / worst | a completion | CPU of both",
	}
	for _, n := range s.clients {
		s.say("%d clients claim", n)
		e := s.drive("ready", n, s.last, false)
		table.row(n, fmt.Sprintf("%.0f", e.rate()), e.claimed, e.used.each(e.n), verdict(e.rate() >= loadClaims && e.claimed.P99 <= loadClaim))
		e = s.drive("ready", n, s.last, true)
		cycles.row(n, fmt.Sprintf("%.0f", e.rate()), e.claimed, e.finished, e.used.each(e.n))
	}
	s.report.Tables = append(s.report.Tables, table, cycles)
}

// completes completes tasks for which others wait.
func (s *stage) completes() {
	s.fresh()
	defer s.over()
	table := loadTable{Title: "Completing a task for which others wait", Head: fmt.Sprintf("that many wait | median / p99 / worst | CPU: serve + PostgreSQL + client | median %v", loadComplete)}
	for _, waiting := range s.dependents {
		name := fmt.Sprint("fan", waiting)
		s.board(name, s.times*(waiting+1), fans(waiting))
		client := s.Lean(0, s.boss, name)
		defer client.Close()
		var took []time.Duration
		before := s.used()
		for i := range s.times {
			began := time.Now()
			s.must(client.Complete(server.Taken{ID: pawl.ID(i*(waiting+1) + 1)}))
			took = append(took, time.Since(began))
		}
		used := s.used().minus(before)
		table.row(thousands(waiting), spreadOf(took), used.each(s.times), verdict(median(took) <= loadComplete))
	}
	s.report.Tables = append(s.report.Tables, table)
}

// watch sees how long a change takes to those who watch.
func (s *stage) watch() {
	table := loadTable{
		Title: fmt.Sprintf("From the beginning of a change to each watcher, %d changes, one each %v", s.times, teamChangePause),
		Head:  fmt.Sprintf("watchers | median / p99 / worst | CPU of a change: serve + PostgreSQL + clients | memory of serve | p99 %v", loadSeen),
	}
	for _, n := range s.watchers {
		s.fresh()
		s.board("seen", s.seen, halfDone)
		s.say("%s watch", thousands(n))
		hall := s.Watch(s.boss, "seen", n)
		client := s.Client(s.boss, "seen")
		hall.Sees(client, 3, teamChangePause)
		before := s.used()
		took, missed := hall.Sees(client, s.times, teamChangePause)
		if missed > 0 {
			s.Fatalf("%d changes did not come to a watcher", missed)
		}
		seen := spreadOf(took)
		table.row(thousands(n), seen, s.used().minus(before).each(s.times), fmt.Sprintf("%.0f MiB", float64(s.Memory("VmHWM"))/mebi), verdict(seen.P99 <= loadSeen))
		s.over()
	}
	s.report.Tables = append(s.report.Tables, table)
}

// memory is that of a server with 1,000 clients that work.
func (s *stage) memory() {
	table := loadTable{Title: "Memory of serve", Head: fmt.Sprintf("%s clients that | resident | at most | %d MiB", thousands(s.crowd), loadMemory/mebi)}
	add := func(what string) {
		table.row(what, fmt.Sprintf("%.0f MiB", float64(s.Memory("VmRSS"))/mebi), fmt.Sprintf("%.0f MiB", float64(s.Memory("VmHWM"))/mebi), verdict(s.Memory("VmHWM") < loadMemory))
	}
	for _, watch := range []bool{false, true} {
		s.fresh()
		s.board("ready", s.ready/2+3*s.most, allReady)
		what, n := "claim and complete as fast as they are answered", s.crowd
		if watch {
			s.Watch(s.boss, "ready", s.crowd)
			n = max(1, s.crowd/10)
			what = fmt.Sprintf("watch, while %d others claim and complete as fast as they are answered", n)
		}
		s.say("%s clients that %s", thousands(s.crowd), what)
		e := s.drive("ready", n, s.last, true)
		add(fmt.Sprintf("%s: %.0f claims/s, p99 %v ms", what, e.rate(), ms(e.claimed.P99)))
		s.over()
	}
	s.report.Tables = append(s.report.Tables, table)
}

// growth sees what the size of a board makes of a request.
func (s *stage) growth() {
	table := loadTable{
		Title: fmt.Sprintf("One client, one request after another: medians of %d, and CPU of serve + PostgreSQL + client", s.times),
		Head:  "tasks | `ready` | claim | complete",
	}
	for _, size := range s.boards {
		s.fresh()
		s.board("large", size, halfDone)
		ctx := context.Background()
		client := s.Client(s.boss, "large")
		c := &claimer{Lean: s.Lean(0, s.boss, "large")}
		defer c.Close()
		for range 20 { // warms up
			s.must(c.once(true))
		}
		var ready, claimed, completed single
		for range max(1, s.times/atOnce) {
			n := min(s.times, atOnce)
			taken := make([]server.Taken, n)
			for _, step := range []struct {
				of *single
				do func(i int) error
			}{
				{&ready, func(int) error {
					page, err := query.Of(ctx, client, query.Asker{}, query.TasksQuery{Query: pawl.Query{Ready: true, For: "boss", Order: pawl.ByUrgency, Brief: true, Limit: 50}, Why: true})
					if err == nil && len(page.Page.Tasks) == 0 {
						err = errors.New("nothing is ready")
					}
					return err
				}},
				{&claimed, func(i int) (err error) { taken[i], err = c.Claim(); return err }},
				{&completed, func(i int) error { return c.Complete(taken[i]) }},
			} {
				s.repeat(step.of, n, step.do)
			}
		}
		table.row(thousands(size), &ready, &claimed, &completed)
		s.over()
	}
	s.report.Tables = append(s.report.Tables, table)
}

// atOnce is how many tasks of the smallest board are claimed before they are completed.
const atOnce = 40

// A single is one kind of request, made one after another.
type single struct {
	took []time.Duration
	used shares
}

func (d *single) String() string {
	return fmt.Sprintf("%v ms, %v", ms(median(d.took)), d.used.each(len(d.took)))
}

// repeat makes n requests.
func (s *stage) repeat(d *single, n int, do func(i int) error) {
	before := s.used()
	for i := range n {
		began := time.Now()
		s.must(do(i))
		d.took = append(d.took, time.Since(began))
	}
	used := s.used().minus(before)
	d.used = shares{d.used.serve + used.serve, d.used.database + used.database, d.used.clients + used.clients}
}
