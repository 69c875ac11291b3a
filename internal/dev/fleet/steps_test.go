//go:build unix

package fleet

import (
	"os"
	"strings"
	"testing"
)

// TestChaosRuns: go test ./... of this module passes over a module within it, so what
// is there must be run by name.
func TestChaosRuns(t *testing.T) {
	if _, err := os.Stat("../chaos/go.mod"); err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		".ci/run":  {"steps=(format tidy build startup vet static tests tools chaos ", "gotest -C internal/dev/chaos -count=1 ./...", "go -C internal/dev/chaos mod tidy -diff", "go -C internal/dev/chaos vet ./..."},
		".ci/long": {`"./internal/dev/chaos `},
	} {
		text, err := os.ReadFile("../../../" + file)
		must(t, err)
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not have %q", file, want)
			}
		}
	}
}
