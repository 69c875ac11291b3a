package plan

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// An attribute stands in brackets at the end of an item, or on a line of its
// own below: after: setup, #12. The first group of words may also follow the
// subject without brackets.
const (
	tailWords = `after|blocked[ -]?by|depends[ -]?on|priority|labels?|tags?`
	moreWords = `waits[ -]?for|requires|needs|depends|blocks|parent|owner|assignee|ref|id|active[ -]?form`
)

var (
	attrStart = pattern(`(?i)^(` + tailWords + `|` + moreWords + `)\s*:\s*`)
	attrNext  = pattern(`(?i)[;,]\s*(` + tailWords + `|` + moreWords + `)\s*:\s*`)
	attrTail  = pattern(`(?i)(?:(?:\s*[—–,;]\s*|\s+-{1,2}\s+)(?:` + tailWords + `)|\s+after)\s*:\s`)
	attrSep   = pattern(`^[\s—–,;-]+`)
	labelMark = pattern(`^@[\p{L}\p{N}_-]+$`)
)

// attr is one attribute: a field and what is said of it.
type attr struct{ field, value string }

// attrs takes a text apart that consists of attributes and nothing else.
func attrs(text string) ([]attr, bool) {
	m := attrStart().FindStringSubmatchIndex(text)
	if m == nil {
		return nil, false
	}
	var list []attr
	for {
		field := words[word(text[m[2]:m[3]])]
		text = text[m[1]:]
		m = attrNext().FindStringSubmatchIndex(text)
		if m == nil {
			return append(list, attr{field, strings.TrimSpace(strings.TrimRight(text, " ;,"))}), true
		}
		list = append(list, attr{field, strings.TrimSpace(text[:m[0]])})
	}
}

// split takes the attributes off the end of an item's text.
func split(text string) (string, []attr) {
	var list []attr
	for {
		text = strings.TrimSpace(text)
		if a, rest, ok := mark(text); ok {
			list = append(list, a)
			text = rest
			continue
		}
		if open := bracket(text); open >= 0 {
			if inner, ok := attrs(strings.TrimSpace(text[open+1 : len(text)-1])); ok {
				list = append(list, inner...)
				text = text[:open]
				continue
			}
		}
		m := attrTail().FindStringIndex(text)
		if m == nil {
			break
		}
		tail, _ := attrs(attrSep().ReplaceAllString(text[m[0]:], ""))
		list = append(list, tail...)
		text = text[:m[0]]
	}
	slices.Reverse(list)
	return text, list
}

// mark takes {#ref}, !high or @label off the end of a text.
func mark(text string) (a attr, rest string, ok bool) {
	if strings.HasSuffix(text, "}") {
		open := strings.LastIndex(text, "{#")
		if ref := strings.TrimSuffix(text[open+1:], "}"); open >= 0 && len(ref) > 1 && !strings.ContainsAny(ref, "} \t") {
			return attr{"ref", ref[1:]}, text[:open], true
		}
	}
	last := strings.LastIndexAny(text, " \t") + 1
	word := text[last:]
	switch strings.ToLower(word) {
	case "!high", "!medium", "!low":
		return attr{"priority", word[1:]}, text[:last], true
	}
	if last > 0 && labelMark().MatchString(word) {
		return attr{"labels", word[1:]}, text[:last], true
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

// attribute gives an item what an attribute says.
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
		once(&it.owner)
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
		it.after = append(it.after, mention{at: at, name: a.value, many: true})
	case "blocks":
		it.blocks = append(it.blocks, mention{at: at, name: a.value, many: true})
	case "parent":
		it.parentName = &mention{at: at, name: a.value}
	}
}
