package show

import (
	"testing"

	"github.com/pawl-dev/pawl"
)

// Each op has a word of its own, so that history never tells one by the name that
// JSON has for it.
func TestEachOpIsSaid(t *testing.T) {
	said := map[string]string{}
	for _, op := range pawl.Ops() {
		if _, all := op.(pawl.All); all {
			continue // history has the verb of its last op
		}
		word, known := deedOf(op.Verb())
		if !known || word == "" || said[word] != "" {
			t.Errorf("%s is told as %q, as is %q", op.Verb(), word, said[word])
		}
		said[word] = op.Verb()
	}
	if len(said) < 15 {
		t.Errorf("%d ops", len(said))
	}
}
