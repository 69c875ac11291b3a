package show

import (
	"fmt"

	"github.com/pawl-dev/pawl"
)

// Cut says which edge of a cycle was cut.
func Cut(e pawl.Edge) string {
	if e.Parent {
		return fmt.Sprintf("%v is no longer a child of %v: that closed a cycle", e.Task, e.For)
	}
	return fmt.Sprintf("%v no longer depends on %v: that closed a cycle", e.Task, e.For)
}

// Cuts says which edges were cut before a request.
func Cuts(r *pawl.Result) (said []string) {
	for _, e := range r.Cut {
		said = append(said, Cut(e))
	}
	return said
}

// Cycle names the tasks of a cycle.
func Cycle(ids []pawl.ID) string {
	if len(ids) == 1 {
		return ids[0].String() + " depends on itself"
	}
	return IDs(ids) + " depend on one another"
}
