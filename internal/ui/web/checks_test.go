package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

var (
	unitCheck = pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	vetCheck  = pawl.Check{Name: "vet", Run: []string{"go", "vet", "./..."}}
)

// checkedSite has #1 Set up with the checks unit and vet and a criterion: unit has
// failed, vet has not run.
func checkedSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(`{"op":"create","tasks":[{"subject":"Set up","checks":["unit: go test ./...",{"name":"vet","run":["go","vet","./..."]}],"accept":["no flicker"]},{"subject":"Unasked"}]}`)
	failed := pawl.Evidence{Check: "unit", Sum: unitCheck.Sum(), Tree: strings.Repeat("ab", 20), Commit: strings.Repeat("1a2b3c4d", 5), Exit: 1, Millis: 2100}
	must.Get(s.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{failed}}}))(t)
	return s
}

// cardOf finds a card.
func cardOf(t *testing.T, l *lanesJSON, id pawl.ID) *cardJSON {
	t.Helper()
	for i := range l.Lanes {
		for k := range l.Lanes[i].Cards {
			if c := &l.Lanes[i].Cards[k]; c.ID == id {
				return c
			}
		}
	}
	t.Fatalf("no card of %v", id)
	return nil
}

// A server without a clone shows what the task's file claims, as claimed.
func TestChecksAreClaimed(t *testing.T) {
	s := checkedSite(t)
	d := get[detailJSON](s, "tasks/1")
	if len(d.Checks) != 2 || d.Shown != "unit failed" || d.Task.Checked != pawl.CheckedFailed {
		t.Fatalf("%+v, %q, %q", d.Checks, d.Shown, d.Task.Checked)
	}
	unit, vet := d.Checks[0], d.Checks[1]
	if unit.State != "failed" || !unit.Claimed || unit.At == "" || unit.Tail != "" || unit.What != "unit: go test ./..." ||
		unit.Said != "failed on 1a2b3c4 by bob, exit code 1, 2.1 s; claimed: this clone has not seen it" {
		t.Errorf("unit: %+v", unit)
	}
	if vet.State != "open" || vet.Claimed || vet.Said != "has not run" {
		t.Errorf("vet: %+v", vet)
	}
	l := get[lanesJSON](s, "lanes")
	if c := cardOf(t, &l, 1); c.Checked != pawl.CheckedFailed || c.Shown != "unit failed" || c.Tail != "" {
		t.Errorf("the card: %+v", c)
	}
	if c := cardOf(t, &l, 2); c.Checked != "" || c.Shown != "" {
		t.Errorf("the card of a task without checks: %+v", c)
	}
}

// A server that has a clone asks it: about files for the opened task only, because that
// runs git.
func TestChecksAreLookedAt(t *testing.T) {
	s := checkedSite(t)
	var asked []bool
	fails := false
	s.Checks = func(_ context.Context, task *pawl.Task, files bool) ([]show.Looked, error) {
		asked = append(asked, files)
		if fails {
			return nil, errors.New("git is not there")
		}
		return []show.Looked{
			{Check: unitCheck, Evidence: task.LastEvidence(unitCheck.Sum()), Seen: true, Tail: "--- FAIL: TestAll\n<b>bold</b>\x1b[31m\nFAIL\n\n"},
			{Check: vetCheck, Waits: true},
			{Check: pawl.Check{Name: "page", Run: []string{"npm", "test"}}, Project: true, Stale: true, Seen: true, Evidence: &pawl.Evidence{Check: "page", Passed: true, Millis: 900}},
		}, nil
	}
	d := get[detailJSON](s, "tasks/1")
	if len(d.Checks) != 3 {
		t.Fatalf("%+v", d.Checks)
	}
	if unit := d.Checks[0]; unit.Claimed || unit.Tail != "--- FAIL: TestAll\n<b>bold</b>\\x1b[31m\nFAIL" {
		t.Errorf("unit: %+v", unit)
	}
	if vet := d.Checks[1]; !vet.Waits || vet.Said != "has not run; waits for trust: pawl trust checks" {
		t.Errorf("vet: %+v", vet)
	}
	if page := d.Checks[2]; page.State != "stale" || !page.Project || page.Said != "passed, 0.9 s; stale: files have changed since" {
		t.Errorf("page: %+v", page)
	}
	l := get[lanesJSON](s, "lanes")
	if c := cardOf(t, &l, 1); c.Tail != "--- FAIL: TestAll\n<b>bold</b>\\x1b[31m\nFAIL" {
		t.Errorf("the card: %+v", c)
	}
	if !slices.Equal(asked, []bool{true, false}) {
		t.Errorf("files were looked at %v", asked)
	}
	fails = true
	if d := get[detailJSON](s, "tasks/1"); len(d.Checks) != 2 || !d.Checks[0].Claimed {
		t.Errorf("where nobody can look: %+v", d.Checks)
	}
}

// The server runs no check: it says what does.
func TestCompletingUnmet(t *testing.T) {
	s := checkedSite(t)
	e := s.refuses(http.StatusConflict, `{"op":"complete","ids":[1]}`)
	if e.Kind != "unmet" || e.Message != "#1 is not shown to be done: unit failed with exit code 1, vet has not run, no flicker is not ticked" || e.Hint != "tick its criteria in its details first" {
		t.Errorf("%+v", e)
	}
	if len(e.Faults) != 3 || e.Faults[0].Path != "unit" {
		t.Errorf("%+v", e.Faults)
	}
	s.refuses(http.StatusBadRequest, `{"op":"complete","ids":[1],"unchecked":"I am sure"}`)
	s.do(`{"op":"complete","ids":[2]}`)
	reopened := s.do(`{"op":"reopen","ids":[2]}`)
	s.Screened = asksFor(pawl.CheckRule{Check: vetCheck})
	if e := s.refuses(http.StatusConflict, `{"op":"complete","ids":[2]}`); e.Message != "#2 is not shown to be done: vet has not run" {
		t.Errorf("what the project asks: %+v", e)
	}
	s.refuses(http.StatusConflict, `{"op":"note","id":2,"text":"x"}`, `{"op":"complete","ids":[2]}`)
	if e := s.refuses(http.StatusConflict, fmt.Sprintf(`{"op":"undo","revision":%d}`, reopened.Revision)); e.Message != "#2 is not shown to be done: vet has not run" {
		t.Errorf("an undo of the reopening: %+v", e)
	}
}

// asksFor screens requests as a clone does whose project has rules.
func asksFor(rules ...pawl.CheckRule) func(context.Context, query.Board, pawl.Request) (pawl.Request, error) {
	var screened func(op pawl.Op) pawl.Op
	screened = func(op pawl.Op) pawl.Op {
		switch op := op.(type) {
		case pawl.Complete:
			op.Rules = rules
			return op
		case pawl.Undo:
			op.Rules = rules
			return op
		case pawl.All:
			for i := range op.Ops {
				op.Ops[i] = screened(op.Ops[i])
			}
		}
		return op
	}
	return func(_ context.Context, _ query.Board, r pawl.Request) (pawl.Request, error) {
		r.Op = screened(r.Op)
		return r, nil
	}
}

// A task that is said to be done by its file, and is not shown to be, says so.
func TestDoneButNotShown(t *testing.T) {
	s := checkedSite(t)
	s.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.Complete{IDs: []pawl.ID{1}, Unchecked: "no time"}})
	l := get[lanesJSON](s, "lanes")
	if c := cardOf(t, &l, 1); c.State != "completed" || c.Shown != "done, but unit failed" {
		t.Errorf("%+v", c)
	}
}

func TestChecksAndCriteriaOfTasks(t *testing.T) {
	s := checkedSite(t)
	s.do(`{"op":"update","id":1,"tick":["no flicker"]}`)
	if d := get[detailJSON](s, "tasks/1"); len(d.Task.Accept) != 1 || d.Task.Accept[0].By != "ada" || d.Task.Accept[0].At == "" {
		t.Errorf("ticked: %+v", d.Task.Accept)
	}
	s.do(`{"op":"update","id":1,"untick":["no flicker"],"addChecks":["fmt: gofmt -l ."],"removeChecks":["unit"]}`)
	d := get[detailJSON](s, "tasks/1")
	if d.Task.Accept[0].At != "" || len(d.Checks) != 2 || d.Checks[1].What != "fmt: gofmt -l ." || d.Task.Checked != pawl.CheckedOpen {
		t.Errorf("%+v %+v", d.Task.Accept, d.Checks)
	}
	e := s.refuses(http.StatusBadRequest, `{"op":"update","id":1,"addChecks":["go vet ./... | tee out"]}`)
	if len(e.Faults) != 1 || e.Faults[0].Path != "ops[0].addChecks[0]" || !strings.Contains(e.Faults[0].Problem, "needs a shell for its |") || !strings.Contains(e.Faults[0].Problem, "sh -c") {
		t.Errorf("%+v", e)
	}
}
