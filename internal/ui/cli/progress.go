package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/terminal"
)

// A progress is one line on a terminal, written over and over, for somebody who waits
// for something that takes long:
//
//	pawl: importing, 40000 of 100000 tasks made, 12 s
//
// Quick work never shows it. A nil progress shows nothing.
type progress struct {
	w     io.Writer
	begun time.Time
	stop  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	text  string
	shown bool
}

// progress shows how far something is, if somebody watches. Other output appears
// above it.
func (a *app) progress(text string) *progress {
	if !a.json && terminal.Moves(a.env.Stderr, a.env.Getenv) {
		a.waiting = newProgress(a.env.Stderr, text)
	}
	return a.waiting
}

func newProgress(w io.Writer, text string) *progress {
	p := &progress{w: w, begun: time.Now(), stop: make(chan struct{}), text: text}
	p.ended.Go(p.run)
	return p
}

// clearLine goes back to the beginning of the line and empties it.
const clearLine = "\r\x1b[K"

func (p *progress) run() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.aside(func() {
				fmt.Fprintf(p.w, "pawl: %s, %d s", p.text, time.Since(p.begun)/time.Second)
				p.shown = true
			})
		}
	}
}

// aside takes the line away, and then writes something else.
func (p *progress) aside(write func()) {
	if p == nil {
		write()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(p.w, clearLine)
		p.shown = false
	}
	write()
}

// at says how far it is.
func (p *progress) at(format string, args ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = fmt.Sprintf(format, args...)
}

// end takes the line away.
func (p *progress) end() {
	if p == nil {
		return
	}
	close(p.stop)
	p.ended.Wait()
	p.aside(func() {})
}
