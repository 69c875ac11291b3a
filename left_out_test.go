package pawl_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A check that was left out counts until it has passed. An agent does not get past it by a run of
// another command under its name, by an optional check with its command, by reopening the task,
// or by more runs than a task keeps.
func TestLeftOutStays(t *testing.T) {
	project, twin := vet, vet
	twin.Name, twin.Optional = "soft", true
	rules := []pawl.CheckRule{{Check: project}}
	named := project
	named.Run = []string{"true"}
	many := pawl.AddEvidence{ID: 1}
	for i := range pawl.MaxEvidence {
		many.Evidence = append(many.Evidence, pawl.Evidence{Check: "c", Sum: fmt.Sprintf("%064x", i), Tree: treeA, Passed: true, Millis: 1})
	}
	done := pawl.Complete{IDs: ids(1), Tree: treeA, Rules: rules, Unchecked: "nobody has trusted it"}
	for name, test := range map[string]struct {
		before, after pawl.Op
		agent         bool
		want          bool
	}{
		"another command under its name":            {nil, shown(evOf(named, treeA, true)), true, true},
		"a person lets another command run":         {nil, shown(evOf(named, treeA, true)), false, false},
		"an optional check with its command":        {pawl.Update{ID: 1, AddChecks: []pawl.Check{twin}}, nil, true, true},
		"that fails":                                {pawl.Update{ID: 1, AddChecks: []pawl.Check{twin}}, shown(evOf(twin, treeA, false)), true, true},
		"that failed before":                        {pawl.All{Ops: []pawl.Op{pawl.Update{ID: 1, AddChecks: []pawl.Check{twin}}, shown(evOf(twin, treeA, false))}}, nil, true, true},
		"that passes":                               {pawl.Update{ID: 1, AddChecks: []pawl.Check{twin}}, shown(evOf(twin, treeA, true)), true, false},
		"reopened by an agent, and done without it": {nil, pawl.All{Ops: []pawl.Op{pawl.Reopen{IDs: ids(1)}, pawl.Complete{IDs: ids(1), Tree: treeA}}}, true, true},
		"reopened by a person, and done without it": {nil, pawl.All{Ops: []pawl.Op{pawl.Reopen{IDs: ids(1)}, pawl.Complete{IDs: ids(1), Tree: treeA}}}, false, false},
		"more runs than a task keeps":               {nil, many, true, true},
	} {
		w := newWorld(t)
		w.must(ada, create(pawl.NewTask{Subject: "one"}))
		for _, op := range []pawl.Op{test.before, done, test.after} {
			if op == nil {
				continue
			}
			if _, err := w.Do(context.Background(), pawl.Request{By: ada, Op: op, Agent: test.agent}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if got := w.task(1); got.Unshown() != test.want || len(got.Evidence) > pawl.MaxEvidence {
			t.Errorf("%s: not shown: %v, with %d: %+v", name, got.Unshown(), len(got.Evidence), got.Evidence)
		}
	}
}
