package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// A site is a server on a board in memory, asked as the page asks it. Between
// them all goes over JSON, so that what does not travel is seen.
type site struct {
	*Server
	t     *testing.T
	board *pawl.Board
}

// filmed is a board with a film of its history.
type filmed struct {
	query.Board
	board *pawl.Board
}

func (f filmed) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Load(ctx, f.board, name, replay.MaxSteps)
}

// newSite serves a board; nil: there is none yet, and writing makes one.
func newSite(t *testing.T, board *pawl.Board) *site {
	t.Helper()
	s := &site{t: t, board: board}
	s.Server = New(Options{
		AccessToken: "secret", Version: "1.2.3",
		Live: show.Live{By: pawl.Actor{Name: "ada", Session: "web"}, Name: "compiler", Open: func(_ context.Context, write bool) (query.Board, string, error) {
			note := ""
			if s.board == nil && write {
				s.board, note = pawl.NewBoard(memory.New()), "a board was made"
			}
			if s.board == nil {
				return nil, "", nil
			}
			return filmed{querytest.Loop(query.Local(s.board)), s.board}, note, nil
		}},
	})
	s.names.addr = netip.MustParseAddrPort("127.0.0.1:7350")
	return s
}

// send asks and returns what came.
func (s *site) send(method, path, body string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.ask(httptest.NewRequest(method, "/api/v1/"+path, strings.NewReader(body)), body)
}

// ask asks with a request, and holds both sides to the contract.
func (s *site) ask(r *http.Request, body string) *httptest.ResponseRecorder {
	s.t.Helper()
	r.Host = "127.0.0.1:7350"
	r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.TCPAddrFromAddrPort(s.names.addr)))
	r.Header.Set("Authorization", "Bearer secret")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.guard(s.mux).ServeHTTP(w, r)
	s.keepsContract(r, body, w)
	return w
}

// decoded is the text of an envelope as a value.
func decoded[T any](t testing.TB, text []byte) (answer T) {
	t.Helper()
	must.Do(t, json.Unmarshal(text, &answer))
	return answer
}

// get reads an answer into a value of its envelope.
func get[T any](s *site, path string) (answer T) {
	s.t.Helper()
	s.into(s.send("GET", path, ""), &answer)
	return answer
}

// ops has ops carried out: do(`{"op":"complete","ids":[1]}`).
func (s *site) do(ops ...string) outcomeJSON {
	s.t.Helper()
	return s.post(`{"ops":[` + strings.Join(ops, ",") + `]}`)
}

func (s *site) post(body string) (answer outcomeJSON) {
	s.t.Helper()
	s.into(s.send("POST", "ops", body), &answer)
	return answer
}

// refuses sends ops that must fail, and returns how.
func (s *site) refuses(status int, ops ...string) wire.ErrorBody {
	s.t.Helper()
	return s.fails(status, "POST", "ops", `{"ops":[`+strings.Join(ops, ",")+`]}`)
}

func (s *site) fails(status int, method, path, body string) wire.ErrorBody {
	s.t.Helper()
	w := s.send(method, path, body)
	if w.Code != status {
		s.t.Fatalf("%s %s %s: %d %s, want %d", method, path, body, w.Code, w.Body, status)
	}
	var answer wire.ErrorJSON
	must.Do(s.t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer.Error
}

func (s *site) into(w *httptest.ResponseRecorder, answer any) {
	s.t.Helper()
	if w.Code != http.StatusOK {
		s.t.Fatalf("%d %s", w.Code, w.Body)
	}
	dec := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	dec.DisallowUnknownFields()
	if err := dec.Decode(answer); err != nil {
		s.t.Fatalf("%v in %s", err, w.Body)
	}
}

// chain has #1 Set up, for which #2 Parse waits, for which #3 Print waits, and
// #4 Write docs, which waits for nobody.
const chain = `{"op":"create","tasks":[{"ref":"a","subject":"Set up"},{"ref":"b","subject":"Parse","blockedBy":["a"]},` +
	`{"subject":"Print","blockedBy":["b"],"labels":["core"],"priority":"high"},{"subject":"Write docs","owner":"bob"}]}`
