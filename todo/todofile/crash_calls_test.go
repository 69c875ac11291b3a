package todofile

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// unnamed is a call without an id in these tests: it cannot be known again.
const unnamed = "unnamed"

// noting notes the start of a call for the first todo, or its end.
func noting(key todo.Key, id string, outcome todo.Outcome) func(testing.TB, *Store) error {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if id == unnamed {
		id = ""
	}
	return func(t testing.TB, s *Store) error {
		return s.LogCall(t.Context(), key, id, func(l *todo.List) (todo.CallNote, bool) {
			if outcome != todo.Running {
				return todo.CallNote{Ends: todo.One, Call: todo.ToolCall{ID: id, EndedAt: at, Outcome: outcome}}, true
			}
			n := todo.CallNote{Call: todo.ToolCall{ID: id, Name: "edit", StartedAt: at, Outcome: outcome}}
			if len(l.Items) > 0 {
				n.Todo, n.Content = l.Items[0].ID, todo.ContentSum(l.Items[0].Content)
			}
			return n, len(l.Items) > 0
		})
	}
}

// A callStep is a step that notes a call, or one that writes the list.
type callStep struct {
	id      string
	outcome todo.Outcome
	todo    string // that is added
}

var callSteps = []callStep{
	{todo: "a"},
	{id: "1", outcome: todo.Running}, {id: "2", outcome: todo.Running}, {id: "1", outcome: todo.Succeeded},
	{id: unnamed, outcome: todo.Running},
	{todo: "b"},
	{id: "3", outcome: todo.Running}, {id: "2", outcome: todo.Succeeded},
	{todo: "c"}, {todo: "d"},
	{id: "4", outcome: todo.Running}, {id: "4", outcome: todo.Succeeded},
}

func (c callStep) step() step {
	if c.todo != "" {
		return step{do: appending(one, c.todo)}
	}
	return step{do: noting(one, c.id, c.outcome)}
}

// callsOf are the calls of the first todo, and whether one is there twice.
func callsOf(t testing.TB, d *simDisk) (calls map[string]todo.Outcome, twice bool) {
	t.Helper()
	list, err := d.open(t).Load(t.Context(), one)
	must.Do(t, err)
	calls = map[string]todo.Outcome{}
	if len(list.Items) > 0 {
		for _, c := range list.Items[0].ToolCalls {
			id := cmp.Or(c.ID, unnamed)
			_, again := calls[id]
			twice = twice || again
			calls[id] = c.Outcome
		}
	}
	return calls, twice
}

// later reports whether a call may be in a state: it was in it at some time.
func later(got, than map[string]todo.Outcome) bool {
	for id, outcome := range than {
		if is, ok := got[id]; !ok || outcome != todo.Running && is != outcome {
			return false
		}
	}
	return true
}

// Of the calls that were noted a process that dies loses none, and a power cut
// those that came after the last change of the list, at most. The list itself is
// as it was, and goes on.
func TestCrashOfCalls(t *testing.T) {
	total := 0
	for stop := 0; stop <= total; stop++ { // the first time to the end
		for seed := range uint64(*cuts + 1) {
			d := newSimDisk()
			d.before = func(call int, _, _ string) error {
				if call == stop {
					return errDead
				}
				return nil
			}
			s, words := d.open(t), []string{}
			noted, safe, tried := map[string]todo.Outcome{}, map[string]todo.Outcome{}, map[string]todo.Outcome{}
			var at callStep
			for _, at = range callSteps {
				if at.id != "" {
					tried[at.id] = at.outcome
				}
				if at.step().attempt(t, s) != nil {
					break
				}
				if at.id != "" {
					noted[at.id] = at.outcome
				} else {
					words, safe = append(words, at.todo), maps.Clone(noted)
				}
				at = callStep{}
			}
			total = max(total, d.calls)
			d.before = nil
			if seed > 0 {
				d.powerCut(rand.New(rand.NewPCG(seed, uint64(stop))))
				noted = safe
			}
			name := fmt.Sprintf("stopped before call %d, in %+v, seed %d", stop, at, seed)
			has := strings.Fields(state(t, d)[one])
			if !slices.Equal(has, words) && !slices.Equal(has, append(words, at.todo)) {
				t.Errorf("%s: there is %q, acknowledged was %q", name, has, words)
				continue
			}
			got, twice := callsOf(t, d)
			if twice || !later(got, noted) || !later(tried, got) {
				t.Errorf("%s: the calls are %v, twice %v; noted were %v", name, got, twice, noted)
			}
			if len(has) == 0 {
				continue
			}
			for n, st := range []step{
				{do: noting(one, "new 1", todo.Running)}, {do: noting(one, "new 2", todo.Running)}, {do: appending(one, "z")},
				{do: noting(one, "new 1", todo.Failed)}, {do: noting(one, "new 3", todo.Failed)},
			} {
				if err := st.do(t, d.open(t)); err != nil {
					t.Errorf("%s: afterwards %v", name, err)
				}
				after, twice := callsOf(t, d)
				if twice || !later(after, got) || n > 0 && len(after) != len(got)+2 || n == 4 && after["new 1"] != todo.Failed {
					t.Errorf("%s: after step %d the calls are %v, and were %v", name, n, after, got)
				}
			}
		}
	}
	if total < 50 {
		t.Errorf("the steps make only %d calls", total)
	}
}

// Calls cost no sync, and make nothing but the log and its lock.
func TestCallsAreNotSynced(t *testing.T) {
	d := newSimDisk()
	must.Do(t, appending(one, "a")(t, d.open(t)))
	var did []string
	d.before = func(_ int, op, name string) error {
		if op != "read" && op != "stat" {
			did = append(did, op+" "+name)
		}
		return nil
	}
	for _, outcome := range []todo.Outcome{todo.Running, todo.Succeeded} {
		must.Do(t, noting(one, "1", outcome)(t, d.open(t)))
	}
	lock := "lock " + workName("one.json", callSuffix)
	if want := []string{lock, "append one.calls", lock, "append one.calls"}; !slices.Equal(did, want) {
		t.Errorf("a call did %q, want %q", did, want)
	}
	did = nil
	if err := noting(two, "1", todo.Running)(t, d.open(t)); err != nil || did != nil {
		t.Errorf("a call of no list did %q, %v", did, err)
	}
	if err := appending(one, "b")(t, d.open(t)); err != nil || d.folders["."].names["one.calls"] != nil {
		t.Errorf("the log is there after a change of the list, %v", err)
	}
}
