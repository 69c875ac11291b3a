// Package words holds the texts that users read to plain words. It has tests only.
package words

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

const root = "../../.."

// texts are the files that are read, as patterns of [filepath.Glob].
var texts = []string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/*.md", "internal/ui/cli/testdata/help/*.txt"}

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
	{regexp.MustCompile(`[.:] (What|Who|Those that|That which) [^?]*$`), "name the thing"},
}

// TestPlainWords reports each phrase in the texts that users read.
func TestPlainWords(t *testing.T) {
	for _, pattern := range texts {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no such file (%v)", pattern, err)
		}
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(t)
			for _, fault := range check(string(text)) {
				t.Errorf("%s: %s", file, fault)
			}
		}
	}
}

// plain are phrases that only look like an old one.
var plain = strings.NewReplacer("no more than", "at most", "no more tools", "no tools", "is no longer", "is not now")

func check(text string) []string {
	var faults []string
	for line := range strings.Lines(text) {
		line = plain.Replace(line)
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
		"It ends. What is left over is kept.":            1,
		"It asks. Who has it?":                           0,
		"for its agents, for themselves":                 0,
	} {
		if faults := check(text); len(faults) != want {
			t.Errorf("%q: want %d faults, have %q", text, want, faults)
		}
	}
}
