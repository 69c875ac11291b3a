//go:build unix

package server

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/query"
)

// TestAudienceMoves: of two instances one is killed, and later the other one, while many
// watch a board through both and somebody goes on changing it. Who watched at the killed
// one goes on at the other after the last change that it saw: all see each change once
// and in order.
func TestAudienceMoves(t *testing.T) {
	long.Only(t)
	o := Options{Store: newDatabase(t)}
	servers := instances(t, 2, o)
	origin := Front(t, servers...)
	boss := servers[0].Token("boss", "--board", "shop", "--role", "admin")
	board := servers[0].ClientAt(origin, boss, "shop", within)
	Fill(t, board, 1)
	n, changes := 1000, 120
	ctx, stop := context.WithTimeout(t.Context(), 5*within)
	defer stop()
	began, err := board.Do(ctx, pawl.Request{Op: pawl.AddNote{ID: 1, Text: "before"}}, 0)
	must(t, err)
	var watching, done sync.WaitGroup
	var last atomic.Int64 // revision; 0: not known yet
	var seen atomic.Int64
	for i := range n {
		b := servers[0].ClientAt(origin, boss, "shop", within)
		watching.Add(1)
		done.Go(func() {
			after := began.Result.Revision
			told := false
			for news, err := range b.Watch(ctx, query.Asker{}, query.From{After: after}) {
				switch {
				case err != nil:
					t.Errorf("watcher %d, after revision %d: %v", i, after, err)
				case news.Gone != nil:
					t.Errorf("watcher %d, after revision %d: %v", i, after, news.Gone)
				case news.Set == nil:
					if !told {
						told = true
						watching.Done()
					}
				case news.Set.Revision != after+1:
					t.Errorf("watcher %d saw revision %d after %d", i, news.Set.Revision, after)
				}
				if err != nil || news.Gone != nil {
					if !told {
						watching.Done()
					}
					return
				}
				if news.Set != nil {
					after = news.Set.Revision
					seen.Add(1)
				}
				if end := last.Load(); end > 0 && int64(after) >= end {
					return
				}
			}
		})
	}
	watching.Wait()
	var end pawl.Revision
	for i := range changes {
		switch i {
		case changes / 4:
			servers[0].Kill()
		case changes / 2:
			servers[0].Again()
		case changes * 3 / 4:
			servers[1].Kill()
		}
		o, err := board.Do(ctx, pawl.Request{Op: pawl.AddNote{ID: 1, Text: fmt.Sprint("change ", i)}}, 0)
		must(t, err)
		if end = o.Result.Revision; i == changes-2 {
			last.Store(int64(end) + 1) // the next one
		}
	}
	if int64(end) != last.Load() {
		t.Errorf("the last revision is %d, and not %d", end, last.Load())
	}
	done.Wait()
	if want := int64(n * changes); seen.Load() != want {
		t.Errorf("%d changes were seen, of %d", seen.Load(), want)
	}
	t.Logf("%d watchers saw %d changes each, while both instances were killed", n, changes)
}
