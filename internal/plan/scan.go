package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/text"
)

type kind byte

const (
	blank kind = iota
	prose
	header
	entry
	code   // inside of a fence, or the fence
	hidden // a comment, a rule, front matter
	asked  // what must be so before a task is done
)

type block struct {
	kind   kind
	at     string
	raw    string // without the space at its end
	text   string // without indent, and without what marks a heading or an item
	indent int
	level  int    // of a heading: 1 to 6, 7 for a line in bold, 8 for "Phase 1:"
	number string // of a numbered item, as written
	box    string
	ask    ask
	column int  // of what is asked in a list: its indent, where indent is that of the list's head
	task   bool // an item without a box in a text with boxes: it stands in a list with boxes, or in one whose items name what they wait for, or holds one
}

var (
	// bullet is "- ", "* ", "+ ", "• ", "1. ", "1) " or "1.2 ", with or without
	// a box, or a box alone.
	bullet   = &text.Regexp{Expr: `^(?:([-*+•])|(\d{1,9}(?:\.\d{1,9})*)[.)]|(\d{1,9}(?:\.\d{1,9})+))(?:[ \t]+|$)(\[[ \t]*(?:[^\pL\pN\s\[\]]|[xXoO])?[ \t]*\])?|^(\[(?:[^\pL\pN]|[xXoO])\])(?:\*?[ \t]|\*?$)`}
	inItem   = &text.Regexp{Expr: `^(\d{1,9}(?:\.\d{1,9})*)(?:[.)]|(?:\.\d{1,9}))?[ \t]+`}
	heading  = &text.Regexp{Expr: `^(#{1,6})[ \t]+(.*?)[ \t]*#*$`}
	boldLine = &text.Regexp{Expr: `^(?:\*\*|__)([^*_]+?)(?:\*\*|__)(?:[ \t]*\([^()]*\))?:?$`}
	codeMark = &text.Regexp{Expr: "^(```+|~~~+)"}
	rule     = &text.Regexp{Expr: `^(?:[-*_][ \t]*){3,}$`}
	inOrder  = &text.Regexp{Expr: `(?i)^(?:<!--\s*)?(sequential|ordered|in order|parallel|unordered|in any order)\s*[.:]?(?:\s*-->)?$`}
	yamlKey  = &text.Regexp{Expr: `^[A-Za-z_][\w-]*:(?:\s|$)`}
)

// signs are boxes that people draw.
var signs = []struct{ sign, box string }{
	{"☐", " "}, {"⬜", " "}, {"🔲", " "}, {"◻", " "}, {"▢", " "}, {"⏳", " "}, {"🔄", " "}, {"🚧", " "},
	{"✅", "x"}, {"☑", "x"}, {"✔", "x"}, {"🗹", "x"}, {"☒", "x"},
}

type scanner struct {
	blocks  []block
	fence   string
	comment bool
}

// scan reads the lines of a text, which begins after so many others.
func scan(text string, lines int) []block {
	var s scanner
	skip := frontMatter(text)
	for line := range strings.Lines(text) {
		lines++
		s.line(strings.TrimRight(line, " \t\r\n"), fmt.Sprintf("line %d", lines))
		if skip > 0 {
			skip--
			s.blocks[len(s.blocks)-1].kind = hidden
			s.fence, s.comment = "", false
		}
	}
	asks(s.blocks)
	families(s.blocks)
	return s.blocks
}

// frontMatter counts the lines of the YAML that a text begins with.
func frontMatter(text string) int {
	n, keys := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if n++; n == 1 && line != "---" || n > 200 {
			return 0
		}
		if n > 1 && line == "---" {
			if keys == 0 {
				return 0
			}
			return n
		}
		if yamlKey.Get().MatchString(line) {
			keys++
		}
	}
	return 0
}

func (s *scanner) line(raw, at string) {
	text := strings.TrimLeft(raw, " \t")
	b := block{at: at, raw: raw, text: text, indent: Columns(raw[:len(raw)-len(text)])}
	b.kind = s.kind(&b)
	s.blocks = append(s.blocks, b)
}

func (s *scanner) kind(b *block) kind {
	switch text := b.text; {
	case s.fence != "":
		if ClosesFence(text, s.fence) {
			s.fence = ""
		}
		return code
	case s.comment:
		s.comment = !strings.Contains(text, "-->")
		return hidden
	case text == "":
		return blank
	case strings.HasPrefix(text, "<!--") && !inOrder.Get().MatchString(text):
		s.comment = !strings.Contains(text, "-->")
		return hidden
	}
	if s.fence = OpensFence(b.text); s.fence != "" {
		return code
	}
	if b.indent < 4 {
		if m := find(heading, b.text, "#"); m != nil {
			b.level, b.text = len(m[1]), m[2]
			return header
		}
		if find(rule, b.text, "-*_") != nil {
			return hidden
		}
	}
	if b.indent < 2 {
		if m := find(boldLine, b.text, "*_"); m != nil {
			b.level, b.text = 7, strings.TrimSuffix(strings.TrimSpace(m[1]), ":")
			return header
		}
		if find(phaseLine, b.text, "pPsSwWmMiI") != nil {
			b.level, b.text = 8, strings.TrimSuffix(b.text, ":")
			return header
		}
	}
	return b.entry()
}

// entry takes bullet, number and box off an item.
func (b *block) entry() kind {
	m := find(bullet, b.text, "-*+•[0123456789")
	if m == nil {
		if b.sign(); b.box == "" {
			return prose
		}
		return entry
	}
	box, rest := m[4]+m[5], b.text[len(m[0]):]
	if m[4] != "" && rest != "" && strings.ContainsAny(rest[:1], "([") {
		box, rest = "", m[4]+rest // a link
	}
	b.text, b.number = rest, m[2]+m[3]
	if box != "" {
		if b.box = strings.Trim(box, "[] \t"); b.box == "" {
			b.box = " "
		}
		if star, ok := strings.CutPrefix(rest, "*"); ok && (star == "" || strings.ContainsAny(star[:1], " \t")) {
			rest = star
		}
		b.text = strings.TrimLeft(rest, " \t")
	}
	if b.box == "" {
		b.sign()
	}
	if m := inItem.Get().FindStringSubmatch(b.text); b.box != "" && b.number == "" && m != nil && m[0] != b.text &&
		strings.ContainsAny(m[0], ".)") {
		b.number, b.text = m[1], b.text[len(m[0]):] // - [ ] 1.1 Text
	}
	return entry
}

func (b *block) sign() {
	for _, s := range signs {
		if rest, ok := strings.CutPrefix(b.text, s.sign); ok {
			b.box, b.text = s.box, strings.TrimLeft(strings.TrimPrefix(rest, "\uFE0F"), " \t")
			return
		}
	}
}

// meant reports whether a text has attributes that only a task has: "(after: X)".
func meant(text string) bool {
	_, list := split(text, false)
	return slices.ContainsFunc(list, func(a attr) bool { return a.bare == "" && a.field == "blockedBy" || a.field == "blocks" })
}

// families finds the items without a box that stand in a list with boxes, or with
// what only a task has, or have a box nested in them.
func families(blocks []block) {
	type list struct {
		indent int
		items  []*block
		boxed  bool
	}
	var open []*list
	end := func(indent int) { // lists that are indented further
		for len(open) > 0 && open[len(open)-1].indent > indent {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			for _, b := range last.items {
				b.task = b.task || last.boxed
			}
		}
	}
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.kind == header:
			end(-1)
		case b.kind == prose && i > 0 && blocks[i-1].kind == blank:
			end(b.indent - 1)
		case b.kind == entry:
			end(b.indent)
			if len(open) == 0 || open[len(open)-1].indent < b.indent {
				open = append(open, &list{indent: b.indent})
			}
			here := open[len(open)-1]
			here.items = append(here.items, b)
			if len(open) == 1 && b.box == "" && meant(b.text) {
				here.boxed = true
			}
			if b.box == "" {
				continue
			}
			here.boxed = true
			for _, above := range open[:len(open)-1] {
				above.items[len(above.items)-1].task = true
			}
		}
	}
	end(-1)
}

// find matches a text that must begin with one of some characters: most lines are
// told by that alone.
func find(pattern *text.Regexp, line, first string) []string {
	r, _ := utf8.DecodeRuneInString(line)
	if !strings.ContainsRune(first, r) {
		return nil
	}
	return pattern.Get().FindStringSubmatch(line)
}
