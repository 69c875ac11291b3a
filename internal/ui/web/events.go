package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

const (
	// heartbeat is the longest silence of a stream: a proxy may close a silent
	// connection, and a write finds out that the client is gone.
	heartbeat = 15 * time.Second
	beatText  = ":\n\n"
	// patience limits a write to a client, which then counts as gone.
	patience = 10 * time.Second
)

// events streams changes until the client or the server ends the stream.
func (v *visit) events(w http.ResponseWriter, r *http.Request) (any, error) {
	after, resumes, err := resumesAfter(r)
	if err != nil {
		return nil, err
	}
	if _, _, err := v.Open(r.Context(), false); err != nil {
		return nil, err // later ones are waited for
	}
	feed, leave, err := v.join()
	if err != nil {
		return nil, err
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	c := &stream{visit: v, feed: feed, w: w, control: http.NewResponseController(w), ended: r.Context().Done()}
	defer c.control.SetWriteDeadline(time.Time{}) // the connection may serve another request
	if err := c.run(r, after, resumes); err != nil && r.Context().Err() == nil {
		v.Log.Info("a stream of events ended", "err", err) // its client reconnects
	}
	return nil, nil
}

// resumesAfter returns the revision after which a stream continues, if the request
// has one. A browser that reconnects repeats its URL and adds a header.
func resumesAfter(r *http.Request) (after pawl.Revision, resumes bool, err error) {
	a := askedOf(r)
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		return pawl.Revision(a.number("after", 0)), a.has("after"), nil
	}
	n, err := number(last)
	if err != nil {
		return 0, false, fault("Last-Event-ID", "is "+strconv.Quote(text.Clip(last, 40))+", not the id of an event")
	}
	return pawl.Revision(n), true, nil
}

// A stream is one listening client.
type stream struct {
	*visit
	feed    *feed
	w       http.ResponseWriter
	control *http.ResponseController
	ended   <-chan struct{}
}

func (c *stream) run(r *http.Request, after pawl.Revision, resumes bool) error {
	if err := c.write(nil); err != nil { // the answer has begun, though it may be long until there is a board
		return err
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	p, wait := c.feed.start(after, resumes)
	for wait != nil {
		if on, err := c.wait(wait, beat); !on {
			return err
		}
		p, wait = c.feed.start(after, resumes)
	}
	text := c.feed.begins(p.after)
	var err error
	for {
		var behind query.Board
		text, wait, behind = c.feed.take(&p, c.By.Name, text)
		if behind != nil {
			if text, err = p.catchUp(r.Context(), behind, c.By.Name, text); err != nil {
				return err
			}
			if len(text) == 0 {
				text = append(text, beatText...)
			}
		}
		if len(text) > 0 {
			if err := c.write(text); err != nil {
				return err
			}
			beat.Reset(heartbeat)
			if text = text[:0]; cap(text) > 2*batch {
				text = nil
			}
		}
		if wait == nil {
			continue
		}
		if on, err := c.wait(wait, beat); !on {
			return err
		}
	}
}

// wait waits for more and sends heartbeats. It returns false when the stream has
// ended.
func (c *stream) wait(more <-chan struct{}, beat *time.Ticker) (bool, error) {
	for {
		select {
		case <-c.ended:
			return false, nil
		case <-more:
			return true, nil
		case <-beat.C:
			if err := c.write([]byte(beatText)); err != nil {
				return false, err
			}
		}
	}
}

// write sends text at once, or fails if the client does not read.
func (c *stream) write(text []byte) error {
	if err := c.control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := c.w.Write(text); err != nil {
		return err
	}
	return c.control.Flush()
}
