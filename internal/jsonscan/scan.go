// Package jsonscan reads JSON that a program is known to write, several times as
// fast as package json does, above all in a process that reads little: package
// json begins with a study of the types that it fills.
//
// A [Scan] decides nothing. It gives up at anything unexpected (a key with escapes,
// null, a number with a fraction, no UTF-8), and package json reads the text
// instead:
//
//	quick := jsonscan.All(text, func(s *jsonscan.Scan) { s.Struct(&v) })
//	if !quick {
//		v = named{}
//		err = json.Unmarshal(text, &v)
//	}
//
// [Append] writes.
package jsonscan

import (
	"encoding/json"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

// A Scan is at one place of a text. Each of its methods reads what comes next.
type Scan struct {
	Usual  []string // texts that need no memory for each time that they are read
	Others bool     // keys without a field are passed over

	text   []byte
	at     int
	gaveUp bool
}

// maxNest is how deep a value may be nested that is passed over: that calls
// itself.
const maxNest = 64

// All reports whether read took the whole text. If it did not, what it has
// filled in means nothing.
func All(text []byte, read func(*Scan)) bool {
	if !utf8.Valid(text) {
		return false
	}
	s := &Scan{text: text}
	read(s)
	s.space()
	return !s.gaveUp && s.at == len(text)
}

// GiveUp leaves the rest unread.
func (s *Scan) GiveUp() { s.gaveUp, s.at = true, len(s.text) }

// Once gives up if a list or an object occurs a second time: package json would mix
// the two.
func (s *Scan) Once(first bool) {
	if !first {
		s.GiveUp()
	}
}

// Object calls field for each key, to read its value.
func (s *Scan) Object(field func(key []byte)) {
	s.want('{')
	if s.got('}') {
		return
	}
	for !s.gaveUp {
		key, plain := s.quoted()
		if !plain {
			s.GiveUp()
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

func (s *Scan) read(into any) {
	switch v := into.(type) {
	case *string:
		*v = s.Text()
	case *int:
		*v = int(s.Int())
	case *int64:
		*v = s.Int()
	case *float64:
		*v = s.Float()
	case *bool:
		*v = s.Bool()
	case *time.Time:
		*v = s.Time()
	case *json.RawMessage:
		*v = s.Raw()
	default:
		s.reflected(reflect.ValueOf(into).Elem())
	}
}

// Array calls element for each one.
func (s *Scan) Array(element func()) {
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

// Text reads a string.
func (s *Scan) Text() string {
	text, ok := s.plain()
	if !ok {
		return s.decoded(text)
	}
	for _, w := range s.Usual {
		if string(text) == w {
			return w
		}
	}
	return string(text)
}

// Int reads a number without a sign, of not too many digits.
func (s *Scan) Int() int64 {
	n := s.Uint()
	if n >= 1e15 {
		s.GiveUp()
		return 0
	}
	return int64(n)
}

// Uint reads a number without a sign.
func (s *Scan) Uint() uint64 {
	digits := s.number()
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil || len(digits) > 1 && digits[0] == '0' {
		s.GiveUp()
		return 0
	}
	return n
}

// Float reads any number.
func (s *Scan) Float() float64 {
	text := s.number()
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !json.Valid(text) {
		s.GiveUp()
		return 0
	}
	return n
}

// Bool reads true or false.
func (s *Scan) Bool() bool {
	s.space()
	switch {
	case s.literal("true"):
		return true
	case !s.literal("false"):
		s.GiveUp()
	}
	return false
}

// Time reads a time as package json writes it.
func (s *Scan) Time() (t time.Time) {
	s.space()
	begin := s.at
	if s.quoted(); !s.gaveUp && t.UnmarshalJSON(s.text[begin:s.at]) != nil {
		s.GiveUp()
	}
	return t
}

// Raw returns any value as it stands there, no copy of it.
func (s *Scan) Raw() json.RawMessage {
	s.space()
	begin := s.at
	s.value(0)
	if s.gaveUp {
		return nil
	}
	return s.text[begin:s.at:s.at]
}

// value passes over any value.
func (s *Scan) value(depth int) {
	s.space()
	if s.at == len(s.text) || depth > maxNest {
		s.GiveUp()
		return
	}
	switch c := s.text[s.at]; {
	case c == '{':
		s.at++
		if s.got('}') {
			return
		}
		for !s.gaveUp {
			s.quoted()
			s.want(':')
			s.value(depth + 1)
			if !s.got(',') {
				s.want('}')
				return
			}
		}
	case c == '[':
		s.at++
		if s.got(']') {
			return
		}
		for !s.gaveUp {
			s.value(depth + 1)
			if !s.got(',') {
				s.want(']')
				return
			}
		}
	case c == '"':
		s.quoted()
	case c == '-' || c >= '0' && c <= '9':
		if !json.Valid(s.number()) {
			s.GiveUp()
		}
	case !s.literal("true") && !s.literal("false") && !s.literal("null"):
		s.GiveUp()
	}
}
