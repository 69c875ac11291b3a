package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A door is a server that listens, and is asked by the byte: a client's library
// would tidy what another program sends.
type door struct {
	*Server
	t    *testing.T
	addr string // 127.0.0.1:40000
	port string
}

func openDoor(t *testing.T, change func(*Options)) *door {
	t.Helper()
	board := pawl.NewBoard(memory.New())
	task := pawl.Create{Tasks: []pawl.NewTask{{Subject: "private"}}}
	must.Get(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: task}))(t)
	o := Options{
		AccessToken: token,
		Live: show.Live{
			By: pawl.Actor{Name: "ada", Session: "web"}, Name: "compiler",
			Open: func(context.Context, bool) (query.Board, string, error) {
				return filmed{query.Local(board), board}, "", nil
			},
			Await: func(context.Context) (query.Board, error) { return query.Local(board), nil },
			Todos: todo.New(todomem.New(), time.Now), Ours: func(todo.Head) bool { return true },
		},
		MCP: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "private") }),
	}
	change(&o)
	s := listen(t, o)
	addr := strings.TrimPrefix(s.base, "http://")
	_, port, _ := net.SplitHostPort(addr)
	return &door{s.Server, t, addr, port}
}

const token = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I"

func plain(*Options) {}

// send sends the lines of a head and a body, and returns what comes. Of a stream
// it returns the head.
func (d *door) send(body string, head ...string) (*http.Response, string) {
	d.t.Helper()
	conn := must.Get(net.Dial("tcp", d.addr))(d.t)
	defer conn.Close()
	text := strings.ReplaceAll(strings.Join(head, "\r\n")+"\r\nConnection: close\r\n\r\n"+body, "PORT", d.port)
	must.Get(io.WriteString(conn, text))(d.t)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		d.t.Fatalf("%q: %v", text, err)
	}
	if res.Header.Get("Content-Type") == "text/event-stream" {
		return res, ""
	}
	answer, err := io.ReadAll(res.Body)
	if err != nil && !strings.HasPrefix(text, "HEAD") {
		d.t.Fatalf("%q: %v", text, err)
	}
	return res, string(answer)
}

// requests are one for each route, as its first line, beside those that go
// nowhere.
func requests() []string {
	var lines []string
	for _, r := range routes {
		lines = append(lines, lineOf(r))
	}
	for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS", "PUT"} {
		lines = append(lines, method+" /mcp")
	}
	return append(lines, "GET /api/v1/nope", "GET /favicon.ico", "GET /api/v1/", "DELETE /api/v1/lanes", "OPTIONS /api/v1/lanes", "OPTIONS *", "PROPFIND /")
}

// isOpen reports whether a request is answered without the token.
func isOpen(line string) bool {
	return slices.ContainsFunc(routes, func(r *route) bool {
		return r.open && line == lineOf(r)
	})
}

func lineOf(r *route) string {
	line := r.method + " " + strings.NewReplacer("{$}", "", "{id}", "1", "{file}", "app.js").Replace(r.path)
	if strings.HasSuffix(line, "/proof") {
		line += "?nonce=x"
	}
	return line
}

// pairs are hosts and origins; an empty host is not such a line, and an origin -
// none. PORT is that of the server.
var pairs = []struct {
	host, origin string
	fine         bool
}{
	{"127.0.0.1:PORT", "-", true},
	{"localhost:PORT", "-", true},
	{"LOCALHOST:PORT", "-", true},
	{"127.0.0.1:PORT", "http://127.0.0.1:PORT", true},
	{"localhost:PORT", "http://localhost:PORT", true},

	{"[::1]:PORT", "-", false}, // where this server does not listen
	{"[::1]:PORT", "http://[::1]:PORT", false},
	{"[127.0.0.1]:PORT", "-", false},
	{"evil.example", "-", false},
	{"evil.example:PORT", "-", false},
	{"evil.example:PORT", "http://evil.example:PORT", false},
	{"evil.example:PORT", "http://127.0.0.1:PORT", false},
	{"127.0.0.1.evil.example:PORT", "-", false},
	{"localhost.evil.example:PORT", "-", false},
	{"evil-localhost:PORT", "-", false},
	{"localhost.:PORT", "-", false},
	{"localhost", "-", false},
	{"127.0.0.1", "-", false},
	{"[::1]", "-", false},
	{"127.0.0.1:1", "-", false},
	{"127.0.0.1:80", "-", false},
	{"127.0.0.1:0PORT", "-", false},
	{"127.0.0.1:", "-", false},
	{":PORT", "-", false},
	{"0.0.0.0:PORT", "-", false},
	{"[::]:PORT", "-", false},
	{"127.1:PORT", "-", false},
	{"127.0.0.2:PORT", "-", false},
	{"2130706433:PORT", "-", false},
	{"0x7f000001:PORT", "-", false},
	{"0177.0.0.1:PORT", "-", false},
	{"[::ffff:127.0.0.1]:PORT", "-", false},
	{"192.168.0.7:PORT", "-", false},
	{"127.0.0.1:PORT.evil.example", "-", false},
	{"127.0.0.1:PORT@evil.example", "-", false},
	{"evil.example@127.0.0.1:PORT", "-", false},
	{"127.0.0.1:PORT,evil.example", "-", false},
	{"127.0.0.1:PORT/", "-", false},
	{"", "-", false},

	{"127.0.0.1:PORT", "null", false},
	{"127.0.0.1:PORT", "", false},
	{"127.0.0.1:PORT", "http://evil.example", false},
	{"127.0.0.1:PORT", "https://evil.example", false},
	{"127.0.0.1:PORT", "https://127.0.0.1:PORT", false},
	{"127.0.0.1:PORT", "http://127.0.0.1", false},
	{"127.0.0.1:PORT", "http://127.0.0.1:3000", false},
	{"127.0.0.1:PORT", "http://localhost:PORT", false},
	{"localhost:PORT", "http://127.0.0.1:PORT", false},
	{"127.0.0.1:PORT", "http://[::1]:PORT", false},
	{"127.0.0.1:PORT", "http://127.0.0.1:PORT.evil.example", false},
	{"127.0.0.1:PORT", "http://127.0.0.1:PORT/", false},
	{"127.0.0.1:PORT", "http://127.0.0.1:PORT http://evil.example", false},
	{"127.0.0.1:PORT", "HTTP://127.0.0.1:PORT", false},
	{"127.0.0.1:PORT", "file://", false},
	{"127.0.0.1:PORT", "chrome-extension://abcdefghijklmnop", false},
	{"127.0.0.1:PORT", "127.0.0.1:PORT", false},
	{"127.0.0.1:PORT", "*", false},
}

// A page of somebody else gets nothing out of a server, on no route, not even
// with the token: not when its own name leads to this address, nor when it asks
// from where it is. Nobody is ever told that another origin may read.
func TestHostsAndOrigins(t *testing.T) {
	d := openDoor(t, plain)
	refused := 0
	for _, p := range pairs {
		for _, line := range requests() {
			head := []string{line + " HTTP/1.1", "Authorization: Bearer " + token, "Content-Length: 0"}
			if p.host != "" {
				head = append(head, "Host: "+p.host)
			}
			if p.origin != "-" {
				head = append(head, "Origin: "+p.origin)
			}
			res, text := d.send("", head...)
			mayAsk := !slices.Contains([]int{http.StatusBadRequest, http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusUnauthorized}, res.StatusCode)
			if strings.HasPrefix(line, "POST /api/v1/") && p.fine {
				mayAsk = mayAsk || res.StatusCode != http.StatusForbidden && res.StatusCode != http.StatusMisdirectedRequest // what it says is no answer to nothing
			}
			if mayAsk != p.fine || !p.fine && strings.Contains(text, "private") {
				t.Errorf("%s, Host %q, Origin %q: %d %s", line, p.host, p.origin, res.StatusCode, text)
			}
			if !mayAsk {
				refused++
			}
			for name := range res.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s, Host %q, Origin %q: it is told %s", line, p.host, p.origin, name)
				}
			}
		}
	}
	if least := 40 * len(requests()); refused < least || len(requests()) < len(routes)+10 || len(routes) < 14 {
		t.Errorf("only %d of at least %d foreign requests were refused, on %d routes", refused, least, len(routes))
	}
}

// With names of its own, and for other machines, a server has more names, and
// each page is still alone with its own.
func TestNamesThatWereGiven(t *testing.T) {
	d := openDoor(t, func(o *Options) {
		o.Exposed, o.Hosts = true, []string{"Board.example", "tunnel:8000", "https://board.example.org", "http://plain.example.org"}
	})
	for _, p := range []struct {
		host, origin string
		want         int
	}{
		{"board.example:PORT", "http://board.example:PORT", 200},
		{"board.example", "-", 421},
		{"board.example:PORT", "https://board.example:PORT", 403},
		{"tunnel:8000", "http://tunnel:8000", 200},
		{"tunnel:PORT", "-", 421},
		{"board.example.org", "https://board.example.org", 200},
		{"board.example.org", "http://board.example.org", 403},
		{"board.example.org:PORT", "-", 421},
		{"plain.example.org", "http://plain.example.org", 200},
		{"192.168.0.7:PORT", "http://192.168.0.7:PORT", 200},
		{"[fe80::1]:PORT", "http://[fe80::1]:PORT", 200},
		{"192.168.0.7:PORT", "http://192.168.0.8:PORT", 403},
		{"192.168.0.7", "-", 421},
		{"evil.example:PORT", "-", 421},
		{"tunnel:8000", "http://board.example:PORT", 403},
	} {
		head := []string{"GET /api/v1/about HTTP/1.1", "Host: " + p.host, "Authorization: Bearer " + token}
		if p.origin != "-" {
			head = append(head, "Origin: "+p.origin)
		}
		if res, text := d.send("", head...); res.StatusCode != p.want {
			t.Errorf("Host %q, Origin %q: %d %s, want %d", p.host, p.origin, res.StatusCode, text, p.want)
		}
	}
	for _, host := range []string{"", "a b", "*", "*.example", "ftp://x", "http://x/y", "x@y", "http://", "x:y"} {
		if _, err := newHostNames(d.names.addr, false, []string{host}); err == nil {
			t.Errorf("%q is taken for a name", host)
		}
	}
}

// Without the token there is one answer to everything but the page and what a
// code is exchanged at, whether there is such a route or not.
func TestToken(t *testing.T) {
	d := openDoor(t, plain)
	for _, line := range requests() {
		for _, shown := range []string{
			"X-Nothing: 1", "Authorization: Bearer", "Authorization: Bearer ", "Authorization: bearer " + token, "Authorization: Basic " + token,
			"Authorization: " + token, "Authorization: Bearer " + token[1:], "Authorization: Bearer " + token + "x", "Authorization: Bearer x" + token,
			"Authorization: Bearer " + token + "\r\nAuthorization: Bearer " + token, "Cookie: token=" + token,
		} {
			res, text := d.send("", line+" HTTP/1.1", "Host: 127.0.0.1:PORT", "Content-Length: 0", shown)
			denied := res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusTooManyRequests
			if !isOpen(line) && (!denied || strings.Contains(text, "private") || res.Header.Get("Allow") != "") {
				t.Errorf("%s with %q: %d %s", line, shown, res.StatusCode, text)
			}
			if isOpen(line) && line != "POST /api/v1/token" && denied {
				t.Errorf("%s with %q: %d %s", line, shown, res.StatusCode, text)
			}
		}
	}
	for _, line := range []string{"GET /", "GET /api/v1/lanes?token=" + token, "GET /api/v1/lanes/" + token} {
		if res, text := d.send("", line+" HTTP/1.1", "Host: 127.0.0.1:PORT"); strings.Contains(text, "private") || res.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %s", line, res.StatusCode, text)
		}
	}
	// A client that has it is never kept out, however many have tried to guess it.
	if res, text := d.send("", "GET /api/v1/lanes HTTP/1.1", "Host: 127.0.0.1:PORT", "Authorization: Bearer "+token); res.StatusCode != http.StatusOK {
		t.Errorf("with the token: %d %s", res.StatusCode, text)
	}
}

// What browsers say of who asks counts too. Another site may link to the page,
// and do no more.
func TestOtherSites(t *testing.T) {
	d := openDoor(t, plain)
	const link = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"
	for _, c := range []struct {
		line, says string
		want       int
	}{
		{"GET /", "Sec-Fetch-Site: none\r\n" + link, 200},
		{"GET /", "Sec-Fetch-Site: same-origin", 200},
		{"GET /", "Sec-Fetch-Site: cross-site\r\n" + link, 200},
		{"GET /", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", 403},
		{"GET /", "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script", 403},
		{"GET /assets/app.js", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script", 403},
		{"GET /assets/app.js", "Sec-Fetch-Site: same-origin", 200},
		{"GET /api/v1/lanes", "Sec-Fetch-Site: same-origin", 200},
		{"GET /api/v1/lanes", "Sec-Fetch-Site: cross-site\r\n" + link, 403},
		{"GET /api/v1/lanes", "Sec-Fetch-Site: same-site", 403},
		{"GET /api/v1/lanes", "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site", 403},
		{"GET /api/v1/lanes", "Sec-Fetch-Site: banana", 403},
		{"GET /mcp", "Sec-Fetch-Site: cross-site", 403},
		{"POST /api/v1/token", "Sec-Fetch-Site: cross-site\r\n" + link, 403},
	} {
		res, text := d.send("", c.line+" HTTP/1.1", "Host: 127.0.0.1:PORT", "Authorization: Bearer "+token, c.says)
		if res.StatusCode != c.want {
			t.Errorf("%s with %q: %d %s, want %d", c.line, c.says, res.StatusCode, text, c.want)
		}
	}
}

// Requests that can be understood in two ways are not understood at all.
func TestOddRequests(t *testing.T) {
	d := openDoor(t, plain)
	const host, shown = "Host: 127.0.0.1:PORT", "Authorization: Bearer " + token
	for _, c := range []struct {
		name string
		body string
		head []string
		want int
	}{
		{"absolute", "", []string{"GET http://127.0.0.1:PORT/api/v1/lanes HTTP/1.1", host, shown}, 400},
		{"absolute, another's", "", []string{"GET http://127.0.0.1:PORT/api/v1/lanes HTTP/1.1", "Host: evil.example", shown}, 400},
		{"two hosts", "", []string{"GET /api/v1/lanes HTTP/1.1", host, "Host: evil.example", shown}, 400},
		{"no host, old", "", []string{"GET /api/v1/lanes HTTP/1.0", shown}, 421},
		{"two origins", "", []string{"GET /api/v1/lanes HTTP/1.1", host, shown, "Origin: http://127.0.0.1:PORT", "Origin: http://127.0.0.1:PORT"}, 403},
		{"a tunnel", "", []string{"CONNECT 127.0.0.1:22 HTTP/1.1", "Host: 127.0.0.1:22", shown}, 400},
		{"TRACE", "", []string{"TRACE /api/v1/lanes HTTP/1.1", host, shown}, 405},
		{"HEAD", "", []string{"HEAD /api/v1/events HTTP/1.1", host, shown}, 405},
		{"HEAD of the page", "", []string{"HEAD / HTTP/1.1", host}, 200},
		{"encoded", "", []string{"GET /api/v1/%6canes HTTP/1.1", host, shown}, 404},
		{"encoded and open", "", []string{"GET /%61ssets/app.js HTTP/1.1", host}, 401},
		{"dots", "", []string{"GET /assets/../api/v1/lanes HTTP/1.1", host}, 401},
		{"encoded dots", "", []string{"GET /assets/%2e%2e%2fapi/v1/lanes HTTP/1.1", host}, 401},
		{"two slashes", "", []string{"GET //evil.example/ HTTP/1.1", host}, 401},
		{"two slashes of ours", "", []string{"GET //assets/app.js HTTP/1.1", host}, 401},
		{"a dot", "", []string{"GET /assets/./app.js HTTP/1.1", host}, 401},
		{"a slash more", "", []string{"GET /api/v1/lanes/ HTTP/1.1", host, shown}, 404},
		{"listing", "", []string{"GET /assets/ HTTP/1.1", host, shown}, 404},
		{"no such file", "", []string{"GET /assets/nope.js HTTP/1.1", host}, 404},
		{"a form", "code=x", []string{"POST /api/v1/token HTTP/1.1", host, "Content-Type: application/x-www-form-urlencoded", "Content-Length: 6"}, 415},
		{"UTF-7", "{}", []string{"POST /api/v1/ops HTTP/1.1", host, shown, "Content-Type: application/json; charset=utf-7", "Content-Length: 2"}, 415},
		{"text", "{}", []string{"POST /api/v1/ops HTTP/1.1", host, shown, "Content-Type: text/plain", "Content-Length: 2"}, 415},
		{"no type", "{}", []string{"POST /api/v1/ops HTTP/1.1", host, shown, "Content-Length: 2"}, 415},
		{"two types", "{}", []string{"POST /api/v1/ops HTTP/1.1", host, shown, "Content-Type: application/json", "Content-Type: text/plain", "Content-Length: 2"}, 415},
		{"chunked text", "2\r\n{}\r\n0\r\n\r\n", []string{"POST /mcp HTTP/1.1", host, shown, "Transfer-Encoding: chunked"}, 415},
		{"a long code", strings.Repeat(" ", maxOpenBody+1), []string{"POST /api/v1/token HTTP/1.1", host, "Content-Type: application/json", fmt.Sprint("Content-Length: ", maxOpenBody+1)}, 413},
		{"long in chunks", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", maxBody+1, strings.Repeat(" ", maxBody+1)), []string{"POST /api/v1/ops HTTP/1.1", host, shown, "Content-Type: application/json", "Transfer-Encoding: chunked"}, 413},
		{"a long head", "", []string{"GET / HTTP/1.1", host, "X: " + strings.Repeat("x", 2*maxHead)}, 431},
		{"two lengths", "{}", []string{"POST /api/v1/ops HTTP/1.1", host, shown, "Content-Type: application/json", "Content-Length: 2", "Content-Length: 3"}, 400},
		{"upgrade", "", []string{"GET /api/v1/events HTTP/1.1", host, "Upgrade: websocket"}, 401},
	} {
		res, text := d.send(c.body, c.head...)
		if res.StatusCode != c.want || strings.Contains(text, "private") {
			t.Errorf("%s: %d %s, want %d", c.name, res.StatusCode, text, c.want)
		}
	}
}

// A browser holds each answer to what it may do: nothing but load the page's own
// files and ask its own server.
func TestHeaders(t *testing.T) {
	d := openDoor(t, plain)
	for _, line := range append(requests(), "GET /assets/nope") {
		res, _ := d.send("", line+" HTTP/1.1", "Host: 127.0.0.1:PORT", "Content-Length: 0")
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
			"X-Content-Type-Options":  "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := res.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q", line, name, got)
			}
		}
		if kept := res.Header.Get("Cache-Control"); kept != "no-store" && (kept != "no-cache" || !isOpen(line)) {
			t.Errorf("%s: Cache-Control is %q", line, kept)
		}
	}
}
