package tui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
)

// ranBefore is what a clone knows of its runs, for tests. It notes what it is asked.
type ranBefore struct {
	mu       sync.Mutex
	status   runs.Status
	ever     bool
	attempts map[runs.Identity][]runs.View
	diff     string
	asked    []runs.Control
	refuses  error
	looks    int
}

func (r *ranBefore) Status() (runs.Status, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks++
	return r.status, r.ever
}

func (r *ranBefore) looked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.looks
}

func (r *ranBefore) Attempts(task runs.Identity) []runs.View {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]runs.View(nil), r.attempts[task]...)
}

func (r *ranBefore) Diff(context.Context, runs.Identity) (string, error) { return r.diff, nil }

func (r *ranBefore) Ask(c runs.Control) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuses != nil {
		return "", r.refuses
	}
	r.asked = append(r.asked, c)
	return "Asked", nil
}

// set changes how the runs stand.
func (r *ranBefore) set(change func(*runs.Status)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.status)
}

// fleet is a board at which a run works, and the run.
func fleet(t *testing.T, story func(p *pilot, r *ranBefore)) {
	fly(t, func(p *pilot) {
		r := &ranBefore{ever: true, attempts: map[runs.Identity][]runs.View{}}
		view := func(id pawl.ID, n int, phase runs.Phase, took, since time.Duration) runs.View {
			task := p.task(id)
			return runs.View{
				ID: id, Task: runs.IdentityOf(&task), Subject: task.Subject, N: n, Of: 3, Phase: phase, Word: phase.Word(), Agent: "claude",
				Took: took, For: since, Branch: "pawl/" + id.String()[1:], Usage: runs.Usage{Tokens: 12_300, Money: 0.24},
			}
		}
		works := view(2, 2, runs.Running, 4*time.Minute, 5*time.Minute)
		works.Doing, works.Near = "edit hook.go\x1b[31m red", "80% of run.timeout is used"
		works.Todos, works.Refused = []runs.Todo{{Content: "Read the hook", Status: "completed"}, {Content: "Try it again\x1b[2J", Status: "in_progress"}}, []string{"Shell curl …"}
		waits := view(3, 1, runs.Waiting, 9*time.Minute, 12*time.Minute)
		waits.Files, waits.Added, waits.Removed = 3, 80, 4
		held := view(4, 3, runs.Held, time.Minute, 0)
		held.Reason, held.Why, held.Check = runs.CheckFailed, "check unit failed twice alike", "unit"
		held.Tail = "--- FAIL: TestAll\n    x_test.go:3: \x1b[2Jwrong\nFAIL\n"
		queued := view(5, 1, runs.Integrating, time.Minute, 3*time.Second)
		failed := view(2, 1, runs.Released, 2*time.Minute, 0)
		failed.Reason, failed.Why, failed.Tail, failed.Ref = runs.CheckFailed, "check unit failed", "FAIL: 1 of 2\n", "refs/pawl/run/2-1/1"
		r.attempts[works.Task] = []runs.View{failed, works}
		r.attempts[held.Task] = []runs.View{held}
		r.status = runs.Status{
			Running: true, ID: "abc", Agent: "claude", Target: "main", Began: p.model.Now().Add(-time.Hour),
			Slots: []runs.Slot{{Slot: 1, Attempt: &works}, {Slot: 2}}, Queue: []runs.View{queued}, Waiting: []runs.View{waits}, Held: []runs.View{held},
			Completed: 2, Working: 1,
			Why: "the ready tasks change the same files as #2", Paused: []runs.Pause{{Why: "git's hooks changed"}},
			Spent: runs.Usage{Tokens: 48_000, Money: 1.5},
		}
		r.diff = "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1 +1,2 @@\n-old\n+new\x1b[2J\n+\ttabbed\n" + strings.Repeat(" more\n", 60)
		p.model.Runs = r
		p.run(p.model.lookAtRuns(runFirst))
		p.sleep(time.Second)
		story(p, r)
	}, plan(task("Set up"), task("Retry hooks"), task("Parse the grammar"), task("Print"), task("Sign"), task("Ship", 2)),
		pawl.ClaimTask{ID: 2}, pawl.PutHold{IDs: []pawl.ID{3}, Reason: "waits for approval of attempt 1: pawl run diff 3, pawl run approve 3"},
		pawl.PutHold{IDs: []pawl.ID{4}, Reason: "check unit failed twice alike: pawl run log 4"})
}

// task is a task as it stands on the board.
func (p *pilot) task(id pawl.ID) (found pawl.Task) {
	p.t.Helper()
	d := must.Get(detailOf(p.t.Context(), p.model.board, p.model.who(), id))(p.t)
	return d.Task
}

func TestRuns(t *testing.T) {
	fleet(t, func(p *pilot, r *ranBefore) {
		p.goldens("runs/lanes")
		p.fits()
		p.size(120, 40)
		p.sees("Run of claude into main", "2 completed, 1 to be integrated, 1 waits for approval, 1 on hold", "Integration pauses: git's hooks changed",
			"Nothing begins: the ready tasks", "attempt 2 of 3, working 4m", `edit hook.go\x1b[31m red`, "waiting for approval 12m", "2 free")
		p.themes("runs/lanes")
		p.open(2)
		p.goldens("runs/detail")
		p.size(120, 40)
		p.sees("Attempts of pawl run", "FAIL: 1 of 2", "refs/pawl/run/2-1/1", "pawl/2")
		p.open(4)
		p.sees(`x_test.go:3: \x1b[2Jwrong`, "check unit failed twice alike")
	})
}

// What a run does shows without a change of the board: within a second while it is at
// work, within five else.
func TestRunsFollowed(t *testing.T) {
	fleet(t, func(p *pilot, r *ranBefore) {
		r.set(func(st *runs.Status) { st.Slots[0].Attempt.Doing = "go test ./..." })
		p.sleep(runAlive + 10*time.Millisecond)
		p.sees("go test ./...")
		r.set(func(st *runs.Status) { *st = runs.Status{ID: "abc", Slots: []runs.Slot{}} })
		p.sleep(runAlive + 10*time.Millisecond)
		p.seesNot("Run of claude", "No run is at work", "attempt 2 of 3")
		looks := r.looked()
		p.sleep(time.Minute)
		if looks = r.looked() - looks; looks > 13 {
			t.Errorf("%d looks in a minute without a run", looks)
		}
	})
}

// Without a run in this clone there is nothing to see, and no key does anything.
func TestNoRuns(t *testing.T) {
	fly(t, func(p *pilot) {
		r := &ranBefore{}
		p.model.Runs = r
		p.run(p.model.lookAtRuns(runFirst))
		p.sleep(time.Second)
		p.seesNot("run")
		p.press("A")
		p.sees("A does nothing here")
	}, plan(task("Set up")))
}

func TestRunKeys(t *testing.T) {
	fleet(t, func(p *pilot, r *ranBefore) {
		waits, works := r.status.Waiting[0].Task, r.status.Slots[0].Attempt.Task
		last := func(want runs.Control) {
			t.Helper()
			want.By = me.Name
			if n := len(r.asked); n == 0 || r.asked[n-1] != want {
				t.Fatalf("the run was asked %+v, want %+v", r.asked, want)
			}
		}
		p.at(1)
		p.press("A")
		p.sees("#3 Parse the grammar waits for approval; A approves it")
		p.press("A")
		p.goldens("runs/approve")
		p.size(120, 40)
		p.press("esc")
		if len(r.asked) > 0 {
			t.Fatalf("the run was asked %+v before y", r.asked)
		}
		p.press("A", "y")
		p.sees("Asked")
		last(runs.Control{Op: runs.Approve, ID: 3, Task: waits})
		p.press("R", "enter")
		p.sees("The text is empty")
		p.write("use the old API")
		p.press("enter")
		last(runs.Control{Op: runs.Retry, ID: 3, Task: waits, Text: "use the old API"})
		p.at(4)
		p.press("R", "enter") // a remark is not needed here
		last(runs.Control{Op: runs.Retry, ID: 4, Task: r.status.Held[0].Task})
		p.at(2)
		p.press("S", "y")
		last(runs.Control{Op: runs.StopOne, ID: 2, Task: works})
		p.press("V")
		p.goldens("runs/diff")
		p.size(120, 40)
		p.sees(`+new\x1b[2J`, "+    tabbed")
		p.press("end", "esc")
		asked := len(r.asked)
		p.at(5)
		p.press("S")
		p.sees("No agent is at work on #5 Sign: the attempt is integrating")
		p.at(3)
		r.refuses = errors.New("approving is for a person")
		p.press("A", "y")
		p.sees("pproving is for a person")
		p.press("R")
		p.write("again")
		p.press("enter", "R")
		p.sees("again") // what was written is kept
		if len(r.asked) != asked {
			t.Errorf("the run was asked %+v", r.asked[asked:])
		}
	})
}
