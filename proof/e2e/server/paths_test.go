//go:build unix

package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/remote"
)

func clip(text string) string { return text[:min(len(text), 600)] }

// TestPaths: no way of writing a path leads to a board that the token is not for, or
// out of the folder of the boards.
func TestPaths(t *testing.T) { on(t, Options{}, paths) }

func paths(t *testing.T, s *Server) {
	boss := s.Token("boss", "--all-boards", "--role", "admin")
	thug := s.Token("thug", "--board", "shop", "--role", "work")
	const mark = "nobody elses business"
	s.Do(boss, "shop", `{"op":{"op":"create","tasks":[{"subject":"ours"}]}}`)
	s.Do(boss, "lab", `{"op":{"op":"create","tasks":[{"subject":"`+mark+`"}]}}`)
	if reply := s.Request(boss.Secret, http.MethodPost, "/boards/lab"+remote.PathExport, `{}`); !strings.Contains(reply.Body, mark) {
		t.Fatalf("the board is not read: %d %s", reply.Status, clip(reply.Body))
	}
	asked := 0
	for _, way := range []string{
		"/boards/lab", "/boards/shop/../lab", "/boards/shop/%2e%2e/lab", "/boards/shop/%2E%2E/lab", "/boards/shop%2f..%2flab", "/boards/shop%2F%2e%2e%2Flab", "/boards//lab", "//boards/lab",
		"/boards/./lab", "/./boards/lab", "/boards/shop/..;/lab", "/boards/LAB", "/boards/lab%00", "/boards/lab%20", "/boards/lab.", "/boards/%6c%61%62", "/boards/shop/../../boards/lab", "/boards/..%2fboards%2flab",
		"/boards/shop\\..\\lab", "/boards/shop%5c..%5clab", "/boards/shop/v1/../../lab", "/boards/.pawl-server", "/boards/..", "/boards/%2e%2e", "/boards/shop/.tasks", "/boards/shop%2f.tasks", "/boards/l%C3%A0b", "/boards/%EF%BD%8Cab",
	} {
		for _, path := range []string{remote.PathExport, remote.PathAsk, remote.PathHello, remote.PathFilm, "/api/v1/lanes", "/mcp", "/tokens.json", "/task_1.json"} {
			method, body := http.MethodGet, ""
			switch path {
			case remote.PathExport:
				method, body = http.MethodPost, `{}`
			case remote.PathAsk:
				method, body = http.MethodPost, `{"question":{"ask":"tasks","data":{}}}`
			}
			reply := s.Request(thug.Secret, method, way+path, body)
			asked++
			if reply.Status < 300 || strings.Contains(reply.Body, mark) || strings.Contains(reply.Body, boss.ID()) {
				t.Errorf("%s %s: %d %s", method, way+path, reply.Status, clip(reply.Body))
			}
		}
	}
	t.Logf("%d paths", asked)
}
