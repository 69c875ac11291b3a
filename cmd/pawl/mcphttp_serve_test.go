package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A served is a real `pawl serve`.
type served struct {
	t       *testing.T
	cmd     *exec.Cmd
	Address string `json:"address"`
	File    string `json:"tokenFile"`
	token   string
}

func (h home) serveWeb(t *testing.T) *served {
	t.Helper()
	s := &served{t: t, cmd: h.pawl(t, nil, "serve", "--addr", "127.0.0.1:0", "--json")}
	s.cmd.Stderr = t.Output()
	out := must.Get(s.cmd.StdoutPipe())(t)
	must.Do(t, s.cmd.Start())
	t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait() })
	line := must.Get(bufio.NewReader(out).ReadBytes('\n'))(t)
	if err := json.Unmarshal(line, s); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	token := must.Get(os.ReadFile(s.File))(t)
	s.token = strings.TrimSpace(string(token))
	return s
}

// ask makes a request of an agent's program. The answer is the caller's to close.
func (s *served) ask(method, session, body string, headers ...string) *http.Response {
	s.t.Helper()
	req := must.Get(http.NewRequestWithContext(s.t.Context(), method, s.Address+"/mcp", strings.NewReader(body)))(s.t)
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	for _, h := range headers {
		key, value, _ := strings.Cut(h, ": ")
		req.Header.Set(key, value)
		if key == "Host" {
			req.Host = value
		}
	}
	return must.Get(http.DefaultClient.Do(req))(s.t)
}

// said is the answer, and all that it says.
func (s *served) said(method, session, body string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	resp := s.ask(method, session, body, headers...)
	defer resp.Body.Close()
	text := must.Get(io.ReadAll(resp.Body))(s.t)
	return resp, string(text)
}

const (
	greeting    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"1"}}}`
	discovering = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
)

// TestServeAgents: an agent works over HTTP on the project of `pawl serve`, nobody
// does who lacks the token or comes from a page, and a stream that is open does
// not keep the program from ending.
func TestServeAgents(t *testing.T) {
	h := newHome(t)
	s := h.serveWeb(t)
	for _, why := range []struct {
		header string
		status int
	}{
		{"Authorization: Bearer wrong", 401},
		{"Authorization: ", 401},
		{"Host: evil.example", 421},
		{"Origin: http://evil.example", 403},
		{"Sec-Fetch-Site: cross-site", 403},
		{"Content-Type: text/plain", 415},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			if why.status == 415 && method == http.MethodGet {
				continue // it has no body that counts
			}
			if resp, text := s.said(method, "", greeting, why.header); resp.StatusCode != why.status {
				t.Errorf("%s with %s: %s %s", method, why.header, resp.Status, text)
			}
		}
	}
	resp, text := s.said(http.MethodPost, "", greeting)
	session := resp.Header.Get("Mcp-Session-Id")
	if resp.StatusCode != 200 || session == "" || !strings.Contains(text, `"serverInfo":{"name":"pawl"`) {
		t.Fatalf("%s, session %q: %s", resp.Status, session, text)
	}
	_, text = s.said(http.MethodPost, session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_create","arguments":{"subject":"Set up"}}}`)
	if !strings.Contains(text, "Created #1 Set up") {
		t.Errorf("task_create: %s", text)
	}
	_, text = s.said(http.MethodPost, session, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"task_claim","arguments":{}}}`)
	if !strings.Contains(text, "For codex: lease until") {
		t.Errorf("task_claim: %s", text)
	}
	if text := h.run(t, "list"); !strings.Contains(text, "Set up") || !strings.Contains(text, "@codex") {
		t.Errorf("the command line shows %s", text)
	}
	if resp, text := s.said(http.MethodPost, "", discovering, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover"); resp.StatusCode != 200 || !strings.Contains(text, `"2026-07-28"`) {
		t.Errorf("discover: %s %s", resp.Status, text)
	}
	stream := s.ask(http.MethodGet, session, "")
	defer stream.Body.Close()
	if stream.StatusCode != 200 {
		t.Fatalf("the stream: %s", stream.Status)
	}
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "a program cannot be interrupted here")
	}
	must.Do(t, s.cmd.Process.Signal(os.Interrupt))
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
