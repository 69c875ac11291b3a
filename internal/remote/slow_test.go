package remote

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
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

// pipes is a listener in a bubble.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.conns) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }
func (p *pipes) Accept() (net.Conn, error) {
	if conn, open := <-p.conns; open {
		return conn, nil
	}
	return nil, net.ErrClosed
}

// What is long comes through on a slow line, however short the patience is.
func TestSlowLine(t *testing.T) { synctest.Test(t, slowLine) }

func slowLine(t *testing.T) {
	line := &pipes{conns: make(chan net.Conn)}
	f := &far{board: query.Local(pawl.NewBoard(memory.New())), protocol: "1 1"}
	f.Server = httptest.NewUnstartedServer(f)
	f.Listener.Close()
	f.Listener = line
	f.StartTLS()
	t.Cleanup(func() { f.CloseClientConnections(); f.Server.Close(); f.board.Close() })
	b := f.open(t, func(o *Options) {
		o.Patience = 400 * time.Millisecond
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			line.conns <- there
			return narrow{here, 4 << 10}, nil
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
	got, err := query.Of(t.Context(), b, query.Asker{}, query.TasksQuery{})
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
	_, err := b.Hello(t.Context())
	if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("got %v", err)
	}
}
