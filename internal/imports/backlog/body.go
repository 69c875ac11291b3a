package backlog

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/text"
)

type section int

const (
	description section = iota
	criteria
	done
	plan
	notes
	summary
	comments
)

// headings are what begins a section where it has no marks.
var headings = map[string]section{
	"description": description, "acceptance criteria": criteria, "definition of done": done, "implementation plan": plan,
	"implementation notes": notes, "notes": notes, "final summary": summary, "comments": comments,
}

// marks are the names between <!-- and :BEGIN -->.
var marks = map[string]section{
	"SECTION:DESCRIPTION": description, "AC": criteria, "DOD": done, "SECTION:PLAN": plan,
	"SECTION:NOTES": notes, "SECTION:FINAL_SUMMARY": summary, "COMMENTS": comments, "SECTION:COMMENTS": comments,
}

var (
	mark     = &text.Regexp{Expr: `^<!--\s*([A-Z_:]+):(BEGIN|END)\s*-->$`}
	checkbox = &text.Regexp{Expr: `^\s*[-*+]\s+\[[ xX]\]\s`}
)

// sections takes a text apart. Between marks a heading is text, and so it is in
// a block of code.
func sections(body string) map[section]string {
	parts := map[section]*strings.Builder{}
	at, within, code := description, false, false
	for line := range strings.SplitSeq(body, "\n") {
		plain := strings.TrimSpace(line)
		if m := mark.Get().FindStringSubmatch(plain); m != nil {
			if s, known := marks[m[1]]; known {
				if within = m[2] == "BEGIN"; within {
					at = s
				}
				continue
			}
		}
		if strings.HasPrefix(plain, "```") {
			code = !code
		}
		if title, is := strings.CutPrefix(line, "## "); is && !within && !code {
			if s, known := headings[strings.ToLower(strings.TrimSpace(title))]; known {
				at = s
				continue
			}
		}
		if parts[at] == nil {
			parts[at] = &strings.Builder{}
		}
		parts[at].WriteString(line + "\n")
	}
	out := map[section]string{}
	for s, b := range parts {
		out[s] = strings.TrimSpace(b.String())
	}
	return out
}

func (b *board) body(t *imports.Task, body string) {
	parts := sections(body)
	if first, rest, _ := strings.Cut(parts[description], "\n"); strings.HasPrefix(first, "# ") {
		parts[description] = strings.TrimSpace(rest) // the title once more
	}
	var d imports.Sections
	d.Add("", parts[description])
	d.Add("Acceptance criteria", parts[criteria])
	d.Add("Definition of done", parts[done])
	d.Add("Plan", parts[plan])
	t.SetDescription(b.Result, d.String())
	for _, s := range []section{criteria, done} {
		for line := range strings.SplitSeq(parts[s], "\n") {
			if checkbox.Get().MatchString(line) {
				b.Criteria++
			}
		}
	}
	for _, s := range []section{notes, summary, comments} {
		t.AddNote(pawl.Note{At: t.UpdatedAt, Text: parts[s]})
	}
}
