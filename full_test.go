package pawl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A task that takes no more texts goes through every state, with all that may be
// said of it there.
func TestFullTask(t *testing.T) {
	w := newWorld(t)
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "full"}, {Subject: "other"}}})
	for _, size := range []int{pawl.MaxNote, 1 << 10, 64} {
		for {
			_, err := w.do(ada, pawl.AddNote{ID: 1, Text: strings.Repeat("x", size)})
			if errors.Is(err, pawl.Invalid) {
				break
			}
			must.Do(t, err)
		}
	}
	name := pawl.Actor{Name: strings.Repeat("\"", pawl.MaxName)}
	reason := strings.Repeat("\"", pawl.MaxReason)
	w.must(name, pawl.PutHold{IDs: ids(1), Reason: reason})
	w.must(name, pawl.LiftHold{IDs: ids(1)})
	w.must(name, pawl.ClaimTask{ID: 1})
	w.must(name, pawl.Release{IDs: ids(1)})
	w.must(name, pawl.Update{ID: 2, AddBlockedBy: ids(1)})
	w.must(name, pawl.ClaimTask{ID: 1})
	w.must(name, pawl.Complete{IDs: ids(1)})
	w.must(name, pawl.Reopen{IDs: ids(1)})
	w.must(name, pawl.Delete{IDs: ids(1)})
}
