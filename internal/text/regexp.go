package text

import (
	"regexp"
	"sync"
)

// A Regexp is compiled when it is first used. Most starts of the program use none, and a
// variable of this type costs them nothing.
type Regexp struct {
	Expr string

	once     sync.Once
	compiled *regexp.Regexp
}

// Get is [regexp.MustCompile] of the expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Expr) })
	return r.compiled
}
