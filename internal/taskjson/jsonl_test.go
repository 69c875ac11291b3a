package taskjson_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/memory"
)

func export(t *testing.T, b *pawl.Board) string {
	t.Helper()
	page, err := b.Select(context.Background(), pawl.Query{})
	must.Do(t, err)
	var out bytes.Buffer
	must.Do(t, taskjson.WriteLines(&out, page.Tasks))
	return out.String()
}

func do(t *testing.T, b *pawl.Board, op pawl.Op) pawl.Result {
	t.Helper()
	res, err := b.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op})
	must.Do(t, err)
	return res
}

// A task that a merge moved keeps the numbers that it had where it keeps its own; a
// line from before the merge is known by them; and a board with another numbering
// does not learn them.
func TestMovedTask(t *testing.T) {
	lines := `{"id": 12, "subject": "Bob's", "createdAt": "2026-03-01T09:00:00Z"}
{"id": 15, "subject": "Retry hooks", "was": [12, 13], "createdAt": "2026-03-01T10:00:00Z"}
`
	read := func(text string) pawl.Op {
		op, err := taskjson.ReadLines(strings.NewReader(text))
		must.Do(t, err)
		return op
	}
	b := pawl.NewBoard(memory.New())
	do(t, b, read(lines))
	if out := export(t, b); !strings.Contains(out, `"was":[12,13]`) {
		t.Errorf("exported:\n%s", out)
	}
	before := read(`{"id": 12, "subject": "Retry hooks, then", "createdAt": "2026-03-01T10:00:00Z"}`)
	if res := do(t, b, before); len(res.IDs) != 1 || res.IDs[0] != 15 {
		t.Errorf("a line from before the merge is %v", res.IDs)
	}
	other := pawl.NewBoard(memory.New())
	do(t, other, pawl.Import{Tasks: []pawl.ImportTask{{ID: 20, NewTask: pawl.NewTask{Subject: "here"}, CreatedAt: time.Unix(1, 0)}}})
	do(t, other, read(lines))
	if out := export(t, other); strings.Contains(out, `"was"`) {
		t.Errorf("on a board with other numbers:\n%s", out)
	}
}

// TestThereAndBack: a board that was exported and imported elsewhere exports
// the same lines again, and importing it twice changes nothing.
func TestThereAndBack(t *testing.T) {
	b := pawl.NewBoard(memory.New())
	do(t, b, pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "a", Subject: "a «ü»", Description: "two\nlines", Labels: []string{"x", "y"}, Priority: pawl.High},
		{Ref: "b", Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}, Owner: "bob"},
		{Subject: "c", Parent: pawl.RefName("b"), Blocks: nil, Metadata: map[string]json.RawMessage{"k": json.RawMessage(`{"n":1}`)}},
		{Subject: "gone"},
	}})
	tests := pawl.Check{Name: "tests", Run: []string{"go", "test", "./..."}, Dir: "web", Timeout: pawl.Duration(time.Minute), Env: []string{"CI"}, Expect: 1}
	do(t, b, pawl.Update{ID: 2, AddChecks: []pawl.Check{tests, {Name: "lint", Run: []string{"lint", ""}, Optional: true}}, AddAccept: []string{"Reads well", "Is fast"}})
	do(t, b, pawl.Update{ID: 2, Tick: []string{"Is fast"}})
	do(t, b, pawl.AddEvidence{ID: 2, Evidence: []pawl.Evidence{{Check: "tests", Sum: tests.Sum(), Tree: pawl.NoTree, Exit: 1, Passed: true, Millis: 7}}})
	do(t, b, pawl.Complete{IDs: []pawl.ID{1}})
	do(t, b, pawl.AddNote{ID: 2, Text: "note"})
	do(t, b, pawl.PutHold{IDs: []pawl.ID{3}, Reason: "why"})
	do(t, b, pawl.Delete{IDs: []pawl.ID{4}})
	lines := export(t, b)
	if strings.Count(lines, "\n") != 3 {
		t.Fatalf("exported:\n%s", lines)
	}
	for _, part := range []string{`"checks":[{"name":"tests","run":["go","test","./..."],"dir":"web","timeout":"1m0s","env":["CI"],"expect":1},`, `"accept":["Reads well",{"text":"Is fast","by":"ada","at":`, `"evidence":[{"check":"tests","sum":`} {
		if !strings.Contains(lines, part) {
			t.Errorf("%s was not exported:\n%s", part, lines)
		}
	}
	other := pawl.NewBoard(memory.New())
	for range 2 {
		op, err := taskjson.ReadLines(strings.NewReader(lines))
		must.Do(t, err)
		do(t, other, op)
		if got := export(t, other); got != lines {
			t.Errorf("imported and exported again:\n%s\nwas\n%s", got, lines)
		}
	}
	// On a board where the ids mean other tasks, they get new ones and keep their edges.
	later := func() time.Time { return time.Now().Add(time.Hour) } // no task is as old as one of the other board
	busy := pawl.NewBoard(memory.New(memory.WithClock(later)))
	do(t, busy, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}})
	op, err := taskjson.ReadLines(strings.NewReader(lines))
	must.Do(t, err)
	res := do(t, busy, op)
	got, err := busy.Get(context.Background(), res.IDs...)
	must.Do(t, err)
	if res.IDs[0] < 3 || got[0].Blocks[0] != res.IDs[1] || got[2].Parent != res.IDs[1] {
		t.Errorf("ids %v: %+v", res.IDs, got)
	}
	if again := do(t, busy, op); len(again.Kept) != 3 {
		t.Errorf("imported again: %+v", again)
	}
}

// A board with one of everything comes to an empty one as it is, but for its claims. The
// number of a task that was deleted last is not given again, whether the board comes at
// once or by parts, of which any comes twice.
func TestWholeBoard(t *testing.T) {
	from := sample.Board(t)
	do(t, from, pawl.Create{Tasks: []pawl.NewTask{{Subject: "gone"}}})
	do(t, from, pawl.Delete{IDs: []pawl.ID{10}})
	do(t, from, pawl.Update{ID: 9, AddBlockedBy: []pawl.ID{8, 7}}) // edges in another order than their numbers
	do(t, from, pawl.Update{ID: 2, AddBlocks: []pawl.ID{8, 6}})
	var lines bytes.Buffer
	lines.WriteString(export(t, from))
	must.Do(t, taskjson.WriteLastID(&lines, 10))
	want, err := from.Select(context.Background(), pawl.Query{})
	must.Do(t, err)
	for i := range want.Tasks {
		want.Tasks[i].Claim = pawl.Claim{}
	}
	op, err := taskjson.ReadLines(&lines)
	must.Do(t, err)
	op.Exact = true
	early, late := op, op
	early.Tasks, early.LastID = slices.Clone(op.Tasks[:5]), 0
	for i := range early.Tasks { // edges into later parts come later
		to := &early.Tasks[i]
		to.Parent = pawl.Ref{}
		to.Blocks = slices.DeleteFunc(slices.Clone(to.Blocks), func(r pawl.Ref) bool { return r.Name > "5" })
	}
	for name, parts := range map[string][]pawl.Import{"at once": {op}, "twice": {op, op}, "by parts": {early, early, late, late}} {
		to := pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) })))
		for _, part := range parts {
			do(t, to, part)
		}
		got, err := to.Select(context.Background(), pawl.Query{})
		if diff := cmp.Diff(want.Tasks, got.Tasks, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		if res := do(t, to, pawl.Create{Tasks: []pawl.NewTask{{Subject: "next"}}}); res.IDs[0] != 11 {
			t.Errorf("%s: the next number is %v", name, res.IDs[0])
		}
	}
}

// Checks that cannot be read are still there, and still let nothing be completed; and a
// line that says so completes no task whose checks have not passed.
func TestImportIsNoWayAroundChecks(t *testing.T) {
	read := func(line string) pawl.Op {
		op, err := taskjson.ReadLines(strings.NewReader(line))
		must.Do(t, err)
		return op
	}
	b := pawl.NewBoard(memory.New())
	do(t, b, read(`{"id":1,"subject":"a","checks":["tests: go test | tee log"],"createdAt":"2026-03-01T09:00:00Z"}
{"id":2,"subject":"b","checks":["tests: go test"],"createdAt":"2026-03-01T09:00:00Z"}`))
	if out := export(t, b); !strings.Contains(out, `"checks":["tests: go test | tee log"]`) {
		t.Errorf("exported:\n%s", out)
	}
	var told *pawl.Error
	if _, err := b.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Complete{IDs: []pawl.ID{1}}}); !errors.As(err, &told) || told.Kind != pawl.Unmet {
		t.Errorf("completed, or refused for another reason: %v", err)
	}
	do(t, b, read(`{"id":2,"subject":"b","status":"completed","checks":["tests: go test"],"createdAt":"2026-03-01T09:00:00Z","completedAt":"2099-03-01T09:00:00Z","updatedAt":"2099-03-01T09:00:00Z"}`))
	if got, err := b.Get(context.Background(), 2); err != nil || got[0].Status != pawl.Pending {
		t.Errorf("a line completed it: %+v (%v)", got, err)
	}
}

func TestFaults(t *testing.T) {
	_, err := taskjson.ReadLines(strings.NewReader(`{"id": 1, "subject": "ok"}
{"id": 1, "subject": "again"}

{"id": 2, "subject": }
not json
{"id": 3, "subject": "` + strings.Repeat("x", pawl.MaxTask) + `"}
`))
	var e *pawl.Error
	if !errors.As(err, &e) || e.Kind != pawl.Invalid {
		t.Fatal(err)
	}
	var got []string
	for _, f := range e.Faults {
		got = append(got, f.Path)
	}
	if want := "line 2; line 4, column 22; line 5, column 1; line 6, column 1"; strings.Join(got, "; ") != want {
		t.Errorf("faults at %q, want %q", strings.Join(got, "; "), want)
	}
}

// A task behind the last id on one line is not lost.
func TestNothingBehindTheLastID(t *testing.T) {
	if op, err := taskjson.ReadLines(strings.NewReader(`{"lastId":9} {"id":4,"subject":"a"}`)); !errors.Is(err, pawl.Invalid) {
		t.Errorf("%v, %v", op, err)
	}
}

func TestNoTasks(t *testing.T) {
	if op, err := taskjson.ReadLines(strings.NewReader(" \n\n")); err != nil || len(op.Tasks) != 0 || op.LastID != 0 {
		t.Errorf("%v, %v", op, err)
	}
}
