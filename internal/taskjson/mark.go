package taskjson

import (
	"bytes"
	"strconv"

	"github.com/pawl-dev/pawl"
)

// Mark returns the highest number in texts of .highwatermark. Lines count only if
// they hold a number that new ids may count on from, so those of git do not:
//
//	<<<<<<< HEAD
//	12
//	=======
//	15
//	>>>>>>> bob
//
// Zero: no line counts, so that no id is known to have been given.
func Mark(texts ...[]byte) pawl.ID {
	highest := pawl.ID(0)
	for _, text := range texts {
		for line := range bytes.Lines(text) {
			if id, ok := number(line); ok {
				highest = max(highest, id)
			}
		}
	}
	return highest
}

// Marks merges the texts of .highwatermark on two sides to the higher number. It is
// not ok if one of them holds none, or something else too.
func Marks(ours, theirs []byte) (merged []byte, ok bool) {
	if !isMark(ours) || !isMark(theirs) {
		return nil, false
	}
	switch o, t := Mark(ours), Mark(theirs); {
	case bytes.Equal(ours, theirs) || o > t:
		return ours, true
	case o < t:
		return theirs, true
	default:
		return append(strconv.AppendInt(nil, int64(o), 10), '\n'), true
	}
}

// isMark reports whether a text holds one number, as .highwatermark does.
func isMark(text []byte) bool {
	_, ok := number(text)
	return ok
}

// number reads a number that new ids may count on from, with white space around it.
func number(text []byte) (pawl.ID, bool) {
	text = bytes.TrimSpace(text)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return pawl.ID(n), err == nil && pawl.ID(n) <= pawl.MaxForeignID
}
