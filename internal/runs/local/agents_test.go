package local

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/runs"
)

// The user's own labels stay, and the attempt's are added: the last one of a name is what a
// program gets.
func TestLabels(t *testing.T) {
	for set, want := range map[string]string{
		"":                                  "pawl.task=12,pawl.attempt=3",
		"OTEL_RESOURCE_ATTRIBUTES=":         "pawl.task=12,pawl.attempt=3",
		"OTEL_RESOURCE_ATTRIBUTES=team=a,":  "team=a,pawl.task=12,pawl.attempt=3",
		"OTEL_RESOURCE_ATTRIBUTES=team=a%2": "team=a%2,pawl.task=12,pawl.attempt=3",
	} {
		a := &runs.Attempt{Key: runs.Key{Task: "9-1", N: 3}, ID: 12, Session: "run-ab-12-3"}
		env := Agents{New(Options{Environ: []string{"PATH=/bin", set}})}.environment(a, "/tmp/x", nil)
		slices.Reverse(env)
		if i := slices.IndexFunc(env, func(entry string) bool { return len(entry) > 24 && entry[:24] == "OTEL_RESOURCE_ATTRIBUTES" }); i < 0 || env[i][25:] != want {
			t.Errorf("%q: %q, want %s", set, env, want)
		}
	}
}
