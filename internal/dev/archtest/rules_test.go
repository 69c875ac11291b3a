package archtest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "write what packages import into testdata/imports")

const root = "../../.."

func load(t *testing.T) *Module {
	t.Helper()
	m := must.Get(Load(os.DirFS(root)))(t)
	return m
}

// TestRules holds the source of this module to its rules.
func TestRules(t *testing.T) {
	for _, fault := range Rules.Check(load(t)) {
		t.Error(fault)
	}
}

// TestMap holds the map in ARCHITECTURE.md to the source, and what packages import to
// testdata/imports, so that a change of it is seen.
func TestMap(t *testing.T) {
	m := load(t)
	text := must.Get(os.ReadFile(filepath.Join(root, "ARCHITECTURE.md")))(t)
	a := must.Get(ReadMap(string(text)))(t)
	for _, fault := range a.Check(m, &Rules) {
		t.Error(fault)
	}
	name, is := filepath.Join("testdata", "imports"), a.Imports(m, &Rules)
	if *update {
		must.Do(t, os.WriteFile(name, []byte(is), 0o644))
	}
	was := must.Get(os.ReadFile(name))(t)
	if string(was) != is {
		lines := strings.Split(string(was), "\n")
		for line := range strings.Lines(is) {
			if !slices.Contains(lines, strings.TrimSuffix(line, "\n")) {
				t.Errorf("%s has another line than: %s", name, line)
			}
		}
		t.Errorf("what packages import has changed: look at it, then go test ./internal/dev/archtest -update")
	}
}
