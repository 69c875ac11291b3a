package mcpserver

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lines serves one client that sends one message per line, as on standard input
// and output. It returns nil when the input or ctx ends, after answering all
// requests of the input.
func (s *Server) Lines(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	to := &whole{to: out}
	err := s.mcp.Run(ctx, &lines{mcp.IOTransport{Reader: newLineFilter(in, to), Writer: to, MaxLineLength: -1}})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// lines is a transport whose end waits for open requests.
type lines struct{ mcp.IOTransport }

func (l *lines) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := l.IOTransport.Connect(ctx)
	return &drainConn{Connection: conn, asked: map[jsonrpc.ID]bool{}, gone: make(chan struct{})}, err
}

// A drainConn delays EOF until all requests are answered, because the SDK drops
// their responses at EOF: `printf … | pawl mcp` would lose the last ones.
type drainConn struct {
	mcp.Connection

	mu    sync.Mutex
	asked map[jsonrpc.ID]bool // and not answered
	quiet chan struct{}       // closed when asked is empty; nil: nobody waits

	once sync.Once
	gone chan struct{} // closed with the connection
}

// patience limits the wait for responses after EOF. No request takes that long but one
// that waits for checks, and these end with the server.
const patience = 10 * time.Second

func (p *drainConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := p.Connection.Read(ctx)
	if err != nil {
		p.settle(ctx)
		return message, err
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() && request.Method != "subscriptions/listen" {
		p.mu.Lock()
		p.asked[request.ID] = true
		p.mu.Unlock()
	}
	return message, nil
}

func (p *drainConn) Write(ctx context.Context, message jsonrpc.Message) error {
	err := p.Connection.Write(ctx, message)
	if response, ok := message.(*jsonrpc.Response); ok {
		p.mu.Lock()
		delete(p.asked, response.ID)
		if len(p.asked) == 0 && p.quiet != nil {
			close(p.quiet)
			p.quiet = nil
		}
		p.mu.Unlock()
	}
	return err
}

// settle waits until all requests are answered.
func (p *drainConn) settle(ctx context.Context) {
	p.mu.Lock()
	if len(p.asked) == 0 {
		p.mu.Unlock()
		return
	}
	quiet := make(chan struct{})
	p.quiet = quiet
	p.mu.Unlock()
	select {
	case <-quiet:
	case <-p.gone:
	case <-ctx.Done():
	case <-time.After(patience):
	}
}

func (p *drainConn) Close() error {
	p.once.Do(func() { close(p.gone) })
	return p.Connection.Close()
}

// whole is an output for several writers of whole lines.
type whole struct {
	mu sync.Mutex
	to io.WriteCloser
}

func (w *whole) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(line)
}

func (w *whole) Close() error { return w.to.Close() }
