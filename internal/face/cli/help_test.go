package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/manual"
)

// TestHelp pins every help page in testdata/help, and sees to it that each is
// fit to be read in a terminal.
func TestHelp(t *testing.T) {
	front := newDesk(t).must("help")
	narrow(t, "the help page", front)
	pages, err := filepath.Glob("testdata/help/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for v := range all {
		if !strings.Contains(front, "\n  "+v.name+" ") {
			t.Errorf("the help page does not list %s", v.name)
		}
		d := newDesk(t)
		text := d.must("help", v.name)
		if again := d.must(v.name, "--help"); again != text {
			t.Errorf("%s --help differs from help %s", v.name, v.name)
		}
		file := filepath.Join("testdata", "help", v.name+".txt")
		generated(t, file, []byte(text))
		pages = slices.DeleteFunc(pages, func(page string) bool { return page == file })
		narrow(t, "help "+v.name, text)
		if len(v.examples) < 2 {
			t.Errorf("%s has %d examples, two are promised", v.name, len(v.examples))
		}
		for _, example := range v.examples { // they are there to be copied
			if !strings.Contains(example, "pawl "+v.name) {
				t.Errorf("an example of %s is about something else: %s", v.name, example)
			}
		}
		if v.long == "" {
			t.Errorf("%s has a line, and nothing that the line does not say", v.name)
		}
	}
	for _, page := range pages {
		t.Errorf("%s is about no verb", page)
	}
	if names := len(newDesk(t).json("help")["verbs"].([]any)); names != len(Verbs()) {
		t.Errorf("help --json lists %d of %d verbs", names, len(Verbs()))
	}
}

// narrow holds a page to the width of a terminal. An example is one line,
// whatever its length.
func narrow(t *testing.T, name, page string) {
	t.Helper()
	for line := range strings.Lines(page) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > manual.Width && !strings.HasPrefix(line, "  $ ") {
			t.Errorf("%s has a line of %d characters: %s", name, n, line)
		}
	}
}

// TestExamplesParse runs the examples of every verb as far as their flags: one
// that names a flag which is not there was never tried.
func TestExamplesParse(t *testing.T) {
	flag := regexp.MustCompile(`^--([a-z-]+)`)
	for v := range all {
		flags := v.command(&app{}).Flags()
		known := map[string]bool{"json": true, "board": true, "as": true, "session": true, "help": true}
		for _, example := range v.examples {
			_, example, _ = strings.Cut(example, "pawl "+v.name)
			example, _, _ = strings.Cut(example, " | ")
			for word := range strings.FieldsSeq(example) {
				if name := flag.FindStringSubmatch(word); name != nil && !known[name[1]] && flags.Lookup(name[1]) == nil {
					t.Errorf("an example of %s has the flag --%s, which there is not", v.name, name[1])
				}
			}
		}
	}
}

// TestEnvironment holds what the manual says about the environment to the
// variables that the source reads.
func TestEnvironment(t *testing.T) {
	root, err := schema.Root()
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, term := range environment {
		said += term.Word + " " + term.Meaning + " "
	}
	variable := regexp.MustCompile(`"((?:PAWL|NO|FORCE|CLICOLOR|COLUMNS)(?:_[A-Z_]+)?)"`)
	found := map[string]bool{}
	for _, dir := range []string{"cmd/pawl", "internal/*", "internal/face/cli"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no source in %s, %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "page.go" {
				continue
			}
			for _, name := range variable.FindAllStringSubmatch(read(t, file), -1) {
				found[name[1]] = true
			}
		}
	}
	if len(found) < 5 {
		t.Errorf("only %v was found", found)
	}
	for name := range found {
		if !strings.Contains(said, name) {
			t.Errorf("the source reads %s, which the manual does not explain", name)
		}
	}
	for _, term := range environment {
		if !found[term.Word] {
			t.Errorf("the manual explains %s, which nothing reads", term.Word)
		}
	}
}
