package nudge

import (
	"fmt"
	"strings"
)

// A part is lines of a recovery that are about one thing.
type part struct {
	head  string
	lines []string
	total int // lines that there would be with all the room in the world
	taken int
}

func (p *part) write(b *strings.Builder) {
	if p.taken == 0 {
		return
	}
	b.WriteString(p.head)
	for _, text := range p.lines[:p.taken] {
		b.WriteString(text)
	}
	if more := p.total - p.taken; more > 0 {
		fmt.Fprintf(b, "… and %d more\n", more)
	}
}

// A budget is the room that there is, in sixths of a token. Once something has
// found none, nothing less important gets any.
type budget struct {
	left  int
	taken int // lines
	spent bool
}

func (b *budget) spend(text string) bool {
	n := tokens(text)
	if b.spent = b.spent || n > b.left; b.spent {
		return false
	}
	b.left -= n
	return true
}

// take takes lines of a part, the next ones, until it has so many or there is no
// room for more.
func (b *budget) take(p *part, upTo int) {
	for p.taken < min(upTo, len(p.lines)) {
		text := p.lines[p.taken]
		if p.taken == 0 {
			text += p.head + "… and 10000 more\n" // room for both, needed or not
		}
		if !b.spend(text) {
			return
		}
		p.taken++
		b.taken++
	}
}
