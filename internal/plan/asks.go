package plan

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// The checks and criteria of a task stand below it, as in
//
//	[ ] Parser
//	    [ ] Grammar              a task: no line above says otherwise
//	    check: go test ./parse   a check; so are the items below "checks:"
//	    accept: no allocation    a criterion; so is each item below "accept:"
//	    Done when:
//	    [ ] the docs say so      below such a line, what has a box is a criterion
//	    [x] 100 MB/s             and this one is ticked
//
// Without boxes, the items below "Done when:" are notes: nobody would tick them.
const (
	ownWords    = `checks?|accept`
	acceptWords = `acceptance(?: criteria)?|success criteria|definition of done|done when|done criteria|exit criteria`
)

var (
	ownLine    = &text.Regexp{Expr: `^[*_]*(` + ownWords + `)[*_]*:[*_]*(?:[ \t]+(.*))?$`}
	acceptLine = &text.Regexp{Expr: `(?i)^[*_]*(?:` + acceptWords + `)[*_]*(?:[ \t]*\([^()]*\))?[ \t]*[:：]?[*_]*$`}
)

// ask is what a line asks of a task.
type ask byte

const (
	unasked ask = iota
	opening     // what follows is asked
	command
	criterion
)

// asks finds the lines that ask something of a task, before anything else is made of
// them.
func asks(blocks []block) {
	var open *listOfAsks
	stepped := false // the last heading is a task, whatever stands below it
	for i := range blocks {
		b := &blocks[i]
		if b.kind == header && b.level != 7 {
			word, _ := step(b.text, false)
			stepped = word != ""
		}
		if open != nil && open.takes(b, i > 0 && blocks[i-1].kind == blank) {
			continue
		}
		if b.kind == blank || b.kind == hidden {
			continue
		}
		open = nil
		if b.kind != prose && b.kind != entry && b.level != 7 || b.box != "" || b.number != "" {
			continue
		}
		deep := b.indent > 0 || stepped // what is not may be beside the task, and the list is the plan
		text := b.text
		if b.kind == header {
			text += ":"
		}
		m := find(ownLine, text, "ca*_")
		switch {
		case m != nil && m[2] != "":
			b.kind, b.text, b.ask = asked, m[2], criterion
			if m[1] != "accept" {
				b.ask = command
			}
		case m != nil && deep:
			open = &listOfAsks{indent: b.indent, inside: b.kind == entry, each: command, ask: command}
			if m[1] == "accept" {
				open.each, open.ask = criterion, criterion
			}
		case m == nil && deep && strings.HasSuffix(strings.TrimRight(text, "*_"), ":") && acceptLine.Get().MatchString(text):
			open = &listOfAsks{indent: b.indent, inside: b.kind == entry, ask: criterion}
		}
		if open == nil {
			continue
		}
		next := slices.IndexFunc(blocks[i+1:], func(b block) bool { return b.kind != blank && b.kind != hidden })
		if next < 0 || !open.has(&blocks[i+1+next]) {
			open = nil
			continue
		}
		open.first = blocks[i+1+next].indent
		b.kind, b.ask = asked, opening
	}
}

// listOfAsks is the list below a line that says what its items are.
type listOfAsks struct {
	indent int
	inside bool // the line is an item itself: its list is indented further
	first  int  // indent of the first item
	each   ask  // what an item without a box is
	ask    ask  // what one with a box is
	last   *block
}

// has reports whether an item belongs to the list.
func (l *listOfAsks) has(b *block) bool {
	return b.kind == entry && b.indent >= max(l.indent, l.first) && (!l.inside || b.indent > l.indent) && (b.box != "" || l.each != unasked)
}

// takes reports whether a block belongs to the list, and makes of it what it is.
func (l *listOfAsks) takes(b *block, after bool) bool {
	switch {
	case b.kind == blank || b.kind == hidden:
	case b.kind == prose && !after && l.last != nil && b.indent > l.last.column: // it goes on
		l.last.text += " " + b.text
		b.kind = hidden
	case l.has(b):
		if b.box == "" {
			b.ask = l.each
		} else {
			b.ask = l.ask
		}
		b.kind, b.column, b.indent = asked, b.indent, l.indent
		l.last = b
	default:
		return false
	}
	return true
}

func (r *reader) asked(b *block, after bool) {
	n := r.below(b.indent)
	it := r.holder(n)
	if b.indent == 0 && !after && r.top(n).indent < 0 && len(r.stack) > n { // right below an item
		n, it = len(r.stack), r.holder(len(r.stack))
	}
	r.stack = r.stack[:n]
	r.took[ordinal(b.at)] = true
	switch {
	case b.ask == opening:
	case it == nil:
		r.leave(clip(strings.TrimSpace(b.raw)))
	case b.text == "":
		r.fault(b.at, "has no text")
	case b.ask == command:
		r.check(it, b.text, b.at)
	default:
		it.accept = append(it.accept, strong.Get().ReplaceAllString(b.text, "$1"))
		if ticked(b.box) {
			it.met = append(it.met, it.accept[len(it.accept)-1])
		}
	}
}

// check gives a task a check, whose command may stand in a code span.
func (b *builder) check(it *item, line, at string) {
	if line = strings.TrimSpace(line); strings.Count(line, "`") == 2 && strings.HasSuffix(line, "`") {
		line = strings.ReplaceAll(line, "`", "")
	}
	c, err := pawl.ParseCheck(line)
	if err != nil {
		b.fault(at, "%s%s", err, saying(err))
		return
	}
	it.checks = append(it.checks, c)
}

// saying is the hint of an error, for one who reads only a line.
func saying(err error) string {
	if e, ok := err.(*pawl.Error); ok && e.Hint.Text != "" {
		return "; " + e.Hint.Text
	}
	return ""
}

// asks reports whether something is asked of the task that nobody has shown.
func (it *item) asks() bool {
	return len(it.checks) > 0 || slices.ContainsFunc(it.accept, func(text string) bool { return !slices.Contains(it.met, text) })
}

// ticked reports whether a box says that something is done.
func ticked(box string) bool { return box != "" && strings.Contains("xX✓✔☑-", box) }
