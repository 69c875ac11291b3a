package pawl_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
)

// Evidence of before a reopening showed what was done then: it completes nothing again, and
// a completion without checks is not shown by it. An undo of the reopening gives it back.
func TestReopenRetiresEvidence(t *testing.T) {
	w := withChecks(t)
	w.must(ada, pawl.All{Ops: []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Complete{IDs: ids(1), Tree: treeA}}})
	reopened := w.must(ada, pawl.Reopen{IDs: ids(1)}).Revision
	if got := w.task(1); len(got.Evidence) != 0 {
		t.Fatalf("reopened, it has %+v", got.Evidence)
	}
	w.fails(pawl.Unmet, ada, pawl.Complete{IDs: ids(1), Tree: treeA})
	w.must(ada, pawl.Undo{Revision: reopened})
	if got := w.task(1); got.Open() || got.Unshown() || len(got.Evidence) != 1 {
		t.Errorf("after the undo it is %s, with %+v", got.Status, got.Evidence)
	}
}

// A pass on other files, and a check of the project that has no record yet, must not let a
// completion without them read as shown. A failure stays one.
func TestCompletionWithoutChecksIsUnshown(t *testing.T) {
	for name, test := range map[string]struct {
		before *pawl.Evidence
		rules  []pawl.CheckRule
		want   pawl.Checked
	}{
		"an old pass":            {new(evOf(unit, treeB, true)), nil, pawl.CheckedOpen},
		"a failure":              {new(evOf(unit, treeB, false)), nil, pawl.CheckedFailed},
		"a check of the project": {nil, []pawl.CheckRule{{Check: vet}}, pawl.CheckedOpen},
	} {
		w := withChecks(t)
		if test.before != nil {
			w.must(ada, shown(*test.before))
		} else {
			w.must(ada, pawl.Update{ID: 1, RemoveChecks: []string{unit.Name}})
		}
		w.must(ada, pawl.Complete{IDs: ids(1), Tree: treeA, Rules: test.rules, Unchecked: "nobody has trusted it"})
		got := w.task(1)
		if is := got.Standing(); is != test.want || !got.Unshown() {
			t.Errorf("%s: it is %q, with %+v", name, is, got.Evidence)
		}
		if is := got.Brief(); !is.Unshown() {
			t.Errorf("%s: in brief it is shown", name)
		}
	}
}

// A check that was left out does not count once it is optional, or once the project asks for
// another one of its name, which has run.
func TestLeftOutNoLongerAsked(t *testing.T) {
	w := withChecks(t)
	other := vet
	other.Run = []string{"go", "vet", "-all"}
	w.must(ada, pawl.Complete{IDs: ids(1), Tree: treeA, Rules: []pawl.CheckRule{{Check: vet}}, Unchecked: "nobody has trusted it"})
	optional := unit
	optional.Optional = true
	w.must(ada, pawl.Update{ID: 1, AddChecks: []pawl.Check{optional}})
	if got := w.task(1); got.Standing() != pawl.CheckedOpen {
		t.Errorf("without the project's check it is %q", got.Standing())
	}
	w.must(ada, shown(evOf(other, treeA, true)))
	if got := w.task(1); got.Standing() != pawl.CheckedPassed {
		t.Errorf("it is %q, with %+v", got.Standing(), got.Evidence)
	}
}

// A check of a task says nothing about one of the project that has its name.
func TestLeftOutOfTheSameName(t *testing.T) {
	w := withChecks(t)
	project := unit
	project.Run = []string{"make", "unit"}
	w.must(ada, pawl.Complete{IDs: ids(1), Tree: treeA, Rules: []pawl.CheckRule{{Check: project}}, Unchecked: "nobody has trusted it"})
	w.must(ada, shown(evOf(unit, treeA, true)))
	if got := w.task(1); got.Standing() != pawl.CheckedOpen {
		t.Errorf("it is %q, with %+v", got.Standing(), got.Evidence)
	}
}

// A hold that waits for trust keeps a task from being ready, and its checks decide whether
// it is completed. Another hold says no.
func TestFinishedHold(t *testing.T) {
	w := withChecks(t)
	reason := pawl.FinishedReason("claude", "`go test ./...`")
	w.must(ada, pawl.PutHold{IDs: ids(1), Reason: reason})
	if got := w.task(1); !got.Hold.Finished() || got.Ready("") {
		t.Errorf("it is held by %+v, and ready: %v", got.Hold, got.Ready(""))
	}
	w.fails(pawl.Blocked, bob, pawl.ClaimTask{ID: 1})
	w.fails(pawl.Unmet, bob, pawl.Complete{IDs: ids(1), Tree: treeA})
	w.must(ada, pawl.PutHold{IDs: ids(1), Reason: "waits for trust"})
	w.fails(pawl.Blocked, ada, pawl.All{Ops: []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Complete{IDs: ids(1), Tree: treeA}}})
	w.must(ada, pawl.PutHold{IDs: ids(1), Reason: reason})
	w.must(bob, pawl.All{Ops: []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Complete{IDs: ids(1), Tree: treeA}}})
}
