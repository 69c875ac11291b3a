package pawl_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
)

// TestBatchIsOneAfterAnother: requests of one batch see each other as if each
// had been committed before the next, claims and order of urgency included.
func TestBatchIsOneAfterAnother(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		together, apart := newWorld(t), newWorld(t)
		ctx := context.Background()
		for range rapid.IntRange(1, 4).Draw(rt, "batches") {
			batch := rapid.SliceOfN(rapid.Custom(drawRequest), 1, 12).Draw(rt, "batch")
			got, failed := together.DoAll(ctx, batch...)
			for i, req := range batch {
				want, err := apart.Do(ctx, req)
				if a, b := summary(got[i], pawl.ErrorAt(failed, i)), summary(want, err); a != b {
					rt.Fatalf("request %d, %T %+v:\nin a batch   %s\non its own   %s", i, req.Op, req.Op, a, b)
				}
			}
			if a, b := together.dump(), apart.dump(); a != b {
				rt.Fatalf("in batches\n%s\none by one\n%s", a, b)
			}
			together.now = together.now.Add(time.Minute)
			apart.now = together.now
		}
	})
}

// TestDoThen: what is looked at with the requests is the board as they leave
// it, and a request that fails leaves nothing there.
func TestDoThen(t *testing.T) {
	w := newWorld(t)
	w.chain("a", "b")
	runs, was := 0, w.revision()
	results, err := w.DoThen(context.Background(), []pawl.Request{
		{Op: pawl.Complete{IDs: ids(1)}},
		{Op: pawl.Complete{IDs: ids(9)}},
		{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "c", BlockedBy: []pawl.Ref{pawl.RefID(2)}}}}},
	}, func(r pawl.Reader, results []pawl.Result, err error) {
		runs++
		if pawl.ErrorAt(err, 0) != nil || pawl.KindOf(pawl.ErrorAt(err, 1)) != pawl.NotFound || !slices.Equal(results[2].IDs, ids(3)) {
			t.Errorf("it was told %+v, %v", results, err)
		}
		nodes, err := r.Nodes(1, 2, 3)
		if err != nil || nodes[0].Open() || len(nodes[1].BlockedBy) > 0 || !slices.Equal(nodes[2].BlockedBy, ids(2)) {
			t.Errorf("it saw %+v, %v", nodes, err)
		}
		if r.Revision() != was {
			t.Errorf("its revision is %d, want %d", r.Revision(), was)
		}
	})
	if runs != 1 || pawl.ErrorAt(err, 0) != nil || pawl.ErrorAt(err, 1) == nil || pawl.ErrorAt(err, 2) != nil {
		t.Errorf("after %d runs: %+v, %v", runs, results, err)
	}
	_, err = w.DoThen(context.Background(), make([]pawl.Request, pawl.MaxRequests+1), func(pawl.Reader, []pawl.Result, error) { t.Error("it ran for nothing") })
	if pawl.KindOf(pawl.ErrorAt(err, pawl.MaxRequests)) != pawl.Invalid {
		t.Errorf("too many requests: %v", err)
	}
}

func summary(res pawl.Result, err error) string {
	if err != nil {
		return fmt.Sprintf("%v: %v", pawl.KindOf(err), err)
	}
	var tokens []pawl.Revision
	for _, t := range res.Tasks {
		tokens = append(tokens, t.Claim.Token)
	}
	return fmt.Sprint(res.Revision, res.IDs, res.Ready, res.Holding, tokens)
}

func drawRequest(t *rapid.T) pawl.Request {
	id := rapid.Custom(func(t *rapid.T) pawl.ID { return pawl.ID(rapid.IntRange(1, 9).Draw(t, "id")) })
	some := rapid.SliceOfN(id, 1, 3)
	req := pawl.Request{By: rapid.SampledFrom([]pawl.Actor{ada, bob, {Name: "ada", Session: "s3"}}).Draw(t, "by")}
	priority := pawl.Priority(rapid.IntRange(-1, 1).Draw(t, "priority"))
	switch rapid.IntRange(0, 10).Draw(t, "op") {
	case 0, 1, 2:
		var op pawl.Create
		for i := range rapid.IntRange(1, 3).Draw(t, "tasks") {
			task := pawl.NewTask{Ref: fmt.Sprint("r", i), Subject: "s", Priority: priority}
			if i > 0 && rapid.Bool().Draw(t, "chained") {
				task.BlockedBy = []pawl.Ref{pawl.RefName(fmt.Sprint("r", i-1))}
			}
			if rapid.IntRange(0, 3).Draw(t, "old") == 0 {
				task.Blocks = []pawl.Ref{pawl.RefID(id.Draw(t, "blocks"))}
			}
			if rapid.IntRange(0, 3).Draw(t, "child") == 0 {
				task.Parent = pawl.RefID(id.Draw(t, "parent"))
			}
			op.Tasks = append(op.Tasks, task)
		}
		req.Op = op
	case 3:
		op := pawl.Update{ID: id.Draw(t, "task"), AddBlockedBy: some.Draw(t, "add"), RemoveBlocks: some.Draw(t, "remove")}
		if rapid.Bool().Draw(t, "other") {
			op = pawl.Update{ID: op.ID, Parent: ptr(pawl.ID(rapid.IntRange(0, 9).Draw(t, "parent"))), Priority: &priority}
		}
		req.Op = op
	case 4:
		op := pawl.ClaimTask{Lease: pawl.Duration(time.Duration(rapid.IntRange(0, 2).Draw(t, "lease")) * 30 * time.Second)}
		if rapid.IntRange(0, 3).Draw(t, "filtered") == 0 {
			op.Filter.Priority = &priority
		}
		req.Op = op
	case 5:
		req.Op = pawl.ClaimTask{ID: id.Draw(t, "claim"), Lease: pawl.Duration(time.Second * 90), Force: rapid.Bool().Draw(t, "force")}
	case 6:
		req.Op = pawl.Complete{IDs: some.Draw(t, "complete"), Force: rapid.IntRange(0, 3).Draw(t, "force") == 0}
	case 7:
		req.Op = pawl.Reopen{IDs: some.Draw(t, "reopen")}
	case 8:
		req.Op = pawl.Delete{IDs: some.Draw(t, "delete")}
	case 9:
		req.Op = pawl.Release{IDs: some.Draw(t, "release"), Force: rapid.Bool().Draw(t, "force")}
	case 10:
		req.Op = rapid.SampledFrom([]pawl.Op{
			pawl.PutHold{IDs: ids(1), Reason: "r"}, pawl.LiftHold{IDs: ids(1)}, pawl.Renew{}, pawl.Assign{IDs: ids(2, 3), Owner: "bob"}, pawl.Start{IDs: ids(4)},
		}).Draw(t, "simple")
	}
	return req
}

// TestRefused: what an op may not do, by the kind of its error and the next
// step that it names.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind pawl.Kind
		step pawl.Step
		by   pawl.Actor
		op   pawl.Op
	}{
		{"unknown id", pawl.NotFound, pawl.HintList, ada, pawl.Complete{IDs: ids(99)}},
		{"no id", pawl.Invalid, pawl.HintNone, ada, pawl.Complete{}},
		{"self-edge", pawl.Invalid, pawl.HintNone, ada, pawl.Update{ID: 1, AddBlocks: ids(1)}},
		{"unknown blocker", pawl.NotFound, pawl.HintList, ada, pawl.Update{ID: 1, AddBlockedBy: ids(99)}},
		{"own parent", pawl.Invalid, pawl.HintNone, ada, pawl.Update{ID: 1, Parent: ptr(pawl.ID(1))}},
		{"start blocked", pawl.Blocked, pawl.HintClaim, ada, pawl.Start{IDs: ids(2)}},
		{"claim blocked", pawl.Blocked, pawl.HintClaim, ada, pawl.ClaimTask{ID: 2}},
		{"complete blocked", pawl.Blocked, pawl.HintClaim, ada, pawl.Complete{IDs: ids(2)}},
		{"complete a parent", pawl.Blocked, pawl.HintClaim, ada, pawl.Complete{IDs: ids(5)}},
		{"complete held", pawl.Blocked, pawl.HintLift, ada, pawl.Complete{IDs: ids(7)}},
		{"claim held", pawl.Blocked, pawl.HintLift, ada, pawl.ClaimTask{ID: 7}},
		{"claim completed", pawl.Conflict, pawl.HintReopen, ada, pawl.ClaimTask{ID: 8}},
		{"claim of another", pawl.Conflict, pawl.HintNext, ada, pawl.ClaimTask{ID: 9}},
		{"claim in another session", pawl.Conflict, pawl.HintNext, pawl.Actor{Name: "bob", Session: "other"}, pawl.ClaimTask{ID: 9}},
		{"claim with an older token", pawl.Conflict, pawl.HintShow, bob, pawl.ClaimTask{ID: 9, Token: 1}},
		{"claim without a name", pawl.Invalid, pawl.HintSay, pawl.Actor{}, pawl.ClaimTask{ID: 1}},
		{"start of another's", pawl.Conflict, pawl.HintNext, ada, pawl.Start{IDs: ids(9)}},
		{"complete another's", pawl.Conflict, pawl.HintNext, ada, pawl.Complete{IDs: ids(9)}},
		{"complete with an older token", pawl.Conflict, pawl.HintShow, bob, pawl.Complete{IDs: ids(9), Token: 1}},
		{"release another's", pawl.Conflict, pawl.HintNext, ada, pawl.Release{IDs: ids(9)}},
		{"delete another's", pawl.Conflict, pawl.HintNext, ada, pawl.Delete{IDs: ids(9)}},
		{"renew another's", pawl.Conflict, pawl.HintNext, ada, pawl.Renew{IDs: ids(9)}},
		{"renew what nobody holds", pawl.Conflict, pawl.HintShow, ada, pawl.Renew{IDs: ids(1)}},
		{"assign what another works on", pawl.Conflict, pawl.HintNext, ada, pawl.Assign{IDs: ids(9), Owner: "x"}},
		{"claim what is assigned", pawl.Conflict, pawl.HintNext, ada, pawl.ClaimTask{ID: 10}},
		{"release completed", pawl.Conflict, pawl.HintReopen, ada, pawl.Release{IDs: ids(8)}},
		{"hold completed", pawl.Conflict, pawl.HintReopen, ada, pawl.PutHold{IDs: ids(8), Reason: "r"}},
		{"assign completed", pawl.Conflict, pawl.HintReopen, ada, pawl.Assign{IDs: ids(8), Owner: "x"}},
		{"reopen in progress", pawl.Conflict, pawl.HintRelease, bob, pawl.Reopen{IDs: ids(9)}},
		{"child of a completed parent", pawl.Conflict, pawl.HintReopen, ada, pawl.Update{ID: 1, Parent: ptr(pawl.ID(8))}},
		{"lease of a moment", pawl.Invalid, pawl.HintNone, ada, pawl.ClaimTask{ID: 1, Lease: 1}},
		{"one bad of several", pawl.NotFound, pawl.HintList, ada, pawl.Complete{IDs: ids(1, 99)}},
		{"blank reason", pawl.Invalid, pawl.HintNone, ada, pawl.PutHold{IDs: ids(1), Reason: " "}},
		{"blank note", pawl.Invalid, pawl.HintNone, ada, pawl.AddNote{ID: 1, Text: "\n"}},
		{"no op", pawl.Invalid, pawl.HintNone, ada, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.must(ada, pawl.Create{Tasks: []pawl.NewTask{
				{Subject: "1", Ref: "1"}, {Subject: "2", BlockedBy: []pawl.Ref{pawl.RefName("1")}}, {Subject: "3"}, {Subject: "4"},
				{Subject: "5", Ref: "5"}, {Subject: "6", Parent: pawl.RefName("5")}, {Subject: "7"}, {Subject: "8"}, {Subject: "9"},
				{Subject: "10", Owner: "bob"},
			}})
			w.must(ada, pawl.PutHold{IDs: ids(7), Reason: "wait"})
			w.must(ada, pawl.Complete{IDs: ids(8)})
			w.must(bob, pawl.ClaimTask{ID: 9, Lease: pawl.Duration(time.Hour)})
			before := w.dump()
			err := w.fails(tt.kind, tt.by, tt.op)
			if err.Hint.Step != tt.step {
				t.Errorf("hint %v, want %v: %v", err.Hint, tt.step, err)
			}
			if w.dump() != before {
				t.Error("the refused op changed the board")
			}
		})
	}
}

func TestParse(t *testing.T) {
	for in, want := range map[string]pawl.ID{"12": 12, "#12": 12, " 7 ": 7, "": 0, "#": 0, "0": 0, "-1": 0, "+1": 0, "1.0": 0, "../x": 0, "9007199254740992": 0, "9007199254740991": 0, "4503599627370497": 0, "99999999999999999999": 0, "4503599627370496": pawl.MaxID} {
		if got, err := pawl.ParseID(in); got != want || (err == nil) != (want != 0) {
			t.Errorf("ParseID(%q) = %v, %v", in, got, err)
		}
	}
	for _, c := range []pawl.Cursor{
		{Rank: pawl.Rank{ID: 12, Urgency: pawl.Low, Height: 3}, Revision: 99},
		{Rank: pawl.Rank{ID: 12}, Done: 1795299267780, Revision: 99},
	} {
		if got, err := pawl.ParseCursor(c.String()); err != nil || *got != c {
			t.Errorf("cursor %v came back as %v, %v", c, got, err)
		}
	}
	for _, in := range []string{"", "1.2.3", "1.2.3.4.0", "1.2.3.4.5.6", "a.b.c.d", "1.2.3.4x"} {
		if got, err := pawl.ParseCursor(in); err == nil {
			t.Errorf("ParseCursor(%q) = %v", in, got)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	for _, s := range []string{"99.-1.3.12", "99.0.0.12.1795299267780", "1.2.3.4.0", "+1.2.3.4", "1.2.3.4.5.6", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := pawl.ParseCursor(s); err == nil && c.String() != s {
			t.Errorf("%q came back as %q", s, c)
		}
	})
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
