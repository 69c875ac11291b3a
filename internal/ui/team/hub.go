package team

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

const (
	// ringFrames and ringBytes bound what a board keeps for streams that are a little
	// late. Streams that are later read the board.
	ringFrames = 512
	ringBytes  = 4 << 20
	// retry is the pause after a board could not be watched.
	retry = time.Second
)

// A hub watches its board for all streams, while one is open. It writes each item as
// JSON once, and keeps the latest in a ring. A stream is a place in the ring: a slow one
// costs no memory and delays nobody.
type hub struct {
	board *board

	mu      sync.Mutex
	streams int
	stop    context.CancelFunc // not nil: it watches
	more    chan struct{}      // closed when something was added
	known   bool
	origin  pawl.Revision
	base    pawl.Revision // later sets are in the ring
	head    pawl.Revision // the latest revision
	era     int           // how often history broke: it was trimmed, or the board replaced
	broke   frame         // what told of the last break
	ring    [ringFrames]frame
	first   uint64 // the number of the oldest frame in the ring
	next    uint64 // the number of the next frame
	size    int    // of the texts in the ring
}

// A frame is an item of streams as a line of JSON, which all of them share.
type frame struct {
	text []byte
	rev  pawl.Revision
}

// join adds a stream, and starts the watching with the first. leave takes it back.
func (h *hub) join(ctx context.Context) (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streams++
	if h.stop == nil {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // it ends with the last stream, or the board
		context.AfterFunc(h.board.ended, stop)
		h.stop, h.more, h.known = stop, make(chan struct{}), false
		go h.watch(ctx)
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.streams--; h.streams == 0 {
			h.stop()
			h.stop = nil
		}
	}
}

// watch follows the board until ctx ends.
func (h *hub) watch(ctx context.Context) {
	for told := ""; ctx.Err() == nil; {
		err := h.follow(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			h.board.log.Warn("the board cannot be watched: "+told, "board", h.board.name)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

func (h *hub) follow(ctx context.Context) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = pawl.Errorf(pawl.Internal, "a fault of pawl's own: %v\n%s", fault, debug.Stack())
		}
	}()
	h.mu.Lock()
	from := query.From{After: h.head, Now: !h.known, Names: true}
	h.mu.Unlock()
	for news, err := range h.board.Watch(ctx, query.Asker{}, from) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil { // another watch may have begun
			return nil
		}
		if news.Set == nil && news.Gone == nil {
			h.begin(ctx, &news)
			continue
		}
		text, err := encode(remote.Item{News: &news})
		if err != nil {
			return err
		}
		h.add(ctx, frame{text, news.Revision}, news.Gone != nil)
	}
	return nil
}

func encode(item remote.Item) ([]byte, error) {
	text, err := json.Marshal(item)
	if err != nil {
		return nil, fmt.Errorf("an item cannot be written as JSON: %w", err)
	}
	return append(text, '\n'), nil
}

// begin records where the board stands when the watch of it begins.
func (h *hub) begin(ctx context.Context, news *query.News) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known || ctx.Err() != nil {
		return
	}
	for h.first < h.next {
		h.drop()
	}
	h.known, h.base, h.head, h.origin = true, news.Revision, news.Revision, news.Origin
	h.era++ // nobody looked for a while
	h.broke = frame{}
	h.wake()
}

// add puts a frame into the ring. After a break in history nothing before it counts.
func (h *hub) add(ctx context.Context, f frame, broke bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	if broke {
		for h.first < h.next {
			h.drop()
		}
		h.era++
		h.broke, h.base, h.head = f, f.rev, f.rev
		h.wake()
		return
	}
	for h.next-h.first == ringFrames || h.first < h.next && h.size+len(f.text) > ringBytes {
		h.drop()
	}
	h.ring[h.next%ringFrames] = f
	h.size += len(f.text)
	h.next++
	h.head = f.rev
	h.wake()
}

// drop takes the oldest frame out of the ring; the caller holds h.mu.
func (h *hub) drop() {
	old := &h.ring[h.first%ringFrames]
	h.base = old.rev
	h.size -= len(old.text)
	*old = frame{}
	h.first++
}

// wake wakes all streams; the caller holds h.mu.
func (h *hub) wake() {
	close(h.more)
	h.more = make(chan struct{})
}

// A place is where a stream is: after a revision and, once what follows is in the ring,
// before a frame.
type place struct {
	after  pawl.Revision
	joined bool
	next   uint64
	era    int
}

// take returns the next frames of a stream and moves its place. wait is not nil if none
// are left; behind says that the stream has to read the board first.
func (h *hub) take(p *place, frames [][]byte) (_ [][]byte, wait <-chan struct{}, behind bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.known {
		return frames, h.more, false
	}
	if p.joined && p.era != h.era && h.broke.text != nil {
		p.era, p.after, p.next = h.era, h.broke.rev, h.first
		frames = append(frames, h.broke.text)
	}
	if p.joined && (p.next < h.first || p.era != h.era) {
		p.joined = false
	}
	if !p.joined {
		if p.after < h.base {
			return frames, nil, true
		}
		h.enter(p)
	}
	const most = 64 // frames of one write
	for ; p.next < h.next && len(frames) < most; p.next++ {
		f := &h.ring[p.next%ringFrames]
		if f.rev <= p.after {
			continue
		}
		p.after = f.rev
		frames = append(frames, f.text)
	}
	if p.next == h.next {
		wait = h.more
	}
	return frames, wait, false
}

// enter finds the frame after the last set that a stream has.
func (h *hub) enter(p *place) {
	p.joined, p.era, p.next = true, h.era, h.next
	for p.next > h.first && p.after < h.head {
		if h.ring[(p.next-1)%ringFrames].rev <= p.after {
			return
		}
		p.next--
	}
}
