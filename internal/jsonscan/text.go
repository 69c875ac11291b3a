package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// AppendText appends a string in quotes, without the escapes for web pages.
func AppendText(text []byte, s string) []byte {
	foreign := false
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\':
			return appendEscaped(text, s)
		case c >= utf8.RuneSelf:
			foreign = true
		}
	}
	if foreign && !harmless(s) {
		return appendEscaped(text, s)
	}
	return append(append(append(text, '"'), s...), '"')
}

// harmless reports whether package json writes the characters outside of ASCII as they are.
func harmless(s string) bool {
	return utf8.ValidString(s) && !strings.Contains(s, "\u2028") && !strings.Contains(s, "\u2029")
}

// appendEscaped escapes what may be escaped by one character, and leaves the rest to
// package json.
func appendEscaped(text []byte, s string) []byte {
	begin := len(text)
	text = append(text, '"')
	done := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		switch c {
		case '\n':
			c = 'n'
		case '\t':
			c = 't'
		case '\r':
			c = 'r'
		case '"', '\\':
		default:
			return appendSlowly(text[:begin], s)
		}
		text = append(append(text, s[done:i]...), '\\', c)
		done = i + 1
	}
	if !harmless(s) {
		return appendSlowly(text[:begin], s)
	}
	return append(append(text, s[done:]...), '"')
}

func appendSlowly(text []byte, s string) []byte {
	b := bytes.NewBuffer(text)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // which a string never is a reason for
		return append(text, `""`...)
	}
	return b.Bytes()[:b.Len()-len("\n")]
}
