package pawl_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// damaging is a reader that sees some tasks as damaged.
type damaging struct {
	pawl.Reader
	ids []pawl.ID
}

func (d damaging) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	nodes, err := d.Reader.Reach(dir, from...)
	for i := range nodes {
		nodes[i].Damaged = slices.Contains(d.ids, nodes[i].ID)
	}
	return nodes, err
}

// TestNothingReady: that all is done, that others are at work, and that nobody
// is, are three answers. They were one: not found.
func TestNothingReady(t *testing.T) {
	after := func(subject string, blockers ...pawl.ID) pawl.NewTask {
		n := pawl.NewTask{Subject: subject}
		for _, id := range blockers {
			n.BlockedBy = append(n.BlockedBy, pawl.RefID(id))
		}
		return n
	}
	add := func(tasks ...pawl.NewTask) pawl.Op { return pawl.Create{Tasks: tasks} }
	one := after("one")
	docs := pawl.NewTask{Subject: "docs", Labels: []string{"docs"}}
	type deed struct {
		by pawl.Actor
		op pawl.Op
	}
	eve, anon := pawl.Actor{Name: "eve", Session: "s3"}, pawl.Actor{Name: "ada", Session: "elsewhere"}
	claim := func(id pawl.ID, lease time.Duration) pawl.Op {
		return pawl.ClaimTask{ID: id, Lease: pawl.Duration(lease)}
	}
	for _, tt := range []struct {
		name    string
		deeds   []deed
		damaged []pawl.ID
		filter  pawl.ClaimFilter
		kind    pawl.Kind
		says    string
		ids     []pawl.ID
		until   time.Duration // from now; 0: not said
		hint    pawl.Hint
	}{
		{name: "an empty board", kind: pawl.Idle, says: "nothing is left to claim: the board has no tasks", hint: pawl.Hint{Step: pawl.HintCreate}},
		{
			name:  "all done",
			deeds: []deed{{ada, add(one, one)}, {ada, pawl.Complete{IDs: ids(1, 2)}}},
			kind:  pawl.Idle, says: "nothing is left to claim: all 2 tasks are completed",
		},
		{
			name:  "one task, done",
			deeds: []deed{{ada, add(one)}, {ada, pawl.Complete{IDs: ids(1)}}},
			kind:  pawl.Idle, says: "nothing is left to claim: the only task is completed",
		},
		{
			name:  "what fits is done, another is ready",
			deeds: []deed{{ada, add(docs, one)}, {ada, pawl.Complete{IDs: ids(1)}}}, filter: pawl.ClaimFilter{Labels: []string{"docs"}},
			kind: pawl.Idle, says: "nothing is left to claim that fits: the only one is completed; without the filter 1 is ready", hint: pawl.Hint{Step: pawl.HintNext},
		},
		{
			name:  "nothing fits",
			deeds: []deed{{ada, add(one)}, {bob, claim(1, 0)}}, filter: pawl.ClaimFilter{Text: "two"},
			kind: pawl.Idle, says: "nothing is left to claim that fits: no task does", hint: pawl.Hint{Step: pawl.HintList},
		},
		{
			name:  "own work",
			deeds: []deed{{ada, add(one, after("two", 1))}, {ada, claim(1, time.Hour)}},
			kind:  pawl.Busy, says: "nothing else is ready now: #1 is claimed by you", ids: ids(1), hint: pawl.Hint{Step: pawl.HintFinish, IDs: ids(1)},
		},
		{
			name:  "own work that waits for a part that is held",
			deeds: []deed{{ada, add(one, pawl.NewTask{Subject: "part", Parent: pawl.RefID(1)})}, {ada, pawl.PutHold{IDs: ids(2), Reason: "no key"}}, {ada, pawl.ClaimTask{ID: 1, Force: true}}},
			kind:  pawl.Busy, says: "nothing else is ready now: #1 is claimed by you; #2 is on hold: no key", ids: ids(1), hint: pawl.Hint{Step: pawl.HintLift, IDs: ids(2)},
		},
		{
			name:  "the lease of another",
			deeds: []deed{{ada, add(one, after("two", 1))}, {bob, claim(1, time.Hour)}},
			kind:  pawl.Busy, says: "nothing is ready now: #1 is claimed by bob until 2026-11-21T10:00:00Z", ids: ids(1), until: time.Hour, hint: pawl.Hint{Step: pawl.HintWait},
		},
		{
			name:  "the first lease of several, and a person",
			deeds: []deed{{ada, add(one, one, one)}, {eve, claim(1, 0)}, {bob, claim(2, time.Hour)}, {bob, claim(3, time.Minute)}},
			kind:  pawl.Busy, until: time.Minute, ids: ids(3, 2, 1), hint: pawl.Hint{Step: pawl.HintWait},
			says: "nothing is ready now: #3 is claimed by bob until 2026-11-21T09:01:00Z; #2 is claimed by bob until 2026-11-21T10:00:00Z; #1 is claimed by eve",
		},
		{
			name:  "a person's work",
			deeds: []deed{{ada, add(one)}, {eve, claim(1, 0)}},
			kind:  pawl.Busy, says: "nothing is ready now: #1 is claimed by eve", ids: ids(1), hint: pawl.Hint{Step: pawl.HintWait},
		},
		{
			name:  "the caller's name in another session",
			deeds: []deed{{ada, add(one)}, {anon, claim(1, time.Hour)}},
			kind:  pawl.Busy, says: "nothing is ready now: #1 is claimed by ada in another session until 2026-11-21T10:00:00Z", ids: ids(1), until: time.Hour,
			hint: pawl.Hint{Step: pawl.HintWait},
		},
		{
			name:  "own work and that of others",
			deeds: []deed{{ada, add(one, one)}, {ada, claim(1, time.Minute)}, {bob, claim(2, time.Hour)}},
			kind:  pawl.Busy, says: "nothing else is ready now: #1 is claimed by you; #2 is claimed by bob until 2026-11-21T10:00:00Z", ids: ids(1, 2), until: time.Hour,
			hint: pawl.Hint{Step: pawl.HintFinish, IDs: ids(1)},
		},
		{
			name: "what fits waits for work that does not fit",
			deeds: []deed{{ada, add(one, pawl.NewTask{Subject: "docs", Labels: []string{"docs"}, BlockedBy: []pawl.Ref{pawl.RefID(1)}})},
				{bob, claim(1, time.Hour)}},
			filter: pawl.ClaimFilter{Labels: []string{"docs"}},
			kind:   pawl.Busy, says: "nothing is ready now: #1 is claimed by bob until 2026-11-21T10:00:00Z", ids: ids(1), until: time.Hour, hint: pawl.Hint{Step: pawl.HintWait},
		},
		{
			name:  "what fits is held, and work elsewhere does not change that",
			deeds: []deed{{ada, add(docs, one)}, {ada, pawl.PutHold{IDs: ids(1), Reason: "no key"}}, {bob, claim(2, time.Hour)}}, filter: pawl.ClaimFilter{Labels: []string{"docs"}},
			kind: pawl.Blocked, says: "nothing is ready, and nobody works on what is in the way: #1 is on hold: no key", ids: ids(1), hint: pawl.Hint{Step: pawl.HintLift, IDs: ids(1)},
		},
		{
			name:   "what fits waits for a ready task that does not fit",
			deeds:  []deed{{ada, add(one, pawl.NewTask{Subject: "docs", Labels: []string{"docs"}, BlockedBy: []pawl.Ref{pawl.RefID(1)}})}},
			filter: pawl.ClaimFilter{Labels: []string{"docs"}},
			kind:   pawl.Blocked, says: "nothing is ready, and nobody works on what is in the way: #1 is ready, but does not fit", ids: ids(1),
			hint: pawl.Hint{Step: pawl.HintClaim, IDs: ids(1)},
		},
		{
			name:  "others work on what fits, and something else is ready",
			deeds: []deed{{ada, add(docs, one)}, {bob, claim(1, time.Hour)}}, filter: pawl.ClaimFilter{Labels: []string{"docs"}},
			kind: pawl.Busy, says: "nothing is ready now: #1 is claimed by bob until 2026-11-21T10:00:00Z; without the filter 1 is ready", ids: ids(1), until: time.Hour,
			hint: pawl.Hint{Step: pawl.HintNext},
		},
		{
			name:  "a part that is done is not in the way",
			deeds: []deed{{ada, add(one, pawl.NewTask{Subject: "part", Parent: pawl.RefID(1)})}, {ada, pawl.Complete{IDs: ids(2)}}, {bob, claim(1, time.Hour)}},
			kind:  pawl.Busy, says: "nothing is ready now: #1 is claimed by bob until 2026-11-21T10:00:00Z", ids: ids(1), until: time.Hour, hint: pawl.Hint{Step: pawl.HintWait},
		},
		{
			name:  "only held",
			deeds: []deed{{ada, add(one, after("two", 1))}, {ada, pawl.PutHold{IDs: ids(1, 2), Reason: "no key"}}},
			kind:  pawl.Blocked, says: "nothing is ready, and nobody works on what is in the way: #1 is on hold: no key", ids: ids(1),
			hint: pawl.Hint{Step: pawl.HintLift, IDs: ids(1)},
		},
		{
			name:  "only assigned to others",
			deeds: []deed{{ada, add(one)}, {ada, pawl.Assign{IDs: ids(1), Owner: "bob"}}},
			kind:  pawl.Blocked, says: "nothing is ready, and nobody works on what is in the way: #1 is assigned to bob", ids: ids(1),
			hint: pawl.Hint{Step: pawl.HintAssign, IDs: ids(1)},
		},
		{
			name:  "only damaged",
			deeds: []deed{{ada, add(one, after("two", 1))}}, damaged: ids(1),
			kind: pawl.Blocked, says: "nothing is ready, and nobody works on what is in the way: #1 is damaged", ids: ids(1), hint: pawl.Hint{Step: pawl.HintDiagnose},
		},
		{
			name: "of everything something",
			deeds: []deed{{ada, add(one, one, one, one, one)}, {bob, claim(1, time.Hour)}, {ada, pawl.PutHold{IDs: ids(2, 3), Reason: "no key"}},
				{ada, pawl.Assign{IDs: ids(4), Owner: "bob"}}},
			damaged: ids(5), kind: pawl.Busy, ids: ids(1), until: time.Hour, hint: pawl.Hint{Step: pawl.HintWait},
			says: "nothing is ready now: #1 is claimed by bob until 2026-11-21T10:00:00Z; #2 is on hold: no key; #3 is on hold: no key; #4 is assigned to bob; and 1 more",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for _, d := range tt.deeds {
				w.must(d.by, d.op)
			}
			var e *pawl.Error
			if len(tt.damaged) == 0 {
				e = w.fails(tt.kind, ada, pawl.ClaimTask{Filter: tt.filter, Lease: pawl.Duration(time.Hour)})
			}
			var read *pawl.Error
			var rev pawl.Revision
			err := w.View(context.Background(), func(r pawl.Reader) (err error) {
				rev = r.Revision()
				q := pawl.Query{Labels: tt.filter.Labels, Parent: tt.filter.Parent, Priority: tt.filter.Priority, Owner: tt.filter.Owner, Text: tt.filter.Text}
				read, err = pawl.NothingReady(damaging{r, tt.damaged}, ada, q)
				return err
			})
			switch {
			case err != nil:
				t.Fatal(err)
			case e == nil:
				e = read
			case read.Message != e.Message:
				t.Errorf("a reader is told %q, a claim %q", read.Message, e.Message)
			}
			if e.Revision != rev || read.Revision != rev {
				t.Errorf("to watch from %d, a reader from %d; the board is at %d", e.Revision, read.Revision, rev)
			}
			if e.Kind != tt.kind || e.Message != tt.says {
				t.Errorf("%v: %s\nwant %v: %s", e.Kind, e.Message, tt.kind, tt.says)
			}
			if !slices.Equal(e.IDs, tt.ids) || e.Kind == pawl.Busy && len(e.Workers) != len(e.IDs) {
				t.Errorf("about %v of %v, want %v", e.IDs, e.Workers, tt.ids)
			}
			if e.Hint.Step != tt.hint.Step || !slices.Equal(e.Hint.IDs, tt.hint.IDs) {
				t.Errorf("hint %v, want %v", e.Hint, tt.hint)
			}
			if want := w.now.Add(tt.until); tt.until == 0 && !e.Until.IsZero() || tt.until > 0 && !e.Until.Equal(want) {
				t.Errorf("until %v, want %v", e.Until, tt.until)
			}
		})
	}
}

// A claim of the caller's own session of before is the caller's to finish.
func TestNothingReadyBesideTheSessionBefore(t *testing.T) {
	w := newWorld(t)
	w.chain("a", "b")
	before, now := pawl.Actor{Name: "claude", Session: "a"}, pawl.Actor{Name: "claude", Session: "b"}
	w.must(before, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	same := func(session string) bool { return session == "a" }
	_, err := w.Do(context.Background(), pawl.Request{By: now, Op: pawl.ClaimTask{}, Same: same})
	e, ok := err.(*pawl.Error)
	if !ok {
		t.Fatal(err)
	}
	if e.Kind != pawl.Busy || e.Hint.Step != pawl.HintFinish || !slices.Equal(e.Hint.IDs, ids(1)) {
		t.Errorf("%v, hint %v", err, e.Hint)
	}
}
