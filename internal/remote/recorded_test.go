package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/exchanges"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// TestOldServers gives today's client the answers that servers of each protocol have
// given, as they were and with keys that a later server may add. It understands all
// of them, and loses nothing.
func TestOldServers(t *testing.T) {
	for protocol := remote.Oldest; protocol <= remote.Protocol; protocol++ {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d, later %v", protocol, later), func(t *testing.T) {
				asked := 0
				for _, x := range exchanges.Load(t, protocol) {
					got, known := replayed(t, x, later)
					if !known {
						continue // no client of today sends this
					}
					asked++
					for _, lost := range got {
						t.Errorf("%s: %s", x.Name, lost)
					}
				}
				if asked < 50 {
					t.Errorf("only %d exchanges were played", asked)
				}
			})
		}
	}
}

// replayed asks as an exchange says, and names what of its answer was lost.
func replayed(t *testing.T, x exchanges.Exchange, later bool) (lost []string, known bool) {
	t.Helper()
	board := recordedBoard(t, x, later)
	ctx := t.Context()
	path, _, _ := strings.Cut(x.Path, "?")
	switch path {
	case remote.PathHello:
		hello, err := board.Hello(ctx)
		return compared(t, x, hello, err), true
	case remote.PathDo:
		var m remote.Do
		if json.Unmarshal(x.Body, &m) != nil || len(m.Requests) == 0 {
			return nil, false
		}
		var requests []pawl.Request
		for _, text := range m.Requests {
			request, err := pawl.ParseRequest(text)
			if err != nil {
				return nil, false
			}
			requests = append(requests, request)
		}
		carry := board.DoAll
		if m.Try {
			carry = board.Try
		}
		outcomes, failed := carry(ctx, m.Want, requests...)
		done := remote.Done{Outcomes: outcomes}
		if failed != nil {
			done.Errors = make([]*pawl.Error, len(requests))
			for i := range requests {
				done.Errors[i], _ = errors.AsType[*pawl.Error](pawl.ErrorAt(failed, i))
			}
		}
		return compared(t, x, done, nil), true
	case remote.PathAsk:
		var m remote.Ask
		if json.Unmarshal(x.Body, &m) != nil {
			return nil, false
		}
		q, err := query.DecodeQuestion(m.Question)
		if err != nil {
			return nil, false
		}
		answer, err := board.Ask(ctx, m.Who, q)
		if err != nil {
			return compared(t, x, nil, err), true
		}
		text, err := query.EncodeAnswer(answer)
		return compared(t, x, json.RawMessage(text), err), true
	case remote.PathWatch:
		var m remote.Watch
		if err := json.Unmarshal(x.Body, &m); err != nil {
			return nil, false
		}
		var items []remote.Item
		for news, err := range board.Watch(ctx, m.Who, m.From) {
			if err != nil {
				t.Errorf("%s: %v", x.Name, err)
				break
			}
			items = append(items, remote.Item{News: &news})
			if len(items) == len(x.Lines) {
				break
			}
		}
		return lines(t, x, items), true
	case remote.PathExport:
		var m remote.Export
		if err := json.Unmarshal(x.Body, &m); err != nil {
			return nil, false
		}
		var items []remote.Item
		for task, err := range board.Export(ctx, m.Who, m.Query) {
			if err != nil {
				t.Errorf("%s: %v", x.Name, err)
			}
			items = append(items, remote.Item{Task: &task})
		}
		return lines(t, x, append(items, remote.Item{End: true})), true
	case remote.PathFilm:
		film, err := board.Film(ctx, "ada")
		return compared(t, x, film, err), true
	}
	return nil, false
}

// compared names what a client lost of an answer or of a refusal.
func compared(t *testing.T, x exchanges.Exchange, got any, err error) []string {
	t.Helper()
	if (err == nil) != (x.Status == http.StatusOK) {
		return []string{fmt.Sprintf("the status was %d, and the client says %v", x.Status, err)}
	}
	if err != nil {
		e, own := errors.AsType[*pawl.Error](err)
		if !own {
			return []string{fmt.Sprintf("the client says %v", err)}
		}
		got = remote.Failure{Error: *e}
	}
	text := must.Get(json.Marshal(got))(t)
	return must.Get(exchanges.Missing(x.Answer, text))(t)
}

func lines(t *testing.T, x exchanges.Exchange, items []remote.Item) (lost []string) {
	t.Helper()
	if len(items) != len(x.Lines) {
		return []string{fmt.Sprintf("%d lines came, of %d", len(items), len(x.Lines))}
	}
	for i := range items {
		text := must.Get(json.Marshal(items[i]))(t)
		some := must.Get(exchanges.Missing(x.Lines[i], text))(t)
		lost = append(lost, some...)
	}
	return lost
}

// recordedBoard is a board whose server gives one recorded answer.
func recordedBoard(t *testing.T, x exchanges.Exchange, later bool) *remote.Board {
	t.Helper()
	sent := func(text json.RawMessage) []byte {
		if !later || len(text) == 0 {
			return text
		}
		return must.Get(exchanges.Extend(text))(t)
	}
	return oneAnswer(t, func(w http.ResponseWriter, r *http.Request) {
		if path, _, _ := strings.Cut(x.Path, "?"); r.URL.Path != "/boards/shop"+path || r.Method != x.Method {
			t.Errorf("%s: the client asks %s %s", x.Name, r.Method, r.URL.Path)
		}
		w.Header().Set(remote.ProtocolHeader, x.Spoken)
		w.WriteHeader(x.Status)
		w.Write(sent(x.Answer))
		for _, line := range x.Lines {
			w.Write(append(sent(compact(t, line)), '\n'))
		}
		if x.Path == remote.PathWatch {
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
}

// compact is JSON on one line.
func compact(t *testing.T, text json.RawMessage) json.RawMessage {
	t.Helper()
	return must.Get(json.Marshal(text))(t)
}

func oneAnswer(t *testing.T, answer http.HandlerFunc) *remote.Board {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	at := must.Get(address.Parse(server.URL + "/boards/shop"))(t)
	board := must.Get(remote.Open(remote.Options{Address: at, Token: "pawl_x_y", Name: "ada", Patience: time.Minute}))(t)
	t.Cleanup(func() { board.Close() })
	return board
}

// TestProtocols has servers name the protocols that they speak: who must upgrade is
// said, and a newer server that still speaks the client's is spoken with.
func TestProtocols(t *testing.T) {
	newer, next := remote.Protocol+1, remote.Protocol+2
	for _, tt := range []struct {
		spoken    string
		want, say string // empty: it works
	}{
		{fmt.Sprint(remote.Protocol, " ", remote.Oldest), "", ""},
		{fmt.Sprint(newer, " ", remote.Oldest), "", ""},
		{fmt.Sprint(next, " ", newer), "has a newer pawl", "update pawl on this machine"},
		{fmt.Sprint(remote.Oldest-1, " ", remote.Oldest-1), "has an older pawl", "ask who runs the server to update it"},
		{"", "does not answer as a pawl server does", ""},
		{"soon", "does not answer as a pawl server does", ""},
	} {
		t.Run(tt.spoken, func(t *testing.T) {
			for _, status := range []int{http.StatusOK, http.StatusBadRequest} {
				board := oneAnswer(t, func(w http.ResponseWriter, r *http.Request) {
					if tt.spoken != "" {
						w.Header().Set(remote.ProtocolHeader, tt.spoken)
					}
					w.WriteHeader(status)
					if status == http.StatusOK {
						fmt.Fprint(w, `{"version":"9.9","board":"shop","name":"ada"}`)
					} else {
						fmt.Fprint(w, `{"error":{"kind":"invalid","message":"this server speaks protocol 9"}}`)
					}
				})
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				hello, err := board.Hello(ctx)
				if tt.want == "" && status == http.StatusOK {
					if err != nil || hello.Name != "ada" {
						t.Errorf("it fails: %v, %+v", err, hello)
					}
					continue
				}
				e, own := errors.AsType[*pawl.Error](err)
				if !own || !strings.Contains(e.Message, tt.want) || tt.say != "" && e.Hint.Text != tt.say {
					t.Errorf("%d: %v, with the hint %q", status, err, e.Hint.Text)
				}
			}
		})
	}
}
