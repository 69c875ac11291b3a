package pawl_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// Who may change the state of a task that claude works on in session a, and who
// is told that it is claimed.
func TestOwner(t *testing.T) {
	holder := pawl.Actor{Name: "claude", Session: "a"}
	type caller struct {
		name  string
		by    pawl.Actor
		token bool                  // shows the token
		force bool                  // a person's --force
		same  func(string) bool     // what its machine knows of other sessions
		lease time.Duration         // of the claim
		agent bool                  // an agent asks
		in    string                // the session of the claim; empty: the holder's
		after func(*world, pawl.ID) // what happened since
		may   bool                  // complete, release, …
	}
	other := pawl.Actor{Name: "claude", Session: "b"}
	is := func(sessions ...string) func(string) bool {
		return func(s string) bool { return fmt.Sprint([]string{s}) == fmt.Sprint(sessions) }
	}
	callers := []caller{
		{name: "same session", by: holder, may: true},
		{name: "same session, a subagent", by: pawl.Actor{Name: "claude", Session: "a", Agent: "explore"}, may: true},
		{name: "another session of the name", by: other},
		{name: "another session, of another process", by: other, same: is("c")},
		{name: "another session of the same process", by: other, same: is("a"), may: true},
		{name: "no session", by: pawl.Actor{Name: "claude"}},
		{name: "another name", by: pawl.Actor{Name: "codex", Session: "b"}},
		{name: "another name in the same session", by: pawl.Actor{Name: "codex", Session: "a"}},
		{name: "another name, whatever its machine says", by: pawl.Actor{Name: "codex", Session: "b"}, same: is("a")},
		{name: "a person", by: pawl.Actor{Name: "ada", Session: "tty"}},
		{name: "a person with force", by: pawl.Actor{Name: "ada", Session: "tty"}, force: true, may: true},
		{name: "who shows the token", by: other, token: true, may: true},
		{name: "another name that shows the token", by: pawl.Actor{Name: "codex", Session: "b"}, token: true, may: true},
		{name: "a person's claim, from another terminal", by: other, lease: -1, may: true},
		{name: "a person's claim, another name", by: pawl.Actor{Name: "bob", Session: "b"}, lease: -1},
		{name: "a person's claim, an agent in another session", by: other, lease: -1, agent: true},
		{name: "a person's claim, an agent without a session", by: pawl.Actor{Name: "claude"}, lease: -1, agent: true},
		{name: "a person's claim, an agent that says it is in their terminal", by: pawl.Actor{Name: "claude", Session: "terminal-1"}, lease: -1, agent: true, in: "terminal-1"},
		{name: "a claim without a lease, the agent that made it", by: holder, lease: -1, agent: true, may: true},
		{name: "a claim without a lease, an agent of the same process", by: other, lease: -1, agent: true, same: is("a"), may: true},
		{name: "a person's claim, an agent that shows the token", by: other, lease: -1, agent: true, token: true, may: true},
		{name: "a lease that was renewed", by: other, after: func(w *world, id pawl.ID) {
			w.now = w.now.Add(50 * time.Second)
			w.must(holder, pawl.Renew{IDs: []pawl.ID{id}})
			w.now = w.now.Add(50 * time.Second)
		}},
		{name: "a claim that went over, from before", by: holder, after: func(w *world, id pawl.ID) {
			w.must(other, pawl.ClaimTask{ID: id, Token: w.task(id).Claim.Token})
		}},
		{name: "a claim that went over, from after", by: other, may: true, after: func(w *world, id pawl.ID) {
			w.must(other, pawl.ClaimTask{ID: id, Token: w.task(id).Claim.Token})
		}},
	}
	type deed struct {
		name  string
		op    func(w *world, t *pawl.Task, token pawl.Revision, force bool) pawl.Op
		token bool // the op can show one
		force bool // it can be forced
	}
	deeds := []deed{
		{"complete", func(_ *world, t *pawl.Task, token pawl.Revision, force bool) pawl.Op {
			return pawl.Complete{IDs: []pawl.ID{t.ID}, Token: token, Force: force}
		}, true, true},
		{"release", func(_ *world, t *pawl.Task, token pawl.Revision, force bool) pawl.Op {
			return pawl.Release{IDs: []pawl.ID{t.ID}, Token: token, Force: force}
		}, true, true},
		{"release and assign", func(_ *world, t *pawl.Task, token pawl.Revision, force bool) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.Release{IDs: []pawl.ID{t.ID}, Token: token, Force: force}, pawl.Assign{IDs: []pawl.ID{t.ID}, Owner: "eve"}}}
		}, true, true},
		{"delete", func(_ *world, t *pawl.Task, _ pawl.Revision, force bool) pawl.Op {
			return pawl.Delete{IDs: []pawl.ID{t.ID}, Force: force}
		}, false, true},
		{"start", func(_ *world, t *pawl.Task, _ pawl.Revision, force bool) pawl.Op {
			return pawl.Start{IDs: []pawl.ID{t.ID}, Force: force}
		}, false, true},
		{"claim", func(_ *world, t *pawl.Task, token pawl.Revision, force bool) pawl.Op {
			return pawl.ClaimTask{ID: t.ID, Token: token, Force: force}
		}, true, true},
		{"renew", func(_ *world, t *pawl.Task, token pawl.Revision, _ bool) pawl.Op {
			return pawl.Renew{IDs: []pawl.ID{t.ID}, Token: token}
		}, true, false},
		{"undo of the claim", func(w *world, t *pawl.Task, _ pawl.Revision, _ bool) pawl.Op {
			return pawl.Undo{Revision: t.Claim.Token}
		}, false, false},
	}
	for _, c := range callers {
		for _, d := range deeds {
			t.Run(c.name+"/"+d.name, func(t *testing.T) {
				w, holder := newWorld(t), holder
				holder.Session = cmp.Or(c.in, holder.Session)
				w.must(holder, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
				lease := c.lease
				if lease == 0 {
					lease = time.Minute
				}
				w.must(holder, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(max(lease, 0))})
				if c.after != nil {
					c.after(w, 1)
				}
				was := w.task(1)
				var token pawl.Revision
				if c.token {
					token = was.Claim.Token
				}
				want := c.may && (!c.token || d.token) && (!c.force || d.force)
				if d.name == "renew" && c.by.Session == was.Claim.Session {
					want = true // a session renews what it holds, under whatever name
				}
				req := pawl.Request{By: c.by, Op: d.op(w, &was, token, c.force), Same: c.same, Agent: c.agent}
				_, tried := w.Try(context.Background(), req)
				_, err := w.Do(context.Background(), req)
				if (tried == nil) != (err == nil) {
					t.Errorf("it is tried with %v and done with %v", tried, err)
				}
				if want {
					if err != nil {
						t.Error(err)
					}
					return
				}
				e, ok := err.(*pawl.Error)
				if d.name == "undo of the claim" && c.in != "" && errors.Is(err, pawl.Conflict) {
					return // as a change of a person, which names no holder
				}
				if !ok || !errors.Is(e, pawl.Conflict) || e.Holder == nil {
					t.Fatalf("not refused, but %v", err)
				}
				if e.Holder.Name != was.Owner || e.Holder.Claim.Session != was.Claim.Session || !e.Holder.Claim.Until.Equal(was.Claim.Until) {
					t.Errorf("it is said to be held by %+v", e.Holder)
				}
				if now := w.task(1); now.Claim != was.Claim || now.Status != was.Status || now.Owner != was.Owner {
					t.Errorf("it was changed all the same: %+v", now)
				}
			})
		}
	}
}

// Which sessions are the caller's is asked when a claim of its name is in the
// way, once each, and not for anything else.
func TestOwnerAsksRarely(t *testing.T) {
	w := newWorld(t)
	a, b := pawl.Actor{Name: "claude", Session: "a"}, pawl.Actor{Name: "claude", Session: "b"}
	w.must(a, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}, {Subject: "three"}, {Subject: "four"}}})
	w.must(a, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Minute)})
	w.must(pawl.Actor{Name: "claude", Session: "c"}, pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Minute)})
	w.must(bob, pawl.ClaimTask{ID: 3, Lease: pawl.Duration(time.Minute)})
	var asked []string
	do := func(op pawl.Op) error {
		asked = nil
		_, err := w.Do(context.Background(), pawl.Request{By: b, Op: op, ID: pawl.OpID(fmt.Sprintf("%T", op)), Same: func(s string) bool {
			asked = append(asked, s)
			return s != "z"
		}})
		return err
	}
	if err := do(pawl.Complete{IDs: ids(3)}); pawl.KindOf(err) != pawl.Conflict || len(asked) > 0 {
		t.Errorf("for what bob holds: %v, asked of %v", err, asked)
	}
	if err := do(pawl.ClaimTask{}); err != nil || len(asked) > 0 {
		t.Errorf("for a free one: %v, asked of %v", err, asked)
	}
	if err := do(pawl.Complete{IDs: ids(1, 2)}); err != nil || fmt.Sprint(asked) != "[a c]" {
		t.Errorf("for what two sessions hold: %v, asked of %v", err, asked)
	}
	if err := do(pawl.Complete{IDs: ids(1, 2)}); err != nil || len(asked) > 0 {
		t.Errorf("the same request again: %v, asked of %v", err, asked)
	}
}

// In a batch only what was refused is tried again, and what is told of the
// results is told of all.
func TestOwnerInABatch(t *testing.T) {
	w := newWorld(t)
	a, b := pawl.Actor{Name: "claude", Session: "a"}, pawl.Actor{Name: "claude", Session: "b"}
	w.must(a, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	w.must(a, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Minute)})
	told := 0
	_, err := w.DoThen(context.Background(), []pawl.Request{
		{By: b, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "two"}}}},
		{By: b, Op: pawl.Complete{IDs: ids(1)}, Same: func(string) bool { return true }},
		{By: b, Op: pawl.AddNote{ID: 1, Text: "hm"}},
	}, func(_ pawl.Reader, results []pawl.Result, _ error) { told = len(results) })
	if err != nil {
		t.Error(err)
	}
	page, err := w.Select(context.Background(), pawl.Query{})
	if err != nil || page.Total != 2 || told != 3 || w.task(1).Status != pawl.Completed || len(w.task(1).Notes) != 1 {
		t.Errorf("%d tasks, told of %d, #1 is %+v, %v", page.Total, told, w.task(1), err)
	}
}
