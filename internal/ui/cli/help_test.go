package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	sources "github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/internal/manual"
)

// TestHelp pins every help page in testdata/help, and sees to it that each is
// fit to be read in a terminal.
func TestHelp(t *testing.T) {
	front := newFixture(t).must("help", "all")
	narrow(t, "the page of all verbs", front)
	generated(t, filepath.Join("testdata", "help_all.txt"), []byte(front))
	pages := must.Get(filepath.Glob("testdata/help/*.txt"))(t)
	for v := range all {
		if listed := strings.Count(front, "\n  "+v.name+" "); v.shown() && listed != 1 || !v.shown() && listed != 0 {
			t.Errorf("help all lists %s %d times", v.name, listed)
		}
		d := newFixture(t)
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
	if names := len(newFixture(t).json("help")["verbs"].([]any)); names != len(Verbs()) {
		t.Errorf("help --json lists %d of %d verbs", names, len(Verbs()))
	}
}

// TestFirstPage holds the page of pawl help to the twelve verbs that it is for,
// and to a height that one sees whole.
func TestFirstPage(t *testing.T) {
	page := newFixture(t).must("help")
	narrow(t, "the help page", page)
	if again := newFixture(t).must("--help"); again != page {
		t.Error("pawl --help differs from pawl help")
	}
	if n := strings.Count(page, "\n"); n > 22 {
		t.Errorf("the help page has %d lines, and a terminal 24", n)
	}
	var got []string
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "  ") {
			got = append(got, strings.Fields(line)[0])
		}
	}
	want := []string{"setup", "plan", "add", "board", "show", "done", "undo", "serve", "ready", "claim", "note", "release"}
	if !slices.Equal(got, want) {
		t.Errorf("the help page lists %v, want %v", got, want)
	}
	if first := Verbs()[:len(want)]; !slices.Equal(first, want) {
		t.Errorf("the first groups have %v, and the help page %v", first, want)
	}
	if !strings.HasPrefix(page, "Todos are now, tasks are later, done says what became ready.\n") {
		t.Error("the help page does not begin with what Pawl is")
	}
}

// TestEachVerbOnce: a verb stands in one group; what is hidden is so on purpose,
// and nobody is told of it but who asks for it by name.
func TestEachVerbOnce(t *testing.T) {
	seen := map[string]bool{}
	for v := range all {
		if seen[v.name] {
			t.Errorf("%s stands in two groups", v.name)
		}
		seen[v.name] = true
	}
	var hidden []string
	for v := range all {
		if !v.shown() {
			hidden = append(hidden, v.name)
		}
	}
	const most = 46 // with more, nobody reads the list: a new one is a flag of one that is there
	if len(seen) > most {
		t.Errorf("there are %d commands, more than %d", len(seen), most)
	}
	want := []string{"hook", "mcp", "acp", "statusline", "merge-file"}
	if !slices.Equal(hidden, want) {
		t.Errorf("hidden are %v, want %v", hidden, want)
	}
	d := newFixture(t)
	for _, out := range []string{d.must("help", "all"), d.must("help", "--format", "man"), d.must("help", "--json"), d.must("__complete", ""), d.must("__complete", "help", "")} {
		for _, name := range hidden {
			if regexp.MustCompile(`(?m)^(  )?` + name + `\s|"name":"` + name + `"|pawl\\-` + name).MatchString(out) {
				t.Errorf("%s is shown:\n%s", name, out)
			}
		}
	}
	for _, name := range hidden {
		if out := d.must("help", name); !strings.Contains(out, "pawl "+name) {
			t.Errorf("help %s explains something else:\n%s", name, out)
		}
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
	root := must.Get(sources.Root())(t)
	said := ""
	for _, term := range environment {
		said += term.Word + " " + term.Meaning + " "
	}
	variable := regexp.MustCompile(`"((?:PAWL|NO|FORCE|CLICOLOR|COLUMNS)(?:_[A-Z_]+)?)"`)
	found := map[string]bool{}
	for _, dir := range []string{"cmd/pawl", "internal/*", "internal/ui/cli"} {
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
