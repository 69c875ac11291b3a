package share

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// One person may lose several tasks in one sync, under a claim or without one: each is
// told, and once.
func TestLose(t *testing.T) {
	held := &merge.Held{Clone: "here", Token: 7}
	lost := func(id pawl.ID, was pawl.Status, h *merge.Held) merge.Yielded {
		return merge.Yielded{Named: merge.Named{ID: id}, Was: was, Owner: "ada", Held: h}
	}
	c := &cycle{Sharer: &Sharer{}, state: &State{Clone: "here"}}
	for range 2 {
		c.lose(Instant{}, []merge.Yielded{lost(12, pawl.InProgress, held), lost(15, pawl.Completed, nil), lost(16, pawl.Completed, nil)})
	}
	c.lose(Instant{}, []merge.Yielded{lost(20, pawl.InProgress, held)}) // #12 has another number by now
	if len(c.state.Owed) != 3 {
		t.Errorf("%d are told: %+v", len(c.state.Owed), c.state.Owed)
	}
}
