package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestFigures holds each figure that several pages give to its source, which is named first:
// the code that has a limit, or the page of a measurement.
func TestFigures(t *testing.T) {
	for name, places := range map[string][][2]string{
		"size of the binary, in MB": {
			{".ci/run", `max_binary=(\d+)000000\b`}, {"proof/bench/limits.go", `binaryLimit = (\d+)_000_000\b`}, {"docs/benchmarks.md", `\| the binary \| (\d+) MB`},
		},
		"CPU of a hook, in ms": {{"docs/setup.md", `Time +(\d+) ms an event`}, {"README.md", `the hook takes about (\d+) ms of CPU`}},
		"patience with a server, in ms": {
			{"internal/courier/post.go", `Patience = (\d+) \* time.Millisecond`}, {"docs/hooks.md", `at most (\d+) ms for the server`}, {"ARCHITECTURE.md", `A hook waits at most (\d+) ms`},
		},
		"time until a change is on a screen, in ms": {
			{"docs/benchmarks.md", `the limit of a change is (\d+) ms`}, {"docs/board.md", `appear within (\d+) ms`}, {"docs/panel.md", `shows within (\d+) ms`},
		},
		"tokens of a recovery": {{"docs/settings.md", "`recovery.tokens` \\| `(\\d+)`"}, {"README.md", `in at most (\d+) tokens`}},
		"continuations of a prompt": {
			{"nudge/nudge.go", `PerPrompt: (\d+)`}, {"docs/hooks.md", `at most (\d+) continuations for one prompt`}, {"README.md", `at most (\d+) times a prompt`},
		},
		"tasks of a board": {{"docs/benchmarks.md", `limit at 1,000 / 10,000 / ([\d,]+) tasks`}, {"README.md", `up to ([\d,]+) tasks`}},
		"Go": {
			{"go.mod", `\ngo (\d+\.\d+)`}, {"README.md", `Go (\d+\.\d+)`}, {"CONTRIBUTING.md", `Go (\d+\.\d+)`}, {"docs/install.md", `Go (\d+\.\d+)`}, {"docs/library.md", `Go (\d+\.\d+)`},
		},
	} {
		var have []string
		for _, place := range places {
			text := must.Get(os.ReadFile(filepath.Join(root, filepath.FromSlash(place[0]))))(t)
			found := regexp.MustCompile(place[1]).FindStringSubmatch(string(text))
			if found == nil {
				t.Fatalf("%s: %s does not have it: %s", name, place[0], place[1])
			}
			have = append(have, found[1])
			if found[1] != have[0] {
				t.Errorf("%s: %s in %s", name, strings.Join(have, ", "), place[0])
			}
		}
	}
}
