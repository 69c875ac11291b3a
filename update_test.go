package pawl_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// An update says what its caller read, and is refused when one of these fields
// has changed since. What others did to other fields is not in its way.
func TestUpdateWas(t *testing.T) {
	w := newWorld(t)
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one", Description: "old"}}})
	high, medium, none, two := pawl.High, pawl.Medium, pawl.ID(0), pawl.ID(2)
	one, old, mine := "one", "old", "mine"

	w.must(bob, pawl.Update{ID: 1, Priority: &high})
	w.must(bob, pawl.AddNote{ID: 1, Text: "seen"})
	w.must(ada, pawl.Update{ID: 1, Description: &mine, Was: &pawl.Was{Description: &old, Subject: &one, Parent: &none}})
	if got := w.task(1); got.Description != "mine" || got.Priority != pawl.High {
		t.Errorf("#1 says %q, priority %v", got.Description, got.Priority)
	}

	theirs, later := "theirs", "later"
	w.must(bob, pawl.Update{ID: 1, Description: &theirs})
	e := w.fails(pawl.Conflict, ada, pawl.Update{ID: 1, Description: &later, Priority: &medium, Was: &pawl.Was{Description: &mine, Priority: &high, Parent: &two}})
	if len(e.Faults) != 2 || e.Faults[0].Path != "description" || e.Faults[1].Path != "parent" {
		t.Errorf("faults %v", e.Faults)
	}
	if got := w.task(1); got.Description != "theirs" || got.Priority != pawl.High {
		t.Errorf("a refused update left %q, priority %v", got.Description, got.Priority)
	}

	// Both want the same: there is nothing to lose.
	w.must(ada, pawl.Update{ID: 1, Description: &theirs, Was: &pawl.Was{Description: &mine}})
	wide := " a  b"
	w.must(ada, pawl.Update{ID: 1, Subject: &wide, Was: &pawl.Was{Subject: &one}})
	w.must(ada, pawl.Update{ID: 1, Subject: &wide, Was: &pawl.Was{Subject: &one}})
}

// An update that names a task and no more is a mistake of its caller, who learns what to
// give. One that compares may find that nothing is to be changed.
func TestUpdateWithoutAChange(t *testing.T) {
	w := newWorld(t)
	w.chain("one")
	for _, op := range []pawl.Op{
		pawl.Update{ID: 1},
		pawl.Update{ID: 1, AddLabels: []string{}, Metadata: map[string]json.RawMessage{}},
		pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 1, Text: "seen"}, pawl.Update{ID: 1}}},
	} {
		e := w.fails(pawl.Invalid, ada, op)
		if len(e.Faults) != 1 || !strings.HasSuffix(e.Faults[0].Path, "op") || !strings.Contains(e.Error(), "give what to change, such as subject") {
			t.Errorf("%T: %v", op, e)
		}
	}
	w.must(ada, pawl.Update{ID: 1, Was: &pawl.Was{}})
	w.must(ada, pawl.Update{ID: 1, Token: w.must(ada, pawl.ClaimTask{ID: 1}).Tasks[0].Claim.Token})
}

// An earlier program has recorded such updates under their op ids.
func TestRepeatsAnUpdateWithoutAChange(t *testing.T) {
	store := memory.New()
	_, err := store.Update(context.Background(), func(r pawl.Reader) (pawl.Commit, error) {
		return pawl.Commit{Sets: []pawl.ChangeSet{{At: r.Now(), By: ada, Verb: pawl.VerbUpdate, OpID: "k1", Result: []byte(`{"ids":[1],"created":[1],"revision":1}`)}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := pawl.NewBoard(store).Do(context.Background(), pawl.Request{By: ada, ID: "k1", Op: pawl.Update{ID: 1}})
	if err != nil || !res.Repeated {
		t.Errorf("%+v, %v", res, err)
	}
}

// In JSON \u0000 is a NUL and \\u0000 is a backslash and a word.
func TestMetadataNUL(t *testing.T) {
	w := newWorld(t)
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one", Metadata: map[string]json.RawMessage{"text": json.RawMessage(`"a \\u0000 b"`)}}}})
	for _, nul := range []string{`"\u0000"`, `"\\\u0000"`, `{"\u0000":1}`} {
		w.fails(pawl.Invalid, ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one", Metadata: map[string]json.RawMessage{"text": json.RawMessage(nul)}}}})
	}
}
