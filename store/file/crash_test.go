package file

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// faults is how many random crashes TestCrashes tries, and bounds other tests of
// this kind. With -long, tests that interrupt a workload at a call do it at every
// call in every way; else at each seventh in one of them, by turns. The default
// takes seconds; long runs are
//
//	go test ./store/file -run 'Crash|Fault|Mend|Decay|Glance|Random|Stranger' -long -faults=50000 -timeout 2h
var faults = flag.Int("faults", 20, "random crashes to try")

// stride is how many calls further a workload is interrupted again. It has no factor in
// common with the number of ways, so that their turns come.
func stride() int {
	if *long.Asked {
		return 1
	}
	return 7
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func simStore(t testing.TB, p *simProcess) *Store {
	t.Helper()
	if p.turns++; len(p.residents) > 0 {
		return p.residents[p.turns%len(p.residents)]
	}
	s, err := Open("sim", withFS(p), WithClock(func() time.Time { return noon }))
	must.Do(t, err)
	s.pause = func(time.Duration) {}
	return s
}

func ptr[T any](v T) *T { return &v }

// A step is one request of a workload. Together they touch everything that a
// commit can do to files: new ones, several at once, edits on both sides of an
// edge, claims that no file shows, removals, also of the highest id.
var steps = []any{ // a pawl.Op, or a func(*Store) error
	pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "a", Subject: "parse"},
		{Ref: "b", Subject: "transform", BlockedBy: []pawl.Ref{pawl.RefName("a")}},
		{Ref: "c", Subject: "emit", BlockedBy: []pawl.Ref{pawl.RefName("b")}, Priority: pawl.High},
	}},
	pawl.ClaimTask{Lease: pawl.Duration(time.Hour)},
	pawl.Renew{},
	pawl.Complete{IDs: []pawl.ID{1}},
	pawl.Create{Tasks: []pawl.NewTask{{Subject: "test", BlockedBy: []pawl.Ref{pawl.RefID(2), pawl.RefID(1)}, Parent: pawl.RefID(3)}}},
	pawl.Update{ID: 4, Subject: ptr("test it all"), RemoveBlockedBy: []pawl.ID{2}, Parent: ptr(pawl.ID(0))},
	pawl.AddNote{ID: 2, Text: "nearly there"},
	pawl.Reopen{IDs: []pawl.ID{1}},
	pawl.Delete{IDs: []pawl.ID{4}},
	pawl.Create{Tasks: []pawl.NewTask{{Subject: "ship"}, {Subject: "rest"}}},
	pawl.Complete{IDs: []pawl.ID{1}},
	pawl.Delete{IDs: []pawl.ID{2}},
}

var by = pawl.Actor{Name: "ada", Session: "s1"}

// apply runs one step and says how it went.
func apply(s *Store, i int) error {
	if do, is := steps[i].(func(*Store) error); is {
		return do(s)
	}
	req := pawl.Request{By: by, Op: steps[i].(pawl.Op), ID: pawl.OpID(fmt.Sprint("step ", i))}
	_, err := pawl.NewBoard(s).Do(context.Background(), req)
	return err
}

// state is a board as text, for comparison: all that must survive.
func state(t testing.TB, s *Store) string {
	t.Helper()
	var b strings.Builder
	err := s.View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{})
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, "last", r.LastID())
		for _, task := range page.Tasks {
			task.Claim.Token = min(task.Claim.Token, 1)
			fmt.Fprintf(&b, "%s blockers %v children %v %d place %v %d %s\n", taskjson.EncodeFields(&task, nil),
				task.Blockers, task.Children, task.OpenChildren, task.Urgency, task.Height, task.Damage)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("the board cannot be read: %v", err)
	}
	return b.String()
}

// sets is what history tells, revisions counted from the first.
func sets(t testing.TB, s *Store) []string {
	t.Helper()
	var all []string
	last := pawl.Revision(0)
	for set, err := range s.Changes(context.Background(), pawl.Span{}) {
		if errors.Is(err, pawl.Gone) && s.loaded.mark.epoch > 0 {
			return append(all, "jump")
		}
		if err != nil {
			t.Fatalf("the history cannot be read: %v", err)
		}
		if last != 0 && set.Revision != last+1 {
			t.Fatalf("revision %d follows %d", set.Revision, last)
		}
		last = set.Revision
		all = append(all, set.Verb+" "+string(set.OpID))
	}
	return all
}

// trace is what a workload looks like when nothing goes wrong.
type trace struct {
	states []string // after so many steps
	sets   []string
	calls  int
	water  string // in the end
}

func traceOf(t testing.TB, prepare func(*disk)) trace {
	d := newDisk()
	prepare(d)
	s := simStore(t, d.process())
	tr := trace{states: []string{state(t, simStore(t, d.process()))}}
	for i := range steps {
		if err := apply(s, i); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		calls := d.calls
		tr.states = append(tr.states, state(t, simStore(t, d.process())))
		d.calls = calls
	}
	tr.calls = d.calls
	tr.sets = sets(t, simStore(t, d.process()))
	tr.water = d.text(waterName)
	return tr
}

// labour runs the steps from the first on until the process dies, and returns
// how many were acknowledged.
func labour(t testing.TB, d *disk, configure func(*Store), first int) (acked int, died bool) {
	s := simStore(t, d.process())
	configure(s)
	acked = first
	defer func() {
		if r := recover(); r != nil {
			if r != (crash{}) {
				panic(r)
			}
			died = true
		}
	}()
	for i := first; i < len(steps); i++ {
		if err := apply(s, i); err != nil {
			if errors.Is(err, pawl.Unavailable) {
				return acked, false
			}
			t.Fatalf("step %d: %v", i, err)
		}
		acked++
	}
	return acked, false
}

// A scenario is one life of a board: it dies at some call, again at some call
// of the recovery, and then goes on to the end.
type scenario struct {
	crashes []int // after so many calls of each process
	power   []bool
	seed    uint64
}

func (c scenario) String() string {
	return fmt.Sprintf("crashes after %v calls, power cuts %v, seed %d", c.crashes, c.power, c.seed)
}

// run returns what went wrong, and how many of the crashes happened.
func (c scenario) run(t testing.TB, tr trace, prepare func(*disk), configure func(*Store)) (fired int, problem string) {
	d := newDisk()
	prepare(d)
	rnd := rand.New(rand.NewPCG(c.seed, 1))
	acked, at := 0, 0 // steps that were acknowledged, and that the board shows
	for i, last := range c.crashes {
		start := d.calls
		d.before = func(call int, op, name string) error {
			if call-start >= last {
				return errDead
			}
			return nil
		}
		done, died := labour(t, d, configure, at)
		d.before = nil
		if done > at {
			acked = done
		}
		if died {
			fired++
		}
		if c.power[i] {
			d.powerCut(rnd)
		}
		// What was committed without anybody having been told may be there,
		// until a power cut.
		now := state(t, simStore(t, d.process()))
		if at = slices.Index(tr.states[acked:min(done+2, len(tr.states))], now); at < 0 {
			return fired, fmt.Sprintf("%d steps were acknowledged, and the board is\n%sand not\n%s", acked, now, tr.states[acked])
		}
		at += acked
	}
	if done, _ := labour(t, d, configure, at); done != len(steps) {
		return fired, fmt.Sprintf("the work stopped after step %d", done)
	}
	if c.power[len(c.power)-1] {
		d.powerCut(rnd)
	}
	s := simStore(t, d.process())
	if now := state(t, s); now != tr.states[len(steps)] {
		return fired, fmt.Sprintf("in the end the board is\n%sand not\n%s", now, tr.states[len(steps)])
	}
	if got := sets(t, s); !slices.Equal(got, tr.sets) {
		return fired, fmt.Sprintf("the history is\n%q\nand not\n%q", got, tr.sets)
	}
	if comeBy(t, d); d.text(waterName) != tr.water { // who reads does not recover it
		now := d.text(waterName)
		return fired, fmt.Sprintf("in the end the highest number is %q and not %q", now, tr.water)
	}
	if _, _, lost, _ := d.find(lostDir); len(lost.names) > 0 {
		return fired, fmt.Sprintf("nobody else wrote, and yet there is %v in lost+found", lost.names)
	}
	return fired, ""
}

func sound(*disk)        {}
func usual(*Store)       {}
func noExchange(d *disk) { d.plain = true }

// TestCrashAtEveryCall lets a process die at every single call that a workload
// makes, with and without a power cut.
func TestCrashAtEveryCall(t *testing.T) {
	tr := traceOf(t, sound)
	t.Logf("%d steps make %d calls", len(steps), tr.calls)
	fired := 0
	for at := 0; at < tr.calls; at += stride() {
		for _, power := range []bool{false, true} {
			if !*long.Asked && power != (at%2 == 0) {
				continue
			}
			c := scenario{crashes: []int{at}, power: []bool{power}, seed: uint64(at)}
			n, problem := c.run(t, tr, sound, usual)
			fired += n
			if problem != "" {
				t.Fatalf("%v: %s", c, problem)
			}
		}
	}
	if fired < tr.calls/stride()*9/10 { // the last calls only look at the board
		t.Fatalf("only %d crashes happened in %d calls", fired, tr.calls)
	}
	t.Logf("%d crashes", fired)
}

// hunt tries random scenarios until one goes wrong.
func hunt(t testing.TB, tries int, prepare func(*disk), configure func(*Store)) (fired int, c scenario, problem string) {
	tr := traceOf(t, prepare)
	for seed := range uint64(tries) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		c = scenario{seed: seed}
		for range 1 + rnd.IntN(3) {
			at := rnd.IntN(tr.calls)
			if len(c.crashes) > 0 && rnd.IntN(2) == 0 {
				at = rnd.IntN(60) // in the recovery
			}
			c.crashes = append(c.crashes, at)
			c.power = append(c.power, rnd.IntN(2) == 0)
		}
		n, problem := c.run(t, tr, prepare, configure)
		fired += n
		if problem != "" {
			return fired, c, problem
		}
	}
	return fired, c, ""
}

// TestCrashes lets processes die up to three times in a row, also while they
// recover, with and without power cuts between.
func TestCrashes(t *testing.T) {
	for _, w := range []struct {
		name      string
		prepare   func(*disk)
		configure func(*Store)
	}{
		{"exchange", sound, usual},
		{"rename", noExchange, usual},
		{"resident", sound, beResident},
		{"short segments", sound, func(s *Store) { s.size = 2000 }},
	} {
		t.Run(w.name, func(t *testing.T) {
			fired, c, problem := hunt(t, *faults, w.prepare, w.configure)
			if problem != "" {
				t.Fatalf("%v: %s", c, problem)
			}
			t.Logf("%d crashes in %d lives", fired, *faults)
			if fired < *faults/2 {
				t.Fatal("too few of the crashes happened")
			}
		})
	}
}
