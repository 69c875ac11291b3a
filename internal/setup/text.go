package setup

import (
	"bytes"
	"strings"
)

// Our part of a Markdown file.
const (
	blockBegin = "<!-- pawl: begin. Written by pawl setup; pawl setup --remove takes it out. -->"
	blockEnd   = "<!-- pawl: end -->"
)

// block finds our part, from its first mark to the end of its last one's line.
// If a mark was lost, the other one is not a part: text between it and the
// next part is somebody's.
func block(text []byte) (from, to int, found bool) {
	for {
		n := bytes.Index(text[to:], []byte(blockEnd))
		if n < 0 {
			return 0, 0, false
		}
		begin := bytes.LastIndex(text[to:to+n], []byte("<!-- pawl: begin"))
		from, to = to+begin, to+n+len(blockEnd)
		if begin >= 0 {
			return from, endOfLine(text, to), true
		}
	}
}

// endOfLine is the offset behind the line that at is in.
func endOfLine(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

func newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// inside is a text of ours with the ends of lines that a file has.
func inside(text []byte, ours string) []byte {
	return []byte(strings.ReplaceAll(ours, "\n", newline(text)))
}

// alike reports whether lines are ours, whatever their line ends.
func alike(text []byte, ours string) bool {
	return strings.ReplaceAll(string(ended(text)), "\r\n", "\n") == ours
}

func ended(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return append(bytes.Clone(text), newline(text)...)
	}
	return bytes.Clone(text)
}

// after adds our lines behind a text, with an empty line between.
func after(text []byte, ours string) []byte {
	out := ended(text)
	if len(bytes.TrimSpace(out)) > 0 {
		out = append(out, newline(text)...)
	}
	return append(out, inside(text, ours)...)
}

// without takes lines out, and the empty line before them.
func without(text []byte, from, to int) []byte {
	for _, end := range []string{"\r\n", "\n"} {
		if before, ok := bytes.CutSuffix(text[:from], []byte(end+end)); ok {
			from = len(before) + len(end)
			break
		}
	}
	return append(bytes.Clone(text[:from]), text[to:]...)
}

func lookBlock(text []byte, p Piece) (state, error) {
	from, to, found := block(text)
	switch {
	case !found:
		return missing, nil
	case alike(text[from:to], p.Text):
		return same, nil
	}
	return akin, nil
}

func putBlock(text []byte, p Piece) ([]byte, [][]string, error) {
	return after(text, p.Text), nil, nil
}

func takeBlock(text []byte, _ Piece, _ [][]string) ([]byte, error) {
	from, to, found := block(text)
	if !found {
		return text, nil
	}
	return without(text, from, to), nil
}

func lookWhole(text []byte, p Piece) (state, error) {
	switch {
	case text == nil:
		return missing, nil
	case string(text) == p.Text:
		return same, nil
	}
	return theirs, nil
}

func putWhole(_ []byte, p Piece) ([]byte, [][]string, error) { return []byte(p.Text), nil, nil }

func takeWhole([]byte, Piece, [][]string) ([]byte, error) { return nil, nil }
