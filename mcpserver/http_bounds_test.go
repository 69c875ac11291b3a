package mcpserver_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// settled runs what was begun until all of it waits, and returns what a client
// heard.
func (v *visitor) settled() string {
	synctest.Wait()
	return v.heard()
}

// openHouse lets a story of HTTP happen in a bubble, in which nothing may be left.
func openHouse(t *testing.T, story func(t *testing.T, st *stage, h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, near)
		defer st.board.Close()
		h := newHouse(t, st.server.HTTP())
		defer h.close()
		defer synctest.Wait()
		defer st.server.Close()
		story(t, st, h)
	})
}

// TestHTTPSessions: there are a hundred sessions at most. A new client takes the
// place of the one that is away for the longest time, which is told so when it
// comes back; where all are there it is refused with the reason.
func TestHTTPSessions(t *testing.T) {
	openHouse(t, func(t *testing.T, _ *stage, h *house) {
		var all []*visitor
		for i := range 100 {
			v := h.visitor(fmt.Sprint("a", i))
			defer v.hangUp()
			v.hello("2025-11-25")
			v.act('@', "")
			if said := v.settled(); said != "" {
				t.Fatalf("client %d: %s", i, said)
			}
			time.Sleep(time.Second)
			all = append(all, v)
		}
		late := h.visitor("late")
		defer late.hangUp()
		late.post(late.message("initialize", map[string]any{
			"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "late", "version": "1"},
		}), late.write)
		if said := late.settled(); !strings.Contains(said, "100 clients are connected") {
			t.Errorf("the 101st client hears %s", said)
		}
		for _, i := range []int{7, 3} { // 7 is away the longest
			all[i].hangUp()
			synctest.Wait()
			time.Sleep(time.Second)
		}
		late.hello("2025-11-25")
		late.act(':', "task_list")
		if said := late.settled(); !strings.Contains(said, "No tasks yet.") {
			t.Errorf("there is room, and it hears %s", said)
		}
		for i, want := range map[int]string{7: "404 session not found", 3: "No tasks yet.", 0: "No tasks yet."} {
			all[i].act(':', "task_list")
			if said := all[i].settled(); !strings.Contains(said, want) {
				t.Errorf("client %d hears %s", i, said)
			}
		}
	})
}

// TestHTTPListeners: clients without sessions have a hundred streams at most.
func TestHTTPListeners(t *testing.T) {
	openHouse(t, func(t *testing.T, _ *stage, h *house) {
		listen := func(name string) *visitor {
			v := h.visitor(name)
			v.speaks = "2026-07-28"
			v.post(v.message("subscriptions/listen", map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{"pawl://board"}}}), v.write)
			return v
		}
		var all []*visitor
		for i := range 100 {
			v := listen(fmt.Sprint("a", i))
			defer v.hangUp()
			if said := v.settled(); !strings.Contains(said, "acknowledged") {
				t.Fatalf("client %d hears %s", i, said)
			}
			all = append(all, v)
		}
		late := listen("late")
		defer late.hangUp()
		if said := late.settled(); !strings.HasPrefix(said, "late< 503 100 streams are open") {
			t.Errorf("the 101st client hears %s", said)
		}
		late.act(':', "task_create {\"subject\": \"A\"}")
		if said := late.settled(); !strings.Contains(said, "Created #1") {
			t.Errorf("its calls are answered with %s", said)
		}
		all[7].hangUp()
		synctest.Wait()
		late = listen("late")
		defer late.hangUp()
		if said := late.settled(); !strings.Contains(said, "acknowledged") {
			t.Errorf("there is room, and it hears %s", said)
		}
	})
}

// TestHTTPFollowed: a session follows a thousand resources at most.
func TestHTTPFollowed(t *testing.T) {
	openHouse(t, func(t *testing.T, _ *stage, h *house) {
		v := h.visitor("ada")
		defer v.hangUp()
		v.hello("2025-11-25")
		follow := func(method, uri string) string {
			synctest.Wait()
			v.post(v.message("resources/"+method, map[string]any{"uri": uri}), v.write)
			return v.settled()
		}
		follow("subscribe", "pawl://nothing") // does not count
		for i := range 1000 {
			if said := follow("subscribe", fmt.Sprint("pawl://task/", i)); !strings.Contains(said, `"result":{}`) {
				t.Fatalf("%d: %s", i, said)
			}
		}
		for _, step := range []struct{ method, uri, want string }{
			{"subscribe", "pawl://board", "at most 1000 resources"},
			{"subscribe", "pawl://task/7", `"result":{}`},
			{"unsubscribe", "pawl://task/7", `"result":{}`},
			{"subscribe", "pawl://board", `"result":{}`},
		} {
			if said := follow(step.method, step.uri); !strings.Contains(said, step.want) {
				t.Errorf("%s %s: %s", step.method, step.uri, said)
			}
		}
	})
}

// TestHTTPBody: a message has 4 MiB at most, with a session, before there is one,
// and without.
func TestHTTPBody(t *testing.T) {
	openHouse(t, func(t *testing.T, _ *stage, h *house) {
		for _, revision := range []string{"", "2025-11-25", "2026-07-28"} {
			v := h.visitor("ada")
			defer v.hangUp()
			if revision != "" {
				v.hello(revision)
				synctest.Wait()
			}
			for _, size := range []struct {
				bytes int
				want  string
			}{{4 << 20, "No tasks yet."}, {4<<20 + 1, "< 413 "}} {
				body := v.message("tools/call", map[string]any{"name": "task_list", "arguments": map[string]any{}})
				body += strings.Repeat(" ", size.bytes-len(body))
				v.post(body, v.writeText)
				want := size.want
				if revision == "" && size.bytes == 4<<20 {
					want = "< 400 the header Mcp-Session-Id is missing"
				}
				if said := v.settled(); !strings.Contains(said, want) {
					t.Errorf("%d bytes in revision %q: %.100s", size.bytes, revision, said)
				}
			}
		}
	})
}

// TestHTTPClose: a server that is closed ends what is open, and says so to those
// who come later.
func TestHTTPClose(t *testing.T) {
	openHouse(t, func(t *testing.T, st *stage, h *house) {
		v := h.visitor("ada")
		defer v.hangUp()
		v.hello("2025-11-25")
		ended := make(chan struct{})
		req := must.Get(http.NewRequestWithContext(v.ctx, http.MethodGet, "http://pawl/mcp", nil))(t)
		synctest.Wait()
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("Mcp-Session-Id", v.session)
		eva := h.visitor("eva")
		defer eva.hangUp()
		eva.speaks = "2026-07-28"
		eva.post(eva.message("subscriptions/listen", map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{"pawl://board"}}}), eva.write)
		var text []byte
		go func() {
			defer close(ended)
			resp, err := v.http.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			text, _ = io.ReadAll(resp.Body) // the end may be cut
		}()
		time.Sleep(time.Minute)
		if said := eva.settled(); !strings.Contains(said, "acknowledged") {
			t.Errorf("a listener hears %s", said)
		}
		st.server.Close()
		<-ended
		// It was not silent until then: some clients would have dropped it.
		if n := strings.Count(string(text), ":\n\n"); n < 3 || n > 4 {
			t.Errorf("a silent minute sounds like this: %q", text)
		}
		v.act(':', "task_list")
		if said := v.settled(); said != "ada< 503 the server is ending\n" {
			t.Errorf("a closed server says %s", said)
		}
		st.server.Close() // a second time does nothing
	})
}

// FuzzHTTP: whatever is asked, the answer is one of HTTP.
func FuzzHTTP(f *testing.F) {
	for _, body := range []string{
		"", "{", "[]", "null", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"params":{"_meta":7}}`, `{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"task_list"}}`,
	} {
		for _, revision := range []string{"", "2025-06-18", "2026-07-28", "x"} {
			f.Add("POST", revision, "", "", body)
			f.Add("POST", revision, "s", "tools/call", body)
		}
	}
	f.Add("GET", "", "", "", "")
	f.Add("DELETE", "2025-11-25", "s", "", "")
	f.Fuzz(func(t *testing.T, method, revision, session, header, body string) {
		req, err := http.NewRequestWithContext(t.Context(), method, "/mcp", strings.NewReader(body))
		if err != nil || strings.Contains(body, "subscriptions/listen") { // that stream does not end
			return
		}
		st := newStage(t, near)
		defer st.board.Close()
		defer st.server.Close()
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for key, value := range map[string]string{"MCP-Protocol-Version": revision, "Mcp-Session-Id": session, "Mcp-Method": header} {
			if value != "" {
				req.Header.Set(key, value)
			}
		}
		w := httptest.NewRecorder()
		st.server.HTTP().ServeHTTP(w, req)
		if w.Code < 200 || w.Code > 599 {
			t.Errorf("status %d", w.Code)
		}
	})
}
