// Package manual lays out pages about commands: for a terminal, as Markdown, and
// as the source of a man page. Callers bring the texts.
package manual

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A Page explains one command.
type Page struct {
	Name     string // pawl claim
	Usage    string // pawl claim [ID] [flags]
	Short    string // what it does, in a line without a full stop
	Long     string // what the line does not say; paragraphs stand apart by an empty line
	Sections []Section
	Note     string   // a last word; may be empty
	See      []string // names of other pages
}

// A Section is a part of a page under a title of its own. It has one of the
// four, or a block and then another one.
type Section struct {
	Title string
	Terms []Term   // words and what they mean
	Block []string // lines that stay as they are
	Lines []string // commands to type
	Text  string   // paragraphs
}

// A Term is a word that one types or reads, and what it means.
type Term struct {
	Word    string `json:"word"`    // as it is written
	Meaning string `json:"meaning"` // what comes of it
}

// Width is how wide the text of a page is at most: a terminal as it opens.
const Width = 80

// least is as narrow as two columns can be.
const least = 40

// column is where the meaning of a term begins.
const column = 22

// Text is the page for a terminal that is so wide. Titles go through title, which may make them
// stand out.
func (p *Page) Text(title func(string) string, width int) string {
	var b strings.Builder
	width = max(least, min(width, Width))
	b.WriteString(title(p.Usage) + "\n\n" + wrap(p.sentence(), width) + "\n")
	if p.Long != "" {
		b.WriteString(wrap(p.Long, width) + "\n")
	}
	for _, s := range p.Sections {
		b.WriteString("\n" + title(s.Title) + "\n")
		for i, line := range s.Block {
			b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
			if i == len(s.Block)-1 && (s.Text != "" || len(s.Terms)+len(s.Lines) > 0) {
				b.WriteByte('\n')
			}
		}
		if s.Text != "" {
			b.WriteString(wrap(s.Text, width) + "\n")
		}
		for _, t := range s.Terms {
			b.WriteString(t.text(width))
		}
		for _, line := range s.Lines {
			b.WriteString("  $ " + line + "\n")
		}
	}
	if p.Note != "" {
		b.WriteString("\n" + wrap(p.Note, width) + "\n")
	}
	return b.String()
}

// text is the term in two columns.
func (t Term) text(width int) string {
	head := "  " + t.Word
	if len(head) >= column {
		head += "\n" + strings.Repeat(" ", column)
	} else {
		head += strings.Repeat(" ", column-len(head))
	}
	return head + strings.ReplaceAll(wrap(t.Meaning, width-column), "\n", "\n"+strings.Repeat(" ", column)) + "\n"
}

// sentence is the short line as a sentence.
func (p *Page) sentence() string { return strings.ToUpper(p.Short[:1]) + p.Short[1:] + "." }

func wrap(text string, n int) string { return strings.Join(term.Wrap(text, n), "\n") }
