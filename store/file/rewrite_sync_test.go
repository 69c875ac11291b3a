package file

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// theirs is what another clone says beside #2, of which it has a claim.
var theirs = Held{Claim: pawl.Claim{Session: "s1", Token: 7, Lease: pawl.Duration(time.Hour), Until: noon.Add(time.Hour), Clone: "mac-mini-3f2a9c1d"}, Expired: 1}

// syncSteps are a workload whose files and claims are written as a sync does it: a
// claim is confirmed, others come and go, a number moves.
var syncSteps = []any{
	pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "a", Subject: "parse"},
		{Ref: "b", Subject: "transform"},
		{Ref: "c", Subject: "rest", BlockedBy: []pawl.Ref{pawl.RefName("b")}},
	}},
	pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)},
	syncStep("confirm", func(f Files) Rewriting {
		mine := f.Claims[1]
		mine.Claim.Confirmed = noon
		return Rewriting{Claims: map[pawl.ID]Held{1: mine}}
	}),
	syncStep("arrive", func(f Files) Rewriting {
		moved, made := renumber(f.Tasks[3], 9)
		return Rewriting{
			Tasks:  map[pawl.ID][]byte{2: worked(f.Tasks[2]), 3: []byte(taskText(3, "elder", -60, "")), 9: moved},
			Claims: map[pawl.ID]Held{2: theirs}, Mark: 12, Moved: []Move{{3, 9, made}},
		}
	}),
	pawl.Renew{},
	syncStep("lose", func(f Files) Rewriting {
		return Rewriting{Claims: map[pawl.ID]Held{1: theirs}, Tasks: map[pawl.ID][]byte{3: nil}}
	}),
	pawl.ClaimTask{ID: 2, Force: true},
	pawl.Create{Tasks: []pawl.NewTask{{Subject: "later"}}},
	syncStep("end", func(Files) Rewriting { return Rewriting{Claims: map[pawl.ID]Held{1: {}, 2: {}}} }),
	pawl.Complete{IDs: []pawl.ID{1}, Force: true},
}

func syncStep(op pawl.OpID, what func(Files) Rewriting) func(*Store) error {
	return func(s *Store) error {
		_, err := s.Rewrite(context.Background(), Why{By: by, Verb: pawl.VerbSync, OpID: op, Apart: true}, func(f Files) (Rewriting, error) {
			return what(f), nil
		})
		return err
	}
}

// worked is the text of a task on which bob works.
func worked(text []byte) []byte {
	return []byte(strings.Replace(strings.Replace(string(text), `"pending"`, `"in_progress"`, 1), `"owner": ""`, `"owner": "bob"`, 1))
}

// TestSyncSteps is what the workload makes of the board when nothing goes wrong, as
// each process sees it, with an index and without.
func TestSyncSteps(t *testing.T) {
	working(t, syncSteps)
	d := newDisk()
	for i := range steps {
		d.now += 1e9
		if err := apply(simStore(t, d.process()), i); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		lost := *d
		for range 2 {
			tasks := see(t, d)
			one, two := tasks[1].Claim, tasks[2].Claim
			switch i {
			case 2, 3, 4:
				if one.Session != by.Session || !one.Confirmed.Equal(noon) || one.Clone != "" {
					t.Errorf("after step %d, #1 has %+v", i, one)
				}
				if i > 2 && (two != theirs.Claim || tasks[2].Expired != 1 || tasks[2].Owner != "bob" || tasks[9].Subject != "rest") {
					t.Errorf("after step %d, #2 is %+v", i, tasks[2])
				}
			case 5:
				if _, there := tasks[3]; one != theirs.Claim || there {
					t.Errorf("after step %d, #1 has %+v", i, one)
				}
			case 6:
				if two.Clone != "" || two.Session != by.Session || !two.Confirmed.IsZero() {
					t.Errorf("after step %d, #2 has %+v", i, two)
				}
			case 7:
				if tasks[13].Subject != "later" {
					t.Errorf("after step %d, there are %v", i, slices.Sorted(maps.Keys(tasks)))
				}
			case 8:
				if one.Live() || two.Live() || tasks[1].Expired != 0 || tasks[1].Status != pawl.InProgress {
					t.Errorf("after step %d, #1 is %+v", i, tasks[1])
				}
			}
			d.drop(indexName)
			d.drop(logName)
		}
		*d = lost
	}
	s := simStore(t, d.process())
	for op, verb := range map[pawl.OpID]string{"confirm": "sync", "lose": "sync", "step 0": "create"} {
		rev, ran, err := s.Ran(context.Background(), op)
		if err != nil || !ran {
			t.Fatalf("%s: %v, %v", op, ran, err)
		}
		for set, err := range s.Changes(context.Background(), pawl.Span{After: rev - 1, Before: rev + 1}) {
			if err != nil || set.Verb != verb || set.OpID != op {
				t.Errorf("%s is %+v, %v", op, set, err)
			}
		}
	}
	if _, ran, err := s.Ran(context.Background(), "step"); ran || err != nil {
		t.Errorf("something with the op id step: %v", err)
	}
	note := func(op pawl.OpID) pawl.Request {
		return pawl.Request{By: by, ID: op, Op: pawl.AddNote{ID: 1, Text: "x"}}
	}
	two, err := pawl.NewBoard(s).DoAll(context.Background(), note("first"), note("second"))
	must.Do(t, err)
	if rev, _, err := s.Ran(context.Background(), "second"); rev != two[1].Revision || err != nil {
		t.Errorf("the second of two is %d, %v; want %d", rev, err, two[1].Revision)
	}
	before := sets(t, s)
	if err := syncStep("lose", func(Files) Rewriting { t.Error("it ran twice"); return Rewriting{} })(s); err != nil {
		t.Error(err)
	}
	if after := sets(t, s); !slices.Equal(before, after) {
		t.Errorf("history is %v", after)
	}
	if e, ok := mustFail(t, s, pawl.Request{By: by, ID: "lose", Op: create("x")}); !ok {
		t.Errorf("a request with the op id of a sync: %v", e)
	}
}

func mustFail(t *testing.T, s *Store, req pawl.Request) (error, bool) {
	t.Helper()
	_, err := pawl.NewBoard(s).Do(context.Background(), req)
	return err, pawl.KindOf(err) == pawl.Invalid && err != nil
}

// TestSyncCrashes and TestSyncFaults are TestRewriteCrashes and TestRewriteFaults of
// what a sync does.
func TestSyncCrashes(t *testing.T) {
	working(t, syncSteps)
	everyCrash(t)
}

func TestSyncFaults(t *testing.T) {
	working(t, syncSteps)
	everyFault(t)
}

// Claims that cannot be are refused, and nothing is half done.
func TestClaimsThatCannotBe(t *testing.T) {
	for name, held := range map[string]Held{
		"a path for a clone": {Claim: pawl.Claim{Token: 1, Clone: "../x"}},
		"an endless lease":   {Claim: pawl.Claim{Token: 1, Lease: 1 << 62, Until: noon}},
		"no token":           {Claim: pawl.Claim{Session: "s1"}},
		"below zero":         {Expired: -1},
		"far too often":      {Expired: 1 << 40},
	} {
		d := board(t, create("one", "two"))
		was := filesOf(d)
		_, err := simStore(t, d.process()).Rewrite(context.Background(), Why{By: by, Verb: pawl.VerbSync}, func(f Files) (Rewriting, error) {
			return Rewriting{Tasks: map[pawl.ID][]byte{1: worked(f.Tasks[1]), 2: nil}, Claims: map[pawl.ID]Held{1: held}}, nil
		})
		if pawl.KindOf(err) != pawl.Invalid || err == nil || !maps.Equal(was, filesOf(d)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := board(t, create("one", "two"))
	rewrite(t, d, func(f Files) (Rewriting, error) { // of tasks that nobody works on, are damaged or are not there
		return Rewriting{Tasks: map[pawl.ID][]byte{2: []byte("?")}, Claims: map[pawl.ID]Held{1: theirs, 2: theirs, 5: theirs}}, nil
	})
	if tasks := see(t, d); tasks[1].Claim.Live() || tasks[1].Expired != 1 || tasks[2].Claim.Live() || tasks[2].Expired != 0 || len(tasks) != 2 {
		t.Errorf("the board is %+v", tasks)
	}
}

// TestRanTellsTheTruth lets a process die at each call of a rewriting, with and
// without a power cut. Whether it ran is what the board shows, before and after the
// next writer has recovered it.
func TestRanTellsTheTruth(t *testing.T) {
	working(t, syncSteps)
	tr := traceOf(t, sound)
	ran, not := 0, 0
	for step, op := range map[int]pawl.OpID{2: "confirm", 3: "arrive", 5: "lose"} {
		for at := 0; ; at++ {
			d := newDisk()
			for i := range step {
				must.Do(t, apply(simStore(t, d.process()), i))
			}
			start, died := d.calls, false
			d.before = func(call int, _, _ string) error {
				if call-start >= at {
					return errDead
				}
				return nil
			}
			func() {
				defer func() {
					if r := recover(); r == (crash{}) {
						died = true
					} else if r != nil {
						panic(r)
					}
				}()
				_ = apply(simStore(t, d.process()), step)
			}()
			if d.before = nil; !died {
				break
			}
			if at%2 == 0 {
				d.powerCut(rand.New(rand.NewPCG(uint64(at), 1)))
			}
			for range 2 {
				s := simStore(t, d.process())
				_, yes, err := s.Ran(context.Background(), op)
				must.Do(t, err)
				want := tr.states[step]
				if yes {
					want = tr.states[step+1]
					ran++
				} else {
					not++
				}
				if now := state(t, s); now != want {
					t.Fatalf("%s, dead after %d calls: it ran: %v, and the board is\n%s", op, at, yes, now)
				}
				comeBy(t, d)
			}
		}
	}
	if ran < 20 || not < 20 {
		t.Errorf("it had run %d times, and %d times not", ran, not)
	}
}
