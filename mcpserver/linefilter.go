package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine bounds a message of a client: 500 tasks with long descriptions fit.
const maxLine = 8 << 20

// A lineFilter passes lines that are messages on and answers bad lines itself,
// because one would end the connection. It splits a batch, which clients of
// 2025-03-26 may send, into its messages.
type lineFilter struct {
	from *bufio.Reader
	in   io.Closer
	out  io.Writer
	left []byte // passed on, not read yet
	err  error  // returned after left
}

func newLineFilter(in io.ReadCloser, out io.Writer) *lineFilter {
	return &lineFilter{from: bufio.NewReaderSize(in, 64<<10), in: in, out: out}
}

func (s *lineFilter) Read(p []byte) (int, error) {
	for len(s.left) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		var line []byte
		line, s.err = s.line()
		s.left = s.sift(line)
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

func (s *lineFilter) Close() error { return s.in.Close() }

var errLong = errors.New("the line is longer than 8 MiB")

// line reads the next line. It answers and skips a line that is too long.
func (s *lineFilter) line() ([]byte, error) {
	var line []byte
	for long := false; ; {
		part, err := s.from.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			s.refuse(jsonrpc.CodeInvalidRequest, errLong, nil)
			return nil, err
		}
		return line, err
	}
}

// sift returns the messages of a line, one per line.
func (s *lineFilter) sift(line []byte) []byte {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF"))) // which consoles of Windows put first
	if len(line) == 0 {
		return nil
	}
	if !json.Valid(line) {
		s.refuse(jsonrpc.CodeParseError, errors.New("the line is not JSON"), nil)
		return nil
	}
	messages := []json.RawMessage{line}
	if line[0] == '[' {
		if json.Unmarshal(line, &messages) != nil || len(messages) == 0 {
			s.refuse(jsonrpc.CodeInvalidRequest, errors.New("a batch holds at least one message"), nil)
			return nil
		}
	}
	var through []byte
	for _, message := range messages {
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			s.refuse(jsonrpc.CodeInvalidRequest, err, message)
			continue
		}
		through = append(append(through, message...), '\n')
	}
	return through
}

// refuse answers a bad message, under its id if it has one.
func (s *lineFilter) refuse(code int64, why error, message json.RawMessage) {
	var known struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(message, &known) != nil {
		known.ID = nil
	}
	switch known.ID.(type) {
	case string, float64:
	default:
		known.ID = nil
	}
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": known.ID, "error": map[string]any{"code": code, "message": why.Error()},
	})
	if err == nil {
		s.out.Write(append(line, '\n')) // a failure shows at the next response
	}
}
