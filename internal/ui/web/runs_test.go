package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/store/memory"
)

// fakeRuns is what a clone knows of its runs. It notes what it is asked.
type fakeRuns struct {
	mu       sync.Mutex // of status
	status   runs.Status
	ever     bool
	attempts map[runs.Identity][]runs.View
	diff     string
	asked    []runs.Control
}

func (r *fakeRuns) Status() (runs.Status, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status, r.ever
}

// set changes the status. What it had pointed to must stay as it is.
func (r *fakeRuns) set(change func(*runs.Status)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.status)
}

func (r *fakeRuns) Attempts(task runs.Identity) []runs.View             { return r.attempts[task] }
func (r *fakeRuns) Diff(context.Context, runs.Identity) (string, error) { return r.diff, nil }

func (r *fakeRuns) Ask(c runs.Control) (string, error) {
	r.asked = append(r.asked, c)
	return "Approved attempt 1 at #1", nil
}

// runSite has #1, at which an attempt waits for approval, and #2, at which one works.
func runSite(t *testing.T) (*site, *fakeRuns) {
	t.Helper()
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(`{"op":"create","tasks":[{"subject":"Set up"},{"subject":"Parse"},{"subject":"Untried"}]}`)
	r := &fakeRuns{ever: true, attempts: map[runs.Identity][]runs.View{}, diff: "+<b>bold</b>\x1b[31m\n"}
	view := func(id int, phase runs.Phase) runs.View {
		found := get[detailJSON](s, "tasks/"+string(rune('0'+id)))
		at := must.Get(time.Parse(time.RFC3339Nano, string(found.Task.CreatedAt)))(t)
		task := pawl.Task{ID: pawl.ID(id), CreatedAt: at}
		return runs.View{ID: task.ID, Task: runs.IdentityOf(&task), Subject: found.Task.Subject, N: 2, Of: 3, Phase: phase, Word: phase.Word(), Agent: "claude", Took: 4 * time.Minute}
	}
	waits, works := view(1, runs.Waiting), view(2, runs.Running)
	works.Doing = "<i>edit</i>"
	failed := waits
	failed.N, failed.Phase, failed.Reason, failed.Tail = 1, runs.Released, runs.CheckFailed, "FAIL"
	stale := works
	stale.Doing = ""
	r.attempts[waits.Task], r.attempts[works.Task] = []runs.View{failed, waits}, []runs.View{stale}
	r.status = runs.Status{
		Running: true, Now: time.Now(), ID: "abc", Agent: "claude", Target: "main", Slots: []runs.Slot{{Slot: 1, Attempt: &works}, {Slot: 2}}, Waiting: []runs.View{waits},
		Paused: []runs.Pause{{Why: "git's hooks changed"}}, Why: "no slot is free",
	}
	s.Runs = r
	return s, r
}

func TestRun(t *testing.T) {
	s, r := runSite(t)
	st := get[runJSON](s, "run").Status
	if st == nil || !st.Running || len(st.Slots) != 2 || st.Slots[0].Attempt.Doing != "<i>edit</i>" || len(st.Waiting) != 1 || st.Pauses[0].Why != "git's hooks changed" {
		t.Fatalf("%+v", st)
	}
	all := get[attemptsJSON](s, "tasks/1/attempts").Attempts
	if len(all) != 2 || all[0].Tail != "FAIL" || all[1].Phase != "waiting" {
		t.Errorf("%+v", all)
	}
	if all := get[attemptsJSON](s, "tasks/2/attempts").Attempts; len(all) != 1 || all[0].Doing != "<i>edit</i>" {
		t.Errorf("what it does now: %+v", all)
	}
	if all := get[attemptsJSON](s, "tasks/3/attempts").Attempts; len(all) != 0 {
		t.Errorf("%+v", all)
	}
	s.fails(http.StatusNotFound, "GET", "tasks/9/attempts", "")
	if d := get[attemptDiffJSON](s, "tasks/1/diff"); d.Diff != r.diff || d.Cut {
		t.Errorf("%+v", d)
	}
	r.diff = strings.Repeat("+ünd\n", maxDiff)
	if d := get[attemptDiffJSON](s, "tasks/1/diff"); len(d.Diff) > maxDiff || !d.Cut {
		t.Errorf("%d bytes, cut: %v", len(d.Diff), d.Cut)
	}
}

// A person steers a run. A reader and an agent's token do not, nor where there is no clone.
func TestAskRun(t *testing.T) {
	s, r := runSite(t)
	task := string(r.status.Waiting[0].Task)
	w := s.send("POST", "run", `{"ask":"retry","task":"`+task+`","text":"use the old API"}`)
	if want := (runs.Control{Op: runs.Retry, Task: runs.Identity(task), Text: "use the old API", By: "ada"}); w.Code != http.StatusOK || len(r.asked) != 1 || r.asked[0] != want {
		t.Fatalf("%d %s; asked %+v", w.Code, w.Body, r.asked)
	}
	s.fails(http.StatusBadRequest, "POST", "run", `{"ask":"take","task":"`+task+`"}`)
	s.fails(http.StatusBadRequest, "POST", "run", `{"ask":"approve","task":"`+task+`","text":"so"}`)
	s.fails(http.StatusBadRequest, "POST", "run", `{"ask":"retry","task":"`+task+`","text":"`+strings.Repeat("x", pawl.MaxNote+1)+`"}`)
	for _, who := range []visitor{{Role: access.Read, Person: true}, {Role: access.Work}, {Role: access.Admin}, {}} {
		req := must.Get(http.NewRequest("POST", "/api/v1/run", strings.NewReader(`{"ask":"approve","task":"`+task+`"}`)))(t)
		if _, err := (&visit{s.Server, who}).askRun(nil, req); err == nil {
			t.Errorf("%+v has approved", who)
		}
	}
	if len(r.asked) != 1 {
		t.Errorf("asked %+v", r.asked)
	}
	s.Runs = nil
	if st := get[runJSON](s, "run").Status; st != nil {
		t.Errorf("without a clone: %+v", st)
	}
	s.fails(http.StatusNotFound, "POST", "run", `{"ask":"approve","task":"`+task+`"}`)
	s.fails(http.StatusNotFound, "GET", "tasks/1/attempts", "")
}

// The stream tells of a run when it stands otherwise, and not because time goes by.
func TestRunEvents(t *testing.T) {
	s, r := runSite(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		f := &feed{server: s.Server, more: make(chan struct{})}
		go f.watchRuns(ctx)
		told := func(want uint64, when string) {
			t.Helper()
			synctest.Wait()
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.next != want {
				t.Errorf("%s: told %d times, want %d", when, f.next, want)
			}
		}
		longer := func(by time.Duration) {
			r.set(func(st *runs.Status) {
				v := *st.Slots[0].Attempt
				v.Took += by
				st.Slots = []runs.Slot{{Slot: 1, Attempt: &v}, {Slot: 2}}
			})
		}
		longer(time.Second)
		time.Sleep(10*runAlive + time.Millisecond)
		told(0, "a second more")
		longer(time.Minute)
		time.Sleep(runAlive)
		told(1, "a minute more")
		r.set(func(st *runs.Status) { st.Why = "other" })
		time.Sleep(runAlive)
		told(2, "another reason")
		r.set(func(st *runs.Status) { *st = runs.Status{ID: "abc"} })
		time.Sleep(runAlive)
		told(3, "ended")
		time.Sleep(time.Minute)
		told(3, "idle")
	})
}
