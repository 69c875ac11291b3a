package checks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// A check that nobody trusts ends an agent's work on the task, and not its turn: the claim
// is given back, the hold says what is missing, and once it is trusted the task can be
// completed as it is.
func TestAgentWaitsForTrust(t *testing.T) {
	s := newStage(t)
	s.Refuse = true
	quoted := pawl.Check{Name: "quoted", Run: []string{"grep", "-q", "2 recipes", "f"}}
	s.trust(vet)
	id, other := s.make(quoted, vet), s.make()
	s.plays["vet"] = fails
	s.unmet(s.done(id), "vet: failed")
	s.is(id, pawl.InProgress, pawl.CheckedFailed) // there is something to do for the agent

	delete(s.plays, "vet")
	err := s.done(id, other)
	s.unmet(err, "quoted: grep -q '2 recipes' f")
	if unmet, _ := Unmet(err); unmet.Why.Hint.Step != pawl.HintNext || !slices.Equal(unmet.Why.IDs, []pawl.ID{id}) {
		t.Errorf("%+v", unmet.Why)
	}
	got := s.is(id, pawl.Pending, pawl.CheckedOpen)
	if got.Owner != "" || got.Claim.Live() || !got.Hold.Finished() || got.Hold.Reason != "finished by ada, waits for trust of `grep -q '2 recipes' f`" {
		t.Errorf("%+v", got)
	}
	s.is(other, pawl.InProgress, pawl.NotChecked)
	before := *got
	s.unmet(s.done(id), "quoted") // said again, and nothing changes
	if now := s.task(id); len(pawl.Diff(&before, now)) > 0 {
		t.Errorf("%v", pawl.Diff(&before, now))
	}

	s.trust(quoted)
	s.plays["quoted"] = fails
	s.unmet(s.done(id), "quoted: failed")
	if s.is(id, pawl.Pending, pawl.CheckedFailed).Hold != nil {
		t.Error("its check failed, and it waits on hold")
	}
	delete(s.plays, "quoted")
	must.Do(t, s.done(id))
	s.is(id, pawl.Completed, pawl.CheckedPassed)
}

// The refusal takes nothing that is not the agent's to give back.
func TestGiveBackKeepsOtherRefusals(t *testing.T) {
	s := newStage(t)
	s.Refuse = true
	held, blocked, blocker := s.make(unit), s.make(unit), s.make()
	s.do(pawl.Release{IDs: []pawl.ID{held}, Hold: "ask Ann"})
	if err := s.done(held); pawl.KindOf(err) != pawl.Blocked {
		t.Errorf("%v", err)
	}
	if got := s.task(held); got.Hold.Reason != "ask Ann" {
		t.Errorf("%+v", got.Hold)
	}
	s.do(pawl.Update{ID: blocked, AddBlockedBy: []pawl.ID{blocker}})
	if err := s.done(blocked); pawl.KindOf(err) != pawl.Blocked {
		t.Errorf("%v", err)
	}
	s.is(blocked, pawl.InProgress, pawl.CheckedOpen)
	s.wants()
}

// A task in progress that a person put on hold stays under that hold, and the agent is told.
func TestFinishedUnderAnotherHold(t *testing.T) {
	s := newStage(t)
	s.Refuse = true
	id := s.make(unit)
	s.do(pawl.PutHold{IDs: []pawl.ID{id}, Reason: "ask Ann"})
	s.unmet(s.done(id), "until a person trusts the check unit: go test ./..., and lifts the hold on #1: ask Ann. Tell your user once: pawl trust checks")
	if got := s.is(id, pawl.Pending, pawl.CheckedOpen); got.Hold == nil || got.Hold.Reason != "ask Ann" {
		t.Errorf("%+v", got.Hold)
	}
}

// A check whose program is missing has failed: nobody left it out.
func TestNotBegun(t *testing.T) {
	s := newStage(t)
	s.trust(unit)
	id := s.make(unit)
	s.plays["unit"] = func() run.Result { return run.Result{Exit: pawl.NoExit, Why: "it names no program"} }
	s.unmet(s.done(id), "unit: failed: it names no program")
	s.is(id, pawl.InProgress, pawl.CheckedFailed)
}

// The reason of a task without its checks has a limit, which commands must not break.
func TestSkippedLong(t *testing.T) {
	s := newStage(t)
	id := s.make(pawl.Check{Name: "long", Run: []string{"true", strings.Repeat("x", pawl.MaxReason)}})
	must.Do(t, s.done(id))
	s.is(id, pawl.Completed, pawl.CheckedOpen)
}

// A person is told what to do, and keeps the task.
func TestPersonKeepsTheTask(t *testing.T) {
	s := newStage(t)
	s.Refuse, s.person = true, true
	id := s.make(unit)
	err := s.done(id)
	s.unmet(err, "unit: go test ./... is not trusted")
	if s.is(id, pawl.InProgress, pawl.CheckedOpen).Hold != nil {
		t.Error("it is on hold")
	}
}

// Skipping completes the task and leaves it not shown, also with a pass of before.
func TestSkippedIsUnshown(t *testing.T) {
	s := newStage(t)
	s.trust(unit)
	id := s.make(unit)
	must.Do(t, s.done(id))
	if s.task(id).Unshown() {
		t.Fatal("it passed, and is not shown")
	}
	s.do(pawl.Reopen{IDs: []pawl.ID{id}})
	must.Get(s.list.Forget(context.Background(), s.place.Of))(t)
	must.Do(t, s.done(id))
	if !s.is(id, pawl.Completed, pawl.CheckedOpen).Unshown() {
		t.Error("its check did not run, and it is shown")
	}
	s.trust()
	left := must.Get(s.LeftOut(context.Background(), s.board, ada))(t)
	wanted, err := s.Wanted(left, nil)
	if err != nil || len(wanted) != 1 {
		t.Errorf("completed without its check, nothing waits for trust: %v %v", wanted, err)
	}
}

// What the user's own settings trust runs in each clone; what the project's say does not.
func TestUsersTrust(t *testing.T) {
	dir := t.TempDir()
	for scope, want := range map[settings.Scope]bool{settings.User: true, settings.Project: false} {
		path := filepath.Join(dir, scope.String())
		text := `{"checks.trusted": ["go test ./...", {"name": "x", "run": ["a", "b c"], "dir": "web"}]}`
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		all := settings.Merge(settings.Read(scope, path))
		s := newStage(t)
		s.Users = settings.Of[[]pawl.CheckRule](all, "checks.trusted")
		for check, exact := range map[*pawl.Check]bool{
			&unit: true,
			{Name: "y", Run: []string{"a", "b c"}, Dir: "web"}:           true,
			{Name: "y", Run: []string{"a", "b c"}}:                       false,
			{Name: "y", Run: []string{"go", "test", "./...", "-exec=x"}}: false,
		} {
			if got, err := s.Trusts(check); err != nil || got != (want && exact) {
				t.Errorf("%v: %q is trusted: %v, %v", scope, check.Run, got, err)
			}
		}
	}
}

// A pass is used again only with all files as they were.
func TestSameFiles(t *testing.T) {
	passed := run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}
	for _, test := range []struct {
		name          string
		before, after map[string]string // of the run
		now           map[string]string
		again         bool
	}{
		{"the same", map[string]string{".env": "1"}, map[string]string{".env": "1"}, map[string]string{".env": "1"}, true},
		{"changed since", map[string]string{".env": "1"}, map[string]string{".env": "1"}, map[string]string{".env": "2"}, false},
		{"gone since", map[string]string{".env": "1"}, map[string]string{".env": "1"}, map[string]string{}, false},
		{"new since", map[string]string{}, map[string]string{}, map[string]string{".env": "1"}, false},
		{"written by the run", map[string]string{}, map[string]string{"out": "1"}, map[string]string{"out": "1"}, true},
		{"changed during the run", map[string]string{".env": "1"}, map[string]string{".env": "2"}, map[string]string{".env": "2"}, false},
		{"not known then", nil, nil, map[string]string{}, false},
		{"not known now", map[string]string{}, map[string]string{}, nil, false},
	} {
		s := newStage(t)
		s.trust(unit)
		id := s.make(unit)
		is := test.before
		s.states = func(context.Context) map[string]string { return is }
		s.plays["unit"] = func() run.Result { is = test.after; return passed }
		must.Get(s.Check(context.Background(), s.request(), []pawl.ID{id}, nil))(t)
		s.wants("unit")
		is = test.now
		must.Do(t, s.done(id))
		if ran := len(s.ran) > 0; ran == test.again {
			t.Errorf("%s: it ran again: %v", test.name, ran)
		}
	}
}
