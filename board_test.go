package pawl_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

var (
	ada = pawl.Actor{Name: "ada", Session: "s1"}
	bob = pawl.Actor{Name: "bob", Session: "s2"}
)

// world is a board in memory with a clock that the test moves.
type world struct {
	*testing.T
	*pawl.Board
	now time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	w.Board = pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return w.now })))
	return w
}

func (w *world) do(by pawl.Actor, op pawl.Op) (pawl.Result, error) {
	w.Helper()
	return w.Do(context.Background(), pawl.Request{By: by, Op: op})
}

func (w *world) must(by pawl.Actor, op pawl.Op) pawl.Result {
	w.Helper()
	res, err := w.do(by, op)
	if err != nil {
		w.Fatalf("%T: %v", op, err)
	}
	return res
}

func (w *world) fails(kind pawl.Kind, by pawl.Actor, op pawl.Op) *pawl.Error {
	w.Helper()
	before := w.revision()
	_, err := w.do(by, op)
	if !errors.Is(err, kind) {
		w.Fatalf("%T: got error %v, want %v", op, err, kind)
	}
	if after := w.revision(); after != before {
		w.Fatalf("%T failed and yet moved the board from revision %d to %d", op, before, after)
	}
	return err.(*pawl.Error)
}

func (w *world) revision() (rev pawl.Revision) {
	w.Helper()
	must.Do(w, w.View(context.Background(), func(r pawl.Reader) error { rev = r.Revision(); return nil }))
	return rev
}

func (w *world) task(id pawl.ID) pawl.Task {
	w.Helper()
	tasks, err := w.Get(context.Background(), id)
	must.Do(w, err)
	return tasks[0]
}

// chain makes tasks that each wait for the one before.
func (w *world) chain(subjects ...string) {
	w.Helper()
	var op pawl.Create
	for i, s := range subjects {
		task := pawl.NewTask{Ref: s, Subject: s}
		if i > 0 {
			task.BlockedBy = []pawl.Ref{pawl.RefName(subjects[i-1])}
		}
		op.Tasks = append(op.Tasks, task)
	}
	w.must(ada, op)
}

func (w *world) ready(want ...pawl.ID) {
	w.Helper()
	page, err := w.Select(context.Background(), pawl.Query{Ready: true, Order: pawl.ByUrgency})
	must.Do(w, err)
	var got []pawl.ID
	for _, t := range page.Tasks {
		got = append(got, t.ID)
	}
	if !slices.Equal(got, want) {
		w.Fatalf("ready: got %v, want %v", got, want)
	}
}

func ids(ids ...pawl.ID) []pawl.ID { return ids }

// The error about a blocked task leads to what can be done about it.
func TestWayOut(t *testing.T) {
	w := newWorld(t)
	w.chain("a", "b", "c", "d")
	step := func(want pawl.Step, about ...pawl.ID) {
		t.Helper()
		e := w.fails(pawl.Blocked, ada, pawl.Complete{IDs: ids(4)})
		if e.Hint.Step != want || !slices.Equal(e.Hint.IDs, about) {
			t.Errorf("the hint is %+v, want %d %v", e.Hint, want, about)
		}
	}
	step(pawl.HintClaim, 1) // not 3, which waits itself
	w.must(ada, pawl.ClaimTask{ID: 1})
	step(pawl.HintFinish, 1)
	w.must(ada, pawl.Release{IDs: ids(1)})
	w.must(bob, pawl.ClaimTask{ID: 1})
	step(pawl.HintShow, 3) // which says who is at work
	// The same name in another session is another owner, and clients of a kind
	// share one: an agent was told to complete what another one was working on.
	w.must(bob, pawl.Release{IDs: ids(1)})
	w.must(pawl.Actor{Name: ada.Name, Session: "elsewhere"}, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	step(pawl.HintShow, 3)
	if e := w.fails(pawl.Blocked, ada, pawl.Complete{IDs: ids(2)}); !strings.HasPrefix(e.Message, "#2 is blocked by #1 (not completed); #1 is claimed by ada in another session until ") {
		t.Errorf("the message is %q", e.Message)
	}
	e := w.fails(pawl.Busy, ada, pawl.ClaimTask{})
	if e.Hint.Step != pawl.HintWait {
		t.Errorf("the hint is %+v", e.Hint)
	}
}

// An import can be undone by its author, whatever owners its tasks name.
func TestUndoOwnImport(t *testing.T) {
	w := newWorld(t)
	task := pawl.ImportTask{NewTask: pawl.NewTask{Subject: "from elsewhere", Owner: "bob"}, Status: pawl.InProgress}
	result := w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{task}})
	if _, err := w.Undo(context.Background(), pawl.Actor{Name: "eve"}, result.Revision); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("somebody else's undo: %v", err)
	}
	if _, err := w.Undo(context.Background(), ada, result.Revision); err != nil {
		t.Errorf("one's own undo: %v", err)
	}
}

func ptr[T any](v T) *T { return &v }

// dump is the whole board but for the times of edits and the order of edges.
func (w *world) dump() string {
	w.Helper()
	page, err := w.Select(context.Background(), pawl.Query{})
	must.Do(w, err)
	var b strings.Builder
	for _, t := range page.Tasks {
		t.UpdatedAt = time.Time{}
		slices.Sort(t.Blocks)
		slices.Sort(t.BlockedBy)
		if len(t.Metadata) == 0 {
			t.Metadata = nil
		}
		text, err := json.Marshal(t)
		must.Do(w, err)
		b.Write(text)
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), "[]", "null")
}

func TestUndo(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name string
		op   pawl.Op
	}{
		{"create", pawl.Create{Tasks: []pawl.NewTask{{Subject: "x", BlockedBy: []pawl.Ref{pawl.RefID(3)}, Blocks: []pawl.Ref{pawl.RefID(4)}, Parent: pawl.RefID(5)}}}},
		{"edit", pawl.Update{ID: 3, Subject: ptr("new"), AddLabels: []string{"l"}, Priority: ptr(pawl.High), Metadata: map[string]json.RawMessage{"k": json.RawMessage(`{"a":1}`)}}},
		{"edges", pawl.Update{ID: 3, RemoveBlockedBy: ids(2), AddBlockedBy: ids(4)}},
		{"parent", pawl.Update{ID: 3, Parent: ptr(pawl.ID(5))}},
		{"complete", pawl.Complete{IDs: ids(2)}},
		{"complete two", pawl.Complete{IDs: ids(2, 3)}},
		{"reopen", pawl.Reopen{IDs: ids(1)}},
		{"delete", pawl.Delete{IDs: ids(3)}},
		{"delete parent and child", pawl.Delete{IDs: ids(5, 6, 2)}},
		{"hold", pawl.PutHold{IDs: ids(4), Reason: "wait"}},
		{"note", pawl.AddNote{ID: 4, Text: "hm"}},
		{"claim", pawl.ClaimTask{ID: 2}},
		{"assign", pawl.Assign{IDs: ids(3), Owner: "bob"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.chain("a", "b", "c")
			w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "d"}, {Subject: "e", Ref: "e"}, {Subject: "f", Parent: pawl.RefName("e"), Priority: pawl.High}}})
			w.must(ada, pawl.Complete{IDs: ids(1)})
			before := w.dump()
			w.now = w.now.Add(time.Minute)
			done := w.must(ada, tt.op)
			if w.dump() == before {
				t.Fatal("the op changed nothing")
			}
			w.now = w.now.Add(time.Minute)
			must.Do(t, errOf(w.Undo(ctx, ada, done.Revision)))
			if after := w.dump(); after != before {
				t.Errorf("undone, the board is\n%s\nit was\n%s", after, before)
			}
			// And the undo can be undone.
			must.Do(t, errOf(w.Undo(ctx, ada, w.revision())))
		})
	}
}

// Undo keeps to the rules of completing and claiming.
func TestUndoKeepsTheRules(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t)
	w.chain("a", "b")
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "parent"}, {Subject: "child", Parent: pawl.RefID(3)}}})
	w.must(ada, pawl.Complete{IDs: ids(1, 2)})
	reopened := w.must(ada, pawl.Reopen{IDs: ids(2)})
	w.must(ada, pawl.Reopen{IDs: ids(1)})
	if _, err := w.Undo(ctx, ada, reopened.Revision); !errors.Is(err, pawl.Blocked) {
		t.Errorf("undo completed a task that waits for another: %v", err)
	}
	child := w.must(ada, pawl.Complete{IDs: ids(4)})
	w.must(ada, pawl.Complete{IDs: ids(3)})
	if _, err := w.Undo(ctx, ada, child.Revision); !errors.Is(err, pawl.Conflict) {
		t.Errorf("undo opened a child of a completed parent: %v", err)
	}
	claim := w.must(bob, pawl.ClaimTask{ID: 1})
	if _, err := w.Undo(ctx, ada, claim.Revision); !errors.Is(err, pawl.Conflict) {
		t.Errorf("undo took a task from its owner: %v", err)
	}
}

// A pointer to an op is none: nothing looks behind it.
func TestPointersToOps(t *testing.T) {
	w := newWorld(t)
	for _, op := range []pawl.Op{&pawl.Create{}, &pawl.Undo{}, (*pawl.Undo)(nil), nil,
		pawl.All{Ops: []pawl.Op{&pawl.AddNote{ID: 1, Text: "a"}}}, pawl.All{Ops: []pawl.Op{(*pawl.AddNote)(nil)}}} {
		req := pawl.Request{By: ada, Op: op, ID: "k"}
		_, err := w.Do(t.Context(), req)
		_, wrong := w.TryAll(t.Context(), req)
		_, unwritten := pawl.Encode(pawl.All{Ops: []pawl.Op{op}})
		for _, err := range []error{err, pawl.ErrorAt(wrong, 0), unwritten} {
			if !errors.Is(err, pawl.Invalid) {
				t.Errorf("%T: %v", op, err)
			}
		}
	}
}

func TestOpID(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	req := pawl.Request{By: ada, ID: "k1", Op: pawl.Create{Tasks: []pawl.NewTask{{Ref: "r", Subject: "once"}}}}
	first, err := w.DoAll(ctx, req, req)
	if err != nil || !first[1].Repeated || first[1].IDs[0] != 1 {
		t.Fatalf("twice in one batch: %+v", first)
	}
	again, err := w.Do(ctx, req)
	if err != nil || !again.Repeated || again.Refs["r"] != 1 || again.Revision != first[0].Revision || len(again.Tasks) != 1 {
		t.Fatalf("sent again: %+v", again)
	}
	other := req
	other.Op = pawl.Complete{IDs: ids(1)}
	if res, err := w.Do(ctx, other); !errors.Is(err, pawl.Invalid) {
		t.Errorf("the op id served for another op: %+v", res)
	}
	// An op that changes nothing is remembered too.
	noop := pawl.Request{By: ada, ID: "k2", Op: pawl.Update{ID: 1, Subject: ptr("once")}}
	w.Do(ctx, noop)
	w.must(bob, pawl.Update{ID: 1, Subject: ptr("later")})
	if res, err := w.Do(ctx, noop); err != nil || !res.Repeated || w.task(1).Subject != "later" {
		t.Errorf("a late repeat took effect: %+v, %v", res, err)
	}
	for set, err := range w.Changes(ctx, pawl.Span{}) {
		if err != nil || set.Result != nil {
			t.Errorf("history shows the memory of op ids: %+v, %v", set, err)
		}
	}
}

func TestImportTwice(t *testing.T) {
	w := newWorld(t)
	w.chain("here")
	created := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	ref := func(s string) map[string]json.RawMessage {
		return map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"` + s + `"`)}
	}
	op := pawl.Import{Tasks: []pawl.ImportTask{
		{NewTask: pawl.NewTask{Ref: "x", Subject: "waits", BlockedBy: []pawl.Ref{pawl.RefName("y"), pawl.RefName("z")}, Metadata: ref("bv-x")}},
		{NewTask: pawl.NewTask{Ref: "y", Subject: "done", Metadata: ref("bv-y")}, Status: pawl.Completed, CreatedAt: created},
		{NewTask: pawl.NewTask{Ref: "z", Subject: "wants number 1"}, ID: 1, CreatedAt: created},
		{NewTask: pawl.NewTask{Subject: "wants number 40"}, ID: 40, CreatedAt: created},
	}}
	res := w.must(ada, op)
	if len(res.Updated)+len(res.Kept) != 0 || res.IDs[3] != 40 || res.IDs[2] == 1 {
		t.Fatalf("first import: %+v", res)
	}
	if x := w.task(res.IDs[0]); !slices.Equal(x.BlockedBy, ids(res.IDs[2])) || !slices.Equal(x.Blockers, ids(res.IDs[2], res.IDs[1])) && len(x.Blockers) != 2 {
		t.Errorf("edges: %v of %v", x.BlockedBy, x.Blockers)
	}
	before := w.dump()
	again := w.must(ada, op)
	if len(again.Kept) != 4 || again.Revision != 0 || w.dump() != before {
		t.Errorf("second import: %+v", again)
	}
	op.Tasks[0].Subject = "still waits"
	third := w.must(ada, op)
	if !slices.Equal(third.Updated, ids(res.IDs[0])) {
		t.Errorf("third import: %+v", third)
	}
	// Work that began here since then continues; news from there counts.
	w.now = w.now.Add(time.Minute)
	op.Tasks[3].UpdatedAt = w.now
	w.now = w.now.Add(time.Minute)
	w.must(bob, pawl.ClaimTask{ID: 40})
	op.Tasks[3].Status = pawl.Pending
	w.must(ada, op)
	if got := w.task(40); got.Status != pawl.InProgress || got.Owner != "bob" {
		t.Errorf("an old import took 40 away: %s of %q", got.Status, got.Owner)
	}
	w.now = w.now.Add(time.Minute)
	op.Tasks[3].UpdatedAt, op.Tasks[3].Status = w.now, pawl.Completed
	w.must(ada, op)
	if got := w.task(40); got.Status != pawl.InProgress || got.Owner != "bob" {
		t.Errorf("a newer import by another name took 40 away: %s of %q", got.Status, got.Owner)
	}
	w.must(bob, op)
	if got := w.task(40); got.Status != pawl.Completed || got.Claim.Live() {
		t.Errorf("a newer import says completed; 40 is %s, claim %+v", got.Status, got.Claim)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	w := newWorld(t)
	err := w.fails(pawl.Invalid, ada, pawl.Create{Tasks: []pawl.NewTask{
		{Subject: " \n "},
		{Subject: strings.Repeat("x", pawl.MaxSubject+1), Priority: 7},
		{Subject: "ok\xff", BlockedBy: []pawl.Ref{pawl.RefName("nobody"), {}}},
	}})
	var got []string
	for _, f := range err.Faults {
		got = append(got, f.Path)
	}
	want := []string{"tasks[0].subject", "tasks[1].subject", "tasks[1].priority", "tasks[2].subject", "tasks[2].blockedBy[0]", "tasks[2].blockedBy[1]"}
	if !slices.Equal(got, want) {
		t.Errorf("faults at %v, want %v", got, want)
	}
}
