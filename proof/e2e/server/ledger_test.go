//go:build unix

package server

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

var (
	clients = flag.Int("clients", 16, "how many clients work at once")
	tasks   = flag.Int("tasks", 30, "how many tasks they claim and complete")
	kills   = flag.Int("kills", 3, "how often the server is killed meanwhile")
)

func TestMain(m *testing.M) { Main(m) }

// TestLedgerCatches keeps the check honest: each of these is a fault that it is for.
func TestLedgerCatches(t *testing.T) {
	set := func(rev pawl.Revision, who, verb string, id pawl.ID) pawl.ChangeSet {
		return pawl.ChangeSet{Revision: rev, By: pawl.Actor{Name: who}, Verb: verb, Changes: []pawl.Change{{ID: id}}}
	}
	deed := func(who, verb string, id pawl.ID, rev pawl.Revision, call int64) Deed {
		return Deed{Who: who, Verb: verb, Task: id, Revision: rev, Call: call, Return: call + 1}
	}
	lost := deed("a", "claim", 0, 0, 1)
	lost.Err = &pawl.Error{Kind: pawl.Unavailable}
	refused := deed("b", "claim", 1, 0, 3)
	refused.Err = &pawl.Error{Kind: pawl.Conflict}
	tests := []struct {
		name    string
		deeds   []Deed
		history []pawl.ChangeSet
		fault   string // empty: all is well
	}{
		{"as it should be", []Deed{deed("a", "claim", 1, 1, 1), refused, deed("a", "complete", 1, 2, 5)}, []pawl.ChangeSet{set(1, "a", "claim", 1), set(2, "a", "complete", 1)}, ""},
		{"an op whose answer was lost", []Deed{lost}, []pawl.ChangeSet{set(1, "a", "claim", 1)}, ""},
		{"an op that was lost", []Deed{lost}, nil, ""},
		{"an acknowledged op is gone", []Deed{deed("a", "claim", 1, 1, 1)}, nil, "was told"},
		{"it ran for somebody else", []Deed{deed("a", "claim", 1, 1, 1)}, []pawl.ChangeSet{set(1, "b", "claim", 1)}, "was told"},
		{"it ran twice", []Deed{deed("a", "claim", 1, 1, 1)}, []pawl.ChangeSet{set(1, "a", "claim", 1), set(2, "a", "claim", 2)}, "ran 2 times"},
		{"one change told twice", []Deed{deed("a", "claim", 1, 1, 1), deed("a", "claim", 1, 1, 3)}, []pawl.ChangeSet{set(1, "a", "claim", 1)}, "told twice"},
		{"two owners", []Deed{deed("a", "claim", 1, 1, 1), deed("b", "claim", 1, 2, 3)}, []pawl.ChangeSet{set(1, "a", "claim", 1), set(2, "b", "claim", 1)}, "two owners"},
		{"refused for nobody", []Deed{refused}, nil, "two owners"},
		{"a gap", nil, []pawl.ChangeSet{set(1, "a", "claim", 1), set(3, "a", "claim", 2)}, "gap"},
	}
	for _, test := range tests {
		l := NewLedger()
		l.deeds = test.deeds
		faults := strings.Join(l.compare(test.history), "\n")
		if test.fault == "" && faults != "" || !strings.Contains(faults, test.fault) {
			t.Errorf("%s: got %q, want %q", test.name, faults, test.fault)
		}
	}
	if d := (Deed{Err: errors.New("odd")}); !d.unknown() {
		t.Error("an error of no kind counts as an answer")
	}
}

// TestOutages: an outage is from the moment of trouble, or from when somebody asked after
// it, to the next answer; what nobody asked for is none.
func TestOutages(t *testing.T) {
	c := &Campaign{Ledger: NewLedger(), troubles: []time.Duration{10 * time.Second, 30 * time.Second}}
	told := func(call, back int64) {
		c.Ledger.add(Deed{Call: call * int64(time.Second), Return: back * int64(time.Second)})
	}
	told(1, 2)
	told(9, 11)  // an answer that was on its way
	told(8, 15)  // waited since before the trouble: 4 s after that answer
	told(25, 26) // nobody had asked for ten seconds
	told(29, 33)
	told(33, 34)
	if got, want := fmt.Sprint(c.Outages(), c.Waits()), "[4s 3s] [7s 4s]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
