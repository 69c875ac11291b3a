package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

var (
	strong  = &text.Regexp{Expr: `\*\*([^*` + "`" + `]+)\*\*`}
	written = &text.Regexp{Expr: `^(#\d{1,9})[ \t]+`} // the number of a task of the board
)

// maxLine bounds the line of an item: a subject, and names of what it waits for.
const maxLine = 8 << 10

// reader goes through the lines of a text and makes items of them.
type reader struct {
	*builder
	mode
	stack  []level
	lists  map[*item]*list // the last list in an item, or in none
	texts  map[*item][]string
	latest map[string]*item // the last item with a number
	tail   *item            // the last item that is nested in nothing
	took   map[int]bool     // the lines of tasks and of what belongs to them
	told   map[string]bool  // what is left out already
	after  bool             // an empty line went before
	lost   int              // the last line of a text that belongs to no task
}

// mode is how a text is read. The first one that finds a task holds.
type mode struct {
	heads  bool // headings are items: there are no others
	asides bool // text under headings such as Notes makes no task
	boxes  bool // an item without a box makes no task
	title  int  // the block with the title
}

// level is an item that others may be nested in, or a section.
type level struct {
	indent  int // of a section: below zero
	no      int // of its block, from one
	item    *item
	sort    sort
	title   string
	label   bool // a line with a colon: it reaches to the end of what follows
	seen    bool // an item stands below the label
	numbers bool // and it was numbered
	boxes   bool // or had a box
}

// list is a run of items that belong together.
type list struct {
	no       int
	numbered bool
	last     int  // number
	closed   bool // a text came after it
}

func (b *builder) readMarkdown(text string, lines int) {
	blocks := scan(text, lines)
	title := title(blocks)
	entries := slices.ContainsFunc(blocks, func(b block) bool { return b.kind == entry })
	headers := slices.ContainsFunc(blocks, func(b block) bool { return b.kind == header })
	for _, m := range []mode{{asides: true}, {}, {heads: true, asides: true}, {heads: true}} {
		if m.heads && !headers || !m.heads && !entries && !headers {
			continue
		}
		m.title, m.boxes = title, boxed(blocks)
		faults := len(b.faults)
		r := reader{builder: b, mode: m, texts: map[*item][]string{}, latest: map[string]*item{}, lists: map[*item]*list{}, took: map[int]bool{}, told: map[string]bool{}}
		for i := range blocks {
			if b.full() {
				return
			}
			r.block(&blocks[i], i)
		}
		if r.end(); len(b.items) > 0 || len(b.faults) > faults {
			for _, box := range Boxes(text, lines) {
				if !r.took[box.Line] {
					r.leave(clip(fmt.Sprintf("line %d: %s", box.Line, box.Text)))
				}
			}
			return
		}
		b.left, b.notes = nil, nil
	}
}

// boxed reports whether tasks have boxes in a text. Those of a section that only
// checks do not tell.
func boxed(blocks []block) bool {
	var in []level
	for i := range blocks {
		switch b := &blocks[i]; b.kind {
		case header:
			in = slices.DeleteFunc(in, func(l level) bool { return l.indent >= b.level })
			in = append(in, level{indent: b.level, sort: sortOf(b.text)})
		case entry:
			if b.box != "" && !slices.ContainsFunc(in, func(l level) bool { return l.sort == checks }) {
				return true
			}
		}
	}
	return false
}

// title finds the only heading of the highest level, if the text begins with it
// and has others.
func title(blocks []block) int {
	found, others, entries := -1, false, false
	for i := range blocks {
		switch b := &blocks[i]; {
		case b.kind == header && b.level == 1 && found >= 0:
			return -1
		case b.kind == header && b.level == 1 && !entries && !others:
			found = i
		case b.kind == header && b.level == 1:
			return -1
		case b.kind == header:
			others = true
		case b.kind == entry:
			entries = true
		}
	}
	if !others && !entries {
		return -1
	}
	return found
}

func (r *reader) block(b *block, i int) {
	before := r.after
	r.after, r.at = b.kind == blank, b.at
	switch b.kind {
	case hidden:
	case asked:
		r.asked(b, before)
	case blank, code:
		r.describe(b)
	case header:
		r.header(b, i)
	case prose:
		r.prose(b, before)
	case entry:
		if before {
			r.unlabel(b)
		}
		if r.heads {
			r.describe(b)
		} else {
			r.entry(b)
		}
	}
}

// unlabel ends what a label says before a list of another kind.
func (r *reader) unlabel(b *block) {
	for i, l := range r.stack {
		if l.label && l.seen && (l.numbers != (b.number != "") || l.boxes != (b.box != "")) && b.indent <= l.indent+1 {
			r.stack = r.stack[:i]
			return
		}
	}
}

// below counts the open levels that something with this indent belongs to.
func (r *reader) below(indent int) int {
	n := len(r.stack)
	for n > 0 && r.stack[n-1].indent >= indent {
		n--
	}
	return n
}

// top is the innermost level of the first n.
func (r *reader) top(n int) level {
	if n == 0 {
		return level{indent: -10}
	}
	return r.stack[n-1]
}

// holder is the item that one on level n is nested in.
func (r *reader) holder(n int) *item {
	for n--; n >= 0; n-- {
		if it := r.stack[n].item; it != nil {
			return it
		}
	}
	return nil
}

// aside finds the section among the first n levels that holds no tasks.
func (r *reader) aside(n int) (at int, ok bool) {
	at = slices.IndexFunc(r.stack[:n], func(l level) bool { return r.asides && (l.sort == about || l.sort == checks) })
	return at, at >= 0
}

func (r *reader) header(b *block, i int) {
	indent := b.level - 9 // outside of everything that is indented by nothing
	n := r.below(indent)
	r.stack = r.stack[:n]
	for _, l := range r.lists {
		l.closed = true
	}
	is := sortOf(b.text)
	word, _ := step(b.text, false)
	section := level{indent: indent, sort: is, title: b.text, no: i + 1}
	if i == r.title {
		section.sort = plain
	}
	if b.level > 6 && r.asides && (is == about || is == checks) {
		section.label = true
		r.stack = append(r.stack, section)
		return
	}
	if _, aside := r.aside(n); i != r.title && is != plain && !aside {
		if it := r.make(b.text, b, n); it != nil {
			it.group, it.head, it.sort, it.section = true, true, is, r.top(n).no
			it.step = word != ""
			section.item = it
			if it.up == nil {
				r.tail = it
			}
		}
	}
	r.stack = append(r.stack, section)
}

func (r *reader) prose(b *block, after bool) {
	if m := find(inOrder, b.text, "<sSoOiIpPuU"); m != nil && !r.any() {
		switch strings.ToLower(m[1]) {
		case "sequential", "ordered", "in order":
			r.chain = true
		default:
			r.loose = true
		}
		return
	}
	if after || strings.HasSuffix(b.text, ":") {
		r.stack = slices.DeleteFunc(r.stack, func(l level) bool { return l.label && b.indent <= l.indent+1 })
	}
	n := r.below(b.indent)
	if r.top(n).indent >= 0 || after {
		r.stack = r.stack[:n]
	}
	if after {
		for _, l := range r.lists {
			l.closed = true
		}
	}
	bare := strong.Get().ReplaceAllString(b.text, "$1")
	if it := r.top(n).item; it != nil {
		if list, ok := attrs(bare); ok {
			r.say(it, list, b.at)
			return
		}
	}
	is, rest, ok := label(b.text)
	switch at, aside := r.aside(len(r.stack)); {
	case ok && is == checks && rest != "":
		r.note(n, bare)
	case is == plain && strings.HasSuffix(b.text, ":"):
	case ok && rest == "" && r.asides:
		r.stack = append(r.stack[:n], level{indent: max(b.indent, r.top(n).indent+1) - 1, sort: is, title: b.text, label: true})
	case !aside:
		r.describe(b)
	case r.holder(at) == nil || r.stack[at].indent < 0:
		r.leave(r.stack[at].title)
	}
}

func (r *reader) any() bool {
	return slices.ContainsFunc(r.items, func(it *item) bool { return !it.head })
}

func (r *reader) entry(b *block) {
	n := r.below(b.indent)
	top := r.top(n)
	nested := top.indent >= 0 && top.item != nil
	bare := strong.Get().ReplaceAllString(b.text, "$1")
	at, aside := r.aside(n)
	if aside && r.stack[at].label && !r.stack[at].seen {
		l := &r.stack[at]
		l.seen, l.numbers, l.boxes = true, b.number != "", b.box != ""
	}
	if b.box == "" {
		if list, ok := attrs(bare); ok && nested {
			r.stack = r.stack[:n]
			r.say(top.item, list, b.at) // "  - after: setup" below an item is not an item
			return
		}
		is, rest, ok := label(b.text)
		detail := func() {
			r.stack = r.stack[:n]
			r.describe(b)
		}
		switch {
		case aside && r.stack[at].sort == checks:
			r.note(at, strings.Trim(r.stack[at].title, ":*_ ")+": "+bare)
			return
		case aside && at > 0 && r.holder(at) != nil && r.stack[at].indent >= 0:
			detail()
			return
		case aside:
			r.leave(r.stack[at].title)
			return
		case b.number == "" && ok && is == checks && rest != "":
			r.note(n, bare)
			return
		case b.number == "" && ok && r.asides && (nested || r.holder(n) != nil):
			if is != checks {
				detail()
			}
			r.stack = append(r.stack[:n], level{indent: b.indent, sort: is, title: b.text}) // and what is nested in it
			return
		case anchor.Get().MatchString(b.text):
			r.leave("table of contents")
			return
		case r.boxes && !b.task && nested && !r.deep && (top.item.boxed || b.number == ""):
			detail()
			return
		case r.boxes && !b.task && b.number == "" && !(nested && r.deep):
			r.leave(clip(b.text))
			return
		}
	}
	r.stack = r.stack[:n]
	it := r.make(b.text, b, n)
	if it == nil {
		return
	}
	if it.up == nil {
		r.tail = it
	}
	it.boxed = b.box != ""
	it.done = ticked(b.box)
	if b.box == "-" {
		it.labels = append(it.labels, "cancelled")
	}
	r.stack = append(r.stack, level{indent: b.indent, item: it})
}

// make makes an item of a heading or an entry on level n.
func (r *reader) make(text string, b *block, n int) *item {
	if len(text) > maxLine {
		r.fault(b.at, "is longer than %d bytes", maxLine)
		return nil
	}
	r.took[ordinal(b.at)] = true
	it := &item{at: b.at, up: r.holder(n), number: b.number}
	if m := find(written, text, "#"); m != nil {
		if id, err := pawl.ParseID(m[1]); err == nil && r.known[id] {
			it.id, text = id, text[len(m[0]):]
		}
	}
	word, number := step(text, b.kind == header)
	switch {
	case word == "t":
		it.ordinal = "t" + number
		it.aliases = append(it.aliases, strings.ToLower("t"+number))
	case number != "":
		it.ordinal = number
		it.aliases = append(it.aliases, strings.TrimSpace(word+" "+number))
		if word == "" {
			text = text[len(headNumber.Get().FindString(text)):]
		}
	}
	if b.kind == entry {
		r.place(it, b)
	}
	if rest, _, ok := cutMark(text, parallel.Get()); ok {
		text, it.band = rest, "p"
	}
	if rest, us, ok := cutMark(text, story.Get()); ok {
		text = rest
		it.labels = append(it.labels, us)
	}
	if rest, _, ok := cutMark(text, parallel.Get()); ok {
		text, it.band = rest, "p"
	}
	if waveWord.Get().MatchString(text) {
		it.loose = true
	}
	r.subject(it, text, b.at)
	r.items = append(r.items, it)
	return it
}

// place finds the list that an item belongs to, and by its number the item that
// it is part of: "1.1" right below "1" is part of it, indented or not.
func (r *reader) place(it *item, b *block) {
	if dot := strings.LastIndexByte(b.number, '.'); dot >= 0 && (it.up == nil || it.up.number != b.number[:dot]) {
		if above := r.latest[b.number[:dot]]; above != nil && above.up == it.up {
			it.up = above
		}
	}
	r.latest[b.number] = it
	now, n := r.lists[it.up], last(b.number)
	same := now != nil && now.numbered == (b.number != "")
	switch {
	case !same:
	case b.number == "":
		same = !now.closed
	case n == now.last+1: // it goes on, whatever stands between
	default:
		same = !now.closed && n >= now.last
	}
	if !same {
		r.count++
		now = &list{no: r.count, numbered: b.number != ""}
		r.lists[it.up] = now
	}
	now.last, now.closed = n, false
	it.list = now.no
}

// mostBold is how long a whole item may be before its title in bold is enough.
const mostBold = 100

func (r *reader) subject(it *item, text, at string) {
	if m := strong.Get().FindStringSubmatchIndex(text); m != nil && m[0] == 0 && len(text)-m[1] > mostBold {
		if title := strings.TrimRight(text[m[2]:m[3]], " .:–—-"); title != "" && !strings.ContainsAny(text[m[1]:], "{") {
			rest := strings.TrimLeft(text[m[1]:], " .:–—-")
			it.subject, it.lead = title, rest
			if _, list := split(rest, true); len(list) > 0 { // what it says of edges counts
				r.say(it, list, at)
			}
			return
		}
	}
	text = strong.Get().ReplaceAllString(text, "$1")
	subject, list := split(text, true)
	it.subject = subject
	if slices.ContainsFunc(list, attr.soft) {
		it.whole, _ = split(text, false)
	}
	r.say(it, list, at)
}

func (r *reader) say(it *item, list []attr, at string) {
	for _, a := range list {
		r.attribute(it, a, at)
	}
}

// describe adds a line to the description of the innermost item.
func (r *reader) describe(b *block) {
	if it := r.holder(len(r.stack)); it != nil {
		r.took[ordinal(b.at)] = true
		r.texts[it] = append(r.texts[it], b.raw)
	} else if line := ordinal(b.at); b.text != "" && (r.lost == 0 || line > r.lost+2) {
		r.lost = line
		r.leave(clip(b.text))
	} else if b.text != "" {
		r.lost = line // it goes on
	}
}

// note keeps a line for the item on level n that it speaks of.
func (r *reader) note(n int, line string) {
	if at, aside := r.aside(n); aside {
		n = at
	}
	it := r.holder(n)
	if it == nil {
		it = r.tail
	}
	if it == nil {
		r.leave(clip(line))
		return
	}
	r.notes = append(r.notes, noted{it, line})
}

func (r *reader) leave(what string) {
	if !r.told[what] {
		r.told[what] = true
		r.left = append(r.left, what)
	}
}

// Columns is the column that an indent reaches, a tab going to the next fourth.
func Columns(indent string) int {
	n := 0
	for _, c := range indent {
		if n++; c == '\t' {
			n = (n + 3) / 4 * 4
		}
	}
	return n
}

func dedent(lines []string) string { return strings.Trim(strings.Join(Dedent(lines), "\n"), "\n") }

// Dedent returns lines without the indent that all share.
func Dedent(lines []string) []string {
	least := -1
	for _, line := range lines {
		text := strings.TrimLeft(line, " \t")
		if n := len(line) - len(text); text != "" && (least < 0 || n < least) {
			least = n
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line[min(max(least, 0), len(line)):]
	}
	return out
}
