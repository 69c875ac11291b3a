package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// renumber gives a task another number, in one commit as a merge of boards does.
func (w *world) renumber(from, to pawl.ID) {
	for _, t := range w.all() {
		if t.ID != from {
			continue
		}
		ada := pawl.Actor{Name: "ada"}
		_, err := w.board.DoAll(context.Background(), 0,
			pawl.Request{By: ada, Op: pawl.Delete{IDs: []pawl.ID{from}, Force: true}},
			pawl.Request{By: ada, Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: t.Subject}, ID: to, Was: append(slices.Clone(t.Was), from), CreatedAt: t.CreatedAt}}}})
		if err != nil {
			w.t.Error(err)
		}
	}
}

// TestRenumbered has a merge give the task another number while its agent works.
func TestRenumbered(t *testing.T) {
	for name, review := range map[string]string{"at once": "none", "with approval": "before-merge"} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.add(pawl.NewTask{Subject: "A"})
				w.acts = func(a *runs.Attempt, turn Turn) act {
					c := good(a, turn)
					c.asks = func(w *world, a *runs.Attempt) { w.renumber(1, 9) }
					return c
				}
				run := usual
				run.Review = review
				must.Get(w.run(run))(t)
				if review != "none" {
					if task := w.all()[0]; task.Hold == nil || !strings.Contains(task.Hold.Reason, "pawl run approve 9") {
						t.Fatalf("%v is on hold because of %+v", task.ID, task.Hold)
					}
					w.renumber(9, 12)
					// The hold is not brought along; a person approves anyway.
					w.ctl = append(w.ctl, runs.Control{Op: runs.Approve, ID: 12, Task: runs.IdentityOf(&w.all()[0])})
					must.Get(w.run(run))(t)
				}
				for _, task := range w.all() {
					if task.Status != pawl.Completed {
						t.Errorf("%v is %s", task.ID, task.Status)
					}
					if n := len(w.state().Tasks[runs.IdentityOf(&task)].Attempts); n != 1 {
						t.Errorf("%d attempts are known of %v", n, task.ID)
					}
				}
				w.check(t)
			})
		})
	}
}

// movedBefore is a merger that has moved each task before any caller here began, and tells each
// once.
type movedBefore struct {
	query.Merger
	told map[pawl.Actor]bool
}

func (movedBefore) Before(context.Context, pawl.Actor) *merge.Outcome { return nil }

func (m movedBefore) Tell(by pawl.Actor, moved []merge.Moved) {
	if len(moved) > 0 {
		m.told[by] = true
	}
}

func (m movedBefore) Stale(by pawl.Actor, numbers []pawl.ID) (moved []merge.Moved) {
	for _, id := range numbers {
		if m.told[by] {
			break
		}
		moved = append(moved, merge.Moved{Named: merge.Named{ID: id + 100}, From: id, Side: merge.Ours})
	}
	return moved
}

// A run reads which task has a number before it names that: an attempt at a task whose number was
// another one's is not refused as one that remembers the other.
func TestNumbersMovedBefore(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		m := movedBefore{told: map[pawl.Actor]bool{}}
		w.board = query.Local(pawl.NewBoard(memory.New()), query.Merging(m))
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = good
		must.Get(w.run(usual))(t)
		for _, task := range w.all() {
			if n := len(w.state().Tasks[runs.IdentityOf(&task)].Attempts); task.Status != pawl.Completed || n != 1 {
				t.Errorf("%v is %s after %d attempts", task.ID, task.Status, n)
			}
		}
		if len(m.told) > 0 {
			t.Errorf("refused were %v", m.told)
		}
	})
}

// TestDeleted has a person delete the task while its agent works.
func TestDeleted(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = func(a *runs.Attempt, turn Turn) act {
			c := good(a, turn)
			c.asks = func(w *world, a *runs.Attempt) {
				_, _ = w.board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Delete{IDs: []pawl.ID{a.ID}, Force: true}}, 0)
			}
			return c
		}
		must.Get(w.run(usual))(t)
		if got := w.commits[w.branches["refs/heads/main"]].files; len(got) != 1 {
			t.Errorf("main has %v", got)
		}
		w.check(t)
	})
}

// An agent that a new runner adopts has worked while nobody looked: it is not ended for
// what was not seen.
func TestAdoptedProgress(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"})
		w.acts = func(a *runs.Attempt, turn Turn) act {
			c := good(a, turn)
			c.takes, c.chatty = 40*time.Minute, true
			return c
		}
		run := usual
		w.dieAfter(run, 25*time.Minute)
		must.Do(t, sleep(t.Context(), 10*time.Minute))
		must.Get(w.run(run))(t)
		if n := len(w.starts); n != 1 || w.all()[0].Status != pawl.Completed {
			t.Errorf("%d agents were started, and the task is %s", n, w.all()[0].Status)
		}
		w.check(t)
	})
}

// dieAfter kills a runner after some time.
func (w *world) dieAfter(run runs.Run, after time.Duration) {
	time.AfterFunc(after, func() {
		w.mu.Lock()
		w.dead = true
		w.ctl = append(w.ctl, runs.Control{Op: runs.Retry, ID: 99}) // it notices when it writes a record
		w.mu.Unlock()
	})
	if _, err := w.run(run); !errors.Is(err, errDead) {
		w.t.Fatalf("the runner ended by itself: %v", err)
	}
}

// When the run has used what it may, no other task begins only to be stopped.
func TestRunLimit(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.add(pawl.NewTask{Subject: "A"}, pawl.NewTask{Subject: "B"}, pawl.NewTask{Subject: "C"})
		w.acts = func(a *runs.Attempt, turn Turn) act {
			c := good(a, turn)
			c.tokens = 5000
			return c
		}
		run := usual
		run.Slots, run.Limits.Run.Tokens = 1, 1000
		must.Get(w.run(run))(t)
		if len(w.starts) != 1 {
			t.Errorf("agents were started: %v", w.starts)
		}
		for _, task := range w.all()[1:] {
			if task.Hold != nil {
				t.Errorf("%v is on hold: %s", task.ID, task.Hold.Reason)
			}
		}
		w.check(t)
	})
}

// The limits of a run count what it used before its runner was killed. A run that ended in
// order is over: the next one begins at zero.
func TestRunLimitGoesOn(t *testing.T) {
	for _, killed := range []bool{true, false} {
		in(t, func(t *testing.T, w *world) {
			w.add(pawl.NewTask{Subject: "A"}, pawl.NewTask{Subject: "B"}, pawl.NewTask{Subject: "C"})
			w.acts = func(a *runs.Attempt, turn Turn) act {
				c := good(a, turn)
				if c.tokens = 900; a.ID > 1 {
					c.takes, c.chatty, c.tokens = 20*time.Minute, true, 50
				}
				return c
			}
			run := usual
			run.Slots, run.Limits.Run.Tokens = 1, 1000
			if killed {
				w.dieAfter(run, 5*time.Minute) // B is at work
			} else {
				first := run
				first.Once = true
				must.Get(w.run(first))(t)
			}
			must.Get(w.run(run))(t)
			if last := w.all()[2]; (last.Hold != nil && strings.HasPrefix(last.Hold.Reason, "the run has used")) != killed {
				t.Errorf("killed %v: the last task is %s, on hold: %+v", killed, last.Status, last.Hold)
			}
			w.check(t)
		})
	}
}
