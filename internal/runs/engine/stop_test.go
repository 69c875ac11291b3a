package engine

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
)

// at has something happen after some time.
func (w *world) at(after time.Duration, do func()) {
	time.AfterFunc(after, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		do()
	})
}

func long(a *runs.Attempt, turn Turn) act {
	c := good(a, turn)
	c.takes, c.chatty = 20*time.Minute, true
	return c
}

// once fails unless one agent was started, and the task is completed.
func (w *world) once(t *testing.T) {
	t.Helper()
	if task := w.all()[0]; len(w.starts) != 1 || task.Status != pawl.Completed {
		t.Errorf("%d agents were started, and the task is %s, on hold: %+v", len(w.starts), task.Status, task.Hold)
	}
	w.check(t)
}

// What a person asked for holds even if the runner is killed before it is done.
func TestStopThenKilled(t *testing.T) {
	for op, hold := range map[runs.ControlOp]string{runs.StopOne: "it was stopped by ada", runs.Take: ""} {
		in(t, func(t *testing.T, w *world) {
			w.add(pawl.NewTask{Subject: "A"})
			w.acts = long
			w.at(time.Minute, func() { w.ctl = append(w.ctl, runs.Control{Op: op, ID: 1, By: "ada"}) })
			w.dieAt = 10 // the request is recorded as carried out, the end of the agent is not
			if _, err := w.run(usual); !errors.Is(err, errDead) {
				t.Fatal(err)
			}
			if last := w.records[len(w.records)-1]; last.Kind != runs.KindControl {
				t.Fatalf("the last record is %s", last.Kind)
			}
			w.at(time.Minute, func() { w.ctl = append(w.ctl, runs.Control{Op: runs.Drain}) })
			must.Get(w.run(usual))(t)
			task := w.all()[0]
			if got := w.state().Tasks[runs.IdentityOf(&task)].Last().Phase; got != map[runs.ControlOp]runs.Phase{runs.StopOne: runs.Held, runs.Take: runs.Taken}[op] {
				t.Errorf("%s: the attempt is %s", op, got)
			}
			if (task.Hold != nil) != (hold != "") || hold != "" && !strings.HasPrefix(task.Hold.Reason, hold) {
				t.Errorf("%s: the task is on hold: %+v", op, task.Hold)
			}
			w.check(t)
		})
	}
}

// If all is stopped, work that no agent is needed for any more is not thrown away.
func TestStopAllKeeps(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = good
		w.at(30*time.Second, func() { w.dirty = []string{"mine.go"} })
		w.at(2*time.Minute, func() { w.ctl = append(w.ctl, runs.Control{Op: runs.StopAll}) })
		must.Get(w.run(usual))(t)
		w.dirty = nil
		must.Get(w.run(usual))(t)
		w.once(t)
	})
}

// A run that pauses for a person's file says so once, and ends when it may begin nothing
// more: the next one goes on.
func TestDrainPaused(t *testing.T) {
	for name, hinder := range map[string]func(w *world, is bool){
		"changed": func(w *world, is bool) {
			if w.dirty = nil; is {
				w.dirty = []string{"mine.go"}
			}
		},
		"untracked": func(w *world, is bool) { w.inTheWay = is },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.add(pawl.NewTask{Subject: "A"})
				w.acts = good
				began := time.Now()
				w.at(30*time.Second, func() { hinder(w, true) })
				w.at(10*time.Minute, func() { w.ctl = append(w.ctl, runs.Control{Op: runs.Drain}) })
				w.at(time.Hour, func() { hinder(w, false) })
				must.Get(w.run(usual))(t)
				if took := time.Since(began); took > 11*time.Minute {
					t.Errorf("the run ended after %v", took)
				}
				pauses := 0
				for _, line := range w.told {
					if strings.HasPrefix(line, "integration pauses") {
						pauses++
					}
				}
				if pauses != 1 {
					t.Errorf("it says %d times that it pauses: %q", pauses, w.told)
				}
				hinder(w, false)
				must.Get(w.run(usual))(t)
				w.once(t)
				if is := w.state().Paused; len(is) > 0 {
					t.Errorf("it still pauses: %v", is)
				}
			})
		})
	}
}

// A run that is stopped ends even if the board cannot be reached.
func TestStopUnreachable(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = long
		began := time.Now()
		w.refuse = func(pawl.Request) bool { return time.Since(began) > time.Minute }
		w.at(2*time.Minute, func() { w.ctl = append(w.ctl, runs.Control{Op: runs.StopAll}) })
		must.Get(w.run(usual))(t)
		if took := time.Since(began); took > 5*time.Minute {
			t.Errorf("the run ended after %v", took)
		}
		w.refuse = nil
		must.Get(w.run(usual))(t)
		if task := w.all()[0]; task.Status != pawl.Completed {
			t.Errorf("the task is %s", task.Status)
		}
		w.check(t)
	})
}

// A person approves while the board cannot be told yet that the task waits.
func TestApprovedEarly(t *testing.T) {
	for _, op := range []runs.ControlOp{runs.Approve, runs.Retry} {
		in(t, func(t *testing.T, w *world) {
			w.add(pawl.NewTask{Subject: "A"})
			w.acts = good
			began := time.Now()
			w.refuse = func(req pawl.Request) bool {
				return strings.HasSuffix(string(req.ID), ".wait") && time.Since(began) < 5*time.Minute
			}
			w.at(2*time.Minute, func() { w.ctl = append(w.ctl, runs.Control{Op: op, ID: 1}) })
			run := usual
			run.Review = "before-merge"
			must.Get(w.run(run))(t)
			if op == runs.Approve {
				w.once(t)
			} else if len(w.starts) != 2 {
				t.Errorf("%d agents were started, and the task was sent back once", len(w.starts))
			}
		})
	}
}

// A machine that sleeps renews no lease. The agent goes on if nobody else has the task.
func TestSlept(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = func(a *runs.Attempt, turn Turn) act {
			c := long(a, turn)
			c.takes = 50 * time.Minute
			return c
		}
		began := time.Now()
		w.refuse = func(pawl.Request) bool { return time.Since(began) > time.Minute && time.Since(began) < 30*time.Minute }
		run := usual
		run.Limits.Idle = 0
		must.Get(w.run(run))(t)
		w.once(t)
	})
}

// A hold that a killed runner had no time for is put on the task, although its claim has
// ended since.
func TestHeldLate(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = func(a *runs.Attempt, turn Turn) act {
			c := good(a, turn)
			c.tokens = 5000
			return c
		}
		run := usual
		run.Limits.Attempt.Tokens = 1000
		w.dieAt, w.keeps = 10, true
		if _, err := w.run(run); !errors.Is(err, errDead) {
			t.Fatal(err)
		}
		if last := w.records[len(w.records)-1]; last.Attempt == nil || last.Attempt.Phase != runs.Failed {
			t.Fatalf("the last record is %+v", last)
		}
		_ = sleep(t.Context(), 20*time.Minute)
		must.Get(w.run(run))(t)
		if task := w.all()[0]; task.Hold == nil || len(w.starts) != 1 {
			t.Errorf("%d agents were started, and the task is on hold: %+v", len(w.starts), task.Hold)
		}
		w.check(t)
	})
}

// A rate limit holds for the runner after one that was killed.
func TestLimitThenKilled(t *testing.T) {
	s := &runs.State{}
	put := func(r runs.Record) { r.N = s.N + 1; s.Apply(r) }
	run := usual
	put(runs.Record{Kind: runs.KindBegin, Run: &run})
	put(runs.Record{Kind: runs.KindPause, Pause: &runs.Pause{Agent: "bot", Until: time.Now().Add(time.Hour)}})
	put(runs.Record{Kind: runs.KindPause, Pause: &runs.Pause{Why: "changes"}})
	put(runs.Record{Kind: runs.KindBegin, Run: &run})
	if _, agent := s.Paused["bot"]; len(s.Paused) != 1 || !agent {
		t.Errorf("after a kill: %v", s.Paused)
	}
	put(runs.Record{Kind: runs.KindEnd})
	put(runs.Record{Kind: runs.KindBegin, Run: &run})
	if len(s.Paused) != 0 {
		t.Errorf("after an end in order: %v", s.Paused)
	}
}

// An agent changes a hook, and its work waits for approval when the run ends: the next run
// knows.
func TestSharedAtEnd(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = func(a *runs.Attempt, turn Turn) act {
			c := good(a, turn)
			c.asks = func(w *world, _ *runs.Attempt) {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.shared["hooks/pre-commit"] = "2"
			}
			return c
		}
		run := usual
		run.Review = "before-merge"
		must.Get(w.run(run))(t)
		if why := w.state().Paused[""].Why; !strings.Contains(why, "hooks/pre-commit") {
			t.Errorf("integration pauses because of %q", why)
		}
	})
}
