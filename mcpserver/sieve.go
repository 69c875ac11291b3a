package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine bounds a message of a client: 500 tasks with long descriptions fit,
// and memory does.
const maxLine = 8 << 20

// A sieve lets through the lines that are messages and answers the others, one
// of which would end the connection else. A batch, which clients of 2025-03-26
// may send, comes through as the messages that it holds.
type sieve struct {
	from *bufio.Reader
	in   io.Closer
	out  io.Writer
	left []byte // of what came through
	err  error  // after that
}

func newSieve(in io.ReadCloser, out io.Writer) *sieve {
	return &sieve{from: bufio.NewReaderSize(in, 64<<10), in: in, out: out}
}

func (s *sieve) Read(p []byte) (int, error) {
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

func (s *sieve) Close() error { return s.in.Close() }

var errLong = errors.New("the line is longer than 8 MiB")

// line reads the next line, nothing of one that is too long.
func (s *sieve) line() ([]byte, error) {
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

// sift returns the messages of a line, a line each.
func (s *sieve) sift(line []byte) []byte {
	line = bytes.TrimSpace(line)
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

// refuse answers what is no message, under its id where it has one.
func (s *sieve) refuse(code int64, why error, message json.RawMessage) {
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
		s.out.Write(append(line, '\n')) // whoever does not read it finds out at the next answer
	}
}
