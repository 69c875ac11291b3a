package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// heard collects what a watch tells.
func heard(ctx context.Context, b query.Board, from query.From) (<-chan query.News, <-chan error) {
	news, ended := make(chan query.News, 10_000), make(chan error, 1)
	go func() {
		for n, err := range b.Watch(ctx, query.Asker{}, from) {
			if err != nil {
				ended <- err
				return
			}
			news <- n
		}
		ended <- nil
	}()
	return news, ended
}

// Each stream has each set once and in order, wherever it begins, though more happen
// than the ring holds.
func TestWatch(t *testing.T) {
	w := newWorld(t, nil)
	secret, _ := w.token("ada", access.Work, "shop")
	b := w.client(secret, "shop")
	early, _ := heard(t.Context(), b, query.From{}) // before there is a board
	if n := <-early; n.Set != nil || n.Revision != 0 {
		t.Errorf("the first news is %+v", n)
	}
	const before, after = ringFrames + 50, 100
	add := func(n int) {
		for i := range n {
			must.Get(b.Do(ctx, create(fmt.Sprint(time.Now().UnixNano(), "-", i)), 0))(t)
		}
	}
	add(before)
	all, _ := heard(t.Context(), b, query.From{Names: true})
	third, _ := heard(t.Context(), b, query.From{After: query.Nth(3)})
	now, _ := heard(t.Context(), b, query.From{Now: true})
	for _, c := range []<-chan query.News{all, third, now} {
		if n := <-c; n.Set != nil {
			t.Errorf("the first news is %+v", n)
		}
	}
	add(after)
	for name, c := range map[string]struct {
		news <-chan query.News
		want int
	}{"early": {early, before + after}, "all": {all, before + after}, "third": {third, before + after - 3}, "now": {now, after}} {
		last := pawl.Revision(0)
		for i := range c.want {
			n := <-c.news
			if n.Set == nil || n.Revision <= last {
				t.Fatalf("%s: news %d is %+v after %d", name, i, n, last)
			}
			if last != 0 && n.Revision != last+1 {
				t.Fatalf("%s: %d follows %d", name, n.Revision, last)
			}
			last = n.Revision
		}
		select {
		case n := <-c.news:
			t.Errorf("%s: one more: %+v", name, n)
		default:
		}
	}
	hub := &w.boards.open["shop"].hub
	hub.mu.Lock()
	defer hub.mu.Unlock()
	if streams := hub.streams; streams != 4 {
		t.Errorf("%d streams share the watch", streams)
	}
}

// A stream ends when its token does, and other streams go on.
func TestRevokedStream(t *testing.T) {
	w := newWorld(t, nil)
	w.board("shop")
	secret, token := w.token("eve", access.Work, "shop")
	other, _ := w.token("ada", access.Work, "shop")
	news, ended := heard(t.Context(), w.client(secret, "shop"), query.From{Now: true})
	kept, _ := heard(t.Context(), w.client(other, "shop"), query.From{Now: true})
	<-news
	<-kept
	must.Get(w.tokens.Revoke(ctx, token.ID))(t)
	if err := <-ended; !errors.Is(err, pawl.Invalid) {
		t.Error(err)
	}
	must.Get(w.client(other, "shop").Do(ctx, create("one"), 0))(t)
	if n := <-kept; n.Set == nil {
		t.Errorf("got %+v", n)
	}
}

// While the tokens cannot be read nobody is let in, and streams go on afterwards: no
// token has ended.
func TestTokensUnreadable(t *testing.T) {
	w := newWorld(t, nil)
	w.board("shop")
	secret, _ := w.token("ada", access.Work, "shop")
	b := w.client(secret, "shop")
	news, ended := heard(t.Context(), b, query.From{Now: true})
	<-news
	path := filepath.Join(access.Folder(w.dir), "tokens.json")
	text := must.Get(os.ReadFile(path))(t)
	must.Do(t, os.WriteFile(path, []byte("{"), 0o600))
	for open := int64(1); open > 0; {
		w.streams.mu.Lock()
		open = w.streams.all
		w.streams.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	must.Do(t, os.WriteFile(path, text, 0o600))
	must.Get(b.Do(ctx, create("one"), 0))(t)
	select {
	case n := <-news:
		if n.Set == nil {
			t.Errorf("got %+v", n)
		}
	case err := <-ended:
		t.Errorf("the stream ended: %v", err)
	}
}

// The places of streams in a ring, in all the ways in which they can be late.
func TestRing(t *testing.T) {
	h := &hub{more: make(chan struct{})}
	h.begin(ctx, &query.News{Revision: 10})
	put := func(revs ...pawl.Revision) {
		for _, r := range revs {
			h.add(ctx, frame{fmt.Appendf(nil, "%d", r), r}, false)
		}
	}
	got := func(p *place) string {
		frames, wait, behind := h.take(p, nil)
		return fmt.Sprintf("%s %v %v", frames, wait != nil, behind)
	}
	now, old, late := &place{after: 10}, &place{after: 9}, &place{after: 10}
	for p, want := range map[*place]string{now: "[] true false", old: "[] false true", late: "[] true false"} {
		if is := got(p); is != want {
			t.Errorf("%s, want %s", is, want)
		}
	}
	put(11, 12)
	for p, want := range map[*place]string{now: "[11 12] true false", {after: 11}: "[12] true false", {after: 12}: "[] true false"} {
		if is := got(p); is != want {
			t.Errorf("%s, want %s", is, want)
		}
	}
	for r := range pawl.Revision(ringFrames) {
		put(13 + r)
	}
	if is := got(late); is != "[] false true" || late.joined {
		t.Errorf("one that fell out of the ring: %s", is)
	}
	h.add(ctx, frame{[]byte("gone"), 5}, true)
	put(6)
	if is := got(now); is != "[gone 6] true false" {
		t.Errorf("after a break: %s", is)
	}
	large := make([]byte, ringBytes+1)
	h.add(ctx, frame{large, 7}, false)
	if h.next-h.first != 1 || h.base != 6 || h.size != len(large) {
		t.Errorf("%d frames of %d bytes after %d", h.next-h.first, h.size, h.base)
	}
}
