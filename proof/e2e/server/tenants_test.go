//go:build unix

package server

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/ui/team"
)

// A door is one way to a board at the wire.
type door struct{ method, path, body string }

// doors are all that there are: of the protocol by its table of routes, of the page's
// API by its description, and those of the page and of agents.
func doors(t *testing.T) []door {
	t.Helper()
	bodies := map[string]string{
		remote.PathDo:     `{"requests":[{"op":{"op":"create","tasks":[{"subject":"break-in"}]}}]}`,
		remote.PathAsk:    `{"question":{"ask":"tasks","data":{}}}`,
		remote.PathWatch:  `{"from":{"after":0}}`,
		remote.PathExport: `{}`,
	}
	all := []door{
		{"GET", "/", ""}, {"GET", "", ""}, {"GET", "/nonesuch", ""}, {"GET", "/v1/nonesuch", ""}, {"GET", "/assets/app.js", ""}, {"DELETE", "/v1/do", ""}, {"OPTIONS", "/v1/do", ""},
		{"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_list","arguments":{}}}`}, {"GET", "/mcp", ""}, {"DELETE", "/mcp", ""},
	}
	for _, at := range team.Routes() {
		body := bodies[at.Path]
		if body == "" && at.Method == http.MethodPost {
			body = `{}`
		}
		all = append(all, door{at.Method, at.Path, body})
	}
	for path := range bodies {
		if !slices.ContainsFunc(all, func(d door) bool { return d.path == path }) {
			t.Errorf("%s is not a route any longer", path)
		}
	}
	text, err := os.ReadFile("../../../docs/openapi.json")
	must(t, err)
	var api struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(t, json.Unmarshal(text, &api))
	if len(api.Paths) < 10 {
		t.Errorf("docs/openapi.json has only %d paths", len(api.Paths))
	}
	for path, methods := range api.Paths {
		for method := range methods {
			d := door{strings.ToUpper(method), strings.ReplaceAll(path, "{id}", "1"), ""}
			if d.method == http.MethodPost {
				d.body = `{"ops":[{"op":"create","tasks":[{"subject":"break-in"}]}]}`
			}
			all = append(all, d)
		}
	}
	return all
}

// TestTenants: through every door, and with every sort of token that is not for it, the
// board of somebody else is answered like one that does not exist, and stays as it is.
func TestTenants(t *testing.T) { on(t, Options{}, tenants) }

func tenants(t *testing.T, s *Server) {
	boss := s.Token("boss", "--all-boards", "--role", "admin")
	const mark = "nobody elses business"
	if reply, _ := s.Do(boss, "qvlab", `{"op":{"op":"create","tasks":[{"subject":"`+mark+`"}]}}`); reply.Status != http.StatusOK {
		t.Fatalf("%d %s", reply.Status, reply.Body)
	}
	s.Do(boss, "shop", `{"op":{"op":"create","tasks":[{"subject":"ours"}]}}`)
	before := s.revision(boss, "qvlab")
	outsiders := []Token{
		s.Token("reader", "--board", "shop", "--role", "read"),
		s.Token("worker", "--board", "shop", "--role", "work"),
		s.Token("agent", "--board", "shop", "--role", "work", "--agent"),
		s.Token("ruler", "--board", "shop", "--role", "admin"),
		{"nobody", ""},
		{"forged", "pawl_" + boss.ID() + "_" + strings.Repeat("A", 43)},
	}
	gone := s.Token("gone", "--board", "qvlab", "--role", "admin")
	s.Revoke(gone)
	for s.Request(gone.Secret, http.MethodGet, "/boards/qvlab/v1/hello", "").Status == http.StatusOK {
		time.Sleep(50 * time.Millisecond) // a server with a database learns of it within five seconds
	}
	outsiders = append(outsiders, gone)
	asked := 0
	for _, who := range outsiders {
		for _, d := range doors(t) {
			theirs := s.Request(who.Secret, d.method, "/boards/qvlab"+d.path, d.body)
			none := s.Request(who.Secret, d.method, "/boards/qvnix"+d.path, d.body)
			asked++
			what := who.Name + ": " + d.method + " " + d.path
			if strings.Contains(theirs.Body, mark) {
				t.Errorf("%s shows the board of others: %s", what, clip(theirs.Body))
			}
			// Of many wrong tokens one may be the first that is not looked at.
			often := theirs.Status == http.StatusTooManyRequests || none.Status == http.StatusTooManyRequests
			if a, b := theirs.alike("qvlab"), none.alike("qvnix"); a != b && !often {
				t.Errorf("%s tells that a board exists:\n%s\n%s", what, clip(a), clip(b))
			}
			if theirs.Status < 300 && who.Secret != "" {
				t.Errorf("%s is answered with %d: %s", what, theirs.Status, clip(theirs.Body))
			}
		}
	}
	if now := s.revision(boss, "qvlab"); now != before {
		t.Errorf("the board of others was changed: revision %d, it was %d", now, before)
	}
	_, missing := os.Stat(s.Dir + "/qvnix")
	if s.Store != "" && pgtest.Server(t).SQL(t, s.Store, "select count(*) from pawl.board where name = 'qvnix'") == "0" {
		missing = os.ErrNotExist
	}
	if missing == nil {
		t.Error("a board was made by who may not")
	}
	t.Logf("%d callers, %d requests", len(outsiders), asked)
}

// alike is a reply without what differs between two replies of one kind.
func (r *Reply) alike(board string) string {
	h := r.Header.Clone()
	h.Del("Date")
	var b strings.Builder
	h.Write(&b)
	return strings.ReplaceAll(http.StatusText(r.Status)+"\n"+b.String()+r.Body, board, "NAME")
}
