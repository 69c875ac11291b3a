package tool_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/tool/tooltest"
)

var update = flag.Bool("update", false, "write what came of each call into the stories")

// story is one that tests of this package tell further.
type story struct{ *tooltest.Story }

func newStory(t *testing.T) *story { return &story{tooltest.New(t)} }

func TestStories(t *testing.T) { tooltest.Play(t, "testdata/*.txtar", 8, *update, tooltest.New) }

// The same stories with the board at the address of a server.
func TestStoriesFromAfar(t *testing.T) {
	tooltest.Play(t, "testdata/*.txtar", 8, *update, func(t *testing.T) *tooltest.Story {
		s := tooltest.New(t)
		s.Far = true
		return s
	})
}

// Each case that was collected from other agents' tools is adopted, or a story
// says why Pawl differs.
func TestCasesAreAdopted(t *testing.T) {
	for fixture, stories := range map[string]string{"tasks.json": "cases_tasks.txtar", "llxprt.json": "cases_todos.txtar"} {
		text, err := os.ReadFile(filepath.Join("testdata/cases", fixture))
		must.Do(t, err)
		var cases []struct{ ID string }
		if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 25 {
			t.Fatalf("%s has %d cases: %v", fixture, len(cases), err)
		}
		told, err := os.ReadFile(filepath.Join("testdata", stories))
		must.Do(t, err)
		said := map[string]bool{}
		for line := range strings.SplitSeq(string(told), "\n") {
			if ids, reason, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": "); ok && strings.HasPrefix(line, "# ") && reason != "" {
				for id := range strings.SplitSeq(ids, ", ") {
					said[id] = true
				}
			}
		}
		for _, one := range cases {
			if !said[one.ID] {
				t.Errorf("%s: nothing says what becomes of %s", stories, one.ID)
			}
		}
	}
}
