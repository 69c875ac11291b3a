package local

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/runs"
)

// The user's own labels stay, and the attempt's are added.
func TestLabels(t *testing.T) {
	for set, want := range map[string]string{"": "", "=": "=", "=team=a,": "=team=a,"} {
		env := Agents{New(Options{Environ: []string{envLabels + set}})}.environment(&runs.Attempt{Key: runs.Key{N: 3}, ID: 12}, "/tmp/x", nil)
		if want = envLabels + "=" + want[min(1, len(want)):] + "pawl.task=12,pawl.attempt=3"; !slices.Contains(env, want) {
			t.Errorf("%q: %q, want %s", set, env, want)
		}
	}
}
