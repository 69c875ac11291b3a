package team

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
)

// house is a world whose faces note which boards they open.
type house struct {
	*world
	faced []string
}

func newHouse(t *testing.T) *house {
	h := &house{}
	h.world = newWorld(t, func(o *Options) {
		o.Faces = func(name string, open Opener) (page, mcp http.Handler) {
			p := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, there := access.Of(r.Context()); !there {
					r = r.WithContext(access.With(r.Context(), access.Token{Name: "page", Role: access.Read, Boards: []string{access.All}}))
				}
				if b, err := open(r.Context(), false); err == nil && b != nil {
					h.faced = append(h.faced, name)
				}
			})
			return p, p
		}
	})
	return h
}

// token makes a token, and returns its secret.
func (h *house) token(name string, role access.Role, person bool, boards ...string) string {
	h.t.Helper()
	secret, _, err := h.tokens.Create(h.t.Context(), access.Token{Name: name, Person: person, Role: role, Boards: boards}, true)
	must.Do(h.t, err)
	return secret
}

// asks sends a request, and returns status and body.
func (h *house) asks(method, path, secret, body string) (int, string) {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.t.Context(), method, path, strings.NewReader(body))
	r.RequestURI, r.URL.Host, r.URL.Scheme = path, "", ""
	r.Header.Set("Content-Type", "application/json")
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// do sends one op, and returns its error.
func (h *house) do(board, secret string, op pawl.Op) *pawl.Error {
	h.t.Helper()
	text := must.Get(json.Marshal(pawl.Request{By: pawl.Actor{Name: "mallory"}, Op: op}))(h.t)
	body := must.Get(json.Marshal(remote.Do{Requests: []json.RawMessage{text}}))(h.t)
	status, answer := h.asks("POST", "/boards/"+board+remote.PathDo, secret, string(body))
	if status != http.StatusOK {
		var failed remote.Failure
		if err := json.Unmarshal([]byte(answer), &failed); err != nil {
			h.t.Fatalf("%d %s", status, answer)
		}
		return &failed.Error
	}
	var done remote.Done
	must.Do(h.t, json.Unmarshal([]byte(answer), &done))
	if len(done.Errors) > 0 {
		return done.Errors[0]
	}
	return nil
}

var add = pawl.Create{Tasks: []pawl.NewTask{{Subject: "secret plan"}}}

// Who has a token for one board cannot tell whether another exists, on any path and
// by any method; who has none cannot tell either.
func TestTenants(t *testing.T) {
	h := newHouse(t)
	ada, bob := h.token("ada", access.Work, true, "shop"), h.token("bob", access.Work, true, "bank")
	for board, secret := range map[string]string{"bank": bob, "shop": ada} {
		if err := h.do(board, secret, add); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range Routes() {
		for _, method := range []string{"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"} {
			for _, secret := range []string{ada, "", bob + "x", "pawl_x", access.PageKeyPrefix + "x"} {
				status, there := h.asks(method, "/boards/bank"+at.Path, secret, "{}")
				without, missing := h.asks(method, "/boards/nope"+at.Path, secret, "{}")
				if status != without || strings.ReplaceAll(there, "bank", "nope") != missing || strings.Contains(there, "secret plan") {
					t.Errorf("%s %s, token %.6q: a board that exists answers %d %s, one that does not %d %s", method, at.Path, secret, status, there, without, missing)
				}
				if at.Path != "/" && status == http.StatusOK && secret != "" {
					t.Errorf("%s %s of another's board: %d %s", method, at.Path, status, there)
				}
			}
		}
	}
	if len(h.faced) > 0 {
		t.Errorf("a face has opened %v", h.faced)
	}
}

// No name of a board leads to another place than its own folder.
func TestNamesOfBoards(t *testing.T) {
	h := newHouse(t)
	admin := h.token("root", access.Admin, true, access.All)
	if err := os.Mkdir(filepath.Join(h.dir, ".tasks"), 0o700); err != nil { // the folder of the boards is a project itself
		t.Fatal(err)
	}
	must.Do(t, os.MkdirAll(filepath.Join(h.dir, ".pawl-server", ".tasks"), 0o700))
	for _, name := range []string{"", ".", "..", ".pawl-server", ".tasks", "a/..", "A", "a b", "%2e%2e", "con", "x.", strings.Repeat("x", 65), "-x"} {
		for _, path := range []string{remote.PathHello, "/", "/mcp"} {
			for _, secret := range []string{admin, ""} {
				status, text := h.asks("GET", "/boards/"+strings.ReplaceAll(name, " ", "%20")+path, secret, "")
				if status == http.StatusOK && secret != "" {
					t.Errorf("the board %q at %s: %d %s", name, path, status, text)
				}
			}
		}
	}
	if len(h.faced) > 0 {
		t.Errorf("a face has opened %q", h.faced)
	}
	if left, err := os.ReadDir(h.dir); err != nil || len(left) != 2 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// A board is made by a change that works, of a token that may make it.
func TestMaking(t *testing.T) {
	forced := pawl.Create{}
	for _, test := range []struct {
		name   string
		role   access.Role
		person bool
		boards string
		op     pawl.Op
		made   bool
	}{
		{"named", access.Work, true, "shop", add, true},
		{"named, an agent", access.Work, false, "shop", add, true},
		{"named, to read", access.Read, true, "shop", add, false},
		{"all", access.Work, true, access.All, add, false},
		{"all, an admin", access.Admin, true, access.All, add, true},
		{"a change that cannot work", access.Work, true, "shop", forced, false},
		{"a claim", access.Work, true, "shop", pawl.ClaimTask{}, false},
		{"what an agent may not do", access.Work, false, "shop", pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "s"}}}}, false},
	} {
		h := newHouse(t)
		err := h.do("shop", h.token("ada", test.role, test.person, test.boards), test.op)
		_, there := os.Stat(filepath.Join(h.dir, "shop"))
		if (err == nil) != test.made || (there == nil) != test.made {
			t.Errorf("%s: %v; the folder: %v", test.name, err, there)
		}
	}
}

// A token that ends while its request comes in ends that too.
func TestEndedMeanwhile(t *testing.T) {
	h := newHouse(t)
	secret := h.token("ada", access.Work, true, "shop")
	if status, text := h.asks("GET", "/boards/shop"+remote.PathHello, secret, ""); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	token := must.Get(h.Tokens.Lookup(secret))(t)
	ctx, done := h.alive.begin(t.Context(), token)
	defer done()
	h.alive.end(token.ID, errNoToken)
	if h.alive.ended(ctx) != errNoToken {
		t.Errorf("the request goes on: %v", context.Cause(ctx))
	}
	must.Get(must.Get(access.Open(access.Folder(h.dir)))(t).Revoke(t.Context(), token.ID))(t) // by another process
	if _, err := h.Tokens.All(t.Context()); err != nil {                                      // which looks at the file
		t.Fatal(err)
	}
	if status, text := h.asks("GET", "/boards/shop"+remote.PathHello, secret, ""); status != http.StatusUnauthorized || !strings.Contains(text, "revoked") {
		t.Errorf("%d %s", status, text)
	}
}

// Who may only read gets an error for a board that does not exist, by each face: not
// another board, and not none.
func TestReaderMakesNoBoard(t *testing.T) {
	w := newWorld(t, nil)
	_, token := w.token("eve", access.Read, "shop")
	open := w.opener("shop")
	if b, err := open(access.With(ctx, token), true); b != nil || !errors.Is(err, access.ErrRefused) {
		t.Errorf("got %v, %v", b, err)
	}
	if b, err := open(access.With(ctx, token), false); b != nil || err != nil {
		t.Errorf("to read: %v, %v", b, err)
	}
}
