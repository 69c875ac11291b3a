package nudge_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The cases of another agent's reminders, continuation and recovery: each is
// answered, and where Pawl does otherwise it says why.
func TestCases(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/llxprt.json"))(t)
	var file struct {
		Cases []struct{ ID string }
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Cases) < 40 {
		t.Fatalf("%d cases: %v", len(file.Cases), err)
	}
	story := playStory(t, "testdata/llxprt.txtar")
	verdicts := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^# ([a-z0-9-]+-\d{3}): (same|differs|other)\.(.*)\n(> )?`).FindAllStringSubmatch(story, -1) {
		id, verdict, why, played := m[1], m[2], m[3], m[4] != ""
		if _, twice := verdicts[id]; twice {
			t.Errorf("%s is there twice", id)
		}
		if verdict != "same" && why == "" || verdict == "differs" && !played || verdict == "other" && played {
			t.Errorf("%s %s: it needs a reason, and something to see where this package decides", id, verdict)
		}
		verdicts[id] = verdict
	}
	for _, c := range file.Cases {
		if verdicts[c.ID] == "" {
			t.Errorf("%s is not answered", c.ID)
		}
		delete(verdicts, c.ID)
	}
	if len(verdicts) > 0 {
		t.Errorf("these are no cases: %v", verdicts)
	}
}
