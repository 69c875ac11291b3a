package plan

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is first used: every
// start of the program would pay for it, and few read a plan.
type pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}
