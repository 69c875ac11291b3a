package merge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// YieldNote is the note that replaces a completion that yielded. Repeated calls make
// equal notes, so that it does not double.
//
//	Also completed by ada in mac-mini-3f2a9c1d (claim 17).
func YieldNote(owner string, beside Beside, at time.Time) pawl.Note {
	w := work{owner: owner, beside: beside}
	var b strings.Builder
	b.WriteString("Also completed")
	w.say(&b)
	return pawl.Note{At: at, By: mergeName, Text: b.String() + "."}
}

// noteReopened keeps in a note who completed a task that the merge reopens:
//
//	Completed by ada in mac-mini-3f2a9c1d (claim 17), and reopened: a child of it is open.
func (m *merger) noteReopened(f *fields) {
	var b strings.Builder
	b.WriteString("Completed")
	f.say(&b)
	b.WriteString(", and reopened: a child of it is open.")
	n := note{words{text: b.String()}, f.completed, mergeName}
	if !slices.ContainsFunc(f.notes, func(m note) bool { return m.raw() == n.raw() }) {
		f.notes = append(slices.Clip(f.notes), n)
	}
}

// say tells who did it.
func (a work) say(b *strings.Builder) {
	if a.owner != "" {
		fmt.Fprintf(b, " by %s", a.owner)
	}
	ended := a.beside.Ended
	if h := a.beside.Held; h != nil {
		ended = EndedUnder(h.Clone, h)
	}
	clone, token, under := strings.Cut(ended, "/")
	if clone != "" {
		b.WriteString(" in " + clone)
	}
	if under {
		b.WriteString(" (claim " + token + ")")
	}
}
