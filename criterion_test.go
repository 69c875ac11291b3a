package pawl

import (
	"strings"
	"testing"
	"time"
)

func TestFindCriterion(t *testing.T) {
	task := Task{ID: 4, Accept: []Criterion{{Text: "no flicker at 60 Hz"}, {Text: "No flicker at 30 Hz", At: time.Unix(1, 0)}, {Text: "1"}, {Text: "fast"}}}
	for words, want := range map[string]string{
		"no flicker at 60 Hz": "no flicker at 60 Hz", "NO flicker  at 6": "no flicker at 60 Hz", " fa\n": "fast",
		"1": "1", "2": "No flicker at 30 Hz", "4": "fast",
	} {
		if got, err := task.FindCriterion(words); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", words, got, err, want)
		}
	}
	for words, kind := range map[string]Kind{"no fl": Invalid, "slow": NotFound, "5": NotFound, "0": NotFound, "": NotFound, "ast": NotFound} {
		if got, err := task.FindCriterion(words); KindOf(err) != kind {
			t.Errorf("%q is %q, %v", words, got, err)
		}
	}
	if _, err := task.FindCriterion("no"); !strings.Contains(err.Error(), `"no flicker at 60 Hz" or "No flicker at 30 Hz" of #4`) {
		t.Error(err)
	}
}

func TestParseChecks(t *testing.T) {
	checks, err := ParseChecks([]byte(`["unit: go test ./...", {"name": "page", "run": ["npm", "test"], "dir": "web"}]`))
	if err != nil || len(checks) != 2 || checks[0].Name != "unit" || checks[1].Dir != "web" {
		t.Errorf("%+v, %v", checks, err)
	}
	if checks, err := ParseChecks([]byte(` "go vet ./..."`)); err != nil || len(checks) != 1 || checks[0].Command() != "go vet ./..." {
		t.Errorf("%+v, %v", checks, err)
	}
	for _, text := range []string{`1`, `{}`, `["a | b"]`, `[{"name": "a", "run": ["x"], "labels": ["page"]}]`} {
		if checks, err := ParseChecks([]byte(text)); KindOf(err) != Invalid {
			t.Errorf("%s: %+v, %v", text, checks, err)
		}
	}
}
