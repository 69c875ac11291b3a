package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A project's checks are read whole or not at all, and a file that sets them keeps its
// comments when another setting changes.
func TestChecks(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	read := func(text string) *File {
		t.Helper()
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return Read(Project, path)
	}
	text := "{\n  // before each completion\n  \"checks\": [\n    \"tests: go test ./...\", // all\n    {\"name\": \"page\", \"run\": [\"npm\", \"test\"], \"labels\": [\"page\"]},\n  ],\n  \"checks.untrusted\": \"refuse\",\n}\n"
	rules := Of[[]pawl.CheckRule](Merge(read(text)), "checks")
	if len(rules) != 2 || rules[0].Name != "tests" || rules[1].Labels[0] != "page" {
		t.Errorf("%+v", rules)
	}
	if got := Of[[]pawl.CheckRule](Merge(), "checks"); got != nil {
		t.Errorf("no file, and %+v", got)
	}
	changed, err := put([]byte(text), path, Find("lease"), Of[any](Merge(), "lease"))
	if err != nil || !strings.Contains(string(changed), "// all") {
		t.Errorf("%s, %v", changed, err)
	}
	for _, bad := range []string{`{"checks": "go test"}`, `{"checks": ["a | b"]}`, `{"checks": [{"name": "a", "run": ["x"], "shell": true}]}`} {
		f := read(bad)
		if len(f.Problems) != 1 || !f.Problems[0].Error || len(Of[[]pawl.CheckRule](Merge(f), "checks")) != 0 {
			t.Errorf("%s: %v", bad, f.Problems)
		}
	}
	s := Find("checks")
	value, err := s.Parse(`["tests: go test ./..."]`)
	if err != nil {
		t.Fatal(err)
	}
	made, err := put(nil, path, s, value)
	if err != nil {
		t.Fatal(err)
	}
	again := read(string(made))
	if got := Of[[]pawl.CheckRule](Merge(again), "checks"); len(got) != 1 || got[0].Command() != "go test ./..." || len(again.Problems) > 0 {
		t.Errorf("%s: %+v, %v", made, got, again.Problems)
	}
	for _, changed := range []bool{true, false} {
		if got, err := Set(t.Context(), Project, path, s, "vet: go vet"); err != nil || got != changed {
			t.Errorf("changed: %v, %v", got, err)
		}
	}
	if got := Of[[]pawl.CheckRule](Merge(Read(Project, path)), "checks"); len(got) != 1 || got[0].Name != "vet" {
		t.Errorf("%+v", got)
	}
}
