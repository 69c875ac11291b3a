package pawl_test

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
)

// While an attempt of a run waits for approval, nobody gets its task: not by lifting the
// hold, nor by another hold in its place. The run ends it by its reason, and claims the
// task at once. Before, a lift made the task ready while its approval stayed open.
func TestApprovalHold(t *testing.T) {
	w, bot := newWorld(t), pawl.Actor{Name: "bot", Session: "run-1"}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Divide"}}})
	reason := pawl.ApprovalReason(2, "pawl run approve 1")
	w.must(bot, pawl.PutHold{IDs: ids(1), Reason: reason})
	if got := w.task(1); !got.Hold.Approval() || got.Hold.Reason != "waits for approval of attempt 2: pawl run approve 1" {
		t.Fatalf("it is on hold: %+v", got.Hold)
	}
	for name, op := range map[string]pawl.Op{
		"lift": pawl.LiftHold{IDs: ids(1)}, "hold": pawl.PutHold{IDs: ids(1), Reason: "later"}, "release": pawl.Release{IDs: ids(1), Hold: "later"},
		"claim": pawl.ClaimTask{ID: 1}, "claim the next": pawl.ClaimTask{}, "start": pawl.Start{IDs: ids(1)}, "complete": pawl.Complete{IDs: ids(1)},
		"hold and lift": pawl.All{Ops: []pawl.Op{pawl.PutHold{IDs: ids(1), Reason: "later"}, pawl.LiftHold{IDs: ids(1)}}},
	} {
		for _, by := range []pawl.Actor{ada, bot} {
			e := w.fails(pawl.Blocked, by, op)
			if e.Hint.Step != pawl.HintApprove || !slices.Equal(e.Hint.IDs, ids(1)) {
				t.Errorf("%s: %v, and the hint is %+v", name, e, e.Hint)
			}
		}
	}
	w.must(bot, pawl.PutHold{IDs: ids(1), Reason: reason}) // a run that was killed says it again
	w.fails(pawl.Conflict, bot, pawl.LiftHold{IDs: ids(1), Reason: pawl.ApprovalReason(1, "pawl run approve 1")})
	approve := pawl.All{Ops: []pawl.Op{pawl.LiftHold{IDs: ids(1), Reason: reason}, pawl.ClaimTask{ID: 1}}}
	w.must(bot, approve)
	w.must(bot, approve) // a run that was killed does it again
	if got := w.task(1); got.Hold != nil || got.Owner != bot.Name {
		t.Errorf("approved, it is %s of %q, on hold: %+v", got.Status, got.Owner, got.Hold)
	}
	w.must(ada, pawl.Release{IDs: ids(1), Force: true, Hold: reason})
	w.must(ada, pawl.ClaimTask{ID: 1, Force: true})
	w.fails(pawl.Conflict, bot, approve)
}
