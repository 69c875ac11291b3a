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

// Lines serves one client that writes a message a line, as on standard input
// and output, until it has no more to say or ctx ends; both are ends, not
// errors. What it asked before it fell silent is still answered.
func (s *Server) Lines(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	to := &whole{to: out}
	err := s.mcp.Run(ctx, &lines{mcp.IOTransport{Reader: newSieve(in, to), Writer: to, MaxLineLength: -1}})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// lines is a transport whose end waits for what is under way.
type lines struct{ mcp.IOTransport }

func (l *lines) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := l.IOTransport.Connect(ctx)
	return &patient{Connection: conn, asked: map[jsonrpc.ID]bool{}, gone: make(chan struct{})}, err
}

// A patient connection reports the end of the input only when all requests are
// answered: the SDK drops the answers of those that are under way by then, and
// with them what `printf … | pawl mcp` asked last.
type patient struct {
	mcp.Connection

	mu    sync.Mutex
	asked map[jsonrpc.ID]bool // and not answered yet
	quiet chan struct{}       // closed when there are none; nil: nobody waits

	once sync.Once
	gone chan struct{} // closed with the connection
}

// patience bounds the wait for an answer after the end. None takes as long.
const patience = 10 * time.Second

func (p *patient) Read(ctx context.Context) (jsonrpc.Message, error) {
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

func (p *patient) Write(ctx context.Context, message jsonrpc.Message) error {
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

// settle waits until everything is answered.
func (p *patient) settle(ctx context.Context) {
	p.mu.Lock()
	if len(p.asked) == 0 {
		p.mu.Unlock()
		return
	}
	quiet := make(chan struct{})
	p.quiet = quiet
	p.mu.Unlock()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-quiet:
	case <-p.gone:
	case <-ctx.Done():
	case <-limit.C:
	}
}

func (p *patient) Close() error {
	p.once.Do(func() { close(p.gone) })
	return p.Connection.Close()
}

// whole is an output to which several write, each of them whole lines.
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
