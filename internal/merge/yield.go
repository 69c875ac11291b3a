package merge

import (
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// YieldNote is what a completion becomes that does not stand. It is the same however
// often it is made, so that it does not double.
//
//	Also completed by ada in mac-mini-3f2a9c1d (claim 17).
func YieldNote(owner string, beside Beside, at time.Time) pawl.Note {
	w := work{owner: owner, beside: beside}
	var b strings.Builder
	b.WriteString("Also completed")
	w.say(&b)
	return pawl.Note{At: at, By: mergeName, Text: b.String() + "."}
}
