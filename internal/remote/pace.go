package remote

import (
	"io"
	"sync"
	"time"
)

// slowest is how many bytes of a long text are waited for a second longer, as a server
// waits.
const slowest = 64 << 10

// A pace puts off the end of a call with what moves of it.
type pace struct {
	mu    sync.Mutex
	timer *time.Timer
	ends  time.Time
	moved int
	fixed bool // it is for a moment, whatever moves
}

func (p *pace) move(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.moved += n; p.moved > slowest && !p.fixed && p.timer.Stop() {
		p.ends = p.ends.Add(time.Duration(n) * time.Second / slowest)
		p.timer.Reset(time.Until(p.ends))
	}
}

// A paced text tells what is read of it.
type paced struct {
	io.Reader
	pace *pace
}

func (r paced) Read(to []byte) (int, error) {
	n, err := r.Reader.Read(to)
	r.pace.move(n)
	return n, err
}
