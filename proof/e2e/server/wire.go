//go:build unix

package server

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
)

// A Reply is the response to a raw request.
type Reply struct {
	Status int
	Header http.Header
	Body   string
}

// Failure is the error in a reply.
func (r *Reply) Failure() pawl.Error {
	var f remote.Failure
	json.Unmarshal([]byte(r.Body), &f)
	return f.Error
}

// Request sends one request, with a token unless the secret is empty, and reads the
// beginning of the response.
func (s *Server) Request(secret, method, path, body string) Reply {
	s.Helper()
	req, err := http.NewRequestWithContext(s.TB.Context(), method, s.Origin, strings.NewReader(body))
	must(s.TB, err)
	req.URL.Opaque = path // as it is written
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	req.Header.Set(remote.ProtocolHeader, "1")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.client.Do(req)
	must(s.TB, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	must(s.TB, err)
	return Reply{resp.StatusCode, resp.Header, string(text)}
}

// Do sends requests for changes, as JSON, and returns their results.
func (s *Server) Do(token Token, board string, requests ...string) (Reply, remote.Done) {
	s.Helper()
	reply := s.Request(token.Secret, http.MethodPost, "/boards/"+board+remote.PathDo, `{"requests":[`+strings.Join(requests, ",")+`]}`)
	var done remote.Done
	if reply.Status == http.StatusOK {
		must(s.TB, json.Unmarshal([]byte(reply.Body), &done))
	}
	return reply, done
}

func (s *Server) read(reply Reply, into any) {
	s.Helper()
	must(s.TB, json.Unmarshal([]byte(reply.Body), into))
}
