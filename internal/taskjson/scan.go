package taskjson

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// How deep brackets may stand inside one another. A file leaves room for a
// metadata value of [pawl.MaxDepth] inside its object, so that nothing a board
// accepts makes a file that it cannot read; history holds what a file does not
// know one level deeper.
const (
	fileDepth  = pawl.MaxDepth + 2
	fieldDepth = fileDepth + 1
	// The key merging holds a list of what are the objects of files.
	mergingDepth = fileDepth + 1
)

// span is the place of a value in a text.
type span struct{ start, end int }

func (s span) of(text []byte) []byte     { return text[s.start:s.end] }
func (s span) null(text []byte) bool     { return text[s.start] == 'n' }
func (s span) isString(t []byte) bool    { return t[s.start] == '"' }
func (s span) isList(text []byte) bool   { return text[s.start] == '[' }
func (s span) isObject(t []byte) bool    { return t[s.start] == '{' }
func (s span) isNumber(text []byte) bool { return text[s.start] == '-' || isDigit(text[s.start]) }

// isPlain reports whether the value has no parts.
func (s span) isPlain(text []byte) bool { return !s.isList(text) && !s.isObject(text) }

// member is one name and value of an object.
type member struct {
	key, val span
	known    key  // which of Pawl's keys it is, in the file's own object
	foreign  bool // of a type that is not read
}

func (m *member) name(text []byte) string {
	if m.known != unknown {
		return keyNames[m.known]
	}
	return unquote(m.key.of(text))
}

// scanner walks over JSON. The first thing that is wrong is kept in fault, and
// every method answers false from then on.
type scanner struct {
	text  []byte
	pos   int
	fault *Fault
}

// parse checks the whole text, which may be nested so deep, and returns the
// members of its object.
func parse(text []byte, buf []member, depth int) ([]member, *Fault) {
	if bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || bytes.HasPrefix(text, []byte{0xFE, 0xFF}) {
		return nil, &Fault{1, 1, "the text is UTF-16; it must be UTF-8"}
	}
	if !utf8.Valid(text) {
		return nil, faultAt(text, firstInvalid(text), "the text is not valid UTF-8 here")
	}
	s := scanner{text: text, pos: len(text) - len(trimMark(text))}
	s.space()
	if s.pos == len(text) {
		return nil, faultAt(text, s.pos, "the file is empty")
	}
	if text[s.pos] != '{' {
		s.value(depth) // a syntax error says more than the wrong type
		if s.fault == nil {
			s.fault = faultAt(text, len(text)-len(trimLeft(text)), "a task is a JSON object in braces")
		}
		return nil, s.fault
	}
	s.pos++
	known := unknown
	for first := true; s.more(&first, '}'); {
		m, ok := s.name()
		if !ok {
			break
		}
		m.known = keyOf(m.key.of(text)[1:m.key.end-m.key.start-1], known)
		if m.known == unknown && bytes.IndexByte(m.key.of(text), '\\') >= 0 {
			m.known = keyOf([]byte(m.name(text)), known)
		}
		known = m.known
		inside := depth - 1
		if m.known == keyMerging {
			inside = mergingDepth
		}
		if m.val, ok = s.value(inside); !ok {
			break
		}
		buf = append(buf, m)
	}
	if s.space(); s.fault == nil && s.pos < len(text) {
		s.fail(s.pos, "the text goes on after the end of the task")
	}
	return buf, s.fault
}

// membersOf returns the members of an object in a text that was checked.
func membersOf(text []byte, at span) []member {
	var members []member
	s := scanner{text: text, pos: at.start + 1}
	for first := true; s.more(&first, '}'); {
		m, _ := s.member(fieldDepth)
		members = append(members, m)
	}
	return members
}

// elementsOf returns the elements of a list in a text that was checked,
// appended to buf.
func elementsOf(text []byte, at span, buf []span) []span {
	s := scanner{text: text, pos: at.start + 1}
	for first := true; s.more(&first, ']'); {
		v, _ := s.value(fieldDepth)
		buf = append(buf, v)
	}
	return buf
}

func (s *scanner) fail(at int, format string, args ...any) bool {
	if s.fault == nil {
		s.fault = faultAt(s.text, at, format, args...)
	}
	return false
}

// unexpected is the fault of what stands at pos.
func (s *scanner) unexpected(wanted string) bool {
	if s.pos >= len(s.text) {
		return s.fail(len(s.text), "the text ends where %s should be", wanted)
	}
	if s.text[s.pos] == 0 {
		return s.fail(s.pos, "there is a NUL byte here")
	}
	r, _ := utf8.DecodeRune(s.text[s.pos:])
	return s.fail(s.pos, "%s should be here, not %q", wanted, r)
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return
		}
	}
}

// more moves to the next item of an object or a list, past the comma before
// it; or past the end of it, answering false.
func (s *scanner) more(first *bool, end byte) bool {
	s.space()
	if s.fault != nil {
		return false
	}
	if s.pos < len(s.text) && s.text[s.pos] == end {
		s.pos++
		return false
	}
	if *first {
		*first = false
		return true
	}
	if s.pos >= len(s.text) || s.text[s.pos] != ',' {
		return s.unexpected(`"," or "` + string(end) + `"`)
	}
	comma := s.pos
	s.pos++
	s.space()
	if s.pos < len(s.text) && s.text[s.pos] == end {
		return s.fail(comma, "there is a comma too many here")
	}
	return true
}

func (s *scanner) member(depth int) (m member, ok bool) {
	if m, ok = s.name(); ok {
		m.val, ok = s.value(depth)
	}
	return m, ok
}

// name passes over the name of a member, to where its value begins.
func (s *scanner) name() (m member, ok bool) {
	m.known = unknown
	if s.pos >= len(s.text) || s.text[s.pos] != '"' {
		return m, s.unexpected("a name in double quotes")
	}
	m.key.start = s.pos
	if !s.str() {
		return m, false
	}
	m.key.end = s.pos
	s.space()
	if s.pos >= len(s.text) || s.text[s.pos] != ':' {
		return m, s.unexpected(`":"`)
	}
	s.pos++
	s.space()
	return m, true
}

// value passes over one value, which may be nested so deep.
func (s *scanner) value(depth int) (span, bool) {
	start := s.pos
	if s.pos >= len(s.text) {
		return span{}, s.unexpected("a value")
	}
	switch c := s.text[s.pos]; {
	case c == '"':
		s.str()
	case c == '{' || c == '[':
		if depth == 0 {
			return span{}, s.fail(s.pos, "brackets are nested too deep here: %d deep is the limit", pawl.MaxDepth)
		}
		s.pos++
		for first := true; s.more(&first, c+2); { // in ASCII a closing bracket is its opening one plus two
			if c == '{' {
				s.member(depth - 1)
			} else {
				s.value(depth - 1)
			}
		}
	case c == '-' || isDigit(c):
		s.number()
	default:
		s.word()
	}
	return span{start, s.pos}, s.fault == nil
}

func (s *scanner) word() bool {
	for _, word := range [...]string{"true", "false", "null"} {
		if rest := s.text[s.pos:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
			s.pos += len(word)
			return true
		}
	}
	return s.unexpected("a value")
}

// str passes over a string.
func (s *scanner) str() bool {
	start := s.pos
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return true
		case c == '\\':
			if !s.escape() {
				return false
			}
		case c == 0:
			return s.fail(s.pos, "there is a NUL byte here")
		case c == '\n' || c == '\r':
			return s.fail(start, "the text in quotes that begins here has no end on its line")
		case c < ' ':
			return s.fail(s.pos, "a control character inside quotes must be written as an escape such as \\t")
		}
	}
	return s.fail(start, "the text in quotes that begins here has no end")
}

// escape passes over all of an escape but its last byte.
func (s *scanner) escape() bool {
	start := s.pos
	s.pos++
	if s.pos >= len(s.text) {
		return s.fail(start, "the text ends inside an escape")
	}
	switch s.text[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		code, ok := hex4(s.text[s.pos+1:])
		if !ok {
			return s.fail(start, `\u needs four hexadecimal digits`)
		}
		if code == 0 {
			return s.fail(start, "there is a NUL character here; no text of a task may hold one")
		}
		s.pos += 4
		return true
	}
	return s.fail(start, "this escape does not exist in JSON")
}

func (s *scanner) number() bool {
	start := s.pos
	digits := func() bool {
		from := s.pos
		for s.pos < len(s.text) && isDigit(s.text[s.pos]) {
			s.pos++
		}
		return s.pos > from
	}
	at := func(chars string) bool {
		return s.pos < len(s.text) && bytes.IndexByte([]byte(chars), s.text[s.pos]) >= 0
	}
	if at("-") {
		s.pos++
	}
	ok := true
	if at("0") {
		s.pos++
	} else {
		ok = digits()
	}
	if ok && at(".") {
		s.pos++
		ok = digits()
	}
	if ok && at("eE") {
		s.pos++
		if at("+-") {
			s.pos++
		}
		ok = digits()
	}
	if !ok || at("0123456789.") {
		return s.fail(start, "this is not a number as JSON writes them")
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hex4(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var code rune
	for _, c := range text[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		code = code<<4 | rune(c)
	}
	return code, true
}

// trimMark cuts a UTF-8 byte order mark.
func trimMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }

func trimLeft(text []byte) []byte { return bytes.TrimLeft(trimMark(text), " \r\n\t") }

func firstInvalid(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(text)
}

// compact copies a value without the white space between its parts.
func compact(text []byte, at span) json.RawMessage {
	dst := make([]byte, 0, at.end-at.start)
	quoted := false
	for i := at.start; i < at.end; i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			dst = append(dst, c)
			i++
			c = text[i]
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		dst = append(dst, c)
	}
	return dst
}
