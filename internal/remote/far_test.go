package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

var ctx = context.Background()

// A far server keeps one board, and does what a test wants with its answers.
type far struct {
	*httptest.Server
	board query.Board

	mu       sync.Mutex
	protocol string
	before   []func(http.ResponseWriter, *http.Request) // one for each request, first come; nil: as usual
	cut      []bool                                     // the answers that are not sent, first come
	seen     []*http.Request
	bodies   [][]byte
}

func newFar(t *testing.T, https bool) *far {
	t.Helper()
	f := &far{board: query.Local(pawl.NewBoard(memory.New())), protocol: "1 1"}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ErrorLog = nil
	if https {
		f.StartTLS()
	} else {
		f.Start()
	}
	t.Cleanup(func() { f.CloseClientConnections(); f.Server.Close(); f.board.Close() })
	return f
}

func (f *far) cert() string {
	sum := sha256.Sum256(f.Certificate().Raw)
	return hex.EncodeToString(sum[:])
}

func (f *far) open(t *testing.T, change func(*Options)) *Board {
	t.Helper()
	o := Options{Address: address.Address{Origin: f.URL, Board: "shop"}, Token: "secret", Name: "ada", Patience: time.Minute, Version: "test"}
	if f.TLS != nil {
		o.Cert = f.cert()
	}
	if change != nil {
		change(&o)
	}
	b := must.Get(Open(o))(t)
	t.Cleanup(func() { b.Close() })
	return b
}

// requests are those that arrived.
func (f *far) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.seen)
}

func (f *far) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.seen, f.bodies = append(f.seen, r), append(f.bodies, body)
	var before func(http.ResponseWriter, *http.Request)
	if len(f.before) > 0 {
		before, f.before = f.before[0], f.before[1:]
	}
	cut := len(f.cut) > 0 && f.cut[0]
	if len(f.cut) > 0 {
		f.cut = f.cut[1:]
	}
	w.Header().Set(ProtocolHeader, f.protocol)
	f.mu.Unlock()
	if before != nil {
		before(w, r)
		return
	}
	answer := f.answer(w, r, body)
	if cut {
		hangUp(w, r)
		return
	}
	if answer != nil {
		json.NewEncoder(w).Encode(answer)
	}
}

func (f *far) answer(w http.ResponseWriter, r *http.Request, body []byte) any {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	switch r.URL.Path {
	case "/boards/shop" + PathHello:
		return map[string]any{"name": "ada", "role": "work", "later": true}
	case "/boards/shop" + PathDo:
		var do Do
		must(json.Unmarshal(body, &do))
		var requests []pawl.Request
		for _, text := range do.Requests {
			req, err := pawl.ParseRequest(text)
			must(err)
			requests = append(requests, req)
		}
		carry := f.board.DoAll
		if do.Try {
			carry = f.board.Try
		}
		outcomes, err := carry(r.Context(), do.Want, requests...)
		done := Done{Outcomes: outcomes}
		for i := range requests {
			e, _ := errors.AsType[*pawl.Error](pawl.ErrorAt(err, i))
			done.Errors = append(done.Errors, e)
		}
		return done
	case "/boards/shop" + PathAsk:
		var asked Ask
		must(json.Unmarshal(body, &asked))
		q, err := query.DecodeQuestion(asked.Question)
		must(err)
		a, err := f.board.Ask(r.Context(), asked.Who, q)
		must(err)
		text, err := query.EncodeAnswer(a)
		must(err)
		return json.RawMessage(text)
	case "/boards/shop" + PathWatch:
		var watch Watch
		must(json.Unmarshal(body, &watch))
		for news, err := range f.board.Watch(r.Context(), watch.Who, watch.From) {
			if err != nil {
				return nil
			}
			json.NewEncoder(w).Encode(Item{News: &news})
			http.NewResponseController(w).Flush()
		}
	case "/boards/shop" + PathExport:
		var export Export
		must(json.Unmarshal(body, &export))
		for task, err := range f.board.Export(r.Context(), export.Who, export.Query) {
			must(err)
			json.NewEncoder(w).Encode(Item{Task: &task})
		}
		return Item{End: true}
	default:
		http.NotFound(w, r)
	}
	return nil
}

// hangUp breaks the connection.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		conn.(interface{ NetConn() net.Conn }).NetConn().Close()
	}
}

func says(code int, header, value string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if header != "" {
			w.Header().Set(header, value)
		}
		w.WriteHeader(code)
	}
}

// hangs answers nothing until the client has had enough.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
