package plan

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
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

// find matches a text that must begin with one of some characters: most lines are
// told by that alone.
func (p *pattern) find(text, first string) []string {
	r, _ := utf8.DecodeRuneInString(text)
	if !strings.ContainsRune(first, r) {
		return nil
	}
	return p.get().FindStringSubmatch(text)
}
