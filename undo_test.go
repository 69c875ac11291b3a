package pawl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// An undo without a revision takes back the caller's newest change in effect,
// and passes over as many that others overwrote as it may.
func TestUndoNewest(t *testing.T) {
	w := newWorld(t)
	subject := func(id pawl.ID, text string) pawl.Op { return pawl.Update{ID: id, Subject: &text} }
	other := pawl.Actor{Name: ada.Name, Session: "another"}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}, {Subject: "three"}}})
	first := w.must(ada, subject(1, "first")).Revision
	second := w.must(ada, subject(2, "second")).Revision
	third := w.must(ada, subject(3, "third")).Revision
	w.must(bob, subject(3, "bob's"))
	w.must(bob, subject(2, "bob's"))
	elsewhere := w.must(other, subject(1, "elsewhere")).Revision

	w.fails(pawl.Conflict, ada, pawl.Undo{})
	if e := w.fails(pawl.Conflict, ada, pawl.Undo{Pass: 1}); e.Revision == 0 {
		t.Errorf("the refusal does not say which change is in the way: %v", e)
	}
	back := w.must(ada, pawl.Undo{Everywhere: true})
	if back.Undoes != elsewhere || w.task(1).Subject != "first" {
		t.Errorf("everywhere the newest is revision %d, want %d", back.Undoes, elsewhere)
	}
	request := pawl.Request{By: ada, ID: "u", Op: pawl.Undo{Pass: 5}}
	tried, err := w.Try(t.Context(), request)
	if err != nil || tried.Undoes != first || !slices.Equal(tried.Passed, []pawl.Revision{third, second}) {
		t.Errorf("tried: undoes %d past %v, %v", tried.Undoes, tried.Passed, err)
	}
	for _, repeated := range []bool{false, true} {
		res, err := w.Do(t.Context(), request)
		if err != nil || res.Repeated != repeated || res.Undoes != first || !slices.Equal(res.Passed, []pawl.Revision{third, second}) {
			t.Errorf("undoes %d past %v, repeated %v, %v", res.Undoes, res.Passed, res.Repeated, err)
		}
	}
	if got := w.task(1).Subject; got != "one" {
		t.Errorf("#1 is %q", got)
	}
	if e := w.fails(pawl.NotFound, pawl.Actor{Name: "eve"}, pawl.Undo{Pass: 5}); e.Hint.Step != pawl.HintHistory {
		t.Errorf("nothing to undo: %v", e)
	}
}

// No agent undoes what a person did, under whatever name; what another agent did it does.
func TestAgentUndoesNoPersons(t *testing.T) {
	for session, person := range map[string]bool{"terminal-1": true, pawl.PageSession: true, "agent-terminal-1": false, "s9": false, "": false} {
		for _, name := range []string{"ann", "claude"} {
			w := newWorld(t)
			ann := pawl.Actor{Name: "ann", Session: session}
			w.must(ann, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
			undo := pawl.Request{By: pawl.Actor{Name: name, Session: "s1"}, Op: pawl.Undo{Revision: w.must(ann, pawl.PutHold{IDs: ids(1), Reason: "wait"}).Revision}, Agent: true}
			_, err := w.Do(t.Context(), undo)
			if kind := pawl.KindOf(err); (err != nil) != person || person && (kind != pawl.Conflict || !strings.Contains(err.Error(), "ann")) {
				t.Errorf("%s, of session %q: %v", name, session, err)
			}
			if undo.Agent = false; person {
				if _, err := w.Do(t.Context(), undo); err != nil {
					t.Errorf("a person, of session %q: %v", session, err)
				}
			}
		}
	}
	w := newWorld(t) // the name of a server's token is an agent's or a person's
	bot := pawl.Actor{Name: "bot", Session: "terminal-1"}
	made := w.must(bot, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	if _, err := w.Do(t.Context(), pawl.Request{By: bot, Op: pawl.Undo{Revision: made.Revision}, Bound: true}); err != nil {
		t.Errorf("its own, by an agent's token: %v", err)
	}
}

// No agent takes back what a person changed after it, by an undo of a change of its own
// before that, also where the task is as that change left it. What the person took back does
// not count. A person may.
func TestAgentUndoesNoLaterChange(t *testing.T) {
	low, high, text := pawl.Low, pawl.High, "text"
	priority := func(p *pawl.Priority) pawl.Op { return pawl.Update{ID: 1, Priority: p} }
	done, reopen := pawl.Complete{IDs: ids(1)}, pawl.Reopen{IDs: ids(1)}
	type step struct {
		by string // ann or an agent
		op pawl.Op
	}
	undo := func(n int) pawl.Op { return pawl.Undo{Revision: pawl.Revision(-n)} } // of the step with this number
	for _, test := range []struct {
		name  string
		steps []step
		of    int // the agent's step that it undoes
		says  string
	}{
		{"a reopening", []step{{"a", done}, {"a", reopen}, {"a", done}, {"ann", reopen}}, 2, "(reopen by ann) changed its status"},
		{"an undo", []step{{"a", done}, {"a", reopen}, {"a", done}, {"ann", undo(3)}}, 2, "(undo by ann) changed its status"},
		{"an undo of the undone", []step{{"a", done}, {"a", reopen}, {"a", done}, {"a", undo(3)}, {"a", undo(4)}, {"ann", undo(3)}}, 2, "(undo by ann) changed its status"},
		{"a removal", []step{{"a", pawl.Delete{IDs: ids(1)}}, {"a", undo(1)}, {"ann", pawl.Delete{IDs: ids(1)}}}, 1, "(delete by ann)"},
		{"a priority", []step{{"a", priority(&low)}, {"a", priority(&high)}, {"ann", priority(&low)}}, 1, "(update by ann) changed its priority"},
		{"a release", []step{{"a", pawl.ClaimTask{ID: 1}}, {"a", pawl.Release{IDs: ids(1)}}, {"a", pawl.ClaimTask{ID: 1}}, {"ann", pawl.Release{IDs: ids(1), Force: true}}}, 2, "(release by ann) changed its status"},
		{"undone", []step{{"a", priority(&low)}, {"a", undo(1)}, {"a", priority(&low)}}, 1, "was undone already"},
		{"undone and done again", []step{{"a", priority(&low)}, {"a", undo(1)}, {"a", undo(2)}}, 1, ""},
		{"an undo, undone", []step{{"a", priority(&low)}, {"a", undo(1)}}, 2, ""},
		{"another field", []step{{"a", priority(&low)}, {"ann", pawl.Update{ID: 1, Subject: &text}}}, 1, ""},
		{"a person's, undone", []step{{"a", priority(&low)}, {"ann", priority(&high)}, {"ann", undo(2)}}, 1, ""},
		{"a person's, undone and done again", []step{{"a", priority(&low)}, {"ann", priority(&high)}, {"ann", undo(2)}, {"ann", undo(3)}, {"a", priority(&low)}}, 1, "(update by ann) changed its priority"},
		{"another agent's", []step{{"a", priority(&low)}, {"b", priority(&high)}, {"b", priority(&low)}}, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			ann := pawl.Actor{Name: "ann", Session: "terminal-1"}
			w.must(ann, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
			revs := make([]pawl.Revision, len(test.steps)+1)
			request := func(by string, op pawl.Op) pawl.Request {
				if undo, is := op.(pawl.Undo); is {
					op = pawl.Undo{Revision: revs[-undo.Revision]}
				}
				if by == "ann" {
					return pawl.Request{By: ann, Op: op}
				}
				return pawl.Request{By: pawl.Actor{Name: by, Session: "s"}, Op: op, Agent: true}
			}
			for i, step := range test.steps {
				res, err := w.Do(t.Context(), request(step.by, step.op))
				if err != nil || res.Revision == 0 {
					t.Fatalf("step %d: %+v, %v", i+1, res, err)
				}
				revs[i+1] = res.Revision
			}
			again := request("a", undo(test.of))
			_, err := w.Do(t.Context(), again)
			if kind := pawl.KindOf(err); (err != nil) != (test.says != "") || err != nil && (kind != pawl.Conflict || !strings.Contains(err.Error(), test.says)) {
				t.Fatalf("%v, want %q", err, test.says)
			}
			if err == nil {
				return
			}
			again.Agent, again.Bound = false, true
			if _, err := w.Do(t.Context(), again); pawl.KindOf(err) != pawl.Conflict {
				t.Errorf("with an agent's token: %v", err)
			}
			if _, err := w.Do(t.Context(), request("ann", undo(test.of))); err != nil {
				t.Errorf("a person: %v", err)
			}
		})
	}
}

// The sessions that a request names are the caller's for an undo, too.
func TestUndoSessions(t *testing.T) {
	w := newWorld(t)
	before, now := pawl.Actor{Name: "claude", Session: "a"}, pawl.Actor{Name: "claude", Session: "b"}
	made := w.must(before, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}).Revision
	w.fails(pawl.NotFound, now, pawl.Undo{})
	res, err := w.Do(t.Context(), pawl.Request{By: now, Op: pawl.Undo{}, Sessions: []string{"a"}})
	if err != nil || res.Undoes != made {
		t.Errorf("undoes %d, %v", res.Undoes, err)
	}
}

func TestUndoChecked(t *testing.T) {
	w := newWorld(t)
	for _, op := range []pawl.Op{
		pawl.Undo{Revision: -1}, pawl.Undo{Pass: -1}, pawl.Undo{Pass: pawl.MaxPassed + 1}, pawl.Undo{Revision: 1, Everywhere: true},
		pawl.All{Ops: []pawl.Op{pawl.Undo{}}},
	} {
		if e := w.fails(pawl.Invalid, ada, op); len(e.Faults) == 0 {
			t.Errorf("%+v: %v", op, e)
		}
	}
	if e := w.fails(pawl.NotFound, ada, pawl.Undo{Revision: 9}); fmt.Sprint(e) != "revision 9 does not exist" {
		t.Error(e)
	}
}

// A claim of the caller's name in a session that the request names is the
// caller's, as if it had been asked for.
func TestRequestSessions(t *testing.T) {
	w := newWorld(t)
	before, now := pawl.Actor{Name: "claude", Session: "a"}, pawl.Actor{Name: "claude", Session: "b"}
	w.must(before, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	w.must(before, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(pawl.MaxLease)})
	request := pawl.Request{By: now, Op: pawl.Complete{IDs: ids(1)}}
	_, err := w.Do(t.Context(), request)
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || !slices.Equal(e.Namesakes, []string{"a"}) {
		t.Fatalf("the refusal names %+v", e)
	}
	request.Sessions = e.Namesakes
	if _, err := w.Do(t.Context(), request); err != nil {
		t.Error(err)
	}
}

// What is passed over may also be a change of a task that was deleted since. A
// refused undo says which change it would have reverted.
func TestUndoPassesDeleted(t *testing.T) {
	w := newWorld(t)
	text := "mine"
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}})
	first := w.must(ada, pawl.Update{ID: 1, Subject: &text}).Revision
	second := w.must(ada, pawl.Update{ID: 2, Subject: &text}).Revision
	w.must(bob, pawl.Delete{IDs: []pawl.ID{2}})
	if e := w.fails(pawl.NotFound, ada, pawl.Undo{}); e.Undoes != second {
		t.Errorf("the refused undo would have reverted %d, want %d", e.Undoes, second)
	}
	if res := w.must(ada, pawl.Undo{Pass: 1}); res.Undoes != first || !slices.Equal(res.Passed, []pawl.Revision{second}) {
		t.Errorf("undoes %d past %v", res.Undoes, res.Passed)
	}
	if e := w.fails(pawl.NotFound, pawl.Actor{Name: "eve"}, pawl.Undo{Pass: 1}); e.Undoes != 0 {
		t.Errorf("nothing to undo, and it would have reverted %d", e.Undoes)
	}
}

// What is passed over may also be a change whose undo would close a cycle.
func TestUndoPassesCycle(t *testing.T) {
	w := newWorld(t)
	text := "mine"
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two", BlockedBy: []pawl.Ref{}}}})
	w.must(ada, pawl.Update{ID: 2, AddBlockedBy: []pawl.ID{1}})
	first := w.must(ada, pawl.Update{ID: 1, Subject: &text}).Revision
	second := w.must(ada, pawl.Update{ID: 2, RemoveBlockedBy: []pawl.ID{1}}).Revision
	w.must(bob, pawl.Update{ID: 1, AddBlockedBy: []pawl.ID{2}})
	w.fails(pawl.Invalid, ada, pawl.Undo{})
	if res := w.must(ada, pawl.Undo{Pass: 1}); res.Undoes != first || !slices.Equal(res.Passed, []pawl.Revision{second}) {
		t.Errorf("undoes %d past %v", res.Undoes, res.Passed)
	}
}

// What a task asks for before it is done, and what runs have shown, is taken back like any
// other change.
func TestUndoOfChecks(t *testing.T) {
	web := pawl.Check{Name: "web", Run: []string{"web"}}
	for _, test := range []struct {
		name string
		op   pawl.Op
	}{
		{"a check more", pawl.Update{ID: 1, AddChecks: []pawl.Check{web}}},
		{"a check less", pawl.Update{ID: 1, RemoveChecks: []string{"unit"}}},
		{"another command", pawl.Update{ID: 1, AddChecks: []pawl.Check{{Name: "unit", Run: []string{"true"}}}}},
		{"a criterion more", pawl.Update{ID: 1, AddAccept: []string{"fast"}}},
		{"a criterion less", pawl.Update{ID: 1, RemoveAccept: []string{"safe"}}},
		{"a tick", pawl.Update{ID: 1, Tick: []string{"safe"}}},
		{"a run", shown(evOf(unit, treeB, false))},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := withChecks(t, "safe")
			w.must(ada, shown(evOf(unit, treeA, true)))
			before := w.task(1)
			rev := w.must(ada, test.op).Revision
			after := w.task(1)
			if len(pawl.Diff(&before, &after)) == 0 {
				t.Fatalf("nothing has changed: %+v", after)
			}
			same := func(when string, want pawl.Task) {
				t.Helper()
				if differ := slices.DeleteFunc(pawl.Diff(&want, new(w.task(1))), func(f pawl.Field) bool { return f == pawl.FieldUpdatedAt }); len(differ) > 0 {
					t.Errorf("%s: %v differ", when, differ)
				}
			}
			undone := w.must(ada, pawl.Undo{})
			if undone.Undoes != rev {
				t.Errorf("revision %d is undone, want %d", undone.Undoes, rev)
			}
			same("undone", before)
			w.must(ada, pawl.Undo{Revision: undone.Revision})
			same("and that undone", after)
		})
	}
}

// An undo of a completion leaves what runs have shown, whether it was recorded with it or
// before, and is not refused for a later run.
func TestUndoOfCompletionLeavesEvidence(t *testing.T) {
	for _, later := range []bool{false, true} {
		w := withChecks(t)
		w.must(ada, shown(evOf(unit, treeB, false)))
		done := w.must(ada, pawl.All{Ops: []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Complete{IDs: ids(1), Tree: treeA}}}).Revision
		if later {
			w.must(bob, shown(evOf(lint, treeB, false)))
		}
		want := w.task(1).Evidence
		w.must(ada, pawl.Undo{Revision: done})
		got := w.task(1)
		if !got.Open() || !slices.EqualFunc(got.Evidence, want, func(a, b pawl.Evidence) bool { return a.Equal(&b) }) {
			t.Errorf("later %v: it is %s, with %+v", later, got.Status, got.Evidence)
		}
		w.must(ada, pawl.Complete{IDs: ids(1), Tree: treeA})
	}
}

// The second undo found the run that failed before the completion, which a later run had
// replaced for good, and was refused each time.
func TestUndoPassesOverRuns(t *testing.T) {
	w := withChecks(t)
	claimed := w.must(ada, pawl.Start{IDs: ids(1)})
	failed := w.must(ada, shown(evOf(unit, treeA, false)))
	done := w.must(ada, pawl.All{Ops: []pawl.Op{shown(evOf(unit, treeB, true)), pawl.Complete{IDs: ids(1), Tree: treeB}}})
	if res := w.must(ada, pawl.Undo{}); res.Undoes != done.Revision {
		t.Errorf("it undid %d, not the completion", res.Undoes)
	}
	if res := w.must(ada, pawl.Undo{}); res.Undoes != claimed.Revision || !slices.Equal(res.Passed, []pawl.Revision{failed.Revision}) || len(w.task(1).Evidence) != 1 {
		t.Errorf("it undid %d, and left %v", res.Undoes, w.task(1).Evidence)
	}
	e := w.fails(pawl.Conflict, ada, pawl.Undo{Revision: failed.Revision})
	if e.Revision != 0 || e.Message != "#1 has changed since @3: @4 (complete by ada) ran its checks, and what they showed stays" {
		t.Error(e)
	}
}

// An undo completes no task that is not shown to be done: a completion that was taken back
// may have been before its checks.
func TestUndoCompletesNothingUnmet(t *testing.T) {
	for _, test := range []struct {
		name   string
		op     pawl.Op
		mended pawl.Op
	}{
		{"a check", pawl.Update{ID: 1, AddChecks: []pawl.Check{unit}}, shown(evOf(unit, treeA, true))},
		{"a check that failed", pawl.All{Ops: []pawl.Op{pawl.Update{ID: 1, AddChecks: []pawl.Check{unit}}, shown(evOf(unit, treeA, false))}}, shown(evOf(unit, treeA, true))},
		{"a criterion", pawl.Update{ID: 1, AddAccept: []string{"safe"}}, pawl.Update{ID: 1, Tick: []string{"safe"}}},
		{"an optional check", pawl.Update{ID: 1, AddChecks: []pawl.Check{lint}}, nil},
	} {
		w := newWorld(t)
		w.must(ada, create(pawl.NewTask{Subject: "one"}))
		w.must(ada, pawl.Complete{IDs: ids(1)})
		reopened := w.must(ada, pawl.Reopen{IDs: ids(1)}).Revision
		w.must(bob, test.op)
		if test.mended != nil {
			if e := w.fails(pawl.Unmet, ada, pawl.Undo{Revision: reopened}); e.Hint.Step != pawl.HintCheck || len(e.Faults) != 1 {
				t.Errorf("%s: %+v", test.name, e)
			}
			w.must(ada, test.mended)
		}
		w.must(ada, pawl.Undo{Revision: reopened})
		if got := w.task(1); got.Open() {
			t.Errorf("%s: it is open", test.name)
		}
	}
}

// Nor one that only the project's checks hold open.
func TestUndoIsHeldToTheProject(t *testing.T) {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one", Labels: []string{"go"}}))
	w.must(ada, pawl.Complete{IDs: ids(1)})
	reopened := w.must(ada, pawl.Reopen{IDs: ids(1)}).Revision
	rules := []pawl.CheckRule{{Check: unit, Labels: []string{"go"}}, {Check: lint}}
	for _, op := range []pawl.Undo{{Revision: reopened, Rules: rules}, {Rules: rules}} {
		if e := w.fails(pawl.Unmet, ada, op); e.Hint.Step != pawl.HintCheck || len(e.Faults) != 1 {
			t.Errorf("%+v", e)
		}
	}
	w.must(ada, shown(evOf(unit, treeA, false)))
	w.fails(pawl.Unmet, ada, pawl.Undo{Revision: reopened, Rules: rules})
	w.must(ada, shown(evOf(unit, treeA, true)))
	w.must(ada, pawl.Undo{Revision: reopened, Rules: rules})
	if got := w.task(1); got.Open() {
		t.Error("it is open")
	}
	w.fails(pawl.Invalid, ada, pawl.Undo{Rules: []pawl.CheckRule{{}}})
}

// Such an undo can be passed over.
func TestUndoPassesUnmet(t *testing.T) {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one"}))
	w.must(ada, pawl.Complete{IDs: ids(1)})
	made := w.must(ada, create(pawl.NewTask{Subject: "two"})).Revision
	reopened := w.must(ada, pawl.Reopen{IDs: ids(1)}).Revision
	w.must(bob, pawl.Update{ID: 1, AddChecks: []pawl.Check{unit}})
	if got := w.must(ada, pawl.Undo{Pass: 1}); got.Undoes != made || !slices.Equal(got.Passed, []pawl.Revision{reopened}) {
		t.Errorf("undoes %d past %v", got.Undoes, got.Passed)
	}
}
