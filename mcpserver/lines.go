package mcpserver

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message of a client: a batch of 500 tasks with long
// descriptions fits, and memory does.
const maxLine = 8 << 20

// Lines serves one client that writes a message a line, as on standard input
// and output, until it has no more to say or ctx ends; both are ends, not
// errors.
func (s *Server) Lines(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxLine})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}
