package jsonscan

import (
	"encoding/json"
	"strings"
)

func (s *Scan) space() {
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
func (s *Scan) got(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *Scan) want(c byte) {
	if !s.got(c) {
		s.GiveUp()
	}
}

// quoted returns what is between quotes, and whether that is the text itself.
func (s *Scan) quoted() (inside []byte, plain bool) {
	s.want('"')
	text, at := s.text, s.at
	plain = true
	for at < len(text) {
		switch c := text[at]; {
		case c > '\\' || c != '"' && c != '\\' && c >= ' ': // nearly all
			at++
		case c == '"':
			inside, s.at = text[s.at:at], at+1
			return inside, plain
		case c == '\\' && escape(text[at+1:]) > 0:
			plain = false
			at += 1 + escape(text[at+1:])
		default:
			s.GiveUp()
			return nil, false
		}
	}
	s.GiveUp()
	return nil, false
}

// escape is the length of what may follow a backslash; 0: it may not.
func escape(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	switch text[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		if len(text) < 5 {
			return 0
		}
		for _, c := range text[1:5] {
			if (c < '0' || c > '9') && (c|' ' < 'a' || c|' ' > 'f') {
				return 0
			}
		}
		return 5
	}
	return 0
}

// plain reads a string, and reports whether it returns the text itself. If not,
// it is what stands there, with its quotes.
func (s *Scan) plain() ([]byte, bool) {
	s.space()
	begin := s.at
	inside, plain := s.quoted()
	if plain || s.gaveUp {
		return inside, plain
	}
	return s.text[begin:s.at], false
}

func (s *Scan) decoded(text []byte) string {
	var decoded string
	if s.gaveUp || json.Unmarshal(text, &decoded) != nil {
		s.GiveUp()
		return ""
	}
	return decoded
}

// number returns what looks like one.
func (s *Scan) number() []byte {
	s.space()
	begin := s.at
	for s.at < len(s.text) && strings.IndexByte("+-.0123456789Ee", s.text[s.at]) >= 0 {
		s.at++
	}
	return s.text[begin:s.at]
}

func (s *Scan) literal(word string) bool {
	end := s.at + len(word)
	if end > len(s.text) || string(s.text[s.at:end]) != word {
		return false
	}
	s.at = end
	return true
}
