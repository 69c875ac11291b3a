package team

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// asks sends a request as it is.
func (w *world) asks(method, path, secret, body string, headers ...string) (int, http.Header, string) {
	w.t.Helper()
	req := must.Get(http.NewRequest(method, w.http.URL+path, strings.NewReader(body)))(w.t)
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp := must.Get(w.http.Client().Do(req))(w.t)
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(text)
}

// Each limit answers with its status, and says when to ask again.
func TestLimits(t *testing.T) {
	now := time.Now()
	w := newWorld(t, func(o *Options) {
		o.Limits = Limits{Requests: 3, Wrong: 2, PerToken: 1, Bodies: 1 << 20, OfToken: 1 << 20}
		o.Now = func() time.Time { return now }
	})
	w.board("shop")
	secret, _ := w.token("ada", access.Work, "shop")
	other, _ := w.token("bob", access.Work, "shop")
	const hello = "/boards/shop/v1/hello"
	for range 6 {
		if status, _, text := w.asks("GET", hello, secret, ""); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
	}
	status, head, text := w.asks("GET", hello, secret, "")
	if status != 429 || head.Get("Retry-After") != "1" || !strings.Contains(text, "3 times a second") {
		t.Errorf("too many requests: %d %v %s", status, head, text)
	}
	if status, _, _ := w.asks("GET", hello, other, ""); status != 200 {
		t.Errorf("another token: %d", status)
	}
	now = now.Add(time.Second)
	for i, want := range []int{401, 401, 429} {
		if status, head, _ := w.asks("GET", hello, "pawl_a_b", ""); status != want || want == 429 && head.Get("Retry-After") != "30" {
			t.Errorf("wrong token %d: %d %v", i, status, head)
		}
	}
	if status, _, _ := w.asks("GET", hello, secret, ""); status != 200 {
		t.Errorf("the right token after wrong ones: %d", status)
	}

	news, _ := heard(t.Context(), w.client(other, "shop"), query.From{Now: true})
	<-news
	status, head, text = w.asks("POST", "/boards/shop/v1/watch", other, `{"from":{"now":true}}`)
	if status != 429 || head.Get("Retry-After") != "10" || !strings.Contains(text, "streams") {
		t.Errorf("too many streams: %d %v %s", status, head, text)
	}
	now = now.Add(time.Second)
	for body, want := range map[string]int{
		`{"requests":[` + strings.Repeat(`{"op":{"op":"renew"}},`, 501) + `{"op":{"op":"renew"}}]}`: 400,
		`{"requests":[]}`: 400, `{"requests":{}}`: 400, `{"requests":[{}],"more":1}`: 400, `{`: 400, `{"requests":[]} x`: 400,
	} {
		if status, _, text := w.asks("POST", "/boards/shop/v1/do", secret, body); status != want || strings.Contains(text, "goroutine") {
			t.Errorf("%.40s: %d %s", body, status, text)
		}
		now = now.Add(time.Second)
	}
	for _, kind := range []string{"text/plain", "application/json; charset=utf-7"} {
		if status, _, _ := w.asks("POST", "/boards/shop/v1/do", secret, "x=1", "Content-Type", kind); status != 415 {
			t.Errorf("%s: %d", kind, status)
		}
	}
	req, _ := http.NewRequest("POST", w.http.URL+"/boards/shop/v1/do", io.MultiReader(bytes.NewReader(nil)))
	req.ContentLength = maxBody + 1
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Expect", "100-continue")
	if resp, err := w.http.Client().Do(req); err == nil {
		resp.Body.Close()
		if resp.StatusCode != 413 {
			t.Errorf("a body that is too long: %d", resp.StatusCode)
		}
	}
}

// One token may be sent half of the boards that are sent at once, and leaves the others
// to others.
func TestExports(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	over, stop := context.WithCancel(t.Context())
	stop() // who has to wait is told so at once
	var ended []func()
	for _, try := range []struct {
		token string
		n     int
	}{{"ada", mostExports / 2}, {"bob", mostExports / 2}, {"eve", 0}} {
		for n := range mostExports {
			end, err := s.export(over, try.token)
			if got := err == nil; got != (n < try.n) {
				t.Errorf("export %d of %s: %v", n+1, try.token, err)
			}
			if err == nil {
				ended = append(ended, end)
			}
		}
	}
	for _, end := range ended {
		end()
	}
	if _, err := s.export(over, "eve"); err != nil {
		t.Errorf("when all others have ended: %v", err)
	}
}

// Tokens that cannot be read let nobody in, and the answer says when to ask again.
func TestTokensUnread(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	secret, _ := w.token("ada", access.Work, "shop")
	must.Do(t, os.WriteFile(filepath.Join(access.Folder(w.dir), "tokens.json"), []byte("{"), 0o600))
	for end := time.Now().Add(time.Minute); ; { // what was read counts for a moment
		status, head, text := w.asks("GET", "/boards/shop/v1/hello", secret, "")
		if status == 503 && head.Get("Retry-After") == "1" && strings.Contains(text, "tokens") {
			break
		}
		if status != 200 || time.Now().After(end) {
			t.Fatalf("%d %v %s", status, head, text)
		}
	}
	w.asks("GET", "/boards/shop/v1/hello", secret, "") // the log is not told for each
	w.http.Close()
	if n := strings.Count(log.String(), "the tokens cannot be read"); n != 1 {
		t.Errorf("the log tells it %d times: %s", n, log.String())
	}
}

// Large bodies wait for room, within patience, and a token does not take all of it.
func TestRoom(t *testing.T) {
	s := New(Options{Limits: Limits{Bodies: 100 << 10, OfToken: 70 << 10}})
	small := must.Get(s.room(ctx, "a", smallBody, maxBody))(t)
	small()
	first := must.Get(s.room(ctx, "a", 70<<10, maxBody))(t)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.room(ended, "b", 70<<10, maxBody); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	got := make(chan error)
	go func() {
		done, err := s.room(ctx, "b", 70<<10, maxBody)
		if err == nil {
			done()
		}
		got <- err
	}()
	first()
	if err := <-got; err != nil {
		t.Errorf("after there was room: %v", err)
	}
	if s.bodies.all != 0 || len(s.bodies.of) != 0 {
		t.Errorf("%d bytes are left of %v", s.bodies.all, s.bodies.of)
	}
}

// What is tried is tried as if those before it were done, also where they are large together.
func TestTryLarge(t *testing.T) {
	w := newWorld(t, nil)
	secret, _ := w.token("ada", access.Work, "shop")
	b := w.client(secret, "shop")
	must.Get(b.Do(t.Context(), create("one"), 0))(t)
	var requests []pawl.Request
	for range smallRoom/pawl.MaxDescription + 1 {
		requests = append(requests, pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "large", Description: strings.Repeat("x", pawl.MaxDescription)}}}})
	}
	last := pawl.ID(len(requests) + 1)
	if _, err := b.Try(t.Context(), 0, append(requests, pawl.Request{Op: pawl.AddNote{ID: last, Text: "n"}})...); err != nil {
		t.Error(err)
	}
}

func TestDoor(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	d := newDoor(l, Limits{Connections: 10, PerAddress: 1}, false)
	defer d.Close()
	in := make(chan net.Conn, 2)
	go func() {
		for {
			conn, err := d.Accept()
			if err != nil {
				return
			}
			in <- conn
		}
	}()
	dial := func() net.Conn {
		conn := must.Get(net.Dial("tcp", l.Addr().String()))(t)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	dial()
	one := <-in
	if n, err := dial().Read(make([]byte, 1)); err == nil {
		t.Errorf("a second connection from one address got %d bytes", n)
	}
	one.Close()
	one.Close() // counts once
	dial()
	<-in
	if d.conns.all != 1 {
		t.Errorf("%d connections", d.conns.all)
	}
}

// Around its proxies nobody reaches a server that has any, but for asking how it is.
func TestThroughProxy(t *testing.T) {
	s := New(Options{Proxies: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}})
	for from, want := range map[string]int{"10.1.2.3:99": 200, "127.0.0.1:99": 200, "10.2.0.1:99": 403} {
		for path, want := range map[string]int{"/": want, "/boards/shop/v1/hello": max(want, 401), "/healthz": 200} {
			r := httptest.NewRequest("GET", path, nil)
			r.RemoteAddr = from
			rec := httptest.NewRecorder()
			s.ServeHTTP(rec, r)
			if rec.Code != want {
				t.Errorf("%s from %s: %d, want %d", path, from, rec.Code, want)
			}
		}
	}
}

// What belongs to no board is open and tells nothing, but for the server's numbers.
func TestBeside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	audit := must.Get(OpenAudit(dir, time.Now, func(text string) { t.Error(text) }))(t)
	defer audit.Close()
	w := newWorld(t, func(o *Options) { o.Audit = audit })
	one, _ := w.token("ada", access.Work, "shop")
	all, _ := w.token("root", access.Read, access.All)
	for _, at := range []struct {
		path, secret string
		want         int
		says         string
	}{
		{"/", "", 200, "/boards/NAME/"}, {"/healthz", "", 200, "ok"}, {"/readyz", "", 200, "ready"},
		{"/metrics", "", 401, "token"}, {"/metrics", one, 403, "all boards"}, {"/metrics", all, 200, `pawl_info{version="1.2.3"} 1`},
		{"/boards", "", 404, "boards are at"}, {"/boards/", "", 404, "boards are at"}, {"/x", "", 404, "boards are at"},
	} {
		if status, _, text := w.asks("GET", at.path, at.secret, ""); status != at.want || !strings.Contains(text, at.says) || strings.Contains(text, "shop") {
			t.Errorf("%s: %d %s", at.path, status, text)
		}
	}
	for _, path := range []string{"/metrics", "/boards/shop/v1/hello"} { // the audit of a lost token lists its requests
		must.Get(w.tokens.Revoke(t.Context(), "ada"))(t)
		if status, _, text := w.asks("GET", path, one, ""); status != 401 || !strings.Contains(text, "was revoked at") {
			t.Errorf("%s, revoked: %d %s", path, status, text)
		}
	}
	denied := slices.DeleteFunc(entries(t, dir), func(e Entry) bool { return e.Event != "denied" })
	if len(denied) != 4 || denied[0].By != "metrics" || denied[1].Name != "ada" || denied[2].Name != "ada" || denied[3].Name != "ada" || denied[3].Token != denied[1].Token {
		t.Errorf("denied are %+v", denied)
	}
}

// A server that ends says so: streams end, and it is no longer ready.
func TestEnd(t *testing.T) {
	w := newWorld(t, nil)
	w.board("shop")
	secret, _ := w.token("ada", access.Work, "shop")
	resp := w.open("/boards/shop/v1/watch", secret, `{"from":{"now":true}}`)
	defer resp.Body.Close()
	w.end()
	text, _ := io.ReadAll(resp.Body)
	if !strings.Contains(string(text), `{"error":{"kind":"unavailable","message":"the server is ending"`) {
		t.Errorf("the stream said %s", text)
	}
	if status, _, _ := w.asks("GET", "/readyz", "", ""); status != 503 {
		t.Errorf("readyz: %d", status)
	}
	if status, _, _ := w.asks("GET", "/healthz", "", ""); status != 200 {
		t.Errorf("healthz: %d", status)
	}
	if status, head, _ := w.asks("POST", "/boards/shop/v1/watch", secret, `{"from":{"now":true}}`); status != 503 || head.Get("Retry-After") == "" {
		t.Errorf("another stream: %d %v", status, head)
	}
}

// open sends a request and returns the response as soon as it has begun.
func (w *world) open(path, secret, body string) *http.Response {
	req := must.Get(http.NewRequest("POST", w.http.URL+path, strings.NewReader(body)))(w.t)
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	return must.Get(w.http.Client().Do(req))(w.t)
}

// Boards that nobody uses are closed; one that is watched stays.
func TestIdle(t *testing.T) {
	w := newWorld(t, nil)
	secret, _ := w.token("ada", access.Work, "shop", "garden")
	for _, name := range []string{"shop", "garden"} {
		must.Get(w.client(secret, name).Do(ctx, create("one"), 0))(t)
	}
	news, _ := heard(t.Context(), w.client(secret, "garden"), query.From{Now: true})
	<-news
	must.Get(w.client(secret, "garden").Do(ctx, create("two"), 0))(t)
	<-news // so the watch goes on
	w.boards.closeIdle(time.Now().Add(time.Hour))
	if open, orders, commits := w.boards.counts(); open != 1 || orders != 2 || commits != 2 || w.counts.orders.Load() != 1 {
		t.Errorf("%d boards are open, with %d orders in %d commits, and %d before", open, orders, commits, w.counts.orders.Load())
	}
	if hello, err := w.client(secret, "shop").Hello(ctx); err != nil || hello.Tasks != 1 {
		t.Errorf("opened again: %+v, %v", hello, err)
	}
}

// A watcher learns of the end of a lease though nobody writes.
func TestReap(t *testing.T) {
	w := newWorld(t, nil)
	w.board("shop")
	secret, _ := w.token("ada", access.Work, "shop")
	b := w.client(secret, "shop")
	must.Get(b.Do(ctx, create("one"), 0))(t)
	must.Get(b.Do(ctx, pawl.Request{By: pawl.Actor{Session: "s"}, Op: pawl.ClaimTask{Lease: pawl.Duration(pawl.MinLease)}}, 0))(t)
	news, _ := heard(t.Context(), b, query.From{Now: true})
	<-news
	if n := <-news; n.Set == nil || n.Set.Verb != pawl.VerbExpire {
		t.Errorf("got %+v", n)
	}
}

// Where only this machine can ask, a name that somebody has pointed at it is refused.
func TestMisdirected(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	w := newWorld(t, func(o *Options) { o.Origin = "https://boards.example.org" })
	ended, end := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- w.Serve(ended, l) }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "localhost": 200, "LOCALHOST:1": 200, "[::1]:" + port: 200, "boards.example.org": 200,
		"evil.example": 421, "localhost.evil.example:" + port: 421, "192.168.0.7:" + port: 421,
	} {
		req, _ := http.NewRequest("GET", "http://"+l.Addr().String()+"/", nil)
		req.Host = host
		resp := must.Get(http.DefaultClient.Do(req))(t)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("Host %s: %d, not %d", host, resp.StatusCode, want)
		}
	}
	end()
	must.Do(t, <-served)
}
