package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// A wire is a listener for connections in memory, whose clock a test has.
type testWire struct {
	calls chan net.Conn
	ended chan struct{}
}

func (w *testWire) Accept() (net.Conn, error) {
	select {
	case conn := <-w.calls:
		return conn, nil
	case <-w.ended:
		return nil, net.ErrClosed
	}
}

func (w *testWire) Close() error {
	close(w.ended)
	return nil
}

func (*testWire) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7350} }

// overWire serves a board over a wire, until stop.
func overWire(t *testing.T) (w *testWire, stop func() error) {
	board := pawl.NewBoard(memory.New())
	o := showing(board)
	o.AccessToken = "secret"
	o.MCP = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it came through") })
	ctx, cancel := context.WithCancel(t.Context())
	w = &testWire{make(chan net.Conn), make(chan struct{})}
	ended := make(chan error)
	go func() { ended <- New(o).Serve(ctx, w) }()
	return w, func() error { cancel(); return <-ended }
}

func (w *testWire) call() net.Conn {
	near, far := net.Pipe()
	w.calls <- far
	return near
}

// Nobody keeps a connection by being slow: not with the head of a request, nor
// with its body, nor by asking nothing more.
func TestSlowClients(t *testing.T) {
	const host = "Host: 127.0.0.1:7350\r\nAuthorization: Bearer secret\r\nContent-Type: application/json\r\n"
	for _, c := range []struct {
		name, sends string
		status      int // of what is answered; 0: nothing is
		after       time.Duration
	}{
		{"a head that does not end", "GET /api/v1/about HTTP/1.1\r\nX: ", 0, headTimeout},
		{"a body that does not come", "POST /api/v1/ops HTTP/1.1\r\n" + host + "Content-Length: 100\r\n\r\n{", http.StatusRequestTimeout, bodyTimeout},
		{"a body in chunks that does not end", "POST /mcp HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", http.StatusRequestTimeout, bodyTimeout},
		{"nothing more", "GET /api/v1/about HTTP/1.1\r\n" + host + "\r\n", http.StatusOK, idleTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, stop := overWire(t)
				conn, began := w.call(), time.Now()
				go io.WriteString(conn, c.sends)
				answer, err := io.ReadAll(conn)
				if took := time.Since(began); err != nil || took != c.after {
					t.Errorf("it is hung up on after %v, want %v: %v", took, c.after, err)
				}
				if c.status > 0 {
					res, err := http.ReadResponse(bufio.NewReader(strings.NewReader(string(answer))), nil)
					if err != nil || res.StatusCode != c.status {
						t.Errorf("it is answered %q, %v", answer, err)
					}
				}
				must.Do(t, stop())
			})
		})
	}
}

// A server ends at once, with a stream that is open.
func TestEndsWithStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, stop := overWire(t)
		conn := w.call()
		go io.WriteString(conn, "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:7350\r\nAuthorization: Bearer secret\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		go io.Copy(io.Discard, res.Body)
		began := time.Now()
		if err := stop(); err != nil || time.Since(began) >= lastWords {
			t.Errorf("it ends after %v: %v", time.Since(began), err)
		}
	})
}
