package merge

import (
	"bytes"

	"github.com/pawl-dev/pawl"
)

// Boards merges two boards that have the bases in common: the boards of the
// commits that git calls their merge bases, in order of commit id. Without a base
// nothing is known to have been deleted, so nothing is.
//
// The same boards give the same result whichever is called ours, and merging what
// is merged already changes no byte.
func Boards(bases []Board, ours, theirs Board) (Board, Report) {
	merged := Board{Tasks: map[pawl.ID][]byte{}, Mark: max(ours.Mark, theirs.Mark)}
	var report Report
	base := map[pawl.ID][]byte{}
	for _, b := range bases {
		for id, text := range b.Tasks {
			base[id] = text
		}
	}
	for _, side := range []Board{ours, theirs} {
		for id := range side.Tasks {
			o, t, b := ours.Tasks[id], theirs.Tasks[id], base[id]
			text := o
			if bytes.Equal(o, b) || o == nil && !bytes.Equal(t, b) {
				text = t
			}
			if text != nil {
				merged.Tasks[id] = text
			}
		}
	}
	return merged, report
}
