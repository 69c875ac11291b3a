package web

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// The hub is one pair of eyes for all streams: it watches the board and the todo
// lists as long as somebody listens, makes each frame once, and keeps the latest
// in a ring. A stream is a place in it. What is no longer there, or not yet, a
// stream reads from the board itself, so nobody who is slow holds up the others
// or takes memory.

const (
	// maxStreams bounds the streams that are open at the same time: 200 pages and
	// programs are more than a board has, and each costs a connection.
	maxStreams = 256
	// ringFrames and ringBytes bound what is kept for those who are a little late:
	// ten seconds of a busy board.
	ringFrames = 1_024
	ringBytes  = 8 << 20
	// retry is how long a board rests that could not be read.
	retry = time.Second
)

type hub struct {
	mu      sync.Mutex
	streams int
	feed    *feed // not nil: somebody listens
}

// join begins a stream; leave ends it. The first one begins to watch.
func (s *Server) join() (f *feed, leave func(), err error) {
	h := &s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.streams >= maxStreams {
		e := pawl.Errorf(pawl.Unavailable, "%d streams are open, and more are not served", maxStreams)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "close a page that shows this board, and try again"}
		return nil, nil, e
	}
	h.streams++
	if h.feed == nil {
		ctx, stop := context.WithCancel(context.Background()) // it ends with the last stream
		h.feed = &feed{server: s, stop: stop, more: make(chan struct{})}
		go h.feed.watch(ctx)
		if s.Todos == nil {
			h.feed.lists = true
		} else {
			go h.feed.watchTodos(ctx)
		}
	}
	feed := h.feed
	return feed, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.streams--; h.streams == 0 {
			h.feed = nil
			feed.stop()
		}
	}, nil
}

// A feed is what the streams of one time have in common.
type feed struct {
	server *Server
	stop   context.CancelFunc

	mu    sync.Mutex
	more  chan struct{} // closed when something was added
	board *pawl.Board   // nil: there is none yet
	known bool          // whether there is one
	lists bool          // todo lists were looked at, so that a change is seen as one
	era   int           // how often history broke off: it was trimmed, or another board came
	broke pawl.Revision // where it goes on since then
	base  pawl.Revision // of this era, the sets after it are in the ring
	head  pawl.Revision // the last one

	ring  [ringFrames]frame
	first uint64 // the number of the oldest frame in the ring
	next  uint64 // that of the one which comes next
	begin uint64 // that of the first frame of this era
	size  int    // of the texts in the ring
}

// watch follows the board until ctx ends. One that cannot be read is tried again,
// and why is told once.
func (f *feed) watch(ctx context.Context) {
	for told := ""; ; {
		err := f.follow(ctx)
		if ctx.Err() == nil && err != nil && err.Error() != told {
			told = err.Error()
			f.server.Log.Warn("the board cannot be watched: " + told)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(retry):
		}
	}
}

func (f *feed) follow(ctx context.Context) error {
	s := f.server
	board, _, err := s.Open(ctx, false)
	if err != nil {
		return err
	}
	if board == nil {
		f.opened(nil, 0) // from here on everything is news
		if board, err = s.Await(ctx); err != nil || board == nil {
			return err
		}
	}
	var at pawl.Revision
	if err := board.View(ctx, func(r pawl.Reader) error { at = r.Revision(); return nil }); err != nil {
		return err
	}
	tell := teller{board: board, me: s.By.Name, names: view.Subjects{}}
	for set, err := range board.Watch(ctx, f.opened(board, at)) {
		if rev, ok := gone(err); ok {
			f.add(goneFrame(rev))
			continue
		} else if err != nil {
			return err
		}
		told, err := tell.tell(ctx, &set)
		if err != nil {
			return err
		}
		f.add(told)
	}
	return nil
}

// gone reports whether history is not there, and where it goes on.
func gone(err error) (pawl.Revision, bool) {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Kind != pawl.Gone {
		return 0, false
	}
	return e.Revision, true
}

// opened says which board there is, if any, and returns where to go on: at the
// beginning with what comes, later with what was missed.
func (f *feed) opened(board *pawl.Board, at pawl.Revision) pawl.Revision {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.board = board
	if !f.known {
		f.known, f.base, f.head = true, at, at
	}
	f.wake()
	return f.head
}

// looked says that todo lists were looked at for the first time.
func (f *feed) looked() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists = true
	f.wake()
}

// add puts a frame into the ring, and the oldest out of it.
func (f *feed) add(told frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.next-f.first == ringFrames || f.first < f.next && f.size+len(told.text) > ringBytes {
		old := &f.ring[f.first%ringFrames]
		if f.first >= f.begin && old.rev != 0 {
			f.base = old.rev
		}
		f.size -= len(old.text)
		*old = frame{}
		f.first++
	}
	f.ring[f.next%ringFrames] = told
	f.size += len(told.text)
	f.next++
	if told.gone {
		f.era++
		f.broke, f.base, f.begin = told.rev, told.rev, f.next
	}
	if told.rev != 0 {
		f.head = told.rev
	}
	f.wake()
}

// wake has the streams look; f.mu is held.
func (f *feed) wake() {
	close(f.more)
	f.more = make(chan struct{})
}
