package web

import (
	"context"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// The hub watches the board and the todo lists for all streams, while there is a
// stream. It makes each frame once and keeps the latest in a ring. A stream is a
// place in the ring. It reads older changes from the board itself, so a slow
// client neither delays the others nor costs memory.

const (
	// maxStreams bounds the open streams: a board has fewer than 200 pages and
	// programs, and each costs a connection.
	maxStreams = 256
	// maxTeamStreams is the same of a team's server, which bounds those of each token.
	maxTeamStreams = 1_024
	// ringFrames and ringBytes bound the ring: ten seconds of a busy board, for
	// streams that are a little late.
	ringFrames = 1_024
	ringBytes  = 8 << 20
	// retry is the pause after a board could not be read.
	retry = time.Second
)

type hub struct {
	mu      sync.Mutex
	streams int
	feed    *feed // not nil: there is a stream
}

// join starts a stream; leave ends it. The first stream starts the watching.
func (s *Server) join() (f *feed, leave func(), err error) {
	h := &s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	most := maxStreams
	if s.Guarded {
		most = maxTeamStreams
	}
	if h.streams >= most {
		return nil, nil, pawl.Errorf(pawl.Unavailable, "%d streams are open, and more are not served", most).
			Say("close a page that shows this board, and try again")
	}
	h.streams++
	if h.feed == nil {
		ctx, stop := context.WithCancel(context.Background()) // it ends with the last stream
		h.feed = &feed{server: s, stop: stop, more: make(chan struct{}), runs: s.Runs != nil}
		go h.feed.watch(ctx)
		if s.Todos == nil {
			h.feed.lists = true
		} else {
			go h.feed.watchTodos(ctx)
		}
		if h.feed.runs {
			go h.feed.watchRuns(ctx)
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

// A feed is the shared state of streams from the first to the last one.
type feed struct {
	server *Server
	stop   context.CancelFunc

	mu    sync.Mutex
	more  chan struct{} // closed when something was added
	board query.Board   // nil: no board yet
	known bool          // whether the board is known to exist or not
	lists bool          // todo lists were read once, so that changes can be seen
	runs  bool          // runs of a clone are watched
	far   bool          // the board is at an address
	away  time.Time     // since when its server does not answer
	era   int           // number of breaks in history: it was trimmed, or the board replaced
	broke pawl.Revision // where history continues after the last break
	base  pawl.Revision // of this era: later sets are in the ring
	head  pawl.Revision // the latest revision

	ring  [ringFrames]frame
	first uint64 // the number of the oldest frame in the ring
	next  uint64 // the number of the next frame
	begin uint64 // the number of the first frame of this era
	size  int    // of the texts in the ring
}

// watch follows the board until ctx ends. If the board cannot be read, watch logs
// the error once and tries again.
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
		f.opened(nil, 0) // everything from here on is a change
		if board, err = s.Await(ctx); err != nil || board == nil {
			return err
		}
	}
	if far, is := board.(query.Distant); is {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		go f.watchAway(ctx, far)
	}
	for news, err := range board.Watch(ctx, query.Asker{}, f.from()) {
		switch {
		case err != nil:
			return err
		case news.Gone != nil:
			f.add(goneFrame(news.Revision))
		case news.Set == nil:
			f.opened(board, news.Revision)
		default:
			told, err := frameOf(&news)
			if err != nil {
				return err
			}
			f.add(told)
		}
	}
	return nil
}

// awayEvery is how often is looked whether a server answers: a look at memory.
const awayEvery = 250 * time.Millisecond

// watchAway tells the streams when the server of a board at an address stops to
// answer, and when it answers again.
func (f *feed) watchAway(ctx context.Context, far query.Distant) {
	look := time.NewTicker(awayEvery)
	defer look.Stop()
	for {
		since := far.Away()
		f.mu.Lock()
		f.far = true
		same := since.IsZero() == f.away.IsZero()
		if !same {
			f.away = since
		}
		f.mu.Unlock()
		if !same {
			f.add(awayFrame(since))
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// begins is what a stream is told first.
func (f *feed) begins(after pawl.Revision) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := helloFrame(after).text
	if !f.away.IsZero() {
		text = append(text, awayFrame(f.away).text...)
	}
	return text
}

// from is where the watch of the board begins: at first with what comes now, later
// after the last revision seen.
func (f *feed) from() query.From {
	f.mu.Lock()
	defer f.mu.Unlock()
	return query.From{After: f.head, Now: !f.known, Names: true}
}

// opened records the board, if any, and at first its revision.
func (f *feed) opened(board query.Board, at pawl.Revision) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.board = board
	if !f.known {
		f.known, f.base, f.head = true, at, at
	}
	f.wake()
}

// looked records that todo lists were read for the first time.
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

// wake wakes all streams; the caller holds f.mu.
func (f *feed) wake() {
	close(f.more)
	f.more = make(chan struct{})
}
