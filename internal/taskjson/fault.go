package taskjson

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A Fault says why a text cannot be read as a task, and where.
type Fault struct {
	Line    int // counted from 1
	Column  int // in characters, counted from 1
	Problem string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Problem)
}

// faultAt makes the fault at an offset. If the text has conflict markers, these are
// the fault, whatever the reader met: no JSON has such a line.
func faultAt(text []byte, at int, format string, args ...any) *Fault {
	problem := fmt.Sprintf(format, args...)
	if marker := conflictMarker(text); marker >= 0 {
		at, problem = marker, "unresolved git conflict"
	}
	before := text[:at]
	line := bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	if start == 0 {
		start = len(text) - len(trimMark(text)) // a byte order mark has no width
	}
	return &Fault{Line: line + 1, Column: utf8.RuneCount(text[min(start, at):at]) + 1, Problem: problem}
}

// conflictMarker returns where the first line begins that git wrote into a file
// it could not merge, or -1.
func conflictMarker(text []byte) int {
	for at := 0; at < len(text); {
		line := text[at:]
		if len(line) >= 7 {
			switch c := line[0]; c {
			case '<', '=', '>', '|':
				rest := bytes.TrimLeft(line, string(c))
				if len(line)-len(rest) == 7 && (len(rest) == 0 || bytes.IndexByte([]byte(" \r\n"), rest[0]) >= 0) {
					return at
				}
			}
		}
		next := bytes.IndexByte(line, '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return -1
}
