package prose

import (
	"bytes"
	"strings"
)

// lookAhead is how far the end of a quotation is looked for. Without an end in
// reach it is not a quotation.
const lookAhead = 2000

// ownWords is the prompt with all that its writer only quotes made blank: lines
// of code, logs, traces, diffs, mails and what others wrapped around it. It is
// as long as the prompt, byte by byte, so that places in it are places there.
// Of very much, the middle is blank as well: see dropMiddle.
//
// Short quotations within a line become a word of x: they stand for something
// in the sentence, but what they say is not said to the agent.
func ownWords(prompt string) string {
	own := []byte(prompt)
	for _, s := range wrapped(prompt) {
		blank(own[s.from:s.to])
	}
	text := string(own)
	lines := splitLines(text)
	for _, l := range pastedLines(text, lines) {
		blank(own[l.from:l.to])
	}
	dropMiddle(own)
	for _, l := range lines {
		maskLine(own[l.from:l.to])
	}
	return string(own)
}

// blank makes a text blank; lines stay lines.
func blank(text []byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// Typed text is shorter than this. Of a longer one, a document that does not
// look like one, the beginning and the end are read: there a person says what
// to do with it.
const (
	maxHead = 6 << 10
	maxTail = 3 << 10
)

// dropMiddle makes the middle of very many words blank.
func dropMiddle(own []byte) {
	if len(own) <= maxHead+maxTail {
		return
	}
	from, to := 0, len(own)
	for n := 0; from < to && n < maxHead; from++ {
		if own[from] > ' ' {
			n++
		}
	}
	for n := 0; to > from && n < maxTail; to-- {
		if own[to-1] > ' ' {
			n++
		}
	}
	// Whole lines, or nobody knows what half a one was. One that is longer
	// than all that is cut where it is.
	if i := bytes.LastIndexByte(own[:from], '\n'); i > 0 {
		from = i
	}
	if i := bytes.IndexByte(own[to:], '\n'); i >= 0 {
		to += i
	}
	if to > from {
		blank(own[from:to])
	}
}

// splitLines returns the lines of a text without their ends.
func splitLines(text string) []span {
	lines := make([]span, 0, 1+strings.Count(text, "\n"))
	for from := 0; from <= len(text); {
		to := strings.IndexByte(text[from:], '\n')
		if to < 0 {
			return append(lines, span{from, len(text)})
		}
		to += from
		end := to
		if end > from && text[end-1] == '\r' {
			end--
		}
		lines = append(lines, span{from, end})
		from = to + 1
	}
	return lines
}

// wrapped finds <tag>…</tag> of what a client puts into a prompt beside the
// user's words, or a user around a file.
func wrapped(text string) []span {
	var found []span
	for from, tries := 0, 0; tries < 16; {
		at := strings.IndexByte(text[from:], '<')
		if at < 0 {
			break
		}
		at += from
		name := text[at+1 : at+1+nameLen(text[at+1:])]
		from = at + 1
		if !quotes(name) {
			continue
		}
		tries++ // each looks at all of the rest
		if end := strings.Index(text[from:], "</"+name+">"); end >= 0 {
			from += end + len(name) + 3
			found = append(found, span{at, from})
		}
	}
	return found
}

// nameLen is how long the tag's name is that a text begins with.
func nameLen(s string) int {
	n := 0
	for n < len(s) && n < 40 && (isLetter(s[n]) || n > 0 && (s[n] == '-' || s[n] == '_')) {
		n++
	}
	return n
}

// quotes says that a tag of this name holds what its user did not write. A
// client's tags have two words; <task> and the like are how people order what
// they say.
func quotes(tag string) bool {
	switch tag {
	case "pre", "code", "log", "logs", "file", "files", "document", "documents", "output", "stdout", "stderr", "error", "example", "examples", "diff", "context":
		return true
	case "user_query", "user-query", "user_request", "user-request", "user_message", "user-message", "user_input", "user-input":
		return false
	}
	return strings.ContainsAny(tag, "-_")
}

// maskLine puts x over what a line quotes: code, speech, addresses.
func maskLine(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	tries := 0 // marks that nothing closes; a line that is full of them quotes nothing
	for i := 0; i < len(line) && tries < 16; {
		switch c := line[i]; {
		case c == '`', c == '"', c == 'h', c == 'w', c == 0xe2, c == 0xc2: // what quotations begin with
		default:
			i++
			continue
		}
		if end := quotation(line[i:]); end > 0 && (i == 0 || !isLetter(line[i-1])) {
			copy(line[i:], bytes.Repeat([]byte("x"), end))
			i += end
			continue
		}
		if line[i] != 'h' && line[i] != 'w' {
			tries++
		}
		i++
	}
}

// quotation is how long the quotation is that a text begins with, or 0.
func quotation(b []byte) int {
	var open, close string
	switch s := string(b[:min(len(b), len("https://"))]); {
	case s[0] == '`':
		open, close = "`", "`"
	case s[0] == '"':
		open, close = `"`, `"`
	case hasAnyPrefix(s, "http://", "https://", "www."):
		end := 0
		for end < len(b) && b[end] > ' ' && b[end] < 0x80 {
			end++
		}
		for end > 0 && strings.IndexByte(",.;:!?)", b[end-1]) >= 0 {
			end--
		}
		return end
	case strings.HasPrefix(s, "“"):
		open, close = "“", "”"
	case strings.HasPrefix(s, "„"):
		open, close = "„", "“"
	case strings.HasPrefix(s, "«"):
		open, close = "«", "»"
	default:
		return 0
	}
	end := bytes.Index(b[len(open):min(len(b), len(open)+lookAhead)], []byte(close))
	if end < 0 {
		return 0
	}
	return len(open) + end + len(close)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
