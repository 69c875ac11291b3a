package team

import (
	"context"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// lookAgain is how often a stream of a board that does not exist yet looks for it.
const lookAgain = time.Second

var beat = []byte("{}\n")

// watch streams what happens on a board until the client goes, its token ends or the
// server does.
func (v *visit) watch(w http.ResponseWriter, r *http.Request) error {
	var m remote.Watch
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	free()
	if len(m.Who.AsDone) > 0 {
		return pawl.Errorf(pawl.Invalid, "a watch is of the board as it is, not of a what-if")
	}
	b, err := v.board(r.Context(), false)
	if err != nil {
		return err
	}
	out := v.begin(w)
	defer out.end()
	out.beat = time.NewTicker(remote.Beat)
	defer out.beat.Stop()
	if b == nil {
		if err := out.item(remote.Item{News: &query.News{}}, true); err != nil {
			return nil
		}
		if b, err = v.await(r.Context(), out); b == nil || err != nil {
			return out.ended(r.Context(), err)
		}
		m.From = query.From{} // all that is on it is new
		return out.ended(r.Context(), out.run(r.Context(), b, &m, true))
	}
	return out.ended(r.Context(), out.run(r.Context(), b, &m, false))
}

// await waits until somebody makes the board.
func (v *visit) await(ctx context.Context, out *stream) (*board, error) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, nil
		case <-v.server.ending.Done():
			return nil, errEnding
		case <-out.beat.C:
			if out.send([][]byte{beat}, true) != nil {
				return nil, nil
			}
		case <-look.C:
			if b, err := v.board(ctx, false); b != nil || err != nil {
				return b, err
			}
		}
	}
}

// ended ends a stream whose client is still there.
func (s *stream) ended(ctx context.Context, err error) error {
	if err != nil && err != errUnread {
		s.fail(err)
	}
	return nil
}

// errUnread says that the client does not take what is sent.
var errUnread = pawl.Errorf(pawl.Unavailable, "the client does not read")

var (
	errEnding  = pawl.Errorf(pawl.Unavailable, "the server is ending")
	errMoved   = pawl.Errorf(pawl.Unavailable, "the board was moved on the server")
	errNoToken = pawl.Errorf(pawl.Invalid, "this token no longer holds")
	errTokens  = pawl.Errorf(pawl.Unavailable, "the server cannot read its tokens")
)

// run sends the head of the board unless that is begun, and then what happens.
func (s *stream) run(ctx context.Context, b *board, m *remote.Watch, begun bool) error {
	leave := b.hub.join(ctx)
	defer leave()
	p := place{after: m.From.After}
	if m.From.Now && !begun {
		at, err := s.head(ctx, b)
		if err != nil {
			return err
		}
		p.after, begun = at, true
	}
	var frames [][]byte
	for {
		var wait <-chan struct{}
		behind := !begun
		if begun {
			frames, wait, behind = b.hub.take(&p, frames[:0])
		}
		if len(frames) > 0 {
			if s.send(frames, true) != nil {
				return errUnread
			}
			clear(frames)
			s.beat.Reset(remote.Beat)
		}
		if behind {
			moved, err := s.catchUp(ctx, b, m, &p, begun)
			if err != nil {
				return err
			}
			if begun && !moved { // the hub is behind as well
				wait = after(retry / 10)
			}
			begun = true
		}
		if wait == nil {
			continue
		}
		if on, err := s.wait(ctx, b, wait); !on {
			return err
		}
	}
}

func after(d time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(d, func() { close(c) })
	return c
}

// head sends where the board stands, and returns that. The hub may be a moment behind.
func (s *stream) head(ctx context.Context, b *board) (pawl.Revision, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for news, err := range b.Watch(ctx, query.Asker{}, query.From{Now: true}) {
		if err == nil && s.item(remote.Item{News: &news}, true) != nil {
			err = errUnread
		}
		return news.Revision, err
	}
	return 0, errMoved
}

// catchUp sends what the board itself has after the place of a stream, up to where the
// board stands, and moves the place.
func (s *stream) catchUp(ctx context.Context, b *board, m *remote.Watch, p *place, begun bool) (moved bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from := query.From{After: p.after, Names: true}
	var latest pawl.Revision
	for news, err := range b.Watch(ctx, m.Who, from) {
		switch {
		case err != nil:
			return moved, err
		case news.Gone != nil:
			p.after, latest, moved = news.Revision, news.Revision, true
		case news.Set == nil:
			latest = news.Revision
			if p.after < 0 { // the board has resolved it, or failed
				p.after = news.Origin - p.after
			}
			if begun {
				if p.after == latest {
					return moved, nil
				}
				continue
			}
		default:
			p.after, moved = news.Revision, true
		}
		if s.item(remote.Item{News: &news}, true) != nil {
			return moved, errUnread
		}
		s.beat.Reset(remote.Beat)
		if p.after == latest || news.Set != nil && p.after > latest {
			return moved, nil
		}
	}
	return moved, nil
}

// wait waits for more, and sends beats. It returns false when the stream has ended.
func (s *stream) wait(ctx context.Context, b *board, more <-chan struct{}) (bool, error) {
	for {
		select {
		case <-ctx.Done():
			return false, s.server.alive.ended(ctx)
		case <-s.server.ending.Done():
			return false, errEnding
		case <-b.ended.Done():
			return false, errMoved
		case <-more:
			return true, nil
		case <-s.beat.C:
			if s.send([][]byte{beat}, true) != nil {
				return false, errUnread
			}
		}
	}
}
