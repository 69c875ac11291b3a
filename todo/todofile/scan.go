package todofile

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// A scan reads what Pawl writes, several times as fast as package json does: a
// hook reads a list at each step of an agent. It decides nothing. Whatever it
// does not expect (a key in other letters or with escapes, null, a number with a
// fraction, no UTF-8) makes it give up, and package json has the last word.
type scan struct {
	text   []byte
	at     int
	gaveUp bool
}

// maxNest is how deep the arguments of a tool call may be nested: scan calls
// itself.
const maxNest = 64

// scanned reports whether read took the whole text.
func scanned(text []byte, read func(*scan)) bool {
	if !utf8.Valid(text) {
		return false
	}
	s := &scan{text: text}
	read(s)
	s.space()
	return !s.gaveUp && s.at == len(text)
}

// giveUp leaves the rest unread.
func (s *scan) giveUp() { s.gaveUp, s.at = true, len(s.text) }

func (s *scan) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			return
		}
	}
}

// got takes a byte if it is the next one.
func (s *scan) got(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scan) want(c byte) {
	if !s.got(c) {
		s.giveUp()
	}
}

// object calls field for each key, to read its value.
func (s *scan) object(field func(key []byte)) {
	s.want('{')
	if s.got('}') {
		return
	}
	for !s.gaveUp {
		key, plain := s.quoted()
		if !plain {
			s.giveUp()
		}
		s.want(':')
		if s.gaveUp {
			return
		}
		field(key)
		if !s.got(',') {
			s.want('}')
			return
		}
	}
}

// array calls element for each one.
func (s *scan) array(element func()) {
	s.want('[')
	if s.got(']') {
		return
	}
	for !s.gaveUp {
		element()
		if !s.got(',') {
			s.want(']')
			return
		}
	}
}

// quoted returns what is between quotes, and whether that is the text itself.
func (s *scan) quoted() (inside []byte, plain bool) {
	s.want('"')
	text, at := s.text, s.at
	plain = true
	for ; at < len(text); at++ {
		c := text[at]
		if c > '\\' || c != '"' && c != '\\' && c >= ' ' { // nearly all
			continue
		}
		if c == '"' {
			inside, s.at = text[s.at:at], at+1
			return inside, plain
		}
		if c < ' ' {
			break
		}
		plain = false
		at++
	}
	s.giveUp()
	return nil, false
}

func (s *scan) string() string {
	s.space()
	begin := s.at
	inside, plain := s.quoted()
	switch {
	case s.gaveUp:
		return ""
	case plain:
		return word(inside)
	}
	var decoded string
	if json.Unmarshal(s.text[begin:s.at], &decoded) != nil {
		s.giveUp()
	}
	return decoded
}

// usual are words that need no memory for each time that they are read.
var usual = [...]string{"pending", "in_progress", "completed", "medium", "high", "low", "running", "succeeded", "failed", "begin", "end"}

func word(text []byte) string {
	for _, w := range usual {
		if string(text) == w {
			return w
		}
	}
	return string(text)
}

func (s *scan) strings() []string {
	all := []string{}
	s.array(func() { all = append(all, s.string()) })
	return all
}

// number reads digits, of which there are not too many.
func (s *scan) number() (n int64) {
	s.space()
	begin := s.at
	for ; s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9'; s.at++ {
		n = n*10 + int64(s.text[s.at]-'0')
		if s.at-begin == 15 {
			s.giveUp()
			return 0
		}
	}
	if s.at == begin || s.text[begin] == '0' && s.at > begin+1 || s.at < len(s.text) && (s.text[s.at] == '.' || s.text[s.at]|' ' == 'e') {
		s.giveUp()
	}
	return n
}

func (s *scan) bool() bool {
	s.space()
	switch {
	case s.literal("true"):
		return true
	case !s.literal("false"):
		s.giveUp()
	}
	return false
}

func (s *scan) literal(word string) bool {
	end := s.at + len(word)
	if end > len(s.text) || string(s.text[s.at:end]) != word {
		return false
	}
	s.at = end
	return true
}

func (s *scan) time() (t time.Time) {
	s.space()
	begin := s.at
	if s.quoted(); !s.gaveUp && t.UnmarshalJSON(s.text[begin:s.at]) != nil {
		s.giveUp()
	}
	return t
}

// raw returns a value as it stands there, no copy of it.
func (s *scan) raw() json.RawMessage {
	s.space()
	begin := s.at
	s.value(0)
	if s.gaveUp {
		return nil
	}
	return s.text[begin:s.at:s.at]
}

// value passes over any value.
func (s *scan) value(depth int) {
	s.space()
	if s.at == len(s.text) || depth > maxNest {
		s.giveUp()
		return
	}
	switch c := s.text[s.at]; {
	case c == '{':
		s.object(func([]byte) { s.value(depth + 1) })
	case c == '[':
		s.array(func() { s.value(depth + 1) })
	case c == '"':
		begin := s.at
		if _, plain := s.quoted(); !plain && !json.Valid(s.text[begin:s.at]) {
			s.giveUp()
		}
	case c == '-' || c >= '0' && c <= '9':
		begin := s.at
		for s.at < len(s.text) && strings.IndexByte("+-.0123456789Ee", s.text[s.at]) >= 0 {
			s.at++
		}
		if !json.Valid(s.text[begin:s.at]) {
			s.giveUp()
		}
	case !s.literal("true") && !s.literal("false") && !s.literal("null"):
		s.giveUp()
	}
}
