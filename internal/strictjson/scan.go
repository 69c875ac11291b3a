package strictjson

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// A scanner reads what is JSON without doubt, several times as fast as the tokens of
// package json come. It says nothing of what it does not read: package json knows that.
type scanner struct {
	raw    []byte
	text   string // the same, of which texts without escapes are parts
	at     int
	left   int      // how many values there may be yet
	names  []string // of the objects that are being read, the innermost last
	values []Node   // the same, of lists too
}

// scan is parse of a text that has nothing wrong with it; ok is false of any other.
func scan(text []byte, depth, values int) (root Node, ok bool) {
	if !utf8.Valid(text) || Halved(text) {
		return Node{}, false
	}
	s := scanner{raw: text, text: string(text), left: values}
	root, ok = s.value(depth)
	return root, ok && s.next() == 0
}

// next passes over spaces, and returns what follows; zero: nothing.
func (s *scanner) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
		case 0:
			return 1
		default:
			return c
		}
	}
	return 0
}

// value reads a value in which brackets may nest so much deeper.
func (s *scanner) value(deeper int) (n Node, ok bool) {
	if s.left--; deeper < 0 || s.left < 0 {
		return n, false
	}
	c := s.next()
	begin := s.at
	switch {
	case c == '{' || c == '[':
		n.Kind = c
		ok = s.inside(&n, deeper-1)
	case c == '"':
		n.Kind = '"'
		n.Text, ok = s.quoted()
	case c == '-' || c >= '0' && c <= '9':
		n.Kind = '0'
		ok = s.number()
		n.Text = s.text[begin:s.at]
	case c == 't':
		n.Kind, n.Text, ok = 't', "true", s.word("true")
	case c == 'f':
		n.Kind, n.Text, ok = 't', "false", s.word("false")
	case c == 'n':
		n.Kind, ok = 'n', s.word("null")
	}
	n.raw = s.raw[begin:s.at]
	return n, ok
}

// inside reads what is in brackets.
func (s *scanner) inside(n *Node, deeper int) bool {
	end := n.Kind + 2 // in ASCII both sorts of brackets stand so
	names, values := len(s.names), len(s.values)
	s.at++
	if s.next() == end {
		s.at++
		return true
	}
	for {
		if n.Kind == '{' {
			if s.next() != '"' {
				return false
			}
			name, ok := s.quoted()
			if !ok || s.next() != ':' {
				return false
			}
			s.at++
			s.names = append(s.names, name)
		}
		v, ok := s.value(deeper)
		if !ok {
			return false
		}
		s.values = append(s.values, v)
		switch s.next() {
		case ',':
			s.at++
		case end:
			s.at++
			if n.Kind == '{' {
				n.Names = slices.Clone(s.names[names:])
			}
			n.Values = slices.Clone(s.values[values:])
			s.names, s.values = s.names[:names], s.values[:values]
			return true
		default:
			return false
		}
	}
}

// quoted reads a text.
func (s *scanner) quoted() (text string, ok bool) {
	begin := s.at
	escaped := false
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			if !escaped {
				return s.text[begin+1 : s.at-1], true
			}
			err := json.Unmarshal(s.raw[begin:s.at], &text)
			return text, err == nil
		case c == '\\':
			escaped = true
			s.at++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// number passes over a number.
func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return false
	}
	if s.peek() == '.' {
		if s.at++; !s.digits() {
			return false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) digits() bool {
	begin := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > begin
}

func (s *scanner) word(word string) bool {
	if !bytes.HasPrefix(s.raw[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}
