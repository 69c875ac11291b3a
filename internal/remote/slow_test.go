package remote

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// A narrow line carries so many bytes in each millisecond, either way.
type narrow struct {
	net.Conn
	bytes int
}

func (n narrow) Read(to []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return n.Conn.Read(to[:min(len(to), n.bytes)])
}

func (n narrow) Write(text []byte) (sent int, err error) {
	for len(text) > 0 && err == nil {
		time.Sleep(time.Millisecond)
		n, failed := n.Conn.Write(text[:min(len(text), n.bytes)])
		sent, text, err = sent+n, text[n:], failed
	}
	return sent, err
}

// What is long comes through on a slow line, however short the patience is.
func TestSlowLine(t *testing.T) {
	f := newFar(t, true)
	b := f.open(t, func(o *Options) {
		o.Patience = 400 * time.Millisecond
		o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			return narrow{conn, 4 << 10}, err
		}
	})
	long := pawl.Create{}
	for range 40 {
		long.Tasks = append(long.Tasks, pawl.NewTask{Subject: "long", Description: strings.Repeat("x", 30_000)})
	}
	out, err := b.Do(t.Context(), pawl.Request{Op: long}, 0)
	if err != nil || len(out.Result.IDs) != 40 {
		t.Fatalf("got %d tasks, %v", len(out.Result.IDs), err)
	}
	if n := f.requests(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
	got, err := ask.Of(t.Context(), b, ask.Asker{}, ask.TasksQuery{})
	if err != nil || len(got.Page.Tasks) != 40 {
		t.Errorf("got %d tasks, %v", len(got.Page.Tasks), err)
	}
}

// An answer that stops in the middle is not waited for any longer than one that does
// not begin.
func TestStuckAnswer(t *testing.T) {
	f := newFar(t, false)
	stuck := func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(strings.Repeat(" ", 1000)))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	f.before = []func(http.ResponseWriter, *http.Request){stuck, stuck, stuck, stuck, stuck, stuck}
	b := f.open(t, func(o *Options) { o.Patience = 100 * time.Millisecond })
	begun := time.Now()
	_, err := b.Hello(t.Context())
	if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("got %v", err)
	}
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}
