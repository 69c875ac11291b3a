package team

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/client"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A world is a server in this process whose boards are in memory.
type world struct {
	*Server
	t      testing.TB
	dir    string
	http   *httptest.Server
	tokens *access.Tokens
	mu     sync.Mutex
	opened map[string]int // how often, by folder
}

func newWorld(t testing.TB, change func(*Options)) *world {
	w := &world{t: t, dir: t.TempDir(), opened: map[string]int{}}
	own := access.Folder(w.dir)
	must.Do(t, os.Mkdir(own, 0o700))
	var err error
	if w.tokens, err = access.Open(own); err != nil {
		t.Fatal(err)
	}
	stores := map[string]*memory.Store{}
	folder := &Folder{
		Dir: w.dir,
		OpenBoard: func(dir string, _ func(string)) (query.Board, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.opened[dir]++
			if stores[dir] == nil {
				stores[dir] = memory.New()
			}
			return kept{query.Local(pawl.NewBoard(stores[dir]))}, nil
		},
		MakeBoard: func(_ context.Context, dir string) error { return os.Mkdir(dir, 0o700) },
	}
	o := Options{
		Boards: folder, Version: "1.2.3", Tokens: w.tokens,
		Empty: func() query.Board { return query.Local(pawl.NewBoard(memory.New())) },
	}
	if change != nil {
		change(&o)
	}
	w.Server = New(o)
	w.http = httptest.NewServer(w.Server)
	running, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(running) }()
	t.Cleanup(func() {
		stop()
		<-done
		w.http.CloseClientConnections()
		w.http.Close()
		w.Close()
	})
	return w
}

// kept is a board whose store outlives it, as a folder does.
type kept struct{ query.Board }

func (kept) Close() error { return nil }

func (k kept) Expire(ctx context.Context) error { return k.Board.(query.Expirer).Expire(ctx) }

// board makes the folder of a board.
func (w *world) board(name string) {
	must.Do(w.t, os.MkdirAll(filepath.Join(w.dir, name, ".tasks"), 0o700))
}

// token makes a token of a person for boards, unless change makes it something else.
func (w *world) token(name string, role access.Role, boards ...string) (string, access.Token) {
	secret, token, err := w.tokens.Create(context.Background(), access.Token{Name: name, Person: true, Role: role, Boards: boards}, true)
	must.Do(w.t, err)
	return secret, token
}

// client opens a board as a client does.
func (w *world) client(secret, board string) *remote.Board {
	b := must.Get(remote.Open(remote.Options{Address: address.Address{Origin: w.http.URL, Board: board}, Token: secret, Patience: time.Minute}))(w.t)
	w.t.Cleanup(func() { b.Close() })
	return b
}

func TestServer(t *testing.T) {
	w := newWorld(t, nil)
	secret, _ := w.token("ada", access.Work, "shop")
	b := w.client(secret, "shop")
	hello, err := b.Hello(ctx)
	if err != nil || hello.Exists || hello.Name != "ada" || hello.Version != "1.2.3" || hello.Role != "work" || !hello.Person {
		t.Fatalf("got %+v, %v", hello, err)
	}
	if page, err := query.Of(ctx, b, query.Asker{}, query.TasksQuery{}); err != nil || page.Page.Total != 0 {
		t.Errorf("a board that is yet to be made: %+v, %v", page, err)
	}
	out, err := b.Do(ctx, create("one"), query.WantNames)
	if err != nil || out.Result.IDs[0] != 1 {
		t.Fatalf("got %+v, %v", out, err)
	}
	if hello, err = b.Hello(ctx); err != nil || !hello.Exists || hello.Tasks != 1 {
		t.Errorf("got %+v, %v", hello, err)
	}
	n := 0
	for task, err := range b.Export(ctx, query.Asker{}, pawl.Query{}) {
		if n++; err != nil || task.Subject != "one" {
			t.Errorf("got %+v, %v", task, err)
		}
	}
	if n != 1 {
		t.Errorf("%d tasks were exported", n)
	}
	if _, err := b.Do(ctx, pawl.Request{Op: pawl.Complete{IDs: []pawl.ID{7}}}, 0); !errors.Is(err, pawl.NotFound) {
		t.Errorf("got %v", err)
	}
}

// TestClient: a program of others has all of a board through the public package.
func TestClient(t *testing.T) {
	w := newWorld(t, nil)
	secret, _ := w.token("ada", access.Work, "shop")
	b := must.Get(client.Open(w.http.URL+"/boards/shop", client.Options{Token: secret, Patience: time.Minute}))(t)
	defer b.Close()
	if out, err := b.Do(ctx, create("one"), query.WantNames); err != nil || out.Result.IDs[0] != 1 || b.Name() != "" && b.Name() != "ada" {
		t.Fatalf("got %+v, %v", out, err)
	}
	for news, err := range b.Watch(ctx, query.Asker{}, query.From{}) {
		must.Do(t, err)
		if news.Set != nil {
			break
		}
	}
	page, err := query.Of(ctx, b, query.Asker{}, query.TasksQuery{})
	if err != nil || page.Page.Total != 1 || page.Page.Tasks[0].Subject != "one" || !b.Away().IsZero() {
		t.Errorf("got %+v, %v", page, err)
	}
	if _, err := client.Open("postgres://ada@db.example.org/pawl?board=shop", client.Options{}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a database: %v", err)
	}
}

// A token that is not for a board cannot tell whether the board exists, and one for all
// boards makes none unless it is an admin's.
func TestNoBoard(t *testing.T) {
	w := newWorld(t, nil)
	w.board("shop")
	other, _ := w.token("eve", access.Admin, "garden")
	all, _ := w.token("bob", access.Work, access.All)
	reader, _ := w.token("ann", access.Read, "new")
	admin, _ := w.token("root", access.Admin, access.All)
	for _, at := range []struct{ secret, board string }{{other, "shop"}, {other, "shed"}, {all, "shed"}} {
		b := w.client(at.secret, at.board)
		_, err := b.Hello(ctx)
		_, err2 := b.Do(ctx, create("one"), 0)
		want := "no board " + at.board + " for this token"
		if err == nil || err.Error() != want || err2 == nil || err2.Error() != want {
			t.Errorf("%s: got %v, %v", at.board, err, err2)
		}
	}
	if _, err := w.client(all, "shop").Do(ctx, create("one"), 0); err != nil {
		t.Errorf("a board that exists: %v", err)
	}
	if hello, err := w.client(reader, "new").Hello(ctx); err != nil || hello.Exists {
		t.Errorf("got %+v, %v", hello, err)
	}
	if _, err := w.client(reader, "new").Do(ctx, create("one"), 0); err == nil || !strings.Contains(err.Error(), "only read") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "new")); err == nil {
		t.Error("a reader has made a board")
	}
	if _, err := w.client(admin, "shed").Do(ctx, create("one"), 0); err != nil {
		t.Errorf("an admin makes a board: %v", err)
	}
	if _, err := w.client("pawl_x_y", "shop").Hello(ctx); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("got %v", err)
	}
}

// away is a source that cannot look.
type away struct{ Source }

func (away) Find(context.Context, string) (Place, error) {
	return nil, pawl.Errorf(pawl.Unavailable, "the database does not answer")
}

// While the boards cannot be looked for, no token is told that its board does not exist:
// its holder would give up.
func TestBoardsAway(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Boards = away{o.Boards} })
	for _, role := range []access.Role{access.Read, access.Work, access.Admin} {
		for _, board := range []string{"shop", access.All} {
			secret, _ := w.token(string(role), role, board)
			for _, path := range []string{remote.PathHello, remote.PathFilm} {
				if status, _, text := w.asks("GET", "/boards/shop"+path, secret, ""); status != http.StatusServiceUnavailable || !strings.Contains(text, "does not answer") {
					t.Errorf("%s for %s at %s: %d %s", role, board, path, status, text)
				}
			}
		}
	}
}

// A link is not a board, wherever it leads.
func TestLinks(t *testing.T) {
	w := newWorld(t, nil)
	outside := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(outside, ".tasks"), 0o700))
	if err := os.Symlink(outside, filepath.Join(w.dir, "away")); err != nil {
		t.Skip("not here: " + err.Error())
	}
	w.board("inside")
	os.Remove(filepath.Join(w.dir, "inside", ".tasks"))
	must.Do(t, os.Symlink(filepath.Join(outside, ".tasks"), filepath.Join(w.dir, "inside", ".tasks")))
	secret, _ := w.token("ada", access.Admin, access.All)
	for _, name := range []string{"away", "inside"} {
		b := w.client(secret, name)
		if _, err := b.Do(ctx, create("one"), 0); err == nil || strings.Contains(err.Error(), w.dir) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if len(w.opened) != 0 {
		t.Errorf("opened %v", w.opened)
	}
}

// A board whose folder is moved away ends for its clients, and no other does.
func TestMovedBoard(t *testing.T) {
	w := newWorld(t, nil)
	secret, _ := w.token("ada", access.Work, "shop", "garden")
	shop, garden := w.client(secret, "shop"), w.client(secret, "garden")
	for _, b := range []*remote.Board{shop, garden} {
		must.Get(b.Do(ctx, create("one"), 0))(t)
	}
	must.Do(t, os.Rename(filepath.Join(w.dir, "shop"), filepath.Join(w.dir, "old")))
	if hello, err := shop.Hello(ctx); err != nil || hello.Exists {
		t.Errorf("got %+v, %v", hello, err)
	}
	if hello, err := garden.Hello(ctx); err != nil || !hello.Exists || hello.Tasks != 1 {
		t.Errorf("got %+v, %v", hello, err)
	}
	must.Do(t, os.Rename(filepath.Join(w.dir, "old"), filepath.Join(w.dir, "shop")))
	if hello, err := shop.Hello(ctx); err != nil || !hello.Exists {
		t.Errorf("back again: got %+v, %v", hello, err)
	}
}

// The page reads errors as the API writes them, also those that the server answers
// before the page gets to see the request.
func TestErrorsOfTheAPI(t *testing.T) {
	s := &Server{Options: Options{Log: slog.New(slog.DiscardHandler)}}
	for path, want := range map[string]string{"/boards/shop/api/v1/lanes": `"hint":"join again"`, "/boards/shop/v1/ask": `"hint":{"step":"say","text":"join again"}`} {
		w := httptest.NewRecorder()
		s.fail(w, httptest.NewRequest("GET", path, nil), unauthorized("this token was revoked", "join again"))
		if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
