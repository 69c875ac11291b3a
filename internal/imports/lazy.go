package imports

import (
	"regexp"
	"sync"
)

// A Pattern is a regular expression that is compiled when it is first used. All
// formats are part of each start of the program, and most starts read none.
type Pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// Lazy returns a pattern. Like [regexp.MustCompile] it is for constants.
func Lazy(expr string) *Pattern { return &Pattern{expr: expr} }

func (p *Pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

// The methods are those of [regexp.Regexp].

func (p *Pattern) Match(b []byte) bool                    { return p.get().Match(b) }
func (p *Pattern) FindSubmatchIndex(b []byte) []int       { return p.get().FindSubmatchIndex(b) }
func (p *Pattern) MatchString(s string) bool              { return p.get().MatchString(s) }
func (p *Pattern) FindStringSubmatch(s string) []string   { return p.get().FindStringSubmatch(s) }
func (p *Pattern) FindStringSubmatchIndex(s string) []int { return p.get().FindStringSubmatchIndex(s) }
func (p *Pattern) FindString(s string) string             { return p.get().FindString(s) }
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.get().FindAllStringSubmatch(s, n)
}
func (p *Pattern) ReplaceAllString(s, with string) string { return p.get().ReplaceAllString(s, with) }
