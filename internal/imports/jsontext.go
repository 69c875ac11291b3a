package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sort"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Value is a value of a JSON document, and where it stands. The zero Value is
// of no kind.
type Value struct {
	doc *document
	at  int
	raw json.RawMessage
}

type document struct {
	file  string
	first int   // the number of its first line
	lines []int // where each line begins
}

// A Member is a name of an object, and its value.
type Member struct {
	Name  string
	Value Value
}

// ParseJSON reads a document. It fails with [pawl.Invalid], and the line, when
// it is not JSON or nested too deep; nothing of it can be trusted then.
func ParseJSON(file string, raw []byte) (Value, error) {
	return newDocument(file, 1, raw).parse(0, raw)
}

// ParseAll reads documents that follow one another, as programs print the pages of
// an answer. It fails as [ParseJSON] does.
func ParseAll(file string, raw []byte) ([]Value, error) {
	var docs []Value
	doc, dec, at := newDocument(file, 1, raw), json.NewDecoder(bytes.NewReader(raw)), 0
	for {
		var one json.RawMessage
		err := dec.Decode(&one)
		if end := int(dec.InputOffset()); err == nil {
			v, err := doc.parse(at, raw[at:end])
			if err != nil {
				return nil, err
			}
			docs, at = append(docs, v), end
			continue
		}
		if err == io.EOF && len(docs) > 0 {
			return docs, nil
		}
		_, err = doc.parse(at, raw[at:])
		return nil, err
	}
}

// ParseLine reads a line of a file of JSON Lines. With an error the value is
// only a position.
func ParseLine(file string, line int, raw []byte) (Value, error) {
	raw, err := UTF8(bytes.TrimRight(raw, "\r\n"))
	at := Value{doc: newDocument(file, line, nil)}
	if err != nil {
		return at, pawl.Errorf(pawl.Invalid, "%s is not valid UTF-8", at.At())
	}
	v, err := at.doc.parse(0, raw)
	if err != nil {
		return at, err
	}
	return v, nil
}

func newDocument(file string, first int, raw []byte) *document {
	doc := &document{file: file, first: first, lines: []int{0}}
	for i, c := range raw {
		if c == '\n' {
			doc.lines = append(doc.lines, i+1)
		}
	}
	return doc
}

// parse reads a part of the document, which begins at from.
func (d *document) parse(from int, raw []byte) (Value, error) {
	if at := tooDeep(raw); at >= 0 {
		return Value{}, pawl.Errorf(pawl.Invalid, "%s is nested more than %d deep", d.position(from+at).named(), pawl.MaxDepth)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return Value{}, pawl.Errorf(pawl.Invalid, "%s is empty", Position{File: d.file}.named())
	}
	var check json.RawMessage
	if err := json.Unmarshal(raw, &check); err != nil {
		at := len(raw)
		if fault, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = max(0, min(int(fault.Offset)-1, len(raw)))
		}
		return Value{}, pawl.Errorf(pawl.Invalid, "%s is not JSON: %w", d.position(from+at).named(), err)
	}
	return Value{d, from + bytes.IndexFunc(raw, func(r rune) bool { return !unicode.IsSpace(r) }), bytes.TrimSpace(raw)}, nil
}

func (p Position) named() string {
	if s := p.String(); s != "" {
		return text.Line(s)
	}
	return "the input"
}

func (d *document) position(at int) Position {
	return Position{d.file, d.first - 1 + sort.SearchInts(d.lines, at+1), at + 1}
}

// tooDeep is where brackets are nested deeper than a task's JSON may be; -1:
// nowhere.
func tooDeep(raw []byte) int {
	level, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if level++; level > pawl.MaxDepth {
				return i
			}
		case c == '}' || c == ']':
			level--
		}
	}
	return -1
}

// At is where the value begins.
func (v Value) At() Position {
	if v.doc == nil {
		return Position{}
	}
	return v.doc.position(v.at)
}

// Raw is the value as it stands, without the white space between its parts.
func (v Value) Raw() json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, v.raw) != nil {
		return json.RawMessage("null")
	}
	return b.Bytes()
}

// Is reports whether the value begins so: { [ " or the first byte of a literal.
func (v Value) Is(c byte) bool { return len(v.raw) > 0 && v.raw[0] == c }

// None reports whether there is nothing: no value, null, or an empty text or
// list.
func (v Value) None() bool {
	switch string(v.raw) {
	case "", "null", `""`:
		return true
	}
	return (v.Is('[') || v.Is('{')) && len(bytes.TrimSpace(v.raw[1:len(v.raw)-1])) == 0
}

// Text is a text, or a number or a truth value as it is written: programs write
// the same id now as 5 and now as "5". Of anything else ok is false.
func (v Value) Text() (s string, ok bool) {
	switch {
	case v.Is('"'):
		ok = json.Unmarshal(v.raw, &s) == nil
		return s, ok
	case len(v.raw) == 0 || v.Is('{') || v.Is('[') || string(v.raw) == "null":
		return "", false
	}
	return string(v.raw), true
}

// Texts are the texts of a list, or one text alone. Of anything else ok is
// false.
func (v Value) Texts() (all []string, ok bool) {
	if !v.Is('[') {
		s, ok := v.Text()
		if s == "" {
			return nil, ok || v.None()
		}
		return []string{s}, ok
	}
	for _, e := range v.Elements() {
		s, is := e.Text()
		if !is {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// Elements are the elements of an array.
func (v Value) Elements() (all []Value) {
	if v.Is('[') {
		for _, m := range v.parts() {
			all = append(all, m.Value)
		}
	}
	return all
}

// Members are the members of an object, in their order.
func (v Value) Members() []Member {
	if !v.Is('{') {
		return nil
	}
	return v.parts()
}

// parts are what a list or an object holds. The document is JSON, so nothing fails.
func (v Value) parts() (all []Member) {
	dec := json.NewDecoder(bytes.NewReader(v.raw))
	_, _ = dec.Token()
	for dec.More() {
		var m Member
		if v.Is('{') {
			name, _ := dec.Token()
			m.Name, _ = name.(string)
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			break
		}
		end := int(dec.InputOffset())
		at := end - len(raw)
		m.Value = Value{v.doc, v.at + at, v.raw[at:end]}
		all = append(all, m)
	}
	return all
}

// Get is the member with a name; of several the last, as JSON readers have it.
func (v Value) Get(name string) Value {
	var found Value
	for _, m := range v.Members() {
		if m.Name == name {
			found = m.Value
		}
	}
	return found
}
