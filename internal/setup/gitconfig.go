package setup

import (
	"bytes"
	"slices"
	"strings"
)

// A section of git's configuration.

// A configLine is a line of such a file, with those that continue it.
type configLine struct {
	from, to int
	header   string   // of a section: merge "pawl"; else empty
	section  []string // that it is in: merge, pawl
	key      string   // in small letters
	value    string   // as it is written
}

// configLines reads the lines. Other lines, such as comments, have no header and no
// key.
func configLines(text []byte) (lines []configLine) {
	var section []string
	for at := 0; at < len(text); {
		l := configLine{from: at, to: endOfLine(text, at)}
		for continues(text[l.from:l.to]) && l.to < len(text) {
			l.to = endOfLine(text, l.to)
		}
		line := strings.TrimSpace(string(text[l.from:l.to]))
		if header, ok := strings.CutPrefix(line, "["); ok {
			l.header, line, _ = strings.Cut(header, "]")
			name, sub, _ := strings.Cut(l.header, ` "`)
			section = []string{strings.ToLower(strings.TrimSpace(name)), strings.TrimSuffix(sub, `"`)}
			line = strings.TrimSpace(line) // a comment, or a first key
		}
		if line != "" && line[0] != '#' && line[0] != ';' {
			key, value, _ := strings.Cut(line, "=")
			l.key, l.value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		}
		l.section = section
		lines = append(lines, l)
		at = l.to
	}
	return lines
}

// continues reports whether the next line belongs to this one: it ends in a backslash
// that is not escaped.
func continues(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	return (len(line)-len(bytes.TrimRight(line, `\`)))%2 == 1
}

func valuesOf(text []byte, section []string) map[string]string {
	values := map[string]string{}
	for _, l := range configLines(text) {
		if l.key != "" && slices.Equal(l.section, section) {
			values[l.key] = l.value
		}
	}
	return values
}

func lookSection(text []byte, p Piece) (state, error) {
	is, want := valuesOf(text, p.Path), valuesOf([]byte(p.Text), p.Path)
	switch driver, ok := is["driver"]; {
	case !ok:
		return missing, nil
	case driver == want["driver"]:
		return same, nil
	case strings.HasSuffix(strings.TrimSuffix(driver, `"`), driverArguments):
		return akin, nil
	}
	return theirs, nil
}

func putSection(text []byte, p Piece) ([]byte, [][]string, error) {
	return append(ended(text), inside(text, p.Text)...), nil, nil
}

// takeSection takes out the lines that setup writes, and the header when nothing is
// left below it.
func takeSection(text []byte, p Piece, _ [][]string) ([]byte, error) {
	var out []byte
	lines := configLines(text)
	for i := 0; i < len(lines); {
		n := i + 1
		for n < len(lines) && lines[n].header == "" {
			n++
		}
		block := lines[i:n]
		ours := func(l configLine) bool {
			return slices.Equal(l.section, p.Path) && l.header == "" && (l.key == "driver" || l.key == "name" && l.value == driverName)
		}
		left := slices.DeleteFunc(slices.Clone(block), ours)
		said := func(l configLine) bool {
			return l.key != "" || l.header == "" && len(bytes.TrimSpace(text[l.from:l.to])) > 0
		}
		if len(left) < len(block) && !slices.ContainsFunc(left, said) {
			left = slices.DeleteFunc(left, func(l configLine) bool { return l.header != "" })
		}
		for _, l := range left {
			out = append(out, text[l.from:l.to]...)
		}
		i = n
	}
	return out, nil
}
