package pawl_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A bound request does what is its name's own, and what it may not do it may not do
// as a part of another op either.
func TestBound(t *testing.T) {
	eve := pawl.Actor{Name: "eve", Session: ada.Session} // sessions are the caller's word
	for _, test := range []struct {
		name string
		deed func(w *world) pawl.Op // by ada, and returns what is tried then
		kind pawl.Kind
	}{
		{"complete with the token of a claim", func(w *world) pawl.Op {
			return pawl.Complete{IDs: ids(1), Token: w.must(ada, claimFor(1)).Tasks[0].Claim.Token}
		}, pawl.Conflict},
		{"release with the token of a claim", func(w *world) pawl.Op {
			return pawl.Release{IDs: ids(1), Token: w.must(ada, claimFor(1)).Tasks[0].Claim.Token}
		}, pawl.Conflict},
		{"claim with the token of a claim", func(w *world) pawl.Op {
			return pawl.ClaimTask{ID: 1, Token: w.must(ada, claimFor(1)).Tasks[0].Claim.Token}
		}, pawl.Conflict},
		{"renew with the token of a claim", func(w *world) pawl.Op {
			return pawl.Renew{IDs: ids(1), Token: w.must(ada, claimFor(1)).Tasks[0].Claim.Token}
		}, pawl.Conflict},
		{"renew in the session of another name", func(w *world) pawl.Op {
			w.must(ada, claimFor(1))
			return pawl.Renew{IDs: ids(1)}
		}, pawl.Conflict},
		{"lift a hold", func(w *world) pawl.Op {
			w.must(ada, pawl.PutHold{IDs: ids(1), Reason: "wait"})
			return pawl.LiftHold{IDs: ids(1)}
		}, pawl.Blocked},
		{"undo a change", func(w *world) pawl.Op {
			return pawl.Undo{Revision: w.must(ada, pawl.PutHold{IDs: ids(1), Reason: "wait"}).Revision}
		}, pawl.Conflict},
		{"undo an undo", func(w *world) pawl.Op {
			w.must(ada, pawl.PutHold{IDs: ids(1), Reason: "wait"})
			return pawl.Undo{Revision: w.must(ada, pawl.Undo{Revision: w.revision()}).Revision}
		}, pawl.Conflict},
		{"assign away", func(w *world) pawl.Op {
			w.must(ada, pawl.Assign{IDs: ids(1), Owner: "ada"})
			return pawl.Assign{IDs: ids(1), Owner: ""}
		}, pawl.Conflict},
	} {
		for _, bound := range []bool{false, true} {
			w := newWorld(t)
			w.must(ada, create(pawl.NewTask{Subject: "one"}, pawl.NewTask{Subject: "two"}))
			op := test.deed(w)
			before := w.task(1)
			_, err := w.Do(context.Background(), pawl.Request{By: eve, Op: op, Bound: bound})
			switch {
			case !bound && err != nil:
				t.Errorf("%s: a request that is not bound fails: %v", test.name, err)
			case bound && !errors.Is(err, test.kind):
				t.Errorf("%s: got error %v, want %v", test.name, err, test.kind)
			case bound && len(pawl.Diff(&before, ptr(w.task(1)))) > 0:
				t.Errorf("%s: it was refused, and yet changed %+v", test.name, w.task(1))
			}
			if _, undo := op.(pawl.Undo); undo || !bound {
				continue
			}
			all := pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 2, Text: "n"}, op}}
			if _, err := w.Do(context.Background(), pawl.Request{By: eve, Op: all, Bound: true}); !errors.Is(err, test.kind) {
				t.Errorf("%s in another op: got error %v, want %v", test.name, err, test.kind)
			}
		}
	}
}

// What is its own a bound request may do, as any other.
func TestBoundOwn(t *testing.T) {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one"}, pawl.NewTask{Subject: "two"}, pawl.NewTask{Subject: "three"}))
	other := pawl.Actor{Name: "ada", Session: "s9"}
	bound := func(by pawl.Actor, op pawl.Op) pawl.Result {
		t.Helper()
		res, err := w.Do(context.Background(), pawl.Request{By: by, Op: op, Bound: true})
		if err != nil {
			t.Fatalf("%T: %v", op, err)
		}
		return res
	}
	token := bound(ada, claimFor(1)).Tasks[0].Claim.Token
	bound(other, pawl.Renew{IDs: ids(1), Token: token})
	bound(other, pawl.ClaimTask{ID: 1, Token: token})
	bound(ada, pawl.Release{IDs: ids(1), Token: token, Hold: "wait"})
	bound(other, pawl.LiftHold{IDs: ids(1, 2)})
	rev := bound(ada, claimFor(2)).Revision
	bound(ada, pawl.Undo{Revision: bound(ada, pawl.Undo{Revision: rev}).Revision})
	bound(ada, pawl.Assign{IDs: ids(3), Owner: "ada"})
	bound(ada, pawl.Assign{IDs: ids(3), Owner: "bob"})
}

// The leases of a session are renewed by what its own name does.
func TestBoundRenewals(t *testing.T) {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one"}, pawl.NewTask{Subject: "two"}))
	w.must(ada, claimFor(1))
	until := w.task(1).Claim.Until
	w.now = w.now.Add(time.Minute)
	eve := pawl.Actor{Name: "eve", Session: ada.Session}
	for _, op := range []pawl.Op{pawl.AddNote{ID: 2, Text: "n"}, pawl.Renew{}} {
		must.Do(t, errOf(w.Do(context.Background(), pawl.Request{By: eve, Op: op, Bound: true})))
		if now := w.task(1).Claim.Until; !now.Equal(until) {
			t.Errorf("%T of another name has renewed the claim until %v", op, now)
		}
	}
	must.Do(t, errOf(w.Do(context.Background(), pawl.Request{By: ada, Op: pawl.AddNote{ID: 2, Text: "n"}, Bound: true})))
	if now := w.task(1).Claim.Until; !now.After(until) {
		t.Error("a note of its own name and session has not renewed the claim")
	}
}

func claimFor(id pawl.ID) pawl.Op { return pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Hour)} }

func create(tasks ...pawl.NewTask) pawl.Op { return pawl.Create{Tasks: tasks} }
