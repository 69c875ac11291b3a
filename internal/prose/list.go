package prose

import (
	"strings"
	"unicode/utf8"
)

// The kinds of list items.
const (
	itemBullet = '-' // - * + • ・ –
	itemNumber = '1' // 1. 1) (1) a) ① 一、
	itemOpen   = 'o' // [ ] - [ ]
	itemDone   = 'x' // [x]
	itemLabel  = ':' // Phase 1: … **Pricing**: …
)

// A listMark is what a list item begins with.
type listMark struct {
	kind byte // 0: the line is not an item
	body int  // where its text begins
}

// markerOf says whether a line is a list item.
func markerOf(line string) listMark {
	at := len(line) - len(strings.TrimLeft(line, " \t"))
	rest := line[at:]
	if rest == "" {
		return listMark{}
	}
	for _, b := range [...]string{"-", "*", "+", "•", "・", "–", "‣", "◦", "○", "●", "◆", "■"} {
		after, ok := strings.CutPrefix(rest, b)
		if !ok {
			continue
		}
		if b[0] < 0x80 || b == "–" {
			if after == "" || after[0] != ' ' && after[0] != '\t' {
				return listMark{}
			}
		}
		body := len(line) - len(strings.TrimLeft(after, " \t　"))
		if kind, n := checkbox(line[body:]); kind != 0 {
			return listMark{kind, body + n}
		}
		return listMark{itemBullet, body}
	}
	if kind, n := checkbox(rest); kind != 0 {
		return listMark{kind, at + n}
	}
	if n := numberLen(rest); n > 0 {
		body := len(line) - len(strings.TrimLeft(rest[n:], " \t　"))
		if kind, n := checkbox(line[body:]); kind != 0 {
			return listMark{kind, body + n}
		}
		return listMark{itemNumber, body}
	}
	if n := labelLen(rest); n > 0 {
		return listMark{itemLabel, at + n}
	}
	return listMark{}
}

// checkbox says what box a text begins with, and how long it is.
func checkbox(s string) (kind byte, length int) {
	if len(s) < 4 || s[0] != '[' || s[2] != ']' || s[3] != ' ' {
		return 0, 0
	}
	switch s[1] {
	case ' ':
		return itemOpen, 4
	case 'x', 'X', '-', '~':
		return itemDone, 4
	}
	return 0, 0
}

// numberLen is how long the number of an item is that a text begins with: that
// of 3.5 is none, and neither is a year.
func numberLen(s string) int {
	paren := strings.HasPrefix(s, "(")
	if paren {
		s = s[1:]
	}
	n := digits(s)
	if n == 0 && s != "" && isLetter(s[0]) {
		n = 1
		if len(s) < 2 || s[1] != ')' {
			return 0 // “a. m.” and “I. e.” are not items
		}
	}
	switch {
	case n == 0:
		return cjkNumberLen(s)
	case n > 3 || n >= len(s):
		return 0
	case paren:
		if s[n] == ')' {
			return n + 2
		}
		return 0
	case s[n] == ')':
		return n + 1
	case s[n] == '.' || s[n] == ':':
		if n+1 < len(s) && (s[n+1] == ' ' || s[n+1] == '\t' || isLetter(s[n+1]) || s[n+1] >= 0x80) && n < 3 {
			return n + 1
		}
		return 0
	}
	for _, sign := range []string{"、", "．", "）", "。"} {
		if strings.HasPrefix(s[n:], sign) {
			return n + len(sign)
		}
	}
	return 0
}

// cjkNumberLen is that of 一、 （一） and ①.
func cjkNumberLen(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r >= '①' && r <= '⑳' {
		return n
	}
	if strings.ContainsRune("一二三四五六七八九十", r) && strings.HasPrefix(s[n:], "、") {
		return n + len("、")
	}
	return 0
}

// labelLen is how long the label is that a text begins with: "Phase 2: ",
// "**Pricing**: ", "src/api.ts: ".
func labelLen(s string) int {
	colon := strings.IndexByte(s[:min(len(s), 80)], ':')
	if colon <= 0 || colon+1 >= len(s) || s[colon+1] != ' ' {
		return 0
	}
	label := s[:colon]
	switch {
	case strings.HasPrefix(label, "**") && strings.HasSuffix(label, "**"):
		return colon + 2
	case !strings.Contains(label, " "):
		if strings.ContainsAny(label, "/.") && label[0] != '.' {
			return colon + 2
		}
		return 0
	}
	word, rest, _ := strings.Cut(label, " ")
	switch strings.ToLower(word) {
	case "step", "phase", "part", "task", "item", "schritt", "étape", "paso", "teil", "fase":
		if digits(rest) == len(rest) {
			return colon + 2
		}
	}
	return 0
}

// lists takes the list items out of a prompt's own words, counts those that
// ask for work, and returns the rest.
func (f *findings) lists(own string) string {
	rest := []byte(own)
	var list []span // the texts of the items that are open
	var marks int   // items, done ones too
	// The heads of sections are numbered as items are, with prose below each.
	var sections []span
	intro, first := "", ""
	endList := func(after string) {
		if marks > 1 {
			f.list(own, list, intro, first, after)
		}
		list, marks = nil, 0
	}
	lines := splitLines(own)
	lineMarks := marksOf(own, lines)
	for i, l := range lines {
		line := own[l.from:l.to]
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if strings.HasPrefix(trimmed, "#") {
			endList("")
			intro = trimmed
			wipe(l, rest)
			continue
		}
		if at, items := inlineItems(line); len(items) > 1 {
			endList("")
			if intro = strings.TrimSpace(line[:at]); intro == "" {
				intro = first
			}
			for _, item := range items {
				list, marks = append(list, span{l.from + item.from, l.from + item.to}), marks+1
			}
			wipe(span{l.from + at, l.to}, rest)
			endList("")
			continue
		}
		m := lineMarks[i]
		if m.kind == 0 {
			if marks > 0 && line[0] == ' ' {
				wipe(l, rest) // an item goes on
				continue
			}
			endList(trimmed)
			intro = trimmed
			if first == "" {
				first = trimmed
			}
			continue
		}
		if n := len(sections) + 1; m.kind == itemNumber && marks == 0 && (n == 1 || proseBetween(own, sections[n-2], l)) && ordinalLen(trimmed, n) > 0 && n <= MaxSteps {
			sections = append(sections, span{l.from + m.body, l.to})
		}
		if marks++; m.kind != itemDone {
			list = append(list, span{l.from + m.body, l.to})
		}
		wipe(l, rest)
	}
	endList("")
	if n := len(sections); n > 2 && f.items < n && leadOf(first) != leadFacts {
		f.items = n
		f.steps = append(sections[:0:0], sections...)
	}
	return string(rest)
}

// proseBetween says that something is told between two lines.
func proseBetween(own string, a, b span) bool {
	return strings.TrimSpace(own[a.to:b.from]) != ""
}

func wipe(s span, text []byte) {
	for i := s.from; i < s.to; i++ {
		text[i] = ' '
	}
}

// inlineItems are the items of a list told in one line: 1) this 2) that, (a)
// this (b) that, Step 1: this. They begin at a place in the line, and there are
// at least three, or none.
func inlineItems(line string) (at int, items []span) {
	next := 1
	for i := 0; i < len(line) && next < 100; i++ {
		if i > 0 && line[i-1] != ' ' && line[i-1] != ',' && line[i-1] != ';' || line[i] == ' ' {
			continue
		}
		n := ordinalLen(line[i:], next)
		if n == 0 {
			continue
		}
		if len(items) > 0 {
			items[len(items)-1].to = i
		} else {
			at = i
		}
		items = append(items, span{i + n, len(line)})
		next++
		i += n - 1
	}
	if len(items) < 3 {
		return 0, nil
	}
	return at, items
}

// ordinalLen is how long the n-th item's mark is that a text begins with.
func ordinalLen(s string, n int) int {
	at := 0
	if len(s) > 5 {
		switch word := strings.ToLower(s[:5]); {
		case word == "step ":
			at = 5
		case word == "phase" && s[5] == ' ':
			at = 6
		}
	}
	if at == 0 && s[0] == '(' {
		at = 1
	}
	if at >= len(s) {
		return 0
	}
	switch d := digits(s[at:]); {
	case d > 0 && d < 3 && atoi(s[at:at+d]) == n:
		at += d
	case d == 0 && n < 27 && (s[at] == byte('a'+n-1) || s[at] == byte('A'+n-1)) && at+1 < len(s) && s[at+1] == ')':
		at++
	default:
		if w := ordinalWord(n); w != "" && len(s) > len(w) && strings.EqualFold(s[:len(w)], w) && s[len(w)] == ':' {
			return len(w) + 1
		}
		return 0
	}
	if at+1 >= len(s) || strings.IndexByte(").:", s[at]) < 0 || s[at+1] != ' ' {
		return 0
	}
	return at + 1
}

func ordinalWord(n int) string {
	switch n {
	case 1:
		return "one"
	case 2:
		return "two"
	case 3:
		return "three"
	case 4:
		return "four"
	case 5:
		return "five"
	}
	return ""
}

func atoi(s string) int {
	n := 0
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// hasWord says that a text has a word, and not numbers only.
func hasWord(s string) bool {
	for i := range len(s) {
		if isLetter(s[i]) || s[i] >= 0x80 {
			return true
		}
	}
	return false
}
