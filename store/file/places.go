package file

import (
	"slices"
	"sync"

	"github.com/pawl-dev/pawl"
)

// places are where in the journal readers of history have come to, so that who
// follows it does not read the same part again and again.
type places struct {
	mu   sync.Mutex
	kept []line // the last one that was read, each time; without its content
}

const maxPlaces = 16 // more than there are followers

// keep notes that everything up to a line has been read.
func (p *places) keep(last line) {
	if last.segment == 0 {
		return
	}
	last.body = nil
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.DeleteFunc(p.kept, func(l line) bool { return l.rev == last.rev })
	p.kept = append(p.kept[max(0, len(p.kept)-maxPlaces+1):], last)
}

// find returns where the history after a revision begins, if somebody has come
// there and the journal is still the same; else zero.
func (p *places) find(fs fileSystem, after pawl.Revision) position {
	p.mu.Lock()
	i := slices.IndexFunc(p.kept, func(l line) bool { return l.rev == after })
	if i < 0 {
		p.mu.Unlock()
		return position{}
	}
	last := p.kept[i]
	p.mu.Unlock()
	r, err := readRecord(fs, position{last.segment, last.start})
	if err != nil || r.Rev != after {
		return position{}
	}
	return position{last.segment, last.end}
}
