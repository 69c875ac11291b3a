package archtest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write what packages import into the map of ARCHITECTURE.md")

const root = "../../.."

func load(t *testing.T) *Module {
	t.Helper()
	m, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRules holds the source of this module to its rules.
func TestRules(t *testing.T) {
	for _, fault := range Rules.Check(load(t)) {
		t.Error(fault)
	}
}

// TestMap holds the map in ARCHITECTURE.md to the source.
func TestMap(t *testing.T) {
	m, name := load(t), filepath.Join(root, "ARCHITECTURE.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ReadMap(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		updated := a.Update(string(text), m, &Rules)
		if err := os.WriteFile(name, []byte(updated), 0o644); err != nil {
			t.Fatal(err)
		}
		if a, err = ReadMap(updated); err != nil {
			t.Fatal(err)
		}
	}
	for _, fault := range a.Check(m, &Rules) {
		t.Errorf("%s (-update writes the last column)", fault)
	}
}
