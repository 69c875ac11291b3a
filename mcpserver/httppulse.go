package mcpserver

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// beat is how long a stream is silent at most. Clients that run on Node drop one
// that says nothing for five minutes, and a client that is gone without a word is
// found out by it.
const beat = 15 * time.Second

// sendPatience is how long a client may take for what is written to its stream. What
// is told to all clients is told to one after the other, so one that takes nothing
// would keep it from the others.
const sendPatience = 10 * time.Second

// A pulse is an answer that says something from time to time where it is a stream
// of events. What is written at once arrives as a whole.
type pulse struct {
	http.ResponseWriter
	begins func() // called when it turns out to be a stream, before anything is written; may be nil

	mu    sync.Mutex
	ended bool
	timer *time.Timer // nil: it is no stream
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

// hurry gives a stream a time for what is written next. Where the connection
// knows no such thing there is none.
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

// tick says a comment, which clients pass over.
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

// stop is the end of the request, after which nothing may be written.
func (p *pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
		http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Time{}) // the connection may be asked again
	}
}
