package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var (
	// bullet is "- ", "* ", "+ ", "• ", "1. ", "1) " or "1.2 ", with or without
	// a box, or a box alone.
	bullet   = pattern{expr: `^(?:([-*+•])|(\d{1,9}(?:\.\d{1,9})*)[.)]|(\d{1,9}(?:\.\d{1,9})+))(?:[ \t]+|$)(?:\[(.)\](?:[ \t]+|$))?|^\[(.)\](?:[ \t]+|$)`}
	heading  = pattern{expr: `^(#{1,6})[ \t]+(.*?)[ \t]*#*$`}
	codeMark = pattern{expr: "^(```+|~~~+)"}
	rule     = pattern{expr: `^(?:[-*_][ \t]*){3,}$`}
	strong   = pattern{expr: `\*\*([^*` + "`" + `]+)\*\*`}
	inOrder  = pattern{expr: `(?i)^(?:<!--\s*)?(?:sequential|ordered|in order)\s*[.:]?(?:\s*-->)?$`}
)

// maxLine bounds the line of an item: a subject, and names of what it waits for.
const maxLine = 8 << 10

// reader goes through the lines of a checklist.
type reader struct {
	*builder
	heads  bool // headings are items, because there are no others
	stack  []level
	blank  bool   // an empty line went before
	code   string // the fence of the code block that we are in
	texts  map[*item][]string
	number map[*item]string // as it is written
	latest map[string]*item // the last item with a number
}

// level is an item that others may be nested in.
type level struct {
	indent int
	item   *item
}

// readMarkdown makes items of a list, or of the headings of a text that has no
// list.
func (b *builder) readMarkdown(text string, lines int) {
	for _, heads := range []bool{false, true} {
		r := reader{builder: b, heads: heads, texts: map[*item][]string{}, number: map[*item]string{}, latest: map[string]*item{}}
		no := lines
		for line := range strings.Lines(text) {
			if no++; b.full() {
				return
			}
			r.line(strings.TrimRight(line, " \t\r\n"), fmt.Sprintf("line %d", no))
		}
		for it, text := range r.texts {
			it.description = dedent(text)
		}
		if r.numbers(); len(b.items) > 0 {
			return
		}
	}
}

func (r *reader) line(line, at string) {
	text := strings.TrimLeft(line, " \t")
	indent := width(line[:len(line)-len(text)])
	if r.code != "" {
		r.describe(line)
		if strings.HasPrefix(text, r.code) {
			r.code = ""
		}
		return
	}
	if text == "" {
		r.blank = true
		r.describe("")
		return
	}
	blank := r.blank
	r.blank = false
	if m := codeMark.get().FindString(text); m != "" {
		r.code = m
		r.describe(line)
		return
	}
	if m := heading.get().FindStringSubmatch(text); m != nil && indent < 4 {
		if r.heads {
			r.item(m[2], "", "", len(m[1])-7, at) // above everything that is indented by nothing
		} else {
			r.stack = nil
		}
		return
	}
	if rule.get().MatchString(text) && indent < 4 || strings.HasPrefix(text, "<!--") && !inOrder.get().MatchString(text) {
		return
	}
	if len(r.items) == 0 && inOrder.get().MatchString(text) {
		r.chain = true
		return
	}
	below := r.below(indent)
	if m := bullet.get().FindStringSubmatch(text); m != nil && !r.heads {
		rest := text[len(m[0]):]
		if list, ok := attrs(rest); ok && m[4] == "" && below > 0 {
			r.stack = r.stack[:below]
			r.say(list, at) // "  - after: setup" below an item is not an item
			return
		}
		r.item(rest, m[2]+m[3], m[4]+m[5], indent, at)
		return
	}
	switch {
	case below > 0:
		r.stack = r.stack[:below]
		if list, ok := attrs(text); ok {
			r.say(list, at)
			return
		}
	case blank:
		r.stack = nil // a text between lists
	}
	r.describe(line)
}

// below counts the open items that something with this indent belongs to.
func (r *reader) below(indent int) int {
	n := len(r.stack)
	for n > 0 && r.stack[n-1].indent >= indent {
		n--
	}
	return n
}

func (r *reader) say(list []attr, at string) {
	it := r.stack[len(r.stack)-1].item
	for _, a := range list {
		r.attribute(it, a, at)
	}
}

// describe adds a line to the description of the last item.
func (r *reader) describe(line string) {
	if len(r.stack) > 0 {
		it := r.stack[len(r.stack)-1].item
		r.texts[it] = append(r.texts[it], line)
	}
}

func (r *reader) item(text, number, box string, indent int, at string) {
	r.stack = r.stack[:r.below(indent)]
	it := &item{at: at, done: box != "" && strings.Contains("xX✓✔☑-", box)}
	if len(r.stack) > 0 {
		it.up = r.stack[len(r.stack)-1].item
	}
	if dot := strings.LastIndexByte(number, '.'); dot >= 0 && (it.up == nil || r.number[it.up] != number[:dot]) {
		// "1.1" right below "1" is part of it, indented or not.
		if above := r.latest[number[:dot]]; above != nil && above.up == it.up {
			it.up = above
		}
	}
	if len(text) > maxLine {
		r.fault(at, "is longer than %d bytes", maxLine)
		return
	}
	text = strong.get().ReplaceAllString(text, "$1")
	subject, list := split(text, true)
	it.subject = subject
	if slices.ContainsFunc(list, attr.soft) {
		it.whole, _ = split(text, false)
	}
	r.number[it] = number
	r.latest[number] = it
	r.items = append(r.items, it)
	r.stack = append(r.stack, level{indent, it})
	r.say(list, at)
}

// numbers gives the items of numbered lists the numbers that they have for a
// reader: as written, but counted where a list says "1." all along.
func (r *reader) numbers() {
	siblings := map[*item][]*item{}
	for _, it := range r.items {
		if r.number[it] != "" {
			siblings[it.up] = append(siblings[it.up], it)
		}
	}
	for _, list := range siblings {
		same := func(it *item) bool { return r.number[it] == r.number[list[0]] }
		if len(list) > 1 && !slices.ContainsFunc(list, func(it *item) bool { return !same(it) }) {
			for i, it := range list {
				r.number[it] = strconv.Itoa(i + 1)
			}
		}
	}
	for _, it := range r.items {
		it.number = r.number[it]
		if up := it.up; up != nil && up.number != "" && it.number != "" && !strings.HasPrefix(it.number, up.number+".") {
			it.number = up.number + "." + it.number
		}
	}
}

// width is the column that an indent reaches, a tab going to the next fourth.
func width(indent string) int {
	n := 0
	for _, c := range indent {
		if n++; c == '\t' {
			n = (n + 3) / 4 * 4
		}
	}
	return n
}

// dedent joins the lines of a description without the indent that all share.
func dedent(lines []string) string {
	least := -1
	for _, line := range lines {
		text := strings.TrimLeft(line, " \t")
		if n := len(line) - len(text); text != "" && (least < 0 || n < least) {
			least = n
		}
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line[min(max(least, 0), len(line)):] + "\n")
	}
	return strings.Trim(b.String(), "\n")
}
