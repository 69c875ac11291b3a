package plan

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used:
// every start of the program would pay for it, and few read a plan.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
