package known_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports/known"
)

// TestTable says what is missing of a format that has a folder.
func TestTable(t *testing.T) {
	seen := map[string]bool{"known": true, "importstest": true, "checklist": true}
	for _, f := range known.Formats {
		if seen[f.Name] {
			t.Errorf("%s is twice in known.Formats", f.Name)
		}
		seen[f.Name] = true
		for what, has := range map[string]bool{"Title": f.Title != "", "Shape": f.Shape != "", "Read": f.Read != nil, "Recognises": f.Recognises != nil} {
			if !has {
				t.Errorf("%s has no %s", f.Name, what)
			}
		}
		if known.Named(strings.ToUpper(f.Name)) != f {
			t.Errorf("%s is not found by its name", f.Name)
		}
		doc, err := os.ReadFile("../../../docs/import.md")
		if err != nil || !strings.Contains(string(doc), "\n## "+f.Title+"\n") {
			t.Errorf("docs/import.md has no part about %s: %v", f.Title, err)
		}
	}
	folders := must.Get(os.ReadDir(".."))(t)
	for _, f := range known.Boxes() {
		seen[f.Name], seen[f.Name+"file"] = true, true // a plan is read by plan and sync only
	}
	for _, f := range folders {
		if f.IsDir() && !seen[f.Name()] {
			t.Errorf("internal/imports/%s is not in known.Formats", f.Name())
		}
	}
}

// TestStartsCostNothing finds patterns that each start of the program would
// compile.
func TestStartsCostNothing(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	compiled := regexp.MustCompile(`(?m)^(var\s+)?\s*\w+\s*=\s*regexp\.MustCompile`)
	for _, name := range files {
		text := must.Get(os.ReadFile(name))(t)
		if !strings.HasSuffix(name, "_test.go") && compiled.Match(text) {
			t.Errorf("%s compiles a pattern at each start: use lazy.Regexp", name)
		}
	}
}

// TestRecognise: each sample is of its own format, and of no other.
func TestRecognise(t *testing.T) {
	for sample, want := range map[string]string{
		"../taskmaster/testdata/tasks.small.json":                                                          "taskmaster",
		"../beads/testdata/issues.classic.jsonl":                                                           "beads",
		"../beads/testdata/issues.bd105.jsonl":                                                             "beads",
		"../beads/testdata/beads-ui.jsonl":                                                                 "beads",
		"../backlog/testdata/backlog/tasks/back-634 - Fix-web-UI-draft-editing.md":                         "backlog",
		"../backlog/testdata/backlog/completed/back-97 - Cross-branch-task-ID-checking-and-branch-info.md": "backlog",
		"../taskmd/testdata/tasks/109-verify-command.md":                                                   "taskmd",
		"../github/testdata/gh.json":                                                                       "github",
		"../github/testdata/rest.json":                                                                     "github",
		"../claude/testdata/time-tracker/1.json":                                                           "", // only asked for
		"../../../README.md":                                                                               "",
		"../../../docs/schema/result.json":                                                                 "",
	} {
		head := must.Get(os.ReadFile(sample))(t)
		got := ""
		if f := known.Recognise(sample, head[:min(len(head), 16<<10)]); f != nil {
			got = f.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", sample, got, want)
		}
	}
}
