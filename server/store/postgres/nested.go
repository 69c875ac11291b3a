package postgres

import (
	"reflect"
	"runtime"

	"github.com/pawl-dev/pawl"
)

// look runs the function of a view.
//
//go:noinline
func look(fn func(pawl.Reader) error, r *reader) error { return fn(r) }

var lookEntry = reflect.ValueOf(look).Pointer()

// fewViews is how many views may run before it is worth finding out which of them are
// inside another one.
const fewViews = 4

// inside reports whether the caller is the function of a view. A view inside another one
// holds two connections: with one pool for both, as many views as it has connections would
// wait for each other. The stack tells, since nothing says that a caller passes on a
// context of ours.
func inside() bool {
	var pcs [64]uintptr
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var frame runtime.Frame
			if frame, more = frames.Next(); frame.Entry == lookEntry {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}
