package pawl

import (
	"reflect"
	"runtime"
	"sync/atomic"
)

// deciding counts the functions given to [Board.DoThen] that run at this
// moment, on any board of this process.
var deciding atomic.Int32

// duringUpdate runs a function given to [Board.DoThen]. Its store can answer
// nobody else then, and a call of its board would wait for itself.
//
//go:noinline
func duringUpdate(fn func()) {
	deciding.Add(1)
	defer deciding.Add(-1)
	fn()
}

var duringUpdateEntry = reflect.ValueOf(duringUpdate).Pointer()

// refuseInside returns an error if its caller is inside a function given to
// [Board.DoThen]. It reads the stack, because a caller need not pass on our
// context, and only while such a function runs. The stack does not tell the board:
// two functions that wait for each other's board hang as well, so no board may be
// called inside one.
func refuseInside() error {
	if deciding.Load() == 0 {
		return nil
	}
	var pcs [64]uintptr
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var frame runtime.Frame
			if frame, more = frames.Next(); frame.Entry == duringUpdateEntry {
				return invalid("a function given to DoThen must not call a board: an update is under way").
					Say("use the Reader that the function is given, or call the board after DoThen")
			}
		}
		if n < len(pcs) {
			return nil
		}
	}
}
