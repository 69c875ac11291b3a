package web

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A house is a server that keeps boards for others: each request goes to the board's
// page without the path to it, with the token that it came with.
type house struct {
	*httptest.Server
	t     *testing.T
	page  *Server
	board *pawl.Board
	now   time.Time
}

// holders are the tokens of a house, by their secrets.
var holders = map[string]access.Token{
	"ada": {ID: "t1", Name: "ada", Person: true, Role: access.Work},
	"bot": {ID: "t2", Name: "bot", Role: access.Work},
	"eve": {ID: "t3", Name: "eve", Person: true, Role: access.Read},
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, now: time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC), board: pawl.NewBoard(memory.New())}
	keys := must.Get(access.OpenPageKeys(t.Context(), t.TempDir()))(t)
	h.page = New(Options{
		Now:     func() time.Time { return h.now },
		Guarded: true, Version: "1.2.3", Keys: keys,
		Live: show.Live{Name: "shop", Open: func(ctx context.Context, _ bool) (query.Board, string, error) {
			if token, there := access.Of(ctx); there {
				return access.Guard(query.Local(h.board), token, time.Now), "", nil
			}
			return query.Local(h.board), "", nil
		}},
	})
	anybody := New(Options{Guarded: true, Keys: keys, Codes: h.page.Codes, Now: h.page.Now}).Handler()
	inner, outer := http.StripPrefix("/boards/shop", h.page.Handler()), http.StripPrefix("/boards/shop", anybody)
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if secret, there := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); there {
			token, known := holders[secret]
			if id, _, ok := keys.Token(secret, "shop", h.now); ok {
				token, known = holders[map[string]string{"t1": "ada", "t3": "eve"}[id]]
			}
			if !known {
				http.Error(w, "", http.StatusUnauthorized)
				return
			}
			r = r.WithContext(access.With(r.Context(), token))
		}
		if _, there := access.Of(r.Context()); !there {
			outer.ServeHTTP(w, r.WithContext(access.At(r.Context(), "shop"))) // which has no board
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// send asks for something below the address of the board.
func (h *house) send(secret, method, path, body string, head ...string) (int, string) {
	h.t.Helper()
	r := must.Get(http.NewRequestWithContext(h.t.Context(), method, h.URL+"/boards/shop/"+path, strings.NewReader(body)))(h.t)
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(head); i += 2 {
		if r.Header.Set(head[i], head[i+1]); head[i] == "Host" {
			r.Host = head[i+1]
		}
	}
	resp := must.Get(http.DefaultClient.Do(r))(h.t)
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// Each request acts in the name of its token, and is told what that may do.
func TestEachTokenIsItsOwnReader(t *testing.T) {
	h := newHouse(t)
	if code, text := h.send("ada", "POST", "api/v1/ops", `{"ops":[`+chain+`,{"op":"claim","id":1}]}`); code != http.StatusOK {
		t.Fatal(code, text)
	}
	for secret, want := range map[string]struct {
		mine   bool
		role   access.Role
		person bool
	}{"ada": {true, access.Work, true}, "bot": {false, access.Work, false}, "eve": {false, access.Read, true}} {
		_, text := h.send(secret, "GET", "api/v1/about", "")
		about := decoded[aboutJSON](t, []byte(text))
		if about.Me != secret || about.Role != want.role || about.Person != want.person || about.Project != "shop" || about.Dir != "" {
			t.Errorf("%s: %s", secret, text)
		}
		_, text = h.send(secret, "GET", "api/v1/log", "")
		if log := decoded[historyJSON](t, []byte(text)); len(log.Changes) != 1 || log.Changes[0].By.Name != "ada" || log.Changes[0].Mine != want.mine {
			t.Errorf("%s: %s", secret, text)
		}
	}
	for secret, op := range map[string]string{"eve": `{"op":"note","id":1,"text":"x"}`, "bot": `{"op":"claim","id":1,"force":true}`} {
		if code, text := h.send(secret, "POST", "api/v1/ops", `{"ops":[`+op+`]}`); code != http.StatusForbidden {
			t.Errorf("%s: %d %s", secret, code, text)
		}
	}
	if code, text := h.send("bot", "POST", "api/v1/ops", `{"ops":[{"op":"complete","ids":[1]}]}`); code != http.StatusConflict || !strings.Contains(text, "ada") {
		t.Error(code, text)
	}
}

// One change reaches all streams, and is called the reader's own in the reader's only.
func TestStreamsOfTwoReaders(t *testing.T) {
	h := newHouse(t)
	streams := map[string]*bufio.Scanner{}
	for _, secret := range []string{"ada", "bot"} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", h.URL+"/boards/shop/api/v1/events", http.NoBody)
		r.Header.Set("Authorization", "Bearer "+secret)
		resp := must.Get(http.DefaultClient.Do(r))(t)
		defer resp.Body.Close()
		streams[secret] = bufio.NewScanner(resp.Body)
		next(t, streams[secret], "hello", nil)
	}
	// The text of a task is no place from which to decide whose the change is.
	h.send("ada", "POST", "api/v1/ops", `{"ops":[{"op":"create","tasks":[{"subject":"say ,\"mine\":false"}]}]}`)
	for secret, mine := range map[string]bool{"ada": true, "bot": false} {
		var news newsJSON
		next(t, streams[secret], "change", &news)
		if news.Mine != mine || news.Line != `ada added #1 say ,"mine":false` {
			t.Errorf("%s: mine is %v in %q", secret, news.Mine, news.Line)
		}
	}
}

// next reads the next event, which is of a kind.
func next(t *testing.T, lines *bufio.Scanner, kind string, into any) {
	t.Helper()
	for lines.Scan() {
		if event, is := strings.CutPrefix(lines.Text(), "event: "); is && event != kind {
			t.Fatalf("%s came, not %s", event, kind)
		}
		if data, is := strings.CutPrefix(lines.Text(), "data: "); is {
			if into != nil {
				must.Do(t, json.Unmarshal([]byte(data), into))
			}
			return
		}
	}
	t.Fatal("the stream ended", lines.Err())
}

// Without a token a browser gets the page and its files, under any name that leads to
// the server, and nothing of the board.
func TestWithoutAToken(t *testing.T) {
	h := newHouse(t)
	for path, want := range map[string]int{
		"": 200, "assets/app.js": 200, "assets/nope.js": 404, "api/v1/lanes": 401, "api/v1/about": 401, "api/v1/events": 401, "api/v1/nope": 401, "mcp": 401,
	} {
		if code, text := h.send("", "GET", path, "", "Host", "pawl.example.org"); code != want {
			t.Errorf("%q: %d %s", path, code, text)
		}
	}
	if code, text := h.send("", "POST", "api/v1/ops", `{"ops":[`+chain+`]}`); code != http.StatusUnauthorized {
		t.Error(code, text)
	}
}

// Only the page of this very server may ask, even with a token.
func TestOriginsOfAHouse(t *testing.T) {
	h := newHouse(t)
	for origin, want := range map[string]int{
		"https://pawl.example.org": 200, "http://pawl.example.org": 200, "https://evil.example": 403, "https://pawl.example.org:8443": 403, "null": 403,
	} {
		code, text := h.send("ada", "GET", "api/v1/lanes", "", "Host", "pawl.example.org", "Origin", origin)
		if code != want {
			t.Errorf("%s: %d %s", origin, code, text)
		}
	}
	if code, _ := h.send("ada", "GET", "api/v1/lanes", "", "Sec-Fetch-Site", "cross-site"); code != http.StatusForbidden {
		t.Error("another site may ask:", code)
	}
	// Where the server itself has TLS, a page without it is another's.
	r := httptest.NewRequest("GET", "/api/v1/lanes", http.NoBody)
	r.Host, r.TLS = "pawl.example.org", &tls.ConnectionState{}
	r.URL.Host, r.URL.Scheme = "", ""
	r.Header.Set("Origin", "http://pawl.example.org")
	w := httptest.NewRecorder()
	h.page.Handler().ServeHTTP(w, r.WithContext(access.With(r.Context(), holders["ada"])))
	if w.Code != http.StatusForbidden {
		t.Error(w.Code, decoded[wire.ErrorJSON](t, w.Body.Bytes()).Error)
	}
}

// A server that forgot to say which tokens count lets nobody in.
func TestGuardedByNobody(t *testing.T) {
	s := New(Options{Guarded: true, Live: show.Live{Open: func(context.Context, bool) (query.Board, string, error) { panic("opened") }}})
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/api/v1/lanes", http.NoBody)
	r.URL.Host, r.URL.Scheme = "", ""
	r.Header.Set("Authorization", "Bearer ")
	if s.Handler().ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
		t.Error(w.Code, w.Body)
	}
}

// A browser never has a token: it gets a key for a code, or for a token that a person
// gave it. The key acts for the token, and nothing that is made with it lasts longer.
func TestKeysOfPages(t *testing.T) {
	h := newHouse(t)
	ask := func(secret, path, body string) (int, tokenJSON, newCodeJSON) {
		code, text := h.send(secret, "POST", "api/v1/"+path, body)
		if code != http.StatusOK {
			return code, tokenJSON{}, newCodeJSON{}
		}
		return code, decoded[tokenJSON](t, []byte(text)), decoded[newCodeJSON](t, []byte(text))
	}
	me := func(secret string) string {
		_, text := h.send(secret, "GET", "api/v1/about", "")
		return decoded[aboutJSON](t, []byte(text)).Me
	}
	_, _, made := ask("ada", "codes", "")
	_, key, _ := ask("", "token", `{"code":"`+made.Code+`"}`)
	if me(key.Token) != "ada" || key.Until != "2026-11-24T02:00:00.000Z" {
		t.Errorf("%+v opens the page of %q", key, me(key.Token))
	}
	if code, _, _ := ask("", "token", `{"code":"`+made.Code+`"}`); code != http.StatusUnauthorized {
		t.Error("a code works twice:", code)
	}
	_, _, made = ask("ada", "codes", "")
	elsewhere := httptest.NewRequest("POST", "/api/v1/token", strings.NewReader(`{"code":"`+made.Code+`"}`))
	elsewhere.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.page.Handler().ServeHTTP(w, elsewhere.WithContext(access.At(t.Context(), "garden")))
	if w.Code != http.StatusUnauthorized {
		t.Error("a code of one board works at another:", w.Code, w.Body)
	}
	_, given, _ := ask("eve", "keys", "")
	if me(given.Token) != "eve" {
		t.Errorf("%+v", given)
	}

	h.now = h.now.Add(11 * time.Hour)
	_, again, _ := ask(key.Token, "keys", "")
	_, _, made = ask(key.Token, "codes", "")
	_, beside, _ := ask("", "token", `{"code":"`+made.Code+`"}`)
	if again.Until != key.Until || beside.Until != key.Until {
		t.Errorf("a key made others until %s and %s", again.Until, beside.Until)
	}
	_, _, made = ask("ada", "codes", "")
	h.now = h.now.Add(2 * time.Hour)
	for _, old := range []string{key.Token, again.Token} {
		if code, _, _ := ask(old, "keys", ""); code != http.StatusUnauthorized {
			t.Error("a key holds after its end:", code)
		}
	}
	if code, _, _ := ask("", "token", `{"code":"`+made.Code+`"}`); code != http.StatusUnauthorized {
		t.Error("a code holds for two hours:", code)
	}
}

// One who makes codes and uses none keeps nobody else from it.
func TestCodesAreBoundedByToken(t *testing.T) {
	h := newHouse(t)
	for range access.MaxCodes {
		if code, text := h.send("bot", "POST", "api/v1/codes", ""); code != http.StatusOK {
			t.Fatal(code, text)
		}
	}
	if code, _ := h.send("bot", "POST", "api/v1/codes", ""); code != http.StatusServiceUnavailable {
		t.Error(code)
	}
	if code, text := h.send("ada", "POST", "api/v1/codes", ""); code != http.StatusOK {
		t.Error(code, text)
	}
}
