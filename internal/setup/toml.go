package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/agent"
)

// A statement is a line of a TOML file that says something, or several lines:
//
//	[mcp_servers.pawl]     a header
//	args = ["mcp"]         a key with its value
type statement struct {
	from, to int      // to: behind the end of its line
	path     []string // of a header; of a key with the table that it is in
	header   bool
	value    []byte
}

// statements reads a TOML file as far as tables and keys go. It is tolerant of
// values, but not of what makes it uncertain where something ends.
func statements(text []byte) ([]statement, error) {
	s := tomlScanner{text: text}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		s.at = 3
	}
	var all []statement
	var table []string
	for {
		s.space(true)
		if s.at == len(text) {
			return all, nil
		}
		st := statement{from: s.at}
		if text[s.at] == '[' {
			st.header = true
			s.at++
			double := s.skip('[')
			s.space(false)
			st.path = s.key()
			if st.path == nil || !s.skip(']') || double && !s.skip(']') {
				return nil, s.fault("is not TOML here: the name of a table is wanted")
			}
			table = st.path
		} else {
			key := s.key()
			if key == nil || !s.skip('=') {
				return nil, s.fault("is not TOML here: a key with a value is wanted")
			}
			s.space(false)
			from := s.at
			if !s.value() {
				return nil, s.fault("is not TOML here: a value is not ended")
			}
			st.path = append(slices.Clone(table), key...)
			st.value = text[from:s.at]
		}
		s.space(false)
		if s.at < len(text) && text[s.at] != '\n' && text[s.at] != '\r' {
			return nil, s.fault("is not TOML here: something is behind a value")
		}
		st.to = endOfLine(text, s.at)
		s.at = st.to
		all = append(all, st)
	}
}

type tomlScanner struct {
	text []byte
	at   int
}

func (s *tomlScanner) fault(what string) error {
	before := s.text[:s.at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Errorf("%d:%d: it %s", bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[start:])+1, what)
}

// space skips space and comments, of several lines where that is asked for.
func (s *tomlScanner) space(lines bool) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t':
		case lines && (c == '\n' || c == '\r'):
		case c == '#':
			n := bytes.IndexByte(s.text[s.at:], '\n')
			if n < 0 {
				s.at = len(s.text)
				return
			}
			s.at += n
			continue
		default:
			return
		}
		s.at++
	}
}

func (s *tomlScanner) skip(c byte) bool {
	s.space(false)
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// key reads a key with dots; nil is none.
func (s *tomlScanner) key() (path []string) {
	for {
		s.space(false)
		from := s.at
		switch {
		case s.at == len(s.text):
			return nil
		case s.text[s.at] == '"' || s.text[s.at] == '\'':
			if !s.quoted() {
				return nil
			}
			path = append(path, string(s.text[from+1:s.at-1]))
		default:
			for s.at < len(s.text) && bareKey(s.text[s.at]) {
				s.at++
			}
			if s.at == from {
				return nil
			}
			path = append(path, string(s.text[from:s.at]))
		}
		if !s.skip('.') {
			return path
		}
	}
}

func bareKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// quoted skips a string, of several lines also.
func (s *tomlScanner) quoted() bool {
	quote := s.text[s.at : s.at+1]
	if long := bytes.Repeat(quote, 3); bytes.HasPrefix(s.text[s.at:], long) {
		s.at += 3
		for s.at < len(s.text) {
			if bytes.HasPrefix(s.text[s.at:], long) {
				s.at += 3
				for s.at < len(s.text) && s.text[s.at] == quote[0] { // it may end with some
					s.at++
				}
				return true
			}
			if quote[0] == '"' && s.text[s.at] == '\\' {
				s.at++
			}
			s.at++
		}
		s.at = len(s.text)
		return false
	}
	for s.at++; s.at < len(s.text) && s.text[s.at] != '\n'; s.at++ {
		switch {
		case s.text[s.at] == quote[0]:
			s.at++
			return true
		case quote[0] == '"' && s.text[s.at] == '\\' && s.at+1 < len(s.text):
			s.at++
		}
	}
	s.at = min(s.at, len(s.text))
	return false
}

func (s *tomlScanner) value() bool {
	from, depth := s.at, 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"' || c == '\'':
			if !s.quoted() {
				return false
			}
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth < 0 {
				return false
			}
		case c == '#':
			if depth == 0 {
				return s.at > from
			}
			s.space(false)
			continue
		case (c == '\n' || c == '\r') && depth == 0:
			return s.at > from
		}
		s.at++
	}
	return depth == 0 && s.at > from
}

// below reports whether a path is the given one, or leads further.
func below(path, top []string) bool {
	return len(path) >= len(top) && slices.Equal(path[:len(top)], top)
}

func lookTable(text []byte, p Piece) (state, error) {
	all, err := statements(text)
	if err != nil {
		return 0, err
	}
	ours, _ := statements([]byte(p.Text))
	found := missing
	for _, st := range all {
		if !st.header && len(st.path) < len(p.Path) && below(p.Path, st.path) {
			line := bytes.Count(text[:st.from], []byte("\n")) + 1
			return 0, fmt.Errorf("%d:1: %s is written as a value, to which nothing can be added", line, strings.Join(st.path, "."))
		}
		if !below(st.path, p.Path) {
			continue
		}
		found = theirs
		if st.header && slices.Equal(st.path, p.Path) {
			from, to := tableSpan(text, all, p.Path)
			switch {
			case alike(text[from:to], p.Text):
				return same, nil
			case callsUs(tableCalls(all, p.Path), tableCalls(ours, p.Path)):
				return akin, nil
			}
			return theirs, nil
		}
	}
	return found, nil
}

// tableCalls are the arguments with which a table calls pawl; empty: it calls
// something else.
func tableCalls(all []statement, path []string) string {
	var command, args string
	for _, st := range all {
		if st.header || len(st.path) != len(path)+1 || !below(st.path, path) {
			continue
		}
		value := strings.TrimSpace(string(st.value))
		switch st.path[len(path)] {
		case "command":
			command = strings.Trim(value, `"'`)
		case "args":
			args = strings.Join(strings.Fields(strings.NewReplacer("[", " ", "]", " ", ",", " ", `"`, "", "'", "").Replace(value)), " ")
		}
	}
	if !agent.IsPawl(command) {
		return ""
	}
	return args
}

func putTable(text []byte, p Piece) ([]byte, [][]string, error) { return after(text, p.Text), nil, nil }

// tableSpan is where a table is, from our comment above it to the last of its
// keys. Other text behind it belongs to the next one.
func tableSpan(text []byte, all []statement, path []string) (from, to int) {
	in := false
	for _, st := range all {
		switch {
		case st.header && slices.Equal(st.path, path):
			from, to, in = st.from, st.to, true
		case st.header:
			in = false
		case in:
			to = st.to
		}
	}
	return commentAbove(text, from), to
}

func commentAbove(text []byte, from int) int {
	start := bytes.LastIndexByte(bytes.TrimSuffix(text[:from], []byte("\n")), '\n') + 1
	if bytes.HasPrefix(text[start:from], []byte(agent.TOMLMark)) {
		return start
	}
	return from
}

func takeTable(text []byte, p Piece, _ [][]string) ([]byte, error) {
	for {
		all, err := statements(text)
		if err != nil {
			return nil, err
		}
		// A table that others added below ours means nothing without it.
		i := slices.IndexFunc(all, func(st statement) bool { return st.header && below(st.path, p.Path) })
		if i < 0 {
			return text, nil
		}
		from, to := tableSpan(text, all, all[i].path)
		text = without(text, from, to)
	}
}
