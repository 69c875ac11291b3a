package pawl_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// TestClaimSkip: claims that pass over ready tasks get one after the other, and begin
// with the first again after the last.
func TestClaimSkip(t *testing.T) {
	t.Parallel()
	for skip, want := range []pawl.ID{2, 3, 1, 2, 3} { // 2 is urgent
		board := pawl.NewBoard(memory.New())
		by := pawl.Actor{Name: "ada", Session: "s"}
		create := pawl.Create{Tasks: []pawl.NewTask{{Subject: "one", Priority: pawl.Low}, {Subject: "two", Priority: pawl.High}, {Subject: "three"}}}
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: by, Op: create})))
		got, err := board.Do(t.Context(), pawl.Request{By: by, Op: pawl.ClaimTask{Skip: skip}})
		if err != nil || len(got.IDs) != 1 || got.IDs[0] != want {
			t.Errorf("a claim that skips %d gets %v, not %v: %v", skip, got.IDs, want, err)
		}
	}
	if _, err := pawl.NewBoard(memory.New()).Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.ClaimTask{Skip: -1}}); pawl.KindOf(err) != pawl.Invalid {
		t.Errorf("a claim that skips -1: %v", err)
	}
	if err := pawl.Errorf(pawl.Unconfirmed, "x"); !err.Is(pawl.Conflict) || pawl.KindOf(err) != pawl.Unconfirmed {
		t.Error("an unconfirmed claim is not a conflict of its own kind")
	}
}
