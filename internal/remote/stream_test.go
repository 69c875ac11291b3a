package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// A watch is taken up after the last set that came, however often the line breaks.
func TestWatchGoesOn(t *testing.T) {
	f := newFar(t, true)
	b := f.open(t, nil)
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	const sets = 12
	var got []pawl.Revision
	hellos := 0
	for news, err := range b.Watch(ctx, query.Asker{By: ada}, query.From{Now: true}) {
		must.Do(t, err)
		if news.Set == nil {
			hellos++
		} else {
			got = append(got, news.Revision)
		}
		if len(got) == sets {
			break
		}
		if len(got)%3 == 2 {
			f.CloseClientConnections()
		}
		must.Get(f.board.Do(ctx, pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "task " + strconv.Itoa(len(got))}}}}, 0))(t)
	}
	for i, rev := range got {
		if i > 0 && rev != got[i-1]+1 {
			t.Errorf("revisions %v", got)
			break
		}
	}
	if len(got) != sets || hellos != 1 {
		t.Errorf("%d sets and %d first news", len(got), hellos)
	}
}

// News that a server tells twice or backwards are told once.
func TestWatchOnlyForwards(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	f.before = []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, r *http.Request) {
		out := json.NewEncoder(w)
		out.Encode(Item{News: &query.News{Revision: 4}})
		for _, rev := range []pawl.Revision{5, 5, 3, 6, 6, 9} {
			out.Encode(Item{News: &query.News{Revision: rev, Set: &pawl.ChangeSet{Revision: rev}}})
			out.Encode(Item{})
		}
		e := pawl.Errorf(pawl.Invalid, "the token was revoked")
		out.Encode(Item{Error: e})
	}}
	var got []pawl.Revision
	var last error
	for news, err := range b.Watch(ctx, query.Asker{}, query.From{Now: true}) {
		if last = err; err == nil {
			got = append(got, news.Revision)
		}
	}
	if len(got) != 4 || got[0] != 4 || got[1] != 5 || got[2] != 6 || got[3] != 9 || !errors.Is(last, pawl.Invalid) {
		t.Errorf("got %v, %v", got, last)
	}
}

// An export is whole, or an error.
func TestExport(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	for range 3 {
		add(t, b, "x")
	}
	count := func() (n int, last error) {
		for _, err := range b.Export(ctx, query.Asker{By: ada}, pawl.Query{}) {
			if last = err; err == nil {
				n++
			}
		}
		return n, last
	}
	if n, err := count(); n != 3 || err != nil {
		t.Errorf("%d tasks, %v", n, err)
	}
	f.before = []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(Item{Task: &pawl.Task{ID: 1, Subject: "x", Status: pawl.Pending}})
	}}
	if n, err := count(); n != 1 || !errors.Is(err, pawl.Unavailable) {
		t.Errorf("one that is cut: %d tasks, %v", n, err)
	}
}
