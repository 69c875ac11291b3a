package setup

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// A mapping is a mapping at the top of a YAML file, read by its lines. Only what
// people and programs write in such files is understood: a block, and {}.
type mapping struct {
	head     int // of its line; -1: it is not there
	from, to int // of the lines below it
	indent   string
	flow     string // what stands behind the colon
}

func readMapping(text []byte, name string) (mapping, error) {
	m := mapping{head: -1, from: len(text), to: len(text)}
	at, number := 0, 0
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	inside, begun, documents := false, false, 0
	for at < len(text) {
		end := endOfLine(text, at)
		line := strings.TrimRight(string(text[at:end]), "\r\n")
		body := strings.TrimLeft(line, " ")
		number++
		switch {
		case strings.HasPrefix(body, "\t"):
			return m, fmt.Errorf("%d:1: it is not YAML here: a tab cannot indent", number)
		case strings.TrimSpace(body) == "" || body[0] == '#':
			// Below ours it would be read as part of ours.
			if first := m.indent == "" && body != "" && len(body) < len(line); inside && (first || m.within(line, body)) {
				m.to = end
			}
		case line == "---" && documents == 0 && !begun:
			documents++
		case line == "---" || line == "...":
			return m, fmt.Errorf("%d:1: it holds several documents", number)
		case len(body) == len(line): // the next key at the top
			inside, begun = false, true
			if !isEntry(line) {
				return m, fmt.Errorf("%d:1: it must hold a mapping: key: value", number)
			}
			key, rest, found := strings.Cut(line, ":")
			if !found || rest != "" && rest[0] != ' ' {
				return m, fmt.Errorf("%d:1: it is not YAML here: a key with a colon is wanted", number)
			}
			if strings.Trim(strings.TrimSpace(key), `"'`) == name {
				if m.head >= 0 {
					return m, fmt.Errorf("%d:1: it has %s twice", number, name)
				}
				inside = true
				m.head, m.from, m.to = at, end, end
				m.flow, _, _ = strings.Cut(rest, " #")
				m.flow = strings.TrimSpace(m.flow)
			}
		case !begun:
			return m, fmt.Errorf("%d:1: its first key is indented", number)
		case inside:
			if m.indent == "" {
				m.indent = line[:len(line)-len(body)]
			}
			if !m.within(line, body) && (!isEntry(body) || !strings.Contains(body, ":") || len(line)-len(body) < len(m.indent)) {
				return m, fmt.Errorf("%d:%d: %s must hold a mapping: key: value", number, len(line)-len(body)+1, name)
			}
			m.to = end
		}
		at = end
	}
	return m, nil
}

// isEntry reports whether a line begins as one of a mapping does that is written
// in a block, and not as a list, a flow, or something that is named or typed.
func isEntry(body string) bool {
	return body != "-" && !strings.HasPrefix(body, "- ") && !strings.HasPrefix(body, "? ") && !strings.ContainsRune("{[&*!|>%@`", rune(body[0]))
}

// within reports whether a line belongs to the entry above it: a seeming comment
// there may be one of the lines of a text.
func (m mapping) within(line, body string) bool {
	return body != "" && m.indent != "" && len(line)-len(body) > len(m.indent)
}

func (m mapping) child(text []byte, name string) (from, to int, found bool) {
	for at := m.from; at < m.to; {
		end := endOfLine(text, at)
		line := strings.TrimRight(string(text[at:end]), "\r\n")
		body := strings.TrimLeft(line, " ")
		switch {
		case body == "" || body[0] == '#' && !m.within(line, body):
		case len(line)-len(body) <= len(m.indent):
			if found {
				return from, to, true
			}
			key, _, _ := strings.Cut(body, ":")
			if found = strings.Trim(key, `"'`) == name; found {
				from, to = at, end
			}
		case found:
			to = end
		}
		at = end
	}
	return from, to, found
}

func lookEntry(text []byte, p Piece) (state, error) {
	m, err := readMapping(text, p.Path[0])
	if err != nil {
		return 0, err
	}
	from, to, found := m.child(text, p.Path[1])
	switch {
	case m.flow != "" && m.flow != "{}" && m.flow != "null" && m.flow != "~":
		return 0, fmt.Errorf("%s is written on one line, where nothing can be added", p.Path[0])
	case !found:
		return missing, nil
	case alike(text[from:to], indented(p.Text, m.indent)):
		return same, nil
	case callsUs(entryCall(string(text[from:to])), entryCall(p.Text)):
		return akin, nil
	}
	return theirs, nil
}

// entryCall are the arguments with which an entry calls pawl.
func entryCall(text string) string {
	var args []string
	ours, listing := false, false
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		item, isItem := strings.CutPrefix(key, "- ")
		switch {
		case key == "cmd":
			ours, listing = agent.IsPawl(value), false
		case key == "args":
			listing = true
			args = strings.Fields(strings.NewReplacer("[", " ", "]", " ", ",", " ", `"`, "", "'", "").Replace(value))
		case listing && isItem:
			args = append(args, strings.Trim(item, `"' `))
		default:
			listing = false
		}
	}
	if !ours {
		return ""
	}
	return strings.Join(args, " ")
}

// indented is an entry in a mapping that indents by so much.
func indented(entry, indent string) string {
	if indent == "" {
		indent = "  "
	}
	var b strings.Builder
	for line := range strings.Lines(entry) {
		depth := len(line) - len(strings.TrimLeft(line, " "))
		b.WriteString(indent + strings.Repeat(indent, depth/2) + line[depth:])
	}
	return b.String()
}

func putEntry(text []byte, p Piece) ([]byte, [][]string, error) {
	m, err := readMapping(text, p.Path[0])
	if err != nil {
		return nil, nil, err
	}
	entry := inside(text, indented(p.Text, m.indent))
	if m.head < 0 {
		out := ended(text)
		out = append(out, p.Path[0]+":"+newline(text)...)
		return append(out, entry...), [][]string{p.Path[:1]}, nil
	}
	head := ended(text[m.head:m.from])
	if m.flow != "" {
		head = bytes.Replace(head, []byte(" "+m.flow), nil, 1)
	}
	out := append(bytes.Clone(text[:m.head]), head...)
	out = append(out, ended(text[m.from:m.to])...)
	out = append(out, entry...)
	return append(out, text[m.to:]...), nil, nil
}

func takeEntry(text []byte, p Piece, made [][]string) ([]byte, error) {
	m, err := readMapping(text, p.Path[0])
	if err != nil {
		return nil, err
	}
	from, to, found := m.child(text, p.Path[1])
	if !found {
		return text, nil
	}
	out := append(bytes.Clone(text[:from]), text[to:]...)
	if m, err = readMapping(out, p.Path[0]); err != nil {
		return nil, err
	}
	if m.indent != "" {
		return out, nil
	}
	if len(made) > 0 {
		return append(bytes.Clone(out[:m.head]), out[m.from:]...), nil
	}
	// A key with nothing below it would no longer be a mapping.
	head := bytes.TrimRight(out[m.head:m.from], "\r\n")
	colon := m.head + bytes.IndexByte(head, ':') + 1
	return append(append(bytes.Clone(out[:colon]), " {}"...), out[colon:]...), nil
}
