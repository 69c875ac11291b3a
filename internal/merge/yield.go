package merge

import (
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
)

// YieldNote is what a completion becomes that does not stand. It is the same however
// often it is made, so that it does not double.
func YieldNote(y *Yielded, at time.Time) pawl.Note {
	who := y.Owner
	if who == "" {
		who = "nobody named"
	}
	text := "Completed here, too, by " + who
	if y.Held != nil {
		text += fmt.Sprintf(" in %s (claim %d)", y.Held.Clone, y.Held.Token)
	}
	return pawl.Note{At: at, By: mergeName, Text: text}
}
