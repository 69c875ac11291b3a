package courier

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
)

// Patience is how long a hook waits for the network in all by default.
const Patience = 40 * time.Millisecond

// Options are what a post needs.
type Options struct {
	State   string          // the user's state folder
	Address address.Address // of the board
	// Dial opens the board, whose requests are given up after a patience. It asks the
	// server nothing yet.
	Dial func(patience time.Duration) (query.Board, error)
	// Spawn starts the courier in a process of its own, which calls Run; nil: none may
	// run, and hooks run the queued jobs.
	Spawn func() error
	Now   func() time.Time // nil: time.Now
	Log   func(error)      // is told what cannot be done; nil: nobody is
	// Patience is for how long a hook waits for the network in all; 0: [Patience].
	Patience time.Duration
}

// A Post is this machine's connection to one board, with its queue. It is safe for
// concurrent use; any number of processes may have one.
type Post struct {
	o   Options
	dir string

	mu    sync.Mutex
	until time.Time // when the patience for live requests ends; zero: none was made
	board query.Board
	dead  bool // the line has failed in this process
}

// Open returns the post of an address. It does nothing yet.
func Open(o Options) *Post {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Patience == 0 {
		o.Patience = Patience
	}
	return &Post{o: o, dir: folder(o.State, o.Address)}
}

// Close ends the connection, if there is one.
func (p *Post) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.board != nil && !p.dead { // a dead one may hang
		p.board.Close()
	}
	p.board = nil
}

// wake has the courier run soon, if none is about to. If a run failed a moment ago nothing
// happens. It waits for nothing.
func (p *Post) wake() error {
	if s := p.state(); p.o.Spawn == nil || s.paused(p.o.Now()) || filelock.Held(p.path(nextName)) {
		return nil
	}
	return p.o.Spawn()
}

func (p *Post) path(name ...string) string { return filepath.Join(append([]string{p.dir}, name...)...) }

// lock takes a lock of this address, and returns how to give it back; nil: another process has
// it. It waits for at most so long.
func (p *Post) lock(ctx context.Context, name string, most time.Duration) (func(), error) {
	if err := userdir.Make(p.dir); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(p.path(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	pause := time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		got, err := filelock.Try(file)
		if got {
			return func() { _ = filelock.Free(file) }, nil
		}
		if err != nil || waited >= most || ctx.Err() != nil {
			file.Close()
			return nil, errors.Join(err, ctx.Err())
		}
		if waited > 20*pause {
			pause = min(2*pause, 50*time.Millisecond)
		}
		time.Sleep(pause)
	}
}

var errBusy = pawl.Errorf(pawl.Unavailable, "another process works on what waits for this address")

// live does something with the board within what is left of the patience. On a line that
// failed lately it is not tried. A request without an answer in time is abandoned: the
// process ends soon. Its error is always that the board cannot be asked now: the log has
// the reason, once.
func (p *Post) live(ctx context.Context, do func(context.Context, query.Board) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, start := p.o.Now(), time.Now()
	if p.until.IsZero() {
		p.until = start.Add(p.o.Patience)
	}
	s := p.state()
	if p.dead || s.slow(now) || !start.Before(p.until) {
		return errSlow
	}
	ctx, cancel := context.WithDeadline(ctx, p.until)
	defer cancel()
	type dialled struct {
		board query.Board
		err   error
	}
	done := make(chan dialled, 1)
	board := p.board
	go func() {
		var err error
		if board == nil {
			board, err = p.o.Dial(p.o.Patience)
		}
		if err == nil {
			err = do(ctx, board)
		}
		done <- dialled{board, err}
	}()
	var err error
	select {
	case d := <-done:
		p.board, err = d.board, d.err
	case <-ctx.Done():
		err = pawl.Errorf(pawl.Unavailable, "%s does not answer within %v", p.o.Address.Origin, p.o.Patience)
	}
	if err != nil {
		p.dead = true
		p.failed(err, now)
		return errSlow
	}
	if s != (state{}) {
		_ = remove(p.path(lineFile))
	}
	return nil
}

var errSlow = pawl.Errorf(pawl.Unavailable, "the server does not answer within the moment that a hook has")

// Away reports whether an error means that the server cannot be asked now.
func Away(err error) bool {
	return errors.Is(err, pawl.Unavailable) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

func newID() string { return rand.Text() }
