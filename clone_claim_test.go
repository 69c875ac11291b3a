package pawl_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// theirs is the claim of another clone, under a name and a session that there are
// here, too.
var theirs = pawl.Claim{Session: "s1", Token: 3000, Lease: pawl.Duration(time.Hour), Until: noon.Add(time.Hour), Clone: "mac-mini-3f2a9c1d"}

// apart is a board of which another clone has claimed #1 as ada, what waits for it
// is #2, and nothing else is open.
func apart(t *testing.T, claim pawl.Claim) *world {
	t.Helper()
	w := &world{T: t, now: noon}
	store := memory.New(memory.WithClock(func() time.Time { return w.now }))
	w.Board = pawl.NewBoard(store)
	w.must(bob, pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "one"}, {Subject: "two", BlockedBy: []pawl.Ref{pawl.RefName("a")}}}})
	brought(w, store, func(task *pawl.Task) { task.Status, task.Owner, task.Claim = pawl.InProgress, "ada", claim })
	return w
}

// brought changes #1 as a sync does.
func brought(w *world, store *memory.Store, change func(*pawl.Task)) pawl.Revision {
	w.Helper()
	after := w.task(1).Clone()
	change(&after)
	return became(w, store, ada, pawl.VerbSync, &after)
}

// became has the store take in what #1 is now, nil: it is gone.
func became(w *world, store *memory.Store, by pawl.Actor, verb string, after *pawl.Task) pawl.Revision {
	w.Helper()
	before := w.task(1)
	rev, err := store.Update(context.Background(), func(r pawl.Reader) (pawl.Commit, error) {
		c := pawl.Change{ID: 1, CreatedAt: before.CreatedAt, Before: &before, After: after}
		if after != nil {
			c.Fields = pawl.Diff(&before, after)
		}
		return pawl.Commit{LastID: r.LastID(), Sets: []pawl.ChangeSet{{At: w.now, By: by, Verb: verb, Changes: []pawl.Change{c}}}}, nil
	})
	must.Do(w, err)
	return rev
}

// Nobody here has the claim of another clone, whatever name, session and token they
// come with. A person may take it with force, as any other.
func TestClaimOfAnotherClone(t *testing.T) {
	all := func(string) bool { return true }
	person := theirs
	person.Lease, person.Until = 0, time.Time{}
	for name, c := range map[string]struct {
		by    pawl.Actor
		token pawl.Revision
		claim pawl.Claim
		says  string
	}{
		"its own name and session": {by: ada, claim: theirs, says: "#1 is claimed by ada on mac-mini until 2026-03-01T13:00:00Z"},
		"its own subagent":         {by: pawl.Actor{Name: "ada", Session: "s1", Agent: "explore"}, claim: theirs},
		"another session":          {by: pawl.Actor{Name: "ada", Session: "s9"}, claim: theirs},
		"the token":                {by: ada, token: 3000, claim: theirs, says: "token 3000 is not the current token of #1; owner: ada on mac-mini"},
		"a person's":               {by: ada, claim: person, says: "#1 is claimed by ada on mac-mini"},
		"somebody else":            {by: bob, claim: theirs},
	} {
		for what, op := range map[string]pawl.Op{
			"claim": pawl.ClaimTask{ID: 1, Token: c.token}, "complete": pawl.Complete{IDs: ids(1), Token: c.token},
			"release": pawl.Release{IDs: ids(1), Token: c.token}, "renew": pawl.Renew{IDs: ids(1), Token: c.token},
			"start": pawl.Start{IDs: ids(1)}, "delete": pawl.Delete{IDs: ids(1)}, "assign": pawl.Assign{IDs: ids(1), Owner: "eve"},
		} {
			if c.token != 0 && (what == "start" || what == "delete" || what == "assign") {
				continue
			}
			w := apart(t, c.claim)
			was := w.task(1)
			_, err := w.Do(context.Background(), pawl.Request{By: c.by, Op: op, Sessions: []string{theirs.Session}, Same: all})
			e, _ := errors.AsType[*pawl.Error](err)
			if e == nil || e.Kind != pawl.Conflict || e.Holder == nil || e.Holder.Claim != c.claim || len(e.Namesakes) > 0 {
				t.Errorf("%s, %s: %v", name, what, err)
			} else if c.says != "" && e.Message != c.says {
				t.Errorf("%s, %s: %q, want %q", name, what, e.Message, c.says)
			}
			if now := w.task(1); !slices.Equal(pawl.Diff(&was, &now), nil) {
				t.Errorf("%s, %s: the task is %+v", name, what, now)
			}
		}
	}
}

func TestClaimOfAnotherCloneIsTaken(t *testing.T) {
	here := func(w *world) {
		if now := w.task(1).Claim; now.Clone != "" || !now.Confirmed.IsZero() || now.Token == theirs.Token || now.Session != "s2" {
			t.Errorf("the claim is %+v", now)
		}
	}
	confirmed := theirs
	confirmed.Clone, confirmed.Confirmed = "", noon
	for _, claim := range []pawl.Claim{theirs, confirmed} {
		for _, op := range []pawl.Op{pawl.ClaimTask{ID: 1, Force: true, Lease: pawl.Duration(time.Hour)}, pawl.Start{IDs: ids(1), Force: true}} {
			w := apart(t, claim)
			w.must(bob, op)
			here(w)
		}
		w := apart(t, claim)
		w.now = claim.Until
		w.must(bob, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
		here(w)
	}
	for _, op := range []pawl.Op{pawl.Complete{IDs: ids(1), Force: true}, pawl.Release{IDs: ids(1), Force: true}} {
		w := apart(t, theirs)
		if w.must(bob, op); w.task(1).Claim != (pawl.Claim{}) {
			t.Errorf("%T leaves %+v", op, w.task(1).Claim)
		}
	}
}

// What a session has, and what renews its leases, is about this clone.
func TestSessionOfAnotherClone(t *testing.T) {
	w := apart(t, theirs)
	w.now = noon.Add(time.Minute)
	w.must(ada, pawl.Update{ID: 2, AddLabels: []string{"x"}})
	if e := w.fails(pawl.Invalid, pawl.Actor{Name: "ada"}, pawl.Renew{}); !strings.Contains(e.Message, "session") {
		t.Error(e)
	}
	w.must(ada, pawl.Renew{})
	if is := w.task(1).Claim; is != theirs {
		t.Errorf("the claim was renewed: %+v", is)
	}
	for name, q := range map[string]pawl.Query{"mine": {Mine: ada}, "session": {Session: "s1"}} {
		if page, err := w.Select(context.Background(), q); err != nil || page.Total != 0 {
			t.Errorf("%s: %+v, %v", name, page.Tasks, err)
		}
	}
	if page, _ := w.Select(context.Background(), pawl.Query{Owner: "ada"}); page.Total != 1 {
		t.Error("it is not ada's")
	}
	g, err := w.Glance(context.Background(), pawl.GlanceQuery{Session: "s1", IDs: ids(1)})
	if err != nil || len(g.Claimed) != 0 || len(g.Tasks) != 1 || g.Tasks[0].Claim != theirs {
		t.Errorf("a glance shows %+v, %v", g, err)
	}
}

// A caller who finds nothing to do is told where the work goes on.
func TestNothingReadyForAnotherClone(t *testing.T) {
	w := apart(t, theirs)
	e := w.fails(pawl.Busy, pawl.Actor{Name: "ada", Session: "s9"}, pawl.ClaimTask{Lease: pawl.Duration(time.Minute)})
	if want := "nothing is ready now: #1 is claimed by ada on mac-mini until 2026-03-01T13:00:00Z"; e.Message != want || len(e.Namesakes) > 0 || !e.Until.Equal(theirs.Until) {
		t.Errorf("%q, %+v", e.Message, e)
	}
	e = w.fails(pawl.Blocked, pawl.Actor{Name: "ada", Session: "s9"}, pawl.ClaimTask{ID: 2})
	if strings.Contains(e.Message, "session") || len(e.Namesakes) > 0 || e.Hint.Step != pawl.HintShow {
		t.Errorf("%q, %+v", e.Message, e)
	}
}

// That the remote has a claim is told to nobody as a change; that another clone has
// it now is.
func TestConfirmingIsNoChange(t *testing.T) {
	a := pawl.Task{ID: 1, Status: pawl.InProgress, Owner: "ada", Claim: pawl.Claim{Session: "s1", Token: 3}}
	b, c := a, a
	b.Claim.Confirmed = noon
	c.Claim.Clone = "mac-mini-3f2a9c1d"
	if diff := pawl.Diff(&a, &b); len(diff) > 0 {
		t.Errorf("a confirmed claim differs in %v", diff)
	}
	if diff := pawl.Diff(&a, &c); !slices.Equal(diff, []pawl.Field{pawl.FieldClaim}) {
		t.Errorf("another clone's differs in %v", diff)
	}
	store := memory.New()
	w := &world{T: t, Board: pawl.NewBoard(store)}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	w.must(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Hour)})
	rev := w.task(1).Claim.Token
	for _, step := range []struct {
		change func(*pawl.Task)
		told   int
	}{
		{func(t *pawl.Task) { t.Claim.Until = t.Claim.Until.Add(time.Minute) }, 0},
		{func(t *pawl.Task) { t.Claim.Clone = "mac-mini-3f2a9c1d" }, 1},
	} {
		brought(w, store, step.change)
		changed, _, err := w.ChangedSince(t.Context(), rev)
		if err != nil || len(changed) != step.told {
			t.Errorf("%v changed, %v; want %d", changed, err, step.told)
		}
	}
}

// What came from other clones is nobody's deed here. To undo it by its number is
// refused, and the last thing that ada did is what she did before.
func TestUndoOfASync(t *testing.T) {
	store := memory.New()
	w := &world{T: t, Board: pawl.NewBoard(store)}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	named := w.must(ada, pawl.Update{ID: 1, Subject: new("ein")})
	mine := w.must(ada, pawl.Update{ID: 1, AddLabels: []string{"x"}})
	rev := brought(w, store, func(t *pawl.Task) { t.Subject = "uno" })
	e := w.fails(pawl.Conflict, ada, pawl.Undo{Revision: rev})
	if e.Message != "@4 came from other clones: it is undone where it was made, or by a new change" {
		t.Error(e)
	}
	if set, err := w.Undoable(t.Context(), ada, nil); err != nil || set.Revision != mine.Revision {
		t.Errorf("ada would undo %+v, %v", set, err)
	}
	if res := w.must(ada, pawl.Undo{}); res.Undoes != mine.Revision || w.task(1).Subject != "uno" {
		t.Errorf("she undid %+v", res)
	}
	e = w.fails(pawl.Conflict, ada, pawl.Undo{Revision: named.Revision})
	if !strings.Contains(e.Message, "@4 (sync with other clones) changed its subject") {
		t.Error(e)
	}
}

// A claim that another clone was first to make stayed in effect: an undo was refused for it,
// also when the other clone had completed the task.
func TestUndoPassesOverALostClaim(t *testing.T) {
	store := memory.New()
	w := &world{T: t, Board: pawl.NewBoard(store)}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}})
	named := w.must(ada, pawl.Update{ID: 2, Subject: new("zwei")})
	w.must(ada, pawl.ClaimTask{ID: 1})
	brought(w, store, func(t *pawl.Task) { t.Owner, t.Claim.Clone = "bob", "mac-mini-3f2a9c1d" })
	brought(w, store, func(t *pawl.Task) { t.Status, t.Claim = pawl.Completed, pawl.Claim{} })
	if res := w.must(ada, pawl.Undo{}); res.Undoes != named.Revision || w.task(1).Owner != "bob" {
		t.Errorf("she undid %+v", res)
	}
}

func TestCheckClaim(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*pawl.Claim)
		ok     bool
	}{
		"as it is":            {func(*pawl.Claim) {}, true},
		"none":                {func(c *pawl.Claim) { *c = pawl.Claim{} }, true},
		"no lease":            {func(c *pawl.Claim) { c.Lease, c.Until = 0, time.Time{} }, true},
		"of this clone":       {func(c *pawl.Claim) { c.Clone, c.Confirmed = "", noon }, true},
		"no token":            {func(c *pawl.Claim) { c.Token = 0 }, false},
		"a token below zero":  {func(c *pawl.Claim) { c.Token = -1 }, false},
		"no end of its lease": {func(c *pawl.Claim) { c.Until = time.Time{} }, false},
		"a lease below zero":  {func(c *pawl.Claim) { c.Lease = -1 }, false},
		"a lease of years":    {func(c *pawl.Claim) { c.Lease = 1 << 62 }, false},
		"a long session":      {func(c *pawl.Claim) { c.Session = strings.Repeat("s", pawl.MaxName+1) }, false},
		"an escape":           {func(c *pawl.Claim) { c.Session = "\x1b]0;" }, false},
		"a line end":          {func(c *pawl.Claim) { c.Agent = "a\nb" }, false},
		"no text":             {func(c *pawl.Claim) { c.Agent = "\xff" }, false},
		"a clone in a folder": {func(c *pawl.Claim) { c.Clone = "../x" }, false},
		"a clone of escapes":  {func(c *pawl.Claim) { c.Clone = "mac\x1b[2J" }, false},
		"a long clone":        {func(c *pawl.Claim) { c.Clone = strings.Repeat("m", pawl.MaxClone+1) }, false},
	} {
		claim := theirs
		c.change(&claim)
		if err := claim.Check(); (err == nil) != c.ok || err != nil && pawl.KindOf(err) != pawl.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that another program removed or edited ended nobody's claim. To undo that brings
// the claim back with the task.
func TestUndoOfEditOutsideBringsTheClaimBack(t *testing.T) {
	external := pawl.Actor{Name: pawl.ExternalName}
	here := pawl.Claim{Session: "s1", Token: 2, Lease: pawl.Duration(time.Hour), Until: noon.Add(time.Hour)}
	for name, claim := range map[string]pawl.Claim{"another clone's": theirs, "one of this clone": here} {
		for what, edit := range map[string]func(*pawl.Task) *pawl.Task{
			"removed":         func(*pawl.Task) *pawl.Task { return nil },
			"an older text":   func(t *pawl.Task) *pawl.Task { t.Status, t.Owner, t.Claim = pawl.Pending, "", pawl.Claim{}; return t },
			"another's":       func(t *pawl.Task) *pawl.Task { t.Owner, t.Claim = "bob", pawl.Claim{}; return t },
			"given to nobody": func(t *pawl.Task) *pawl.Task { t.Owner, t.Claim = "", pawl.Claim{}; return t },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				w := &world{T: t, now: noon}
				store := memory.New(memory.WithClock(func() time.Time { return w.now }))
				w.Board = pawl.NewBoard(store)
				w.must(bob, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
				brought(w, store, func(task *pawl.Task) { task.Status, task.Owner, task.Claim = pawl.InProgress, "ada", claim })
				is := w.task(1).Clone()
				rev := became(w, store, external, pawl.ExternalName, edit(&is))
				w.must(bob, pawl.Undo{Revision: rev})
				if is := w.task(1); is.Owner != "ada" || is.Claim != claim {
					t.Errorf("owner %q with %+v, want ada with %+v", is.Owner, is.Claim, claim)
				}
				w.fails(pawl.Conflict, pawl.Actor{Name: "eve"}, pawl.ClaimTask{ID: 1})

				for rev, n := w.revision(), 0; n < 4 && claim == here; n += 2 { // so is it of what its owner undid again
					rev = w.must(pawl.Actor{Name: "ada", Session: "s1"}, pawl.Undo{Revision: rev}).Revision
					rev = w.must(bob, pawl.Undo{Revision: rev}).Revision
					if is := w.task(1); is.Owner != "ada" || is.Claim != claim {
						t.Errorf("undone %d times: owner %q with %+v", n+3, is.Owner, is.Claim)
					}
				}

				is = w.task(1).Clone()
				rev = became(w, store, external, pawl.ExternalName, edit(&is))
				w.now = claim.Until
				w.must(bob, pawl.Undo{Revision: rev})
				w.must(pawl.Actor{Name: "eve"}, pawl.ClaimTask{ID: 1}) // its lease is over
			})
		}
	}
}
