// Package served puts a board behind a real server and a real client, for tests of
// the programs that ask boards:
//
//	query.Board → remote.Board ─HTTP→ team.Server → query.Board
//
// The two exchange what two machines would, through pipes in memory, so that it
// also works in a synctest bubble.
package served

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// Board returns b as clients see it. Each name asks with a token of its own, as from
// a machine of its own; without a name ada asks.
func Board(t testing.TB, b query.Board) query.Board {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "shop", ".tasks"), 0o700); err != nil {
		t.Fatal(err)
	}
	tokens, err := access.Open(access.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	handler := team.New(team.Options{
		Boards: &team.Folder{
			Dir:       dir,
			OpenBoard: func(string, func(string)) (query.Board, error) { return kept{b}, nil },
			MakeBoard: func(context.Context, string) error { return nil },
		},
		Version: "served", Tokens: tokens,
		Empty: func() query.Board { return query.Local(pawl.NewBoard(memory.New())) },
		Log:   slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	line := &pipes{come: make(chan net.Conn), ended: make(chan struct{})}
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(line)
	}()
	m := &machines{tokens: tokens, dial: line.dial, of: map[string]*remote.Board{}}
	t.Cleanup(func() {
		m.Close()
		server.Close()
		<-done
		handler.Close()
	})
	return m
}

// A kept board stays open when the server ends: it is the test's.
type kept struct{ query.Board }

func (kept) Close() error { return nil }

// pipes is a listener whose connections are pipes in memory.
type pipes struct {
	come  chan net.Conn
	once  sync.Once
	ended chan struct{}
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.come <- far:
		return near, nil
	case <-p.ended:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.come:
		return conn, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.ended) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7350} }
