package jsonscan

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// An Object writes a JSON object as package json would, only faster. Each of its
// methods adds a key, unless its value is zero: as with omitempty and omitzero.
//
//	var o jsonscan.Object
//	o.Text("name", v.Name)
//	text, err := o.End()
type Object struct {
	text  []byte
	begin int   // where it begins in the text
	err   error // the first
}

// AppendObject appends an object to a text.
func AppendObject(text []byte, fill func(o *Object)) ([]byte, error) {
	o := Object{text: text, begin: len(text)}
	fill(&o)
	return o.End()
}

// End returns the object.
func (o *Object) End() ([]byte, error) {
	if len(o.text) == o.begin {
		return append(o.text, "{}"...), o.err
	}
	return append(o.text, '}'), o.err
}

// key begins a value. Names need no escapes.
func (o *Object) key(name string) {
	switch {
	case o.text == nil:
		o.text = append(make([]byte, 0, 512), '{')
	case len(o.text) == o.begin:
		o.text = append(o.text, '{')
	default:
		o.text = append(o.text, ',')
	}
	o.text = append(append(append(o.text, '"'), name...), '"', ':')
}

// Text adds a string.
func (o *Object) Text(name, value string) {
	if value != "" {
		o.key(name)
		o.text = AppendText(o.text, value)
	}
}

// Int adds a number.
func (o *Object) Int(name string, value int64) {
	if value != 0 {
		o.key(name)
		o.text = strconv.AppendInt(o.text, value, 10)
	}
}

// Number adds a number, zero too.
func (o *Object) Number(name string, value int64) {
	o.key(name)
	o.text = strconv.AppendInt(o.text, value, 10)
}

// Bool adds true.
func (o *Object) Bool(name string, value bool) {
	if value {
		o.key(name)
		o.text = append(o.text, "true"...)
	}
}

// Time adds a time. One that has no form in JSON is an error, as there.
func (o *Object) Time(name string, value time.Time) {
	if !value.IsZero() {
		o.At(name, value)
	}
}

// At adds a time, zero or not.
func (o *Object) At(name string, value time.Time) {
	o.key(name)
	text, err := value.AppendText(append(o.text, '"'))
	if err != nil && o.err == nil {
		o.err = err
	}
	o.text = append(text, '"')
}

// Value adds a value that encodes itself, zero or not.
func (o *Object) Value(name string, value json.Marshaler) {
	text, err := value.MarshalJSON()
	if err != nil && o.err == nil {
		o.err = err
	}
	o.Raw(name, text)
}

// Always adds a string, an empty one too.
func (o *Object) Always(name, value string) {
	o.key(name)
	o.text = AppendText(o.text, value)
}

// Raw adds JSON on one line, as it is.
func (o *Object) Raw(name string, value []byte) {
	if value != nil {
		o.key(name)
		o.text = append(o.text, value...)
	}
}

// Compact adds JSON whose spaces are not wanted.
func (o *Object) Compact(name string, value []byte) {
	if value == nil {
		return
	}
	o.key(name)
	b := bytes.NewBuffer(o.text)
	if err := json.Compact(b, value); err != nil && o.err == nil {
		o.err = err
	}
	o.text = b.Bytes()
}

// Objects adds n objects; fill fills each.
func (o *Object) Objects(name string, n int, fill func(o *Object, i int)) {
	o.List(name, n, func(text []byte, i int) []byte {
		return o.inner(text, func(inner *Object) { fill(inner, i) })
	})
}

// Object adds an object, which fill fills.
func (o *Object) Object(name string, fill func(o *Object)) {
	o.key(name)
	o.text = o.inner(o.text, fill)
}

func (o *Object) inner(text []byte, fill func(o *Object)) []byte {
	text, err := AppendObject(text, fill)
	if o.err == nil {
		o.err = err
	}
	return text
}

// List adds n values; add appends each to a text.
func (o *Object) List(name string, n int, add func(text []byte, i int) []byte) {
	if n == 0 {
		return
	}
	o.key(name)
	o.text = append(o.text, '[')
	for i := range n {
		if i > 0 {
			o.text = append(o.text, ',')
		}
		o.text = add(o.text, i)
	}
	o.text = append(o.text, ']')
}

// Numbers adds n numbers.
func (o *Object) Numbers(name string, n int, number func(i int) int64) {
	o.List(name, n, func(text []byte, i int) []byte { return strconv.AppendInt(text, number(i), 10) })
}

// Base64 adds bytes.
func (o *Object) Base64(name string, value []byte) {
	if len(value) > 0 {
		o.key(name)
		o.text = append(base64.StdEncoding.AppendEncode(append(o.text, '"'), value), '"')
	}
}

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
