package pawl_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
)

// What a plan brings that is finished already is there as a completed task: it
// blocks nothing until somebody reopens it.
func TestCreateDone(t *testing.T) {
	w := newWorld(t)
	r := w.must(ada, pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "phase", Subject: "Phase", Done: true},
		{Ref: "a", Subject: "a", Parent: pawl.RefName("phase"), Done: true, BlockedBy: []pawl.Ref{pawl.RefName("late")}},
		{Ref: "b", Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}, Note: "run the tests"},
		{Ref: "late", Subject: "late"},
	}})
	a, b := w.task(r.Refs["a"]), w.task(r.Refs["b"])
	if a.Status != pawl.Completed || a.CompletedAt.IsZero() || w.task(r.Refs["phase"]).Status != pawl.Completed {
		t.Errorf("a is %s at %v", a.Status, a.CompletedAt)
	}
	if len(b.Notes) != 1 || b.Notes[0].Text != "run the tests" || b.Notes[0].By != ada.Name || b.Notes[0].At.IsZero() {
		t.Errorf("b has the notes %v", b.Notes)
	}
	w.ready(r.Refs["b"], r.Refs["late"])
	w.must(ada, pawl.Reopen{IDs: []pawl.ID{r.Refs["phase"]}})
	w.must(ada, pawl.Reopen{IDs: []pawl.ID{a.ID}})
	w.ready(r.Refs["late"]) // a waits for it, and b for a
	w.fails(pawl.Invalid, ada, pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "p", Subject: "p", Done: true}, {Subject: "c", Parent: pawl.RefName("p")},
	}})
}
