package web

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A place is the position of a stream: after a revision and, once the following
// changes are in the ring, before a frame.
type place struct {
	after  pawl.Revision
	joined bool
	next   uint64 // once it has joined the ring
	era    int    // the era of the feed when the stream last looked
	sure   bool   // the board has the revision, even if the feed has not seen it yet
	lost   bool   // it fell out of the ring and may have missed changes of todos
}

// batch is how many bytes a stream writes at once.
const batch = 64 << 10

// start returns the place of a new stream. wait is not nil while the state of the
// board is not known, and so neither what is a change.
func (f *feed) start(after pawl.Revision, resumes bool) (p place, wait <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known || !f.lists {
		return p, f.more
	}
	if !resumes {
		after = f.head
	}
	return place{after: after, era: f.era}, nil
}

// take appends the next frames of a stream to text and moves its place; me is the name of the reader. wait is not
// nil if none are left; behind is set if the stream must read the board itself.
func (f *feed) take(p *place, me string, text []byte) (_ []byte, wait <-chan struct{}, behind query.Board) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.joined && p.next < f.first {
		p.joined, p.lost, p.sure = false, true, false
	}
	if !p.joined {
		if p.era != f.era || f.board == nil && p.after > f.head { // the last revision of the stream no longer exists
			if p.after = f.broke; p.era == f.era {
				p.after = f.head
			}
			p.era = f.era
			text = append(text, goneFrame(p.after).text...)
		}
		if p.after < f.base || p.after > f.head && !p.sure {
			return text, nil, f.board
		}
		f.enter(p)
		if p.lost {
			p.lost, text = false, append(text, todosFrame.text...)
			if f.runs {
				text = append(text, runFrame.text...)
			}
			if f.far {
				text = append(text, awayFrame(f.away).text...)
			}
		}
	}
	for ; p.next < f.next && len(text) < batch; p.next++ {
		told := &f.ring[p.next%ringFrames]
		switch {
		case told.gone:
			p.era++
			p.after = told.rev
		case told.rev == 0:
		case told.rev <= p.after:
			continue
		default:
			p.after = told.rev
		}
		text = told.appendTo(text, me)
	}
	if p.next == f.next {
		wait = f.more
	}
	return text, wait, nil
}

// enter finds the frame after the last set that a stream has.
func (f *feed) enter(p *place) {
	p.joined, p.next = true, f.next
	if p.after >= f.head {
		return
	}
	for p.next > max(f.begin, f.first) {
		if told := &f.ring[(p.next-1)%ringFrames]; told.rev != 0 && told.rev <= p.after {
			return
		}
		p.next--
	}
}

// catchUp reads changes after the stream's place from the board, appends at most a
// batch of them to text and moves the place. It returns after a heartbeat's time
// even if the board shows nothing.
func (p *place) catchUp(ctx context.Context, board query.Board, me string, text []byte) ([]byte, error) {
	short, cancel := context.WithTimeout(ctx, heartbeat)
	defer cancel()
	var latest pawl.Revision
	for news, err := range board.Watch(short, query.Asker{}, query.From{After: p.after, Names: true}) {
		switch {
		case err != nil && short.Err() != nil:
			return text, ctx.Err()
		case err != nil:
			return text, err
		case news.Gone != nil || news.Set == nil && news.Revision < p.after: // another board's revision
			p.after, p.sure = news.Revision, true
			return append(text, goneFrame(news.Revision).text...), nil // latest was that of the other board
		case news.Set == nil:
			latest = news.Revision
		default:
			told, err := frameOf(&news)
			if err != nil {
				return text, err
			}
			p.after = told.rev
			text = told.appendTo(text, me)
		}
		if p.after >= latest {
			p.sure = true
			return text, nil
		}
		if len(text) >= batch {
			return text, nil
		}
	}
	return text, ctx.Err()
}
