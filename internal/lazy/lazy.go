// Package lazy makes what most starts of the program do not need, when it is first used.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is [regexp.MustCompile] at the first call of what it returns.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
