//go:build unix

package server

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/storetest"
)

// A Deed is one op as a client saw it.
type Deed struct {
	Who      string
	Verb     string
	Task     pawl.ID // 0: a claim of whatever is ready that got none
	Revision pawl.Revision
	Err      error // nil: it was acknowledged
	Repeated bool  // the answer says that it had run before: the first answer was lost
	Call     int64
	Return   int64
}

// unknown reports whether the client cannot know if it ran.
func (d *Deed) unknown() bool {
	if d.Err == nil {
		return false
	}
	kind := pawl.KindOf(d.Err)
	return kind == pawl.Unavailable || kind == pawl.Internal
}

// A Ledger records the answers that clients got, outside of the board.
type Ledger struct {
	mu    sync.Mutex
	began time.Time
	deeds []Deed
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger { return &Ledger{began: time.Now()} }

// now is by a clock that nobody sets.
func (l *Ledger) now() int64 { return time.Since(l.began).Nanoseconds() }

func (l *Ledger) add(d Deed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deeds = append(l.deeds, d)
}

// Acknowledged counts the acknowledged ops, those among them whose first answer was
// lost, and those whose outcome no client knows.
func (l *Ledger) Acknowledged() (all, again, unknown int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.deeds {
		switch d := &l.deeds[i]; {
		case d.Err == nil:
			all++
			if d.Repeated {
				again++
			}
		case d.unknown():
			unknown++
		}
	}
	return all, again, unknown
}

// Check compares the ledger with the board: all acknowledged ops are there, none
// ran twice, no task had two owners, and the board's invariants hold.
func (l *Ledger) Check(t testing.TB, store pawl.Store) {
	t.Helper()
	board := pawl.NewBoard(store)
	var history []pawl.ChangeSet
	for set, err := range board.Changes(context.Background(), pawl.Span{}) {
		must(t, err)
		history = append(history, set)
	}
	for _, fault := range l.compare(history) {
		t.Error(fault)
	}
	storetest.CheckInvariants(t, store)
	problems, err := board.Check(context.Background())
	must(t, err)
	for _, p := range problems {
		t.Errorf("the board has a problem: %v", p)
	}
}

// compare returns where the history of a board is not what clients were told.
func (l *Ledger) compare(history []pawl.ChangeSet) (faults []string) {
	report := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	sets := map[pawl.Revision]*pawl.ChangeSet{}
	for i := range history {
		set := &history[i]
		if i > 0 && set.Revision != history[i-1].Revision+1 {
			report("the history has a gap after revision %d", history[i-1].Revision)
		}
		sets[set.Revision] = set
	}
	type account struct{ told, unknown, ran int }
	accounts := map[[2]string]*account{}
	of := func(who, verb string) *account {
		key := [2]string{who, verb}
		if accounts[key] == nil {
			accounts[key] = &account{}
		}
		return accounts[key]
	}
	told := map[pawl.Revision]*Deed{}
	for i := range l.deeds {
		d := &l.deeds[i]
		switch {
		case d.unknown():
			of(d.Who, d.Verb).unknown++
		case d.Err == nil && d.Revision != 0:
			of(d.Who, d.Verb).told++
			set := sets[d.Revision]
			if set == nil || !d.is(set) {
				report("%s was told that its %s of %v is revision %d, which is %+v", d.Who, d.Verb, d.Task, d.Revision, set)
			}
			if other := told[d.Revision]; other != nil {
				report("revision %d was told twice: %+v and %+v", d.Revision, *other, *d)
			}
			told[d.Revision] = d
		}
	}
	for i := range history {
		if a := accounts[[2]string{history[i].By.Name, history[i].Verb}]; a != nil {
			a.ran++
		}
	}
	for key, a := range accounts {
		if a.ran > a.told+a.unknown {
			report("%s: %s ran %d times; %d were acknowledged, and of %d it is not known", key[0], key[1], a.ran, a.told, a.unknown)
		}
	}
	return append(faults, l.owners()...)
}

// is reports whether a change is what came of a deed.
func (d *Deed) is(set *pawl.ChangeSet) bool {
	return set.Verb == d.Verb && set.By.Name == d.Who && slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.ID == d.Task })
}

// The owner of a task in the history of claims: a client, nobody, or it is done.
const (
	nobody = ""
	done   = "(done)"
)

var taskModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{nobody} },
	Step: func(state, input, _ any) []any {
		d, owner := input.(Deed), state.(string)
		after, could := owner, false
		switch d.Verb {
		case pawl.VerbClaim:
			after, could = d.Who, owner == nobody || owner == d.Who
		case pawl.VerbRelease:
			after, could = nobody, owner == d.Who
		case pawl.VerbComplete:
			after, could = done, owner == d.Who
		}
		switch {
		case d.unknown() && could:
			return []any{owner, after} // it ran, or it did not
		case d.unknown():
			return []any{owner}
		case d.Err == nil && could:
			return []any{after}
		case d.Err != nil && owner != nobody && owner != d.Who: // refused, because another one has it
			return []any{owner}
		}
		return nil
	},
	Equal:             func(a, b any) bool { return a == b },
	DescribeOperation: func(input, _ any) string { return fmt.Sprintf("%+v", input) },
}

// owners checks with porcupine that each task had one owner at a time.
func (l *Ledger) owners() (faults []string) {
	byTask := map[pawl.ID][]porcupine.Operation{}
	clients := map[string]int{}
	for _, d := range l.deeds {
		if d.Task == 0 {
			continue
		}
		if clients[d.Who] == 0 {
			clients[d.Who] = len(clients) + 1
		}
		op := porcupine.Operation{ClientId: clients[d.Who], Input: d, Call: d.Call, Return: d.Return}
		if d.unknown() {
			op.ClientId = len(clients) + len(byTask[d.Task]) + 1000 // it may still run while its client goes on
			op.Return = math.MaxInt64
		}
		byTask[d.Task] = append(byTask[d.Task], op)
	}
	model := taskModel.ToModel()
	for id, history := range byTask {
		if result := porcupine.CheckOperationsTimeout(model, history, time.Minute); result != porcupine.Ok {
			faults = append(faults, fmt.Sprintf("%v: two owners at one time, or an owner from nowhere (%v): %+v", id, result, history))
		}
	}
	return faults
}
