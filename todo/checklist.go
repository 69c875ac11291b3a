package todo

import (
	"strings"
	"unicode/utf8"
)

// checklist reads a Markdown list:
//
//	## Plan
//	- [x] Read the code
//	- [→] ← current Write tests
//	    - [x] of the parser
//	1. Run them
//
// A bullet, a number or a box makes an item; an item without a box is pending.
// An item indented below another is its subtask, at any depth. Any other indented
// line continues the text before it. Headings, rules and fences are skipped, and
// rest is all other text.
//
// The entries have the form of parsed JSON.
func checklist(text string) (entries []any, rest []string) {
	var top, last map[string]any // the last todo, and the last todo or subtask
	indent := 0                  // of top
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		bare := strings.TrimLeft(line, " \t")
		in := indentOf(line[:len(line)-len(bare)])
		item, ok := lineOf(bare)
		switch {
		case bare == "":
			last = nil
		case isFrame(bare):
			last = nil
		case ok && top != nil && in >= indent+2:
			last = map[string]any{"content": item.text, "status": item.status}
			list, _ := top["subtasks"].([]any)
			if len(list) <= MaxSubtasks { // one too many tells enough
				top["subtasks"] = append(list, last)
			}
		case ok && len(entries) >= MaxItems:
			entries = append(entries, nil) // only counted
		case ok:
			last = map[string]any{"content": item.text, "status": item.status}
			top, indent = last, in
			entries = append(entries, top)
		case last != nil && in > 0:
			if text := last["content"].(string); len(text) <= utf8.UTFMax*MaxContent {
				last["content"] = text + " " + bare
			}
		default:
			last = nil
			rest = append(rest, bare)
		}
	}
	return entries, rest
}

// A checkline is a line of a checklist.
type checkline struct {
	text   string
	status string // what stands in the box; pending without one
	box    bool
}

func lineOf(line string) (checkline, bool) {
	line = strings.TrimSpace(line)
	rest, bullet := cutBullet(line)
	item := checkline{text: rest, status: string(Pending)}
	mark, after, boxed := cutBox(rest)
	if _, known := statusOfMark(mark); boxed && (bullet || known) {
		item = checkline{text: after, status: "[" + mark + "]", box: true}
	} else if mark, after, ok := strings.Cut(rest, " "); ok && len(mark) > 1 {
		if status, known := statusOfMark(mark); known { // a glyph instead of a box
			item, bullet = checkline{text: strings.TrimSpace(after), status: string(status), box: true}, true
		}
	}
	if !bullet && !item.box {
		return checkline{}, false
	}
	item.text = strings.TrimSpace(strings.TrimPrefix(item.text, currentMark))
	return item, true
}

// currentMark stands before the current todo in [Simplified].
const currentMark = "← current "

// cutBullet takes "- ", "* ", "+ ", "• ", "1. " or "1) " off a line.
func cutBullet(line string) (rest string, ok bool) {
	for _, bullet := range []string{"-", "*", "+", "•"} {
		if after, ok := strings.CutPrefix(line, bullet); ok {
			return cutSpace(after, line)
		}
	}
	digits := 0
	for digits < len(line) && digits < 9 && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')') {
		return cutSpace(line[digits+1:], line)
	}
	return line, false
}

func cutSpace(after, line string) (string, bool) {
	rest := strings.TrimLeft(after, " \t")
	if rest == after && rest != "" {
		return line, false // "-x" is not an item
	}
	return rest, true
}

// cutBox takes "[x] " off a line: one character or none in brackets.
func cutBox(line string) (mark, rest string, ok bool) {
	inner, ok := strings.CutPrefix(line, "[")
	if !ok {
		return "", line, false
	}
	mark, rest, ok = strings.Cut(inner, "]")
	if !ok || len([]rune(mark)) > 1 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", line, false
	}
	return mark, strings.TrimLeft(rest, " \t"), true
}

// isFrame reports whether a line only gives a text its shape: a heading, a rule,
// a fence or a comment.
func isFrame(line string) bool {
	title := strings.TrimLeft(line, "#")
	return title != line && (title == "" || title[0] == ' ') || strings.HasPrefix(line, "```") ||
		strings.HasPrefix(line, "<!--") || len(line) >= 3 && strings.Trim(line, "-*_ ") == ""
}

func indentOf(space string) int {
	n := 0
	for _, c := range space {
		if n++; c == '\t' {
			n += 3
		}
	}
	return n
}
