package manual

import (
	"fmt"
	"strings"
)

// Roff is the page as the source of a man page of section 1. The version is that
// of the program, the date the day it was made, as 2026-11-21; both may be
// empty.
func (p *Page) Roff(version, date string) string {
	var b strings.Builder
	name := dashed(p.Name)
	fmt.Fprintf(&b, ".TH %s 1 %s %s %s\n", quoted(strings.ToUpper(name)), quoted(date), quoted(strings.TrimSpace("pawl "+version)), quoted("Pawl"))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(p.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", line(p.Usage))
	b.WriteString(".SH DESCRIPTION\n" + paragraphs(p.sentence()+" "+p.Long))
	for _, s := range p.Sections {
		fmt.Fprintf(&b, ".SH %s\n", quoted(strings.ToUpper(s.Title)))
		if len(s.Block) > 0 {
			b.WriteString(".nf\n")
			for _, text := range s.Block {
				b.WriteString(line(text) + "\n")
			}
			b.WriteString(".fi\n")
		}
		if s.Text != "" {
			b.WriteString(paragraphs(s.Text))
		}
		for _, t := range s.Terms {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", quoted(t.Word), line(t.Meaning))
		}
		if len(s.Lines) > 0 {
			b.WriteString(".nf\n")
			for _, command := range s.Lines {
				b.WriteString(line("$ "+command) + "\n")
			}
			b.WriteString(".fi\n")
		}
	}
	if p.Note != "" {
		b.WriteString(".SH NOTES\n" + paragraphs(p.Note))
	}
	if len(p.See) > 0 {
		var others []string
		for _, other := range p.See {
			others = append(others, ".BR "+quoted(dashed(other))+" (1)")
		}
		b.WriteString(".SH SEE ALSO\n" + strings.Join(others, ",\n") + "\n")
	}
	return b.String()
}

// dashed is the name of a page as man knows it: pawl-claim.
func dashed(name string) string { return strings.ReplaceAll(name, " ", "-") }

func paragraphs(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(line(strings.Join(strings.Fields(part), " ")) + "\n")
	}
	return b.String()
}

// line is text that begins a line, where a dot would make it a request.
func line(text string) string {
	text = roff(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

// roff spells characters so that each is printed as it is: a hyphen that one can
// type and copy, quotes that stay straight, letters beyond ASCII in any locale.
func roff(text string) string {
	var b strings.Builder
	for _, r := range strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text) {
		if r > 0x7e {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// quoted is one argument of a request.
func quoted(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }
