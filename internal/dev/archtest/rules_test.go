package archtest

import (
	"os"
	"testing"
)

// TestRules holds the source of this module to its rules.
func TestRules(t *testing.T) {
	m, err := Load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range Rules.Check(m) {
		t.Error(fault)
	}
}
