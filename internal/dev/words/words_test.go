// Package words holds the texts that users read to plain words. It has tests only.
package words

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// texts are the files that are read, as patterns of [filepath.Glob].
var texts = []string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/*.md", "internal/face/cli/testdata/help/*.txt"}

// old are turns of phrase that a reader stumbles over, and what to write instead.
// The glossary is in CONTRIBUTING.md.
var old = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`[Ww]hoever|[Ww]homever`), "name the user, the agent or the program"},
	{regexp.MustCompile(`, for (it|they|there)\b`), "because"},
	{regexp.MustCompile(`signs? of life`), "renewal"},
	{regexp.MustCompile(`strangers?\b`), "external program, external edit"},
	{regexp.MustCompile(`\bshall\b`), "must, or the present tense"},
	{regexp.MustCompile(`\b(any|no) more\b`), "no longer"},
	{regexp.MustCompile(`to be had`), "cannot get, is not available"},
	{regexp.MustCompile(`all the same`), "anyway, or nothing"},
	{regexp.MustCompile(`unless said`), "by default"},
	{regexp.MustCompile(`\bis said\b`), "prints, is set"},
	{regexp.MustCompile(`[Tt]here is no\b`), "say who lacks what"},
	{regexp.MustCompile(`\bis no [a-z]`), "is not a"},
	{regexp.MustCompile(`\bmeanwhile\b`), "name the moment: since, while"},
	{regexp.MustCompile(`\banew\b`), "again"},
	{regexp.MustCompile(`\b[Aa]lthough\b`), "even if, but"},
	{regexp.MustCompile(`of which\b`), "two sentences"},
	{regexp.MustCompile(`\bcircles?\b`), "cycle"},
}

// undone are the files that still have such a phrase. The list is exact: what has none
// is removed from it, and nothing is added.
var undone = []string{
	"docs/api.md",
	"docs/decisions.md",
	"docs/format.md",
	"docs/hooks.md",
	"docs/library.md",
	"docs/mcp.md",
	"docs/serve.md",
}

// TestPlainWords reports each phrase in a file that is done.
func TestPlainWords(t *testing.T) {
	var files []string
	for _, pattern := range texts {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no such file (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	still := map[string]bool{}
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		faults := check(string(text))
		if i := slices.IndexFunc(undone, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }); i >= 0 {
			still[undone[i]] = still[undone[i]] || len(faults) > 0
			continue
		}
		for _, fault := range faults {
			t.Errorf("%s: %s", name, fault)
		}
	}
	for _, name := range undone {
		if !still[name] {
			t.Errorf("%s has no such phrase: remove it from undone", name)
		}
	}
}

func check(text string) []string {
	var faults []string
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(line, "no more than", "at most")
		for _, o := range old {
			if found := o.pattern.FindString(line); found != "" {
				faults = append(faults, "“"+found+"” ("+o.instead+"): "+strings.TrimSpace(line))
				break // one is enough to read the line again
			}
		}
	}
	return faults
}

func TestCheckCanFail(t *testing.T) {
	for text, want := range map[string]int{
		"Exactly one agent gets each task.\n":            0,
		"At most 20, no more than that. Give it to him.": 0,
		"Whoever has it\ngives a sign of life.\n":        2,
		"fine\nthere is no verb \"x\"\n":                 1,
		"refused, for it is held":                        1,
		"for its agents, for themselves":                 0,
	} {
		if faults := check(text); len(faults) != want {
			t.Errorf("%q: want %d faults, have %q", text, want, faults)
		}
	}
}
