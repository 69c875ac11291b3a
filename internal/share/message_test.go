package share

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// What a commit says is read also where somebody is called as its trailer begins.
func TestMessage(t *testing.T) {
	c := &cycle{state: &State{Clone: "mac-1"}}
	lost := []merge.Yielded{{Named: merge.Named{ID: 5}, Was: pawl.Completed, Owner: "ada"}}
	by, said := readMessage(c.message("pawl: 2 tasks", "c1", merge.Report{Yielded: lost}))
	if by != "mac-1" || said.Of != "c1" || len(said.Lost) != 1 || said.Lost[0].Owner != "ada" {
		t.Errorf("%q, %+v", by, said)
	}
	if by, said := readMessage("pawl: {\"clone\": 7}\n"); by != "" || said.Clone != "" {
		t.Errorf("%q, %+v", by, said)
	}
}
