package pawl_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// A span has the sets between its ends that are what it asks for.
func TestSpanHas(t *testing.T) {
	set := &pawl.ChangeSet{Revision: 5, Undoes: 3, Changes: []pawl.Change{{ID: 7}}}
	for span, want := range map[pawl.Span]bool{
		{}: true, {After: 4}: true, {After: 5}: false, {Before: 6}: true, {Before: 5}: false,
		{Task: 7}: true, {Task: 8}: false, {Undos: true}: true, {After: 4, Before: 6, Task: 7, Undos: true, Backward: true}: true,
	} {
		if got := span.Has(set); got != want {
			t.Errorf("%+v: %v", span, got)
		}
	}
	if (pawl.Span{Undos: true}).Has(&pawl.ChangeSet{Revision: 5}) {
		t.Error("what is no undo is one")
	}
}

// A text that is longer than those of a task is not folded for it: a client may
// send one of any length. One that folds to fewer bytes is found.
func TestLongTextsCostNothing(t *testing.T) {
	task := pawl.Task{Subject: "k and more"}
	long := pawl.Query{Text: strings.Repeat("LONG", 1<<20)}
	if n := testing.AllocsPerRun(1, func() {
		if long.Match(&task, time.Time{}) {
			t.Error("a text is found in a shorter one")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
	const kelvin = "\u212a" // three bytes, and k in lower case
	folded := pawl.Query{Text: kelvin}
	if !folded.Match(&pawl.Task{Subject: "k"}, time.Time{}) {
		t.Error("a letter is not found that folds to a shorter one")
	}
}

// A claim asks for no more labels than a task can have.
func TestClaimFilterLabels(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	claim := pawl.ClaimTask{Filter: pawl.ClaimFilter{Labels: slices.Repeat([]string{"x"}, pawl.MaxLabels+1)}}
	_, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: claim})
	if e, ok := err.(*pawl.Error); !ok || e.Kind != pawl.Invalid || len(e.Faults) != 1 || e.Faults[0].Path != "filter.labels" {
		t.Errorf("%v", err)
	}
	claim.Filter.Labels = claim.Filter.Labels[1:]
	if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: claim}); pawl.KindOf(err) != pawl.Idle {
		t.Errorf("as many as a task can have: %v", err)
	}
}
