package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
)

var histories = flag.Int("histories", 20, "random runs with crashes")

var usual = runs.Run{
	ID: "r1", Agent: "bot", Slots: 2, Target: "refs/heads/main", Review: "none", Merge: "squash",
	Limits: runs.Limits{Attempts: 3, Attempt: runs.Limit{Time: time.Hour}, Idle: 10 * time.Minute},
}

func good(a *runs.Attempt, _ Turn) act {
	return act{takes: time.Minute, write: map[string]string{fmt.Sprintf("f%d", a.ID): "work"}}
}

// in plays a world whose clock is the bubble's.
func in(t *testing.T, play func(*testing.T, *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		play(t, newWorld(t))
	})
}

func TestAllDone(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Ref: "a", Subject: "A"}, pawl.NewTask{Ref: "b", Subject: "B", BlockedBy: []pawl.Ref{pawl.RefName("a")}}, pawl.NewTask{Subject: "C"})
		w.acts = good
		ended := must.Get(w.run(usual))(t)
		if ended.Why == nil || ended.Why.Kind != pawl.Idle {
			t.Errorf("ended because of %v, not for all is done", ended.Why)
		}
		for _, task := range w.all() {
			if task.Status != pawl.Completed {
				t.Errorf("%v is %s", task.ID, task.Status)
			}
		}
		if got := w.commits[w.branches["refs/heads/main"]].files; len(got) != 4 {
			t.Errorf("main has %v", got)
		}
		if len(w.trees) != 0 {
			t.Errorf("work trees are left: %v", w.trees)
		}
	})
}

// outcomes says for each task what its attempts do, and how the task ends.
func TestOutcomes(t *testing.T) {
	repaired := func(first act) func(a *runs.Attempt, turn Turn) act {
		return func(a *runs.Attempt, turn Turn) act {
			if a.N == 1 {
				return first
			}
			return act{takes: time.Minute, write: map[string]string{"f": fmt.Sprintf("work %d", a.N)}}
		}
	}
	tests := []struct {
		name     string
		acts     func(a *runs.Attempt, turn Turn) act
		run      func(*runs.Run)
		status   pawl.Status
		hold     string
		attempts int
	}{
		{"works", good, nil, pawl.Completed, "", 1},
		{"check fails once", repaired(act{write: map[string]string{"f": "bad"}}), nil, pawl.Completed, "", 2},
		{"check fails alike", func(*runs.Attempt, Turn) act { return act{write: map[string]string{"f": "bad"}} }, nil, pawl.Pending, "two attempts in a row failed alike: tests failed", 2},
		{"no work", func(*runs.Attempt, Turn) act { return act{takes: time.Second} }, nil, pawl.Pending, "two attempts in a row failed alike: the agent ended without", 2},
		{"exits with an error", repaired(act{exit: true}), nil, pawl.Completed, "", 2},
		{"is cut off", repaired(act{cut: true}), func(r *runs.Run) { r.Limits.Attempts = 1 }, pawl.Completed, "", 2},
		{"hangs", repaired(act{hangs: true}), nil, pawl.Completed, "", 2},
		{"talks without work", func(*runs.Attempt, Turn) act { return act{hangs: true, chatty: true} }, nil, pawl.Pending, "two attempts in a row failed alike: the agent changed neither", 2},
		{"takes too long", func(*runs.Attempt, Turn) act { return act{takes: 5 * time.Hour, chatty: true} }, func(r *runs.Run) { r.Limits.Idle = 0 }, pawl.Pending, "the attempt has used its time of 1h0m0s", 1},
		{"costs too much", func(*runs.Attempt, Turn) act { return act{takes: time.Minute, tokens: 5000} }, func(r *runs.Run) { r.Limits.Attempt.Tokens = 1000 }, pawl.Pending, "the attempt has used 5000 model tokens of 1000", 1},
		{"removes its tree", repaired(act{removes: true, write: map[string]string{"f": "half"}}), nil, pawl.Completed, "", 2},
		{"is held by its agent", func(*runs.Attempt, Turn) act { return act{holds: "which colour?"} }, nil, pawl.Pending, "which colour?", 1},
		{"claims to be done", func(a *runs.Attempt, turn Turn) act {
			c := good(a, turn)
			c.done = true
			return c
		}, nil, pawl.Completed, "", 1},
		{"is done falsely", func(*runs.Attempt, Turn) act { return act{done: true} }, nil, pawl.Pending, "two attempts in a row failed alike", 2},
		{"rate limit", repaired(act{limited: true}), nil, pawl.Completed, "", 2},
		{"review", good, func(r *runs.Run) { r.Review = "before-merge" }, pawl.Pending, "waits for approval of attempt 1", 1},
		{"branch", good, func(r *runs.Run) { r.Merge = "branch" }, pawl.Pending, "waits for approval of attempt 1: it is on pawl/1-t", 1},
		{"none", good, func(r *runs.Run) { r.Merge = "none" }, pawl.Pending, "waits for approval of attempt 1: its work is on pawl/1-t", 1},
		{"another one takes it", func(*runs.Attempt, Turn) act {
			return act{takes: 10 * time.Minute, chatty: true, write: map[string]string{"f": "work"}, asks: func(w *world, a *runs.Attempt) {
				_, _ = w.board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "eve"}, Op: pawl.ClaimTask{ID: a.ID, Force: true}}, 0)
			}}
		}, nil, pawl.InProgress, "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.noisy = true
				w.add(pawl.NewTask{Subject: "T"})
				w.acts = test.acts
				run := usual
				if test.run != nil {
					test.run(&run)
				}
				must.Get(w.run(run))(t)
				task := w.all()[0]
				hold := ""
				if task.Hold != nil {
					hold = task.Hold.Reason
				}
				if task.Status != test.status || !strings.HasPrefix(hold, test.hold) || (hold == "") != (test.hold == "") {
					t.Errorf("the task is %s, on hold: %q; want %s, %q", task.Status, hold, test.status, test.hold)
				}
				s := w.state()
				if got := len(s.Tasks[runs.IdentityOf(&task)].Attempts); got != test.attempts {
					t.Errorf("%d attempts, want %d", got, test.attempts)
				}
				w.check(t)
			})
		})
	}
}

// TestMergedSetup has the set-up fail on the merged files, once and each time.
func TestMergedSetup(t *testing.T) {
	for fails, want := range map[int]pawl.Status{1: pawl.Completed, 9: pawl.Pending} {
		in(t, func(t *testing.T, w *world) {
			w.add(pawl.NewTask{Subject: "A"})
			w.acts, w.setups = good, fails
			must.Get(w.run(usual))(t)
			task := w.all()[0]
			if task.Status != want || want == pawl.Pending && (task.Hold == nil || !strings.HasPrefix(task.Hold.Reason, "two attempts in a row failed alike: the set-up of the merged files failed")) {
				t.Errorf("after %d failures the task is %s, on hold: %+v", fails, task.Status, task.Hold)
			}
			w.check(t)
		})
	}
}

// TestOthers has an agent elsewhere work on a task, and vanish: the run waits, and does it.
func TestOthers(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"}, pawl.NewTask{Subject: "B"})
		eve := pawl.Actor{Name: "eve", Session: "s"}
		must.Get(w.board.Do(t.Context(), pawl.Request{By: eve, Op: pawl.ClaimTask{ID: 2, Lease: pawl.Duration(10 * time.Minute)}}, 0))(t)
		w.acts = good
		began := time.Now()
		must.Get(w.run(usual))(t)
		if took := time.Since(began); w.all()[1].Open() || took < 10*time.Minute {
			t.Errorf("after %v the task of the other agent is %s", took, w.all()[1].Status)
		}
		w.check(t)
	})
}

// TestFaultPasses has git fail for a while when the agent has ended: its work is kept, and
// no other attempt is needed.
func TestFaultPasses(t *testing.T) {
	for faults, want := range map[int]int{2: 1, 6: 2} {
		in(t, func(t *testing.T, w *world) {
			w.faults = faults
			w.add(pawl.NewTask{Subject: "T"})
			w.acts = good
			must.Get(w.run(usual))(t)
			task := w.all()[0]
			if got := len(w.state().Tasks[runs.IdentityOf(&task)].Attempts); task.Status != pawl.Completed || got != want {
				t.Errorf("after %d faults the task is %s, with %d attempts, not %d", faults, task.Status, got, want)
			}
			if want == 1 {
				w.check(t)
			}
		})
	}
}

// TestHistory says what gets into the target's history of attempts: one commit, or the
// agent's own commits if these are to be kept and each is good.
func TestHistory(t *testing.T) {
	good1, good2, bad := map[string]string{"a": "1"}, map[string]string{"b": "2"}, map[string]string{"a": "bad"}
	one := []string{"T\n\nPawl-Task: 1\nPawl-Check: go test ./...\nAssisted-by: bot\n"}
	tests := []struct {
		name string
		keep bool
		act  act
		want []string // messages, the newest first; empty: an agent's
	}{
		{"own commits", false, act{commits: []map[string]string{good1, good2}}, one},
		{"leftovers", false, act{write: good1}, one},
		{"kept", true, act{commits: []map[string]string{good1, good2}}, []string{"", ""}},
		{"a bad step", true, act{commits: []map[string]string{bad, good1}}, one},
		{"leftovers behind own commits", true, act{commits: []map[string]string{good1}, write: good2}, one},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.add(pawl.NewTask{Subject: "T"})
				w.passes = func() []string { return []string{"go test ./..."} }
				test.act.takes = time.Minute
				w.acts = func(*runs.Attempt, Turn) act { return test.act }
				run := usual
				if test.keep {
					run.Merge = "keep"
				}
				begin := w.branches["refs/heads/main"]
				must.Get(w.run(run))(t)
				var got []string
				for at := w.branches["refs/heads/main"]; at != begin; at = w.commits[at].parent {
					got = append(got, w.commits[at].message)
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("main got %q, want %q", got, test.want)
				}
				w.check(t)
			})
		})
	}
}

// TestOtherChecks has a task get another check while it is integrated: the commit names
// those that have passed on it.
func TestOtherChecks(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "T"})
		ran := 0
		w.passes = func() []string { ran++; return []string{fmt.Sprint("check ", min(ran, 2))} }
		w.acts = good
		must.Get(w.run(usual))(t)
		if got := w.commits[w.branches["refs/heads/main"]].message; !strings.Contains(got, "Pawl-Check: check 2\n") || ran != 3 {
			t.Errorf("after %d runs of checks the commit says %q", ran, got)
		}
		w.check(t)
	})
}

// TestConflict has agents write one file: each line must be there in the end.
func TestConflict(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		for i := range 8 {
			w.add(pawl.NewTask{Subject: fmt.Sprint("T", i)})
		}
		w.acts = func(a *runs.Attempt, _ Turn) act {
			return act{takes: time.Minute + time.Duration(a.ID)*time.Millisecond, add: map[string]string{"shared": fmt.Sprintf("line %d\n", a.ID)}}
		}
		run := usual
		run.Slots = 8
		run.Limits.Attempts = 0
		// Two conflicts in a row put a task on hold; a person lets it go on.
		for range 8 {
			must.Get(w.run(run))(t)
			for _, task := range w.all() {
				if task.Hold != nil {
					w.ctl = append(w.ctl, runs.Control{Op: runs.Retry, ID: task.ID})
				}
			}
		}
		text := w.commits[w.branches["refs/heads/main"]].files["shared"]
		for i := range 8 {
			if !strings.Contains(text, fmt.Sprintf("line %d\n", i+1)) {
				t.Errorf("line %d is lost: %q", i+1, text)
			}
		}
		w.check(t)
	})
}

// TestRandom kills the runner at random records, of random plans and outcomes.
func TestRandom(t *testing.T) {
	for seed := range *histories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) { w.history(t, rand.New(rand.NewPCG(uint64(seed), 1))) })
		})
	}
}

// TestKilledEverywhere kills the runner at each record of one plan, before and after the
// record is written.
func TestKilledEverywhere(t *testing.T) {
	for n := 1; ; n++ {
		over := false
		for _, keeps := range []bool{false, true} {
			in(t, func(t *testing.T, w *world) {
				w.add(pawl.NewTask{Ref: "a", Subject: "A"}, pawl.NewTask{Subject: "B", BlockedBy: []pawl.Ref{pawl.RefName("a")}})
				w.acts = func(a *runs.Attempt, turn Turn) act {
					if a.ID == 1 && a.N == 1 {
						return act{takes: time.Minute, write: map[string]string{"f1": "bad"}}
					}
					return good(a, turn)
				}
				w.dieAt, w.keeps = n, keeps
				_, err := w.run(usual)
				if err == nil {
					over = true
				} else if _, err := w.run(usual); err != nil {
					t.Fatal(err)
				}
				for _, task := range w.all() {
					if task.Status != pawl.Completed {
						t.Errorf("killed at record %d (written: %t): %v is %s", n, keeps, task.ID, task.Status)
					}
				}
				w.check(t)
			})
		}
		if over {
			if n < 30 {
				t.Errorf("only %d records: the test has become weak", n)
			}
			return
		}
	}
}

// TestApprovedKilled kills the runner at each record after a person has approved, while
// another agent asks for the task all the time: it never gets it, and the work goes in once.
func TestApprovedKilled(t *testing.T) {
	for n := 1; ; n++ {
		over := false
		in(t, func(t *testing.T, w *world) {
			eve := func(when string) {
				for _, op := range []pawl.Op{pawl.LiftHold{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 1}} {
					if _, err := w.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "eve", Session: "s"}, Op: op}, 0); err == nil && w.all()[0].Owner == "eve" {
						t.Errorf("killed at record %d, %s another agent got the task: %+v", n, when, op)
					}
				}
			}
			w.add(pawl.NewTask{Subject: "T"})
			w.acts = good
			run := usual
			run.Review = "before-merge"
			must.Get(w.run(run))(t)
			eve("waiting,")
			w.ctl = append(w.ctl, runs.Control{Op: runs.Approve, ID: 1})
			w.dieAt = len(w.records) + n
			if _, err := w.run(run); err == nil {
				over = true
			} else {
				eve("killed,")
				must.Get(w.run(run))(t)
			}
			if task := w.all()[0]; task.Open() || w.merges != 1 {
				t.Errorf("killed at record %d it is %s, with %d merges", n, task.Status, w.merges)
			}
			w.check(t)
		})
		if over {
			if n < 7 {
				t.Errorf("only %d records: the test has become weak", n)
			}
			return
		}
	}
}

// TestTakenBeforeApproval has a person take a task by force while its approval is open:
// what was approved later does not get into the target.
func TestTakenBeforeApproval(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "T"})
		w.acts = good
		run := usual
		run.Review = "before-merge"
		must.Get(w.run(run))(t)
		must.Get(w.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.ClaimTask{ID: 1, Force: true}}, 0))(t)
		w.ctl = append(w.ctl, runs.Control{Op: runs.Approve, ID: 1})
		must.Get(w.run(run))(t)
		if task := w.all()[0]; task.Owner != "ada" || w.merges != 0 {
			t.Errorf("it is %s of %q, with %d merges", task.Status, task.Owner, w.merges)
		}
		w.check(t)
	})
}

// history plays one random plan until all is done or held.
func (w *world) history(t *testing.T, rnd *rand.Rand) {
	n := 2 + rnd.IntN(5)
	var tasks []pawl.NewTask
	for i := range n {
		task := pawl.NewTask{Ref: fmt.Sprint(i), Subject: fmt.Sprint("T", i)}
		if i > 0 && rnd.IntN(3) == 0 {
			task.BlockedBy = []pawl.Ref{pawl.RefName(fmt.Sprint(rnd.IntN(i)))}
		}
		tasks = append(tasks, task)
	}
	w.add(tasks...)
	w.acts = func(a *runs.Attempt, turn Turn) act {
		c := good(a, turn)
		c.takes = time.Duration(1+rnd.IntN(300)) * time.Second
		switch rnd.IntN(14) {
		case 0:
			c.write[fmt.Sprintf("f%d", a.ID)] = "bad"
		case 1:
			c.write = nil
		case 2:
			c.exit = true
		case 3:
			c.hangs = true
		case 4:
			c.removes = true
		case 5:
			c.holds = "help"
		case 6:
			c.done = true
		case 7:
			c.limited = true
		case 10:
			c.cut = true
		case 8, 9:
			c.add = map[string]string{"shared": fmt.Sprintf("line %d of %d\n", a.N, a.ID)}
		}
		return c
	}
	run := usual
	run.Slots = 1 + rnd.IntN(3)
	for range 12 {
		w.dieAt, w.keeps = len(w.records)+1+rnd.IntN(60), rnd.IntN(2) == 0
		run.ID = fmt.Sprint("r", len(w.records))
		_, err := w.run(run)
		if err != nil && !errors.Is(err, errDead) {
			t.Fatal(err)
		}
		if err == nil {
			break
		}
		if rnd.IntN(4) == 0 {
			time.Sleep(time.Duration(rnd.IntN(40)) * time.Minute) // leases end
		}
	}
	w.dieAt = 0
	must.Get(w.run(run))(t)
	open := map[pawl.ID]bool{}
	for _, task := range w.all() {
		open[task.ID] = task.Open()
	}
	for _, task := range w.all() {
		if task.Open() && task.Hold == nil && len(task.BlockedBy) == 0 {
			t.Errorf("%v is neither completed nor on hold: %s of %q", task.ID, task.Status, task.Owner)
		}
	}
	if w.most > run.Slots {
		t.Errorf("%d agents at once, with %d slots", w.most, run.Slots)
	}
	w.check(t)
}

// check holds the world to what must always be so.
func (w *world) check(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	main := w.branches["refs/heads/main"]
	s := &runs.State{}
	for _, r := range w.records {
		s.Apply(r)
	}
	for at := main; at != ""; at = w.commits[at].parent {
		if c := w.commits[at]; c.message == "left" || w.broken(c.files, 0) != "" {
			t.Errorf("main has the commit %s %q, which no check has passed on: %v", at, c.message, c.files)
		}
	}
	for id, work := range s.Tasks {
		completed := 0
		for _, a := range work.Attempts {
			k := a.Key.String()
			if w.starts[k] > 1 {
				t.Errorf("%s was started %d times", k, w.starts[k])
			}
			if p := w.procs[k]; p != nil && p.ended && len(p.act.write) > 0 && p.why == "" && a.Phase != runs.Taken {
				tip := w.refs[a.Ref()]
				for name, text := range p.act.write {
					if w.commits[tip].files[name] != text {
						t.Errorf("%s wrote %s, and its ref has %q", k, name, w.commits[tip].files[name])
					}
				}
			}
			if a.Phase == runs.Completed {
				completed++
				if !w.ancestor(a.Commit, main) {
					t.Errorf("%s is completed, and main has not its commit %s", k, a.Commit)
				}
				if why := w.broken(w.commits[a.Commit].files, a.ID); why != "" {
					t.Errorf("%s is completed, and its checks fail: %s", k, why)
				}
			}
		}
		if completed > 1 {
			t.Errorf("%s was completed %d times", id, completed)
		}
	}
	for k, p := range w.procs {
		if !p.ended {
			t.Errorf("the program of %s still runs", k)
		}
	}
}
