package plan

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// An attribute stands in brackets anywhere in an item, or on a line of its own
// below: after: setup, #12. The first group of words may also follow the subject
// without brackets.
const (
	tailWords = `after|blocked[ -]?by|depends[ -]?on|priority|labels?|tags?`
	moreWords = `wait(?:s|ing)?[ -]?for|requires|needs|depends|dependencies|deps|blocks|parent|owner|assignee|ref|id|active[ -]?form`
	bareWords = `blocked[ -]?by|depends[ -]?on|wait(?:s|ing)?[ -]?for|needs`
	softWords = `after|requires|blocks`
)

var (
	attrStart  = &text.Regexp{Expr: `(?i)^(` + tailWords + `|` + moreWords + `)\s*:\s*`}
	attrBare   = &text.Regexp{Expr: `(?i)^(` + bareWords + `|` + softWords + `)(?:\s+|(?:#))`}
	attrNext   = &text.Regexp{Expr: `(?i)[;,]\s*(` + tailWords + `|` + moreWords + `)\s*:\s*`}
	attrTail   = &text.Regexp{Expr: `(?i)(?:(?:\s*[—–,;]\s*|\s+-{1,2}\s+)(?:` + tailWords + `)|\s+after)\s*:\s`}
	attrSep    = &text.Regexp{Expr: `^[\s—–,;-]+`}
	attrLevel  = &text.Regexp{Expr: `(?i)^\[(high|medium|low)(?: priority)?\]$|^\((high|medium|low) priority\)$`}
	dangling   = &text.Regexp{Expr: `(?:\s*[—–,;]|\s+-{1,2})+\s*$`}
	personMark = &text.Regexp{Expr: `^@[\p{L}\p{N}_-]+$`}
)

type attr struct {
	field, value string
	bare         string // without a colon: the words as they stand
}

// attrs takes a text apart that consists of attributes and nothing else.
func attrs(text string) ([]attr, bool) {
	m := attrStart.Get().FindStringSubmatchIndex(text)
	if m == nil {
		return nil, false
	}
	var list []attr
	for {
		field := fieldOf(word(text[m[2]:m[3]]))
		text = text[m[1]:]
		m = attrNext.Get().FindStringSubmatchIndex(text)
		if m == nil {
			return append(list, attr{field: field, value: strings.TrimSpace(strings.TrimRight(text, " ;,"))}), true
		}
		list = append(list, attr{field: field, value: strings.TrimSpace(text[:m[0]])})
	}
}

// bracketed takes the inside of brackets apart, where a dependency needs no
// colon: (depends on X).
func bracketed(text string) ([]attr, bool) {
	text = strings.TrimSpace(text)
	if list, ok := attrs(text); ok {
		return list, true
	}
	m := attrBare.Get().FindStringSubmatchIndex(text)
	if m == nil {
		return nil, false
	}
	first, rest := text, ""
	if next := attrNext.Get().FindStringIndex(text); next != nil {
		first, rest = text[:next[0]], strings.TrimLeft(text[next[0]:], ";, ")
	}
	list := []attr{{field: fieldOf(word(first[m[2]:m[3]])), value: strings.TrimSpace(first[m[3]:]), bare: first}}
	more, _ := attrs(rest)
	return append(list, more...), true
}

// split takes the attributes out of an item's text. A soft attribute in brackets,
// without a colon, as in (after lunch), may be mere words: it is taken out only
// with soft.
func split(text string, soft bool) (string, []attr) {
	var list []attr
	for {
		if text = strings.TrimSpace(text); len(list) > 0 {
			text = dangling.Get().ReplaceAllString(text, "")
		}
		if a, rest, ok := mark(text); ok {
			list = append(list, a)
			text = rest
			continue
		}
		if open := bracket(text); open >= 0 {
			if m := attrLevel.Get().FindStringSubmatch(text[open:]); m != nil && open > 0 {
				list = append(list, attr{field: "priority", value: m[1] + m[2]})
				text = text[:open]
				continue
			}
		}
		if open, end, inner := lastGroup(text, soft); inner != nil {
			slices.Reverse(inner)
			list = append(list, inner...)
			text = strings.TrimSpace(text[:open]) + " " + strings.TrimSpace(text[end:])
			continue
		}
		m := attrTail.Get().FindStringIndex(text)
		if m == nil {
			break
		}
		tail, _ := attrs(attrSep.Get().ReplaceAllString(text[m[0]:], ""))
		slices.Reverse(tail)
		list = append(list, tail...)
		text = text[:m[0]]
	}
	slices.Reverse(list)
	return text, list
}

// lastGroup finds the last brackets of a text that hold attributes. Those of code
// and links do not count: within a text they must follow a space.
func lastGroup(text string, soft bool) (open, end int, list []attr) {
	var opened []int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '`': // code, up to the next one
			i += 1 + strings.IndexByte(text[i+1:], '`')
		case '(', '[':
			opened = append(opened, i)
		case ')', ']':
			if len(opened) == 0 {
				continue
			}
			at := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			if at > 0 && (text[at-1] == ']' || i < len(text)-1 && text[at-1] != ' ' && text[at-1] != '\t') {
				continue
			}
			inner, ok := bracketed(text[at+1 : i])
			if ok && (soft || !inner[0].soft()) {
				open, end, list = at, i+1, inner
			}
		}
	}
	return open, end, list
}

// soft reports whether the attribute may be mere words.
func (a attr) soft() bool {
	if a.bare == "" {
		return false
	}
	m := attrBare.Get().FindStringSubmatch(a.bare)
	switch word(m[1]) {
	case "after", "requires", "blocks":
		return true
	}
	return false
}

// mark takes {#ref}, !high or @name off the end of a text.
func mark(text string) (a attr, rest string, ok bool) {
	if strings.HasSuffix(text, "}") {
		open := strings.LastIndex(text, "{#")
		if ref := strings.TrimSuffix(text[open+1:], "}"); open >= 0 && len(ref) > 1 && !strings.ContainsAny(ref, "} \t") {
			return attr{field: "ref", value: ref[1:]}, text[:open], true
		}
	}
	last := strings.LastIndexAny(text, " \t") + 1
	word := text[last:]
	switch strings.ToLower(word) {
	case "!high", "!medium", "!low":
		return attr{field: "priority", value: word[1:]}, text[:last], true
	}
	if last > 0 && personMark.Get().MatchString(word) {
		return attr{field: "owner", value: word[1:]}, text[:last], true
	}
	return attr{}, text, false
}

// bracket returns where the bracket opens that closes the text, or -1.
func bracket(text string) int {
	if text == "" || text[len(text)-1] != ')' && text[len(text)-1] != ']' {
		return -1
	}
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')', ']':
			depth++
		case '(', '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (b *builder) attribute(it *item, a attr, at string) {
	once := func(dst *string) {
		if *dst != "" && *dst != a.value {
			b.fault(at, "says %q where %q was said before", clip(a.value), clip(*dst))
		}
		*dst = a.value
	}
	switch a.field {
	case "ref":
		once(&it.ref)
	case "owner":
		a.value = strings.TrimPrefix(a.value, "@")
		if it.owner != "" && it.owner != a.value {
			b.fault(at, "has two owners, %q and %q: a task has one; labels are written (labels: %s)", clip(it.owner), clip(a.value), clip(a.value))
			return
		}
		it.owner = a.value
	case "activeForm":
		once(&it.activeForm)
	case "priority":
		p, err := pawl.ParsePriority(strings.TrimPrefix(a.value, "!"))
		if err != nil {
			b.fault(at, "%s", err)
		}
		it.priority = p
	case "labels":
		for label := range strings.SplitSeq(a.value, ",") {
			if label = strings.TrimPrefix(strings.TrimSpace(label), "@"); label != "" {
				it.labels = append(it.labels, label)
			}
		}
	case "blockedBy":
		it.after = append(it.after, mention{at: at, name: a.value, many: true, bare: a.bare, soft: a.soft()})
	case "blocks":
		it.blocks = append(it.blocks, mention{at: at, name: a.value, many: true, bare: a.bare, soft: a.soft()})
	case "parent":
		it.parentName = &mention{at: at, name: a.value}
	}
}
