// Package mutants takes away one rule at a time, of how boards merge and of how clones
// share one, and sees that a test of random histories fails: one that finds none of
// these faults checks nothing. Shipped code knows nothing of them.
package mutants

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/source"
)

// A test plays random histories, each made from its number.
type test struct {
	pkg, name string
	from      int // at or soon after this one it fails
}

func pairs(from int) test { return test{"merge", "TestAnyTwoBoards", from} }
func line(from int) test  { return test{"merge", "TestClonesOnALine", from} }
func sim(from int) test   { return test{"share", "TestSimulation", from} }

func TestMutants(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		mustrun.Skip(t, "go is not installed")
	}
	builds := &builds{must.Get(source.Root())(t), t.TempDir(), map[string]string{}}
	chosen := map[string]bool{}
	for _, m := range mutants {
		for _, c := range m.tests {
			name := c.name + ": " + m.fault
			if !long.Turn(name, 17) { // one of each package
				continue
			}
			chosen[c.pkg] = true
			t.Run(name, func(t *testing.T) {
				said, history := builds.play(t, c, slices.Concat(m.world, m.plants), strconv.Itoa(c.from), 100)
				if said == "" {
					t.Fatalf("nothing was found from history %d on: another one may show it", c.from)
				}
				t.Logf("%.160s", said)
				if !*long.Asked { // .ci/run, which plays the tests themselves
					return
				}
				if said, _ := builds.play(t, c, m.world, history, 1); said != "" {
					t.Errorf("it fails with the rule, too: %s", said)
				}
			})
		}
	}
	if len(chosen) != 2 {
		t.Errorf("mutants are played of %v only", chosen)
	}
}

// builds are the programs of the packages' tests, each built once.
type builds struct {
	root, dir string
	programs  map[string]string // by package and plants
}

func (b *builds) program(t *testing.T, pkg string, plants []source.Plant) string {
	t.Helper()
	key := fmt.Sprint(pkg, plants)
	if b.programs[key] != "" {
		return b.programs[key]
	}
	dir := filepath.Join(b.dir, strconv.Itoa(len(b.programs)))
	must.Do(t, os.Mkdir(dir, 0o755))
	overlay := must.Get(source.Overlay(dir, plants...))(t)
	program := filepath.Join(dir, "tests.exe") // so Windows runs it
	cmd := exec.CommandContext(t.Context(), "go", "test", "-c", "-ldflags=-s -w", overlay, "-o", program, "./internal/"+pkg)
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("it is not built: %v\n%s", err, out)
	}
	b.programs[key] = program
	return program
}

// play runs a test on some histories, and returns what it says of the first that fails.
func (b *builds) play(t *testing.T, c test, plants []source.Plant, from string, histories int) (said, history string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), b.program(t, c.pkg, plants), "-test.run=^"+c.name+"$", "-from="+from, fmt.Sprint("-histories=", histories))
	cmd.Dir = filepath.Join(b.root, "internal", c.pkg)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "", ""
	}
	found := regexp.MustCompile(`(?s)--- FAIL: ` + c.name + ` .*?(history (\d+)[^\n]*)`).FindStringSubmatch(string(out))
	if cmd.ProcessState.ExitCode() != 1 || found == nil {
		t.Fatalf("it did not fail in a history: %v\n%s", err, out)
	}
	return found[1], found[2]
}
