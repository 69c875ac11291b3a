//go:build unix

package server

import (
	"context"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// TestRestored: a backup is restored under two servers that have open streams, and an
// administrator says so, twice. Each server goes on, gives no id and no revision again,
// and tells those who watch.
func TestRestored(t *testing.T) {
	c := pgtest.Server(t)
	dsn := newDatabase(t)
	servers := instances(t, 2, Options{Store: dsn})
	boss := servers[0].Token("boss", "--board", "shop", "--role", "admin")
	boards := []*remote.Board{servers[0].Client(boss, "shop"), servers[1].Client(boss, "shop")}
	given := map[pawl.Revision]bool{}
	ids := map[pawl.ID]bool{}
	add := func(b *remote.Board) (pawl.Revision, error) {
		o, err := b.Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "task"}}}}, 0)
		if err != nil {
			return 0, err
		}
		for _, id := range o.Result.IDs {
			if ids[id] {
				t.Errorf("%s is given again", id)
			}
			ids[id] = true
		}
		if given[o.Result.Revision] {
			t.Errorf("the revision %d is given again", o.Result.Revision)
		}
		given[o.Result.Revision] = true
		return o.Result.Revision, nil
	}
	work := func() {
		t.Helper()
		for range 5 {
			for _, b := range boards {
				_, err := add(b)
				must(t, err)
			}
		}
	}
	work()
	backup := c.Dump(t, dsn)
	work()
	type watcher struct {
		gone chan bool
		seen chan pawl.Revision
	}
	var watchers []watcher
	for _, b := range boards {
		w := watcher{make(chan bool, 1), make(chan pawl.Revision, 1000)}
		watchers = append(watchers, w)
		began := make(chan bool)
		go func() {
			first := true
			var after pawl.Revision
			for t.Context().Err() == nil {
				for news, err := range b.Watch(t.Context(), query.Asker{}, query.From{After: after, Now: after == 0}) {
					if err != nil {
						break // the database is away
					}
					if after = news.Revision; first {
						first = false
						close(began)
					}
					if news.Gone != nil {
						select {
						case w.gone <- true:
						default:
						}
					}
					w.seen <- news.Revision
				}
			}
		}()
		<-began
	}
	c.Restore(t, backup, dsn)
	servers[0].Run("serve", "restored", "--store", dsn)
	servers[1].Run("serve", "restored", "--store", dsn)
	var last pawl.Revision
	for end := time.Now().Add(within); last == 0; { // the servers connect again
		var err error
		if last, err = add(boards[0]); err != nil && time.Now().After(end) {
			t.Fatal(err)
		}
	}
	work()
	last, err := add(boards[1])
	must(t, err)
	late := time.After(within)
	for n, w := range watchers {
		select {
		case <-w.gone:
		case <-late:
			t.Errorf("server %d tells nobody that history is gone", n)
		}
		for there := false; !there; {
			select {
			case rev := <-w.seen:
				there = rev == last
			case <-late:
				t.Fatalf("server %d does not tell what comes afterwards", n)
			}
		}
	}
}

// TestRevokedElsewhere: a token that is revoked on one machine ends the streams that it
// has open at another server, and only these.
func TestRevokedElsewhere(t *testing.T) {
	dsn := newDatabase(t)
	servers := instances(t, 2, Options{Store: dsn})
	boss := servers[0].Token("boss", "--board", "shop", "--role", "admin")
	guest := servers[0].Token("guest", "--board", "shop", "--role", "read")
	Fill(t, servers[0].Client(boss, "shop"), 1)
	ended := func(token Token) (began, over chan error) {
		began, over = make(chan error, 1), make(chan error, 1)
		go func() {
			for _, err := range servers[1].Client(token, "shop").Watch(t.Context(), query.Asker{}, query.From{Now: true}) {
				if err != nil {
					over <- err
					return
				}
				select {
				case began <- nil:
				default:
				}
			}
			over <- context.Cause(t.Context())
		}()
		return began, over
	}
	began, over := ended(guest)
	others, stays := ended(boss)
	for _, b := range []chan error{began, others} {
		select {
		case <-b:
		case err := <-over:
			t.Fatal(err)
		}
	}
	at := time.Now()
	servers[0].Revoke(guest)
	select {
	case err := <-over:
		t.Logf("ended after %v: %v", time.Since(at).Round(time.Millisecond), err)
		if k := pawl.KindOf(err); k == pawl.Unavailable {
			t.Errorf("the client would try again: %v", err)
		}
	case <-time.After(within):
		t.Error("a stream goes on after its token was revoked at another server")
	}
	select {
	case err := <-stays:
		t.Errorf("another token's stream ended: %v", err)
	default:
	}
}
