package query

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
)

// Of each verb it is decided which tasks it is about: by the fields that lead, or
// by whatever changed, as it is of these.
func TestEachOpIsAboutTasks(t *testing.T) {
	byAnything := []string{pawl.VerbCreate, pawl.VerbImport, pawl.VerbUpdate, pawl.VerbDelete, pawl.VerbRenew, pawl.VerbUndo}
	ops := 0
	for _, op := range pawl.Ops() {
		if _, all := op.(pawl.All); all {
			continue // history has the verb of its last op
		}
		ops++
		if leads := leading(op.Verb()) != nil; leads == slices.Contains(byAnything, op.Verb()) {
			t.Errorf("%s: fields lead: %v", op.Verb(), leads)
		}
	}
	if ops < 15 {
		t.Errorf("%d ops", ops)
	}
}
