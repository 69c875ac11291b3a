//go:build unix

package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
)

// A Lean client sends one request after another on one open connection. It costs a
// fraction of [remote.Board], so that a server can be measured on processors that it
// shares with its clients.
type Lean struct {
	conn    net.Conn
	in      *bufio.Reader
	head    string // of a request, up to its path
	rest    string // of its head, up to its length
	request []byte
	answer  []byte
}

// Lean connects one, as the n-th of many.
func (s *Server) Lean(n int, token Token, board string) *Lean {
	s.Helper()
	conn, err := s.dial(s.TB.Context(), n)
	must(s.TB, err)
	s.Cleanup(func() { conn.Close() })
	return &Lean{
		conn: conn, in: bufio.NewReaderSize(conn, 4<<10), head: "POST /boards/" + board,
		rest: fmt.Sprintf(" HTTP/1.1\r\nHost: %s\r\nUser-Agent: fleet\r\nAuthorization: Bearer %s\r\n%s: 1\r\nContent-Type: application/json\r\nContent-Length: ",
			s.Addr, token.Secret, remote.ProtocolHeader),
	}
}

// Close ends the connection.
func (l *Lean) Close() { l.conn.Close() }

// A Taken task was claimed, in a session of its own.
type Taken struct {
	ID      pawl.ID
	session int64
}

// sent numbers all requests, each of which has an op id.
var sent atomic.Int64

var (
	idsKey    = []byte(`"ids":[`)
	errorsKey = []byte(`"errors"`)
)

// Claim claims the next ready task for a new session. It fails if none is ready.
func (l *Lean) Claim() (Taken, error) {
	n := sent.Add(1)
	answer, err := l.do(`{"by":{"session":"s%d"},"op":{"op":"claim","lease":"1h0m0s"},"opId":"0198c1c0-5f2d-7000-8000-%012d"}`, n, n)
	if err != nil {
		return Taken{}, err
	}
	_, text, _ := bytes.Cut(answer, idsKey)
	text, _, _ = bytes.Cut(text, []byte("]"))
	id, err := strconv.ParseInt(string(text), 10, 64)
	return Taken{pawl.ID(id), n}, err
}

// Complete completes a task.
func (l *Lean) Complete(t Taken) error {
	_, err := l.do(`{"by":{"session":"s%d"},"op":{"op":"complete","ids":[%d]},"opId":"0198c1c0-5f2d-7000-8000-%012d"}`, t.session, t.ID, sent.Add(1))
	return err
}

func (l *Lean) do(request string, args ...any) ([]byte, error) {
	status, answer, err := l.Post(remote.PathDo, fmt.Appendf(nil, `{"requests":[`+request+`]}`, args...))
	if err == nil && (status != http.StatusOK || bytes.Contains(answer, errorsKey)) {
		err = fmt.Errorf("%d %.500s", status, answer)
	}
	return answer, err
}

// Post sends a request and returns its response, which the next one overwrites.
func (l *Lean) Post(path string, body []byte) (status int, answer []byte, err error) {
	l.request = append(l.request[:0], l.head...)
	l.request = append(l.request, path...)
	l.request = append(l.request, l.rest...)
	l.request = strconv.AppendInt(l.request, int64(len(body)), 10)
	l.request = append(append(l.request, "\r\n\r\n"...), body...)
	if _, err := l.conn.Write(l.request); err != nil {
		return 0, nil, err
	}
	size := -1
	for {
		line, err := l.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if rest, is := bytes.CutPrefix(line, []byte("HTTP/1.1 ")); is && len(rest) >= 3 {
			status, _ = strconv.Atoi(string(rest[:3]))
		}
		if rest, is := bytes.CutPrefix(line, []byte("Content-Length: ")); is {
			size, _ = strconv.Atoi(string(rest))
		}
	}
	if size < 0 {
		return status, nil, fmt.Errorf("the response %d has no length", status)
	}
	l.answer = append(l.answer[:0], make([]byte, size)...)
	_, err = io.ReadFull(l.in, l.answer)
	return status, l.answer, err
}
