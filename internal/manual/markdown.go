package manual

import (
	"fmt"
	"strings"
)

// Markdown is the page under a title of the given level; its sections are bold
// words.
func (p *Page) Markdown(level int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", level), plain(p.Name))
	b.WriteString(code([]string{p.Usage}, ""))
	b.WriteString("\n" + plain(p.sentence()))
	if p.Long != "" {
		b.WriteString(" " + plain(p.Long))
	}
	b.WriteByte('\n')
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n**%s**\n\n", plain(s.Title))
		if len(s.Block) > 0 {
			b.WriteString(code(s.Block, ""))
			if s.Text != "" || len(s.Terms)+len(s.Lines) > 0 {
				b.WriteByte('\n')
			}
		}
		if s.Text != "" {
			b.WriteString(plain(s.Text) + "\n")
		}
		for _, t := range s.Terms {
			fmt.Fprintf(&b, "- `%s`: %s\n", t.Word, plain(t.Meaning))
		}
		if len(s.Lines) > 0 {
			b.WriteString(code(s.Lines, "$ "))
		}
	}
	if p.Note != "" {
		b.WriteString("\n" + plain(p.Note) + "\n")
	}
	return b.String()
}

// code is a block in which nothing means anything but itself.
func code(lines []string, prompt string) string {
	var b strings.Builder
	b.WriteString("```\n")
	for _, line := range lines {
		b.WriteString(prompt + line + "\n")
	}
	b.WriteString("```\n")
	return b.String()
}

// plain escapes what Markdown would take for its own: marks of emphasis, links
// and HTML. A box such as [ ] is one of them.
func plain(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "`", "\\`",
	).Replace(text)
}
