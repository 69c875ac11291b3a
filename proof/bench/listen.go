package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl"
)

// A listener is a stream of events, and when each revision came to it.
type listener struct {
	body  *bufio.Reader
	close func() error
	first pawl.Revision // the events after it come
	came  []int64       // by revision after first, in nanoseconds since the beginning
	last  atomic.Int64  // the last revision that came
	twice int           // events that came again, or too early
}

// site is a server that is asked.
type site struct {
	address, token string
	client         *http.Client
}

func (s *site) request(ctx context.Context, method, path string, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.address+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.client.Do(r)
	if err == nil && answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		err = fmt.Errorf("%s %s: %s", method, path, answer.Status)
	}
	return answer, err
}

// listen begins a stream with room for so many events.
func (s *site) listen(ctx context.Context, most int) (*listener, error) {
	answer, err := s.request(ctx, "GET", "/api/v1/events", "")
	if err != nil {
		return nil, err
	}
	l := &listener{body: bufio.NewReader(answer.Body), close: answer.Body.Close, came: make([]int64, most)}
	rev, err := l.next()
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	l.first = rev
	l.last.Store(int64(rev))
	return l, nil
}

// next reads to the end of the next event, and returns its revision. It passes
// over what says none.
func (l *listener) next() (rev pawl.Revision, err error) {
	for {
		line, err := l.body.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a long line
			_, err = l.body.ReadSlice('\n')
			line = []byte("data")
		}
		if err != nil {
			return 0, err
		}
		if id, ok := strings.CutPrefix(string(line[:min(len(line), 40)]), "id: "); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
			if err != nil {
				return 0, err
			}
			rev = pawl.Revision(n)
		}
		if len(line) == 1 && rev != 0 {
			return rev, nil
		}
	}
}

// follow reads until the stream ends.
func (l *listener) follow(began time.Time) {
	for {
		rev, err := l.next()
		if err != nil {
			return
		}
		at, place := int64(time.Since(began)), int(rev-l.first)-1
		if rev <= pawl.Revision(l.last.Load()) || place >= len(l.came) {
			l.twice++
			continue
		}
		l.came[place] = at
		l.last.Store(int64(rev))
	}
}
