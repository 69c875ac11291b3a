package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A listened is a server that listens, and how it is asked.
type listened struct {
	*Server
	base string
	stop context.CancelFunc
	done chan error
}

// listen serves until the test ends.
func listen(t testing.TB, o Options) *listened {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	if o.AccessToken == "" {
		o.AccessToken = "token"
	}
	if o.By.Name == "" {
		o.By.Name = "ada"
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &listened{New(o), "http://" + l.Addr().String(), stop, make(chan error, 1)}
	go func() { s.done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		must.Do(t, <-s.done)
	})
	return s
}

// showing are the options of a server that shows a board.
func showing(board *pawl.Board) Options {
	return Options{Live: show.Live{
		Open:  func(context.Context, bool) (query.Board, string, error) { return query.Local(board), "", nil },
		Await: func(context.Context) (query.Board, error) { return query.Local(board), nil },
	}}
}

// An event is one of a stream.
type event struct{ id, kind, data string }

// A listener reads a stream.
type listener struct {
	t    testing.TB
	body io.ReadCloser
	text *bufio.Reader
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: -1}}

// stream begins to listen; query such as ?after=3. last is the id of the last event, if any.
func (s *listened) stream(t testing.TB, selection, last string) *listener {
	t.Helper()
	answer := s.get(t, "/api/v1/events"+selection, last)
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		text, _ := io.ReadAll(answer.Body)
		t.Fatalf("%d %s\n%s", answer.StatusCode, answer.Header.Get("Content-Type"), text)
	}
	return newListener(t, answer.Body)
}

func newListener(t testing.TB, body io.ReadCloser) *listener {
	return &listener{t, body, bufio.NewReader(body)}
}

// begin is stream for goroutines, which cannot end a test.
func (s *listened) begin(ctx context.Context, selection, last string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", s.base+"/api/v1/events"+selection, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer token")
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("the status is %s", answer.Status)
	}
	return answer.Body, nil
}

func (s *listened) get(t testing.TB, path, last string) *http.Response {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), "GET", s.base+path, nil))(t)
	r.Header.Set("Authorization", "Bearer token")
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer := must.Get(client.Do(r))(t)
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// read returns the next event.
func (l *listener) read() (e event, err error) {
	for {
		line, err := l.text.ReadString('\n')
		if err != nil {
			return e, err
		}
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data += value
		case "":
			if e != (event{}) {
				return e, nil
			}
		}
	}
}

func (l *listener) next() event {
	l.t.Helper()
	return must.Get(l.read())(l.t)
}

// want reads an event of a kind, and returns what it says.
func (l *listener) want(kind string) (e event, says map[string]any) {
	l.t.Helper()
	if e = l.next(); e.kind != kind {
		l.t.Fatalf("%q came: %+v, want %q", e.kind, e, kind)
	}
	if err := json.Unmarshal([]byte(e.data), &says); err != nil {
		l.t.Fatalf("%v: %s", err, e.data)
	}
	return e, says
}

func do(t testing.TB, board *pawl.Board, name string, op pawl.Op) pawl.Result {
	t.Helper()
	return must.Get(board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: name}, Op: op}))(t)
}

func add(t testing.TB, board *pawl.Board, name string, drafts ...pawl.NewTask) pawl.Result {
	t.Helper()
	return do(t, board, name, pawl.Create{Tasks: drafts})
}

func TestEventsTellWhatHappens(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	add(t, board, "bob", pawl.NewTask{Subject: "Set up"}, pawl.NewTask{Subject: "Write", BlockedBy: []pawl.Ref{pawl.RefID(1)}})
	s := listen(t, showing(board))
	l := s.stream(t, "", "")
	if e, _ := l.want("hello"); e.id != "1" || e.data != `{"revision":1}` {
		t.Errorf("hello is %+v", e)
	}
	do(t, board, "ada", pawl.Complete{IDs: []pawl.ID{1}})
	e, says := l.want("change")
	if e.id != "2" || says["line"] != "ada completed #1 Set up; ready now: #2 Write" || says["mine"] != true || says["kind"] != "change" {
		t.Errorf("%+v", e)
	}
	if change, _ := says["change"].(map[string]any); change["verb"] != "complete" || change["revision"] != 2. {
		t.Errorf("%+v", e)
	}
	do(t, board, "bob", pawl.Start{IDs: []pawl.ID{2}})
	if _, says := l.want("change"); says["line"] != "bob started #2 Write" || says["mine"] != false {
		t.Errorf("%+v", says)
	}

	again := s.stream(t, "?after=0", "")
	again.want("hello")
	for _, rev := range []string{"1", "2", "3"} {
		if e, _ := again.want("change"); e.id != rev {
			t.Errorf("%+v, want %s", e, rev)
		}
	}
	resumed := s.stream(t, "?after=0", "2")
	if e, _ := resumed.want("hello"); e.id != "2" {
		t.Errorf("%+v", e)
	}
	if e, _ := resumed.want("change"); e.id != "3" {
		t.Errorf("%+v", e)
	}
}
