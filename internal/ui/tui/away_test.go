package tui

import (
	"context"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// farBoard is one at an address whose server can be away.
type farBoard struct {
	query.Board
	mu    sync.Mutex
	since time.Time
	old   time.Time // zero: nothing is remembered
}

func (b *farBoard) Name() string { return "ada" }

func (b *farBoard) Away() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.since
}

func (b *farBoard) goes(since, old time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.since, b.old = since, old
}

func (b *farBoard) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.since.IsZero() {
		return answer, err
	}
	if b.old.IsZero() {
		return nil, pawl.Errorf(pawl.Unavailable, "https://pawl.example.org does not answer since %s (connection refused)", b.since.Format("15:04"))
	}
	if head, ages := answer.(interface{ Age(time.Time) }); ages {
		head.Age(b.old)
	}
	return answer, err
}

func (b *farBoard) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		for news, err := range b.Board.Watch(ctx, who, from) {
			for !b.Away().IsZero() && ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-time.After(time.Second): // of the story's clock
				}
			}
			if !yield(news, err) {
				return
			}
		}
	}
}

// While a server is away the board stays as it was, a row says since when, and what
// happened until it is back is seen then.
func TestServerAway(t *testing.T) {
	far := &farBoard{}
	flyOn(t, func(_ testing.TB, b *pawl.Board) query.Board { far.Board = query.Local(b); return far }, func(p *pilot) {
		p.sleep(time.Second)
		p.sees("Ready")
		left := time.Now()
		far.goes(left, time.Time{})
		p.sleep(2 * tickEvery)
		p.sees("The server has not answered since "+clock(left, time.Now())+". This is the board as it was then", "Ready")
		for _, width := range []int{200, 80, 60} {
			p.size(width, 24)
			p.sees("has not answered since")
			p.fits()
		}
		p.size(120, 40)
		p.do(bob, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Come back"}}})
		p.sleep(2 * tickEvery)
		p.seesNot("Come back", "connection refused")
		far.goes(time.Time{}, time.Time{})
		p.sleep(2 * time.Second)
		p.sees("Come back")
		p.seesNot("has not answered")
	}, parserBoard()...)
}

// A board that is opened while its server is away is the one that is remembered, and
// says of when.
func TestOpenedWhileAway(t *testing.T) {
	far := &farBoard{}
	flyOn(t, func(_ testing.TB, b *pawl.Board) query.Board {
		far.Board = query.Local(b)
		far.goes(time.Now().Add(-time.Minute), time.Now().Add(-time.Hour))
		return far
	}, func(p *pilot) {
		p.sleep(time.Second)
		p.sees("This is the board as of "+clock(far.old, time.Now()), "Ready")
		far.goes(time.Time{}, time.Time{})
		p.sleep(2 * time.Second)
		p.seesNot("This is the board as of")
		p.sees("Ready")
	}, parserBoard()...)
}

// Nothing is remembered: the reader is told, and sees the board once the server answers.
func TestNothingRemembered(t *testing.T) {
	far := &farBoard{}
	flyOn(t, func(_ testing.TB, b *pawl.Board) query.Board {
		far.Board = query.Local(b)
		far.goes(time.Now().Add(-time.Minute), time.Time{})
		return far
	}, func(p *pilot) {
		p.sleep(time.Second)
		p.sees("connection refused", "The board appears as soon as it does")
		far.goes(time.Time{}, time.Time{})
		p.sleep(10 * time.Second)
		p.sees("Ready")
		p.seesNot("connection refused", "has not answered")
	}, parserBoard()...)
}
