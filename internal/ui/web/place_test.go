package web

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// scripted is a board that says these news, and then nothing more.
type scripted struct {
	query.Board
	news []query.News
	err  error // what it ends with
}

func (b *scripted) Watch(ctx context.Context, _ query.Asker, _ query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		for _, news := range b.news {
			if !yield(news, nil) {
				return
			}
		}
		if b.err != nil {
			yield(query.News{}, b.err)
			return
		}
		<-ctx.Done()
	}
}

// A stream that reads the board itself is never silent for longer than a
// heartbeat: not if the board is replaced by an older one meanwhile, and not if it
// is busy.
func TestCatchUpDoesNotWait(t *testing.T) {
	set := func(rev pawl.Revision) query.News {
		return query.News{Revision: rev, Set: &pawl.ChangeSet{Revision: rev, Verb: "note"}}
	}
	for _, c := range []struct {
		name  string
		board *scripted
		after pawl.Revision
		sure  bool
		took  time.Duration
		tells string
		fails bool
	}{
		{"all of it", &scripted{news: []query.News{{Revision: 7}, set(6), set(7)}}, 7, true, 0, "id: 7", false},
		{"another board is in its place", &scripted{news: []query.News{{Revision: 100}, {Revision: 3, Gone: pawl.Errorf(pawl.Gone, "it is another board")}}}, 3, true, 0, "event: gone", false},
		{"another board was in its place", &scripted{news: []query.News{{Revision: 3}}}, 3, true, 0, "event: gone", false},
		{"a board that is busy", &scripted{news: []query.News{{Revision: 7}}}, 5, false, heartbeat, "", false},
		{"a board that is busy in the middle", &scripted{news: []query.News{{Revision: 7}, set(6)}}, 6, false, heartbeat, "id: 6", false},
		{"a board that cannot be read", &scripted{news: []query.News{{Revision: 7}}, err: errors.New("broken")}, 5, false, 0, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, began := place{after: 5}, time.Now()
				text, err := p.catchUp(t.Context(), c.board, "ada", nil)
				if took := time.Since(began); took != c.took || (err != nil) != c.fails {
					t.Errorf("it took %v, want %v: %v", took, c.took, err)
				}
				if p.after != c.after || p.sure != c.sure || !strings.Contains(string(text), c.tells) || c.tells == "" && len(text) > 0 {
					t.Errorf("%+v, %s", p, text)
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := place{after: 5}
	if _, err := p.catchUp(ctx, &scripted{news: []query.News{{Revision: 7}}}, "ada", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that is gone: %v", err)
	}
}
