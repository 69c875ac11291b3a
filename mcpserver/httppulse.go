package mcpserver

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// beat is the longest silence of a stream. Clients on Node drop a stream that is
// silent for five minutes, and a write finds out that a client is gone.
const beat = 15 * time.Second

// sendPatience limits a write to a stream. Clients are notified one after the
// other, so one that does not read would delay the others.
const sendPatience = 10 * time.Second

// A pulse is a response that, as a stream of events, also sends a comment from time
// to time. Each Write arrives whole.
type pulse struct {
	http.ResponseWriter
	begins func() // called before the first event of a stream; may be nil

	mu    sync.Mutex
	ended bool
	timer *time.Timer // nil: not a stream
}

func newPulse(w http.ResponseWriter) *pulse { return &pulse{ResponseWriter: w} }

// FlushError is what http.ResponseController asks for.
func (p *pulse) FlushError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return errEnded
	}
	p.hurry()
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// hurry sets the deadline of the next write to a stream, if the connection supports
// one.
func (p *pulse) hurry() {
	if p.timer != nil {
		http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(sendPatience))
	}
}

var errEnded = errors.New("the request has ended")

func (p *pulse) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.ended:
		return 0, errEnded
	case p.timer != nil:
		p.timer.Reset(beat)
	case strings.HasPrefix(p.Header().Get("Content-Type"), "text/event-stream"):
		p.timer = time.AfterFunc(beat, p.tick)
		if p.begins != nil {
			p.begins()
		}
	}
	p.hurry()
	return p.ResponseWriter.Write(b)
}

// tick sends a comment, which clients ignore.
func (p *pulse) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.hurry()
	if _, err := p.ResponseWriter.Write([]byte(":\n\n")); err != nil {
		return // the request ends by itself
	}
	http.NewResponseController(p.ResponseWriter).Flush()
	p.timer.Reset(beat)
}

// stop ends the request: nothing is written after it.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
		http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Time{}) // the connection may serve another request
	}
}
