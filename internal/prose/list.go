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
	marked := func(kind byte, text string) listMark { // text follows the mark, perhaps behind a box
		body := len(line) - len(strings.TrimLeft(text, " \t　"))
		if box := checkbox(line[body:]); box != 0 {
			return listMark{box, body + len("[ ] ")}
		}
		return listMark{kind, body}
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
		return marked(itemBullet, after)
	}
	if box := checkbox(rest); box != 0 {
		return listMark{box, at + len("[ ] ")}
	}
	if n := numberLen(rest); n > 0 {
		return marked(itemNumber, rest[n:])
	}
	if n := labelLen(rest); n > 0 {
		return listMark{itemLabel, at + n}
	}
	return listMark{}
}

// checkbox says what box a text begins with; zero: none.
func checkbox(s string) (kind byte) {
	switch {
	case strings.HasPrefix(s, "[ ] "):
		return itemOpen
	case hasAnyPrefix(s, "[x] ", "[X] ", "[-] ", "[~] "):
		return itemDone
	}
	return 0
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
