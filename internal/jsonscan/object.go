package jsonscan

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// An Object writes a JSON object as package json would, for the same reason as
// a Scan reads one. Each of its methods adds a key, unless its value is zero: as
// with omitempty and omitzero.
//
//	var o jsonscan.Object
//	o.Text("name", v.Name)
//	text := o.End()
type Object struct{ text []byte }

// End returns the object.
func (o *Object) End() []byte {
	if len(o.text) == 0 {
		return []byte("{}")
	}
	return append(o.text, '}')
}

// key begins a value. Names need no escapes.
func (o *Object) key(name string) {
	if len(o.text) == 0 {
		o.text = append(make([]byte, 0, 512), '{')
	} else {
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

// Uint adds a number.
func (o *Object) Uint(name string, value uint64) {
	if value != 0 {
		o.key(name)
		o.text = strconv.AppendUint(o.text, value, 10)
	}
}

// Bool adds what is true.
func (o *Object) Bool(name string, value bool) {
	if value {
		o.key(name)
		o.text = append(o.text, "true"...)
	}
}

// Time adds a time that can be written: package json refuses others, and here
// they are left out.
func (o *Object) Time(name string, value time.Time) {
	if value.IsZero() {
		return
	}
	if text, err := value.MarshalJSON(); err == nil {
		o.Raw(name, text)
	}
}

// Raw adds what is JSON already.
func (o *Object) Raw(name string, value []byte) {
	if value != nil {
		o.key(name)
		o.text = append(o.text, value...)
	}
}

// List adds n values, each of which add appends to a text.
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

// AppendText appends a string in quotes, without the escapes for web pages.
func AppendText(text []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(text, s)
		}
	}
	return append(append(append(text, '"'), s...), '"')
}

func appendEscaped(text []byte, s string) []byte {
	b := bytes.NewBuffer(text)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // which a string never is a reason for
		return append(text, `""`...)
	}
	return b.Bytes()[:b.Len()-len("\n")]
}
