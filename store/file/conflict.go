package file

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/taskjson"
)

// markers are the lines that git writes around the versions of a text that it
// could not merge.
const (
	oursMarker   = "<<<<<<<"
	baseMarker   = "|||||||"
	splitMarker  = "======="
	theirsMarker = ">>>>>>>"
)

// leftByGit names the versions that git has left in a text, each by its branch
// and, where it can be read, by what it says. It is empty where git has left none.
func leftByGit(text []byte) []string {
	var ours, theirs []byte // the whole text with one side of each conflict
	var names [2]string
	side, found := "", false
	for line := range bytes.Lines(text) {
		marker, label := markerOf(line)
		switch marker {
		case "":
			if side == "" || side == oursMarker {
				ours = append(ours, line...)
			}
			if side == "" || side == splitMarker {
				theirs = append(theirs, line...)
			}
			continue
		case oursMarker:
			names[0] = label
		case theirsMarker:
			names[1] = label
		}
		found = true
		if side = marker; marker == theirsMarker {
			side = ""
		}
	}
	if !found {
		return nil
	}
	return []string{describe(names[0], "ours", ours), describe(names[1], "theirs", theirs)}
}

// markerOf returns the marker that a line is, and what stands behind it.
func markerOf(line []byte) (marker, label string) {
	for _, marker := range []string{oursMarker, baseMarker, splitMarker, theirsMarker} {
		rest, ok := bytes.CutPrefix(line, []byte(marker))
		if ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \r\n"), rest[0]) >= 0) {
			return marker, strings.TrimSpace(string(rest))
		}
	}
	return "", ""
}

func describe(label, otherwise string, text []byte) string {
	if label == "" {
		label = otherwise
	}
	file, err := taskjson.Decode(text)
	if err != nil {
		return label
	}
	return fmt.Sprintf("%s (%q, %s)", label, file.Task.Subject, file.Task.Status)
}
