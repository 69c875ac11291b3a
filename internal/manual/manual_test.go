package manual

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// nasty says things that each format takes for its own.
var nasty = &Page{
	Name: "pawl nasty", Usage: "pawl nasty [ID] -- 'x'", Short: "let .TH and `code` be",
	Long: "A [ ] is pending, *now* and snake_case: C:\\new <b>.\n\n.SH not a title\n'br neither",
	Sections: []Section{
		{Title: "Flags", Terms: []Term{
			{"--a", "short"},
			{"--a-long-word WITH,VALUE", "its meaning stands in a line of its own, and goes on in the next ones under its beginning"},
			{".dot", "'quoted'"},
		}},
		{Title: `"Said"`, Text: "One.\n\nTwo."},
		{Title: "Block", Block: []string{"- [ ] *x*", "  .y \\"}, Terms: []Term{{"x", "y"}}},
		{Title: "Examples", Lines: []string{`pawl nasty "a\b" -- .x`, ".x"}},
	},
	Note: "◆ is not ASCII.",
	See:  []string{"pawl", "pawl done"},
}

func TestText(t *testing.T) {
	want := `# pawl nasty [ID] -- 'x'

Let .TH and ` + "`code`" + ` be.
A [ ] is pending, *now* and snake_case: C:\new <b>.

.SH not a title
'br neither

# Flags
  --a                 short
  --a-long-word WITH,VALUE
                      its meaning stands in a line of its own, and goes on in
                      the next ones under its beginning
  .dot                'quoted'

# "Said"
One.

Two.

# Block
  - [ ] *x*
    .y \

  x                   y

# Examples
  $ pawl nasty "a\b" -- .x
  $ .x

◆ is not ASCII.
`
	if got := nasty.Text(func(title string) string { return "# " + title }, Width); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNarrow holds a page to the width of a terminal, but for commands and the
// words that begin a term.
func TestNarrow(t *testing.T) {
	page := Page{
		Name: "pawl x", Usage: "pawl x", Short: "say " + strings.Repeat("a word or two ", 9) + "more", Long: strings.Repeat("long word ", 20),
		Sections: []Section{{Title: "Flags", Terms: []Term{{"--flag", strings.Repeat("meaning of it ", 9)}}}},
	}
	text := page.Text(func(title string) string { return title }, 60)
	for line := range strings.Lines(text) {
		if len(line) > 61 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}

func TestMarkdown(t *testing.T) {
	want := strings.ReplaceAll(`## pawl nasty

~~~
pawl nasty [ID] -- 'x'
~~~

Let .TH and \~code\~ be. A \[ \] is pending, \*now\* and snake\_case: C:\\new &lt;b&gt;.

.SH not a title
'br neither

**Flags**

- ~--a~: short
- ~--a-long-word WITH,VALUE~: its meaning stands in a line of its own, and goes on in the next ones under its beginning
- ~.dot~: 'quoted'

**"Said"**

One.

Two.

**Block**

~~~
- [ ] *x*
  .y \
~~~

- ~x~: y

**Examples**

~~~
$ pawl nasty "a\b" -- .x
$ .x
~~~

◆ is not ASCII.
`, "~", "`")
	if got := nasty.Markdown(2); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRoff(t *testing.T) {
	want := strings.ReplaceAll(`.TH "PAWL\-NASTY" 1 "2026\-11\-21" "pawl 1.2.3" "Pawl"
.SH NAME
pawl\-nasty \- let .TH and \(gacode\(ga be
.SH SYNOPSIS
.nf
pawl nasty [ID] \-\- \(aqx\(aq
.fi
.SH DESCRIPTION
Let .TH and \(gacode\(ga be. A [ ] is pending, *now* and snake_case: C:\enew <b>.
.PP
\&.SH not a title \(aqbr neither
.SH "FLAGS"
.TP
.B "\-\-a"
short
.TP
.B "\-\-a\-long\-word WITH,VALUE"
its meaning stands in a line of its own, and goes on in the next ones under its beginning
.TP
.B ".dot"
\(aqquoted\(aq
.SH "\(dqSAID\(dq"
One.
.PP
Two.
.SH "BLOCK"
.nf
\- [ ] *x*
  .y \e
.fi
.TP
.B "x"
y
.SH "EXAMPLES"
.nf
$ pawl nasty "a\eb" \-\- .x
$ .x
.fi
.SH NOTES
\[u25C6] is not ASCII.
.SH SEE ALSO
.BR "pawl" (1),
.BR "pawl\-done" (1)
`, "~", "`")
	if got := nasty.Roff("1.2.3", "2026-11-21"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What groff makes of it is what was said.
func TestRoffReads(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		mustrun.NotHere(t, "groff is not installed, and is only a second opinion")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-P-cbou")
	cmd.Stdin = strings.NewReader(nasty.Roff("1.2.3", "2026-11-21"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, part := range []string{
		"pawl-nasty - let .TH and `code` be", "pawl nasty [ID] -- 'x'", `snake_case: C:\new <b>.`, ".SH not a title 'br neither",
		"--a-long-word WITH,VALUE", `"SAID"`, `$ pawl nasty "a\b" -- .x`, "◆ is not ASCII.", "pawl(1), pawl-done(1)",
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(out)), " "), part) { // lines are filled and spaced
			t.Errorf("the page does not say %q:\n%s", part, out)
		}
	}
}
