package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

var want = Token{Name: "ada", Person: true, Role: Work, Boards: []string{"shop"}}

func open(t *testing.T, dir string) *Tokens {
	t.Helper()
	return must.Get(Open(dir))(t)
}

func create(t *testing.T, tokens *Tokens, token Token) (string, Token) {
	t.Helper()
	secret, made, err := tokens.Create(t.Context(), token, true)
	must.Do(t, err)
	return secret, made
}

func TestSecret(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "server")
	admin, server := open(t, dir), open(t, dir)
	secret, made := create(t, admin, want)
	if !strings.HasPrefix(secret, "pawl_"+made.ID+"_") || len(secret) != len("pawl_")+8+1+43 {
		t.Errorf("the secret is %q", secret)
	}
	got, err := server.Lookup(secret)
	if err != nil || got.Name != "ada" || got.ID != made.ID || !got.Person || got.Role != Work || !got.Opens("shop") || got.Opens("shop2") || got.Opens("*x") || got.Opens("") {
		t.Errorf("got %+v, %v", got, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "tokens.json"))
	if err != nil || strings.Contains(string(text), secret[14:]) {
		t.Errorf("the file has the secret: %s, %v", text, err)
	}
	other, _ := create(t, admin, Token{Name: "bot", Role: Read, Boards: []string{All}})
	last := secret[len(secret)-1]
	for _, wrong := range []string{
		"", "pawl_", "pawl__", secret[:len(secret)-1], secret + "x", strings.ToUpper(secret), " " + secret, secret + "\n",
		secret[:14] + other[14:], other[:14] + secret[14:], "pawl_zzzzzzzz_" + secret[14:], strings.TrimPrefix(secret, "pawl_"),
		secret[:len(secret)-1] + string(last^1), secret[:len(secret)-1] + string(last+1), // base64 that decodes to the same bytes, perhaps
		made.ID, "pawl_" + made.ID, "pawl_" + made.ID + "_" + strings.Repeat("A", 43), strings.Repeat(secret, 1<<12), "pawl_" + made.ID + "_" + sumText(server.known[made.ID].Sum),
	} {
		if token, err := server.Lookup(wrong); !errors.Is(err, ErrUnknown) || token.ID != "" {
			t.Errorf("%.80q lets %+v in: %v", wrong, token, err)
		} else if strings.Contains(err.Error(), secret[14:]) {
			t.Errorf("the error tells the secret: %v", err)
		}
	}
}

// A server sees what other processes do to the file.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	admin, server := open(t, dir), open(t, dir)
	now := time.Now()
	server.now = func() time.Time { return now }
	secret, made := create(t, admin, want)
	if _, err := server.Lookup(secret); err != nil {
		t.Fatalf("a new token: %v", err)
	}
	if ended, err := admin.Revoke(t.Context(), made.ID); err != nil || len(ended) != 1 || ended[0].Revoked.IsZero() {
		t.Fatalf("revoked %v, %v", ended, err)
	}
	if _, err := server.Lookup(secret); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "was revoked at") {
		t.Errorf("a revoked token: %v", err)
	}
	short := want
	short.Expires = now.Add(time.Hour)
	secret, _ = create(t, admin, short)
	now = short.Expires.Add(-time.Second)
	if _, err := server.Lookup(secret); err != nil {
		t.Errorf("before it expires: %v", err)
	}
	now = short.Expires
	if _, err := server.Lookup(secret); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "expired at") {
		t.Errorf("when it expires: %v", err)
	}

	// While the file is broken, or others could have written it, nobody is let in.
	secret, _ = create(t, admin, want)
	path := filepath.Join(dir, "tokens.json")
	whole := must.Get(os.ReadFile(path))(t)
	for name, spoil := range map[string]func() error{
		"broken":            func() error { return os.WriteFile(path, []byte("{"), 0o600) },
		"empty":             func() error { return os.WriteFile(path, nil, 0o600) },
		"for all":           func() error { return os.Chmod(path, 0o604) },
		"for a group":       func() error { return os.Chmod(path, 0o620) },
		"a link":            func() error { return errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)) },
		"a folder":          func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"in an open folder": func() error { return os.Chmod(dir, 0o777) },
	} {
		if runtime.GOOS == "windows" && name != "broken" && name != "empty" {
			continue // modes and links are those of Unix
		}
		must.Do(t, spoil())
		token, err := server.Lookup(secret)
		if err == nil || errors.Is(err, ErrUnknown) || token.ID != "" {
			t.Errorf("a file that is %s lets %+v in: %v", name, token, err)
		}
		if _, err := Open(dir); err == nil {
			t.Errorf("a file that is %s is opened", name)
		}
		if _, _, err := admin.Create(t.Context(), Token{Name: "eve", Role: Work, Boards: []string{"x"}}, false); err == nil {
			t.Errorf("a file that is %s gets another token", name)
		}
		must.Do(t, errors.Join(os.Chmod(dir, 0o700), os.RemoveAll(path), os.RemoveAll(path+"2"), os.WriteFile(path, whole, 0o600)))
		if _, err := server.Lookup(secret); err != nil {
			t.Errorf("when the file is back, after it was %s: %v", name, err)
		}
	}
	must.Do(t, os.Remove(path))
	if _, err := server.Lookup(secret); !errors.Is(err, ErrUnknown) {
		t.Errorf("without a file: %v", err)
	}
}

// Watch tells of each token that ends, in whatever way.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		admin, server := open(t, dir), open(t, dir)
		short := want
		short.Expires = time.Now().Add(time.Minute)
		_, expires := create(t, admin, short)
		secret, revoked := create(t, admin, want)
		_, _ = create(t, admin, want)
		ctx, stop := context.WithCancel(t.Context())
		var mu sync.Mutex
		gone := map[string]time.Time{}
		var came []string
		var done sync.WaitGroup
		done.Go(func() {
			server.Watch(ctx, func(token Token) {
				mu.Lock()
				defer mu.Unlock()
				gone[token.ID] = time.Now()
				if token.ID == revoked.ID && token.Revoked.IsZero() {
					t.Error("gone is the token as it was")
				}
			}, func(token Token) {
				mu.Lock()
				defer mu.Unlock()
				came = append(came, token.Name)
			})
		})
		time.Sleep(10 * time.Second)
		if _, err := server.Lookup(secret); err != nil {
			t.Error(err)
		}
		at := time.Now()
		must.Get(admin.Revoke(t.Context(), revoked.ID))(t)
		time.Sleep(2 * Fresh)
		mu.Lock()
		if len(gone) != 1 || gone[revoked.ID].Sub(at) > 2*Fresh {
			t.Errorf("revoked at %v; gone: %v", at, gone)
		}
		mu.Unlock()
		time.Sleep(time.Minute)
		mu.Lock()
		if len(gone) != 2 || gone[expires.ID].Sub(short.Expires) > 2*Fresh {
			t.Errorf("expired at %v; gone: %v", short.Expires, gone)
		}
		mu.Unlock()
		create(t, admin, Token{Name: "new", Role: Read, Boards: []string{"x"}})
		time.Sleep(2 * Fresh)
		mu.Lock()
		if fmt.Sprint(came) != "[new]" {
			t.Errorf("came: %v", came)
		}
		mu.Unlock()
		path := filepath.Join(dir, "tokens.json")
		text := must.Get(os.ReadFile(path))(t)
		for _, text := range [][]byte{[]byte("{"), text} {
			must.Do(t, os.WriteFile(path, text, 0o600))
			time.Sleep(2 * Fresh)
			mu.Lock()
			if len(gone) != 2 || len(came) != 1 {
				t.Errorf("the file was broken for a while; gone: %v, came: %v", gone, came)
			}
			mu.Unlock()
			if _, err := server.All(t.Context()); (err == nil) != (len(text) > 1) {
				t.Errorf("with %d bytes: %v", len(text), err)
			}
		}
		stop()
		done.Wait()
		if used := admin.Used(t.Context()); used[revoked.ID].IsZero() || len(used) != 1 {
			t.Errorf("used are %v", used)
		}
	})
}

// Names that others would take for another's, and tokens that are none, are not made.
func TestCreate(t *testing.T) {
	for name, fine := range map[string]bool{
		"ada": true, "Ada Lovelace": true, "ädä": true, "claude-1": true, "名前": true, strings.Repeat("x", pawl.MaxName): true, "o'neill": true,
		"": false, " ": false, "ada ": false, " ada": false, "a  b": false, "a\tb": false, "a\nb": false, "a\x00b": false, "a\x1b[31mb": false,
		"a\u202eb": false, "a\u200bb": false, "\ufeffada": false, "a\u00a0b": false, "a\u2028b": false, "a\xffb": false, "a\u3164": false,
		"-ada": false, "@ada": false, "pawl": false, "PAWL": false, "External": false, strings.Repeat("x", pawl.MaxName+1): false,
	} {
		tokens := open(t, t.TempDir())
		token := want
		token.Name = name
		if _, _, err := tokens.Create(t.Context(), token, false); (err == nil) != fine || err != nil && !errors.Is(err, pawl.Invalid) {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	tokens := open(t, t.TempDir())
	for name, spoil := range map[string]func(*Token){
		"no role": func(t *Token) { t.Role = "" }, "root": func(t *Token) { t.Role = "root" }, "no boards": func(t *Token) { t.Boards = nil },
		"a path": func(t *Token) { t.Boards = []string{"../shop"} }, "a board twice": func(t *Token) { t.Boards = []string{"a", "a"} },
		"all and one": func(t *Token) { t.Boards = []string{"a", All} }, "own folder": func(t *Token) { t.Boards = []string{".pawl-server"} },
		"many": func(t *Token) {
			for i := range maxBoards + 1 {
				t.Boards = append(t.Boards, fmt.Sprint("b", i))
			}
		},
		"expired": func(t *Token) { t.Expires = time.Now() },
	} {
		token := want
		token.Boards = append([]string(nil), want.Boards...)
		spoil(&token)
		if _, made, err := tokens.Create(t.Context(), token, false); !errors.Is(err, pawl.Invalid) {
			t.Errorf("%s: %+v, %v", name, made, err)
		}
	}
	if all, err := tokens.All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("there are %v, %v", all, err)
	}
	// What the caller says of id and dates does not count.
	token := want
	token.ID, token.Created, token.Revoked = "zzzzzzzz", time.Unix(1, 0), time.Unix(1, 0)
	if _, made, err := tokens.Create(t.Context(), token, false); err != nil || made.ID == "zzzzzzzz" || !made.Revoked.IsZero() || made.Created.Equal(time.Unix(1, 0)) {
		t.Errorf("got %+v, %v", made, err)
	}
}

func TestNames(t *testing.T) {
	tokens := open(t, t.TempDir())
	_, first := create(t, tokens, want)
	other := func(name string, person, also bool) error {
		_, _, err := tokens.Create(t.Context(), Token{Name: name, Person: person, Role: Read, Boards: []string{"x"}}, also)
		return err
	}
	if err := other("ada", true, false); !errors.Is(err, ErrNamed) || !errors.Is(err, pawl.Conflict) {
		t.Errorf("a second token without a word: %v", err)
	}
	for _, err := range []error{other("ada", false, true), other("ADA", true, true), other("Ada", false, false)} {
		if !errors.Is(err, pawl.Conflict) || errors.Is(err, ErrNamed) {
			t.Errorf("a name that would be taken for another's: %v", err)
		}
	}
	must.Do(t, other("ada", true, true))
	if ended, err := tokens.Revoke(t.Context(), first.ID); err != nil || len(ended) != 1 || ended[0].ID != first.ID {
		t.Errorf("revoked %v, %v", ended, err)
	}
	if ended, err := tokens.Revoke(t.Context(), "ada"); err != nil || len(ended) != 1 {
		t.Errorf("revoked %v, %v", ended, err)
	}
	if ended, err := tokens.Revoke(t.Context(), "ada"); err != nil || len(ended) != 0 {
		t.Errorf("revoked again %v, %v", ended, err)
	}
	if _, err := tokens.Revoke(t.Context(), "ad"); !errors.Is(err, pawl.NotFound) {
		t.Errorf("an unknown one: %v", err)
	}
	if err := other("Ada", false, false); err != nil { // nobody has the name any longer
		t.Error(err)
	}
	// A name may look like the id of another token: the id is meant.
	_, bot := create(t, tokens, Token{Name: "bot", Role: Work, Boards: []string{"x"}})
	create(t, tokens, Token{Name: bot.ID, Role: Work, Boards: []string{"x"}})
	if ended, err := tokens.Revoke(t.Context(), bot.ID); err != nil || len(ended) != 1 || ended[0].Name != "bot" {
		t.Errorf("revoked %v, %v", ended, err)
	}
}

// Several processes make and revoke tokens at once, and none is lost.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			tokens, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			for n := range 4 {
				token := want
				token.Name = fmt.Sprintf("agent %d-%d", i, n)
				if _, made, err := tokens.Create(t.Context(), token, false); err != nil {
					t.Error(err)
				} else if n%2 == 0 {
					if _, err := tokens.Revoke(t.Context(), made.ID); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	tokens, err := open(t, dir).All(t.Context())
	live := 0
	for _, token := range tokens {
		if token.Live(time.Now()) {
			live++
		}
	}
	if err != nil || len(tokens) != 32 || live != 16 {
		t.Errorf("there are %d tokens, %d live, %v", len(tokens), live, err)
	}
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "modes are those of Unix")
	}
	if info, err := os.Stat(filepath.Join(dir, "tokens.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

// What ended is listed for a while, and then forgotten.
func TestKept(t *testing.T) {
	tokens := open(t, t.TempDir())
	now := time.Now()
	tokens.now = func() time.Time { return now }
	_, made := create(t, tokens, want)
	must.Get(tokens.Revoke(t.Context(), made.ID))(t)
	for _, want := range []int{2, 1} {
		create(t, tokens, Token{Name: "bot", Role: Read, Boards: []string{"x"}, Expires: now.Add(time.Minute)})
		if all, err := tokens.All(t.Context()); err != nil || len(all) != want {
			t.Errorf("there are %d tokens, %v, want %d", len(all), err, want)
		}
		now = now.Add(Kept + time.Hour)
	}
}

// Whatever the file holds: it is read as tokens that are whole, or nobody is let in.
func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"version":1,"tokens":[]}`))
	f.Add([]byte(`{"version":2,"tokens":[]}`))
	f.Add([]byte(`{"version":1,"tokens":null}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{"version":1,"tokens":[{"id":"aaaaaaaa","name":"ada","role":"work","boards":["shop"],"created":"2026-11-23T06:12:00Z","sha256":"` + strings.Repeat("ab", 32) + `"}]}`))
	f.Add([]byte(`{"version":1,"tokens":[{"id":"aaaaaaaa","name":"ada","role":"admin","boards":["*"],"scopes":["x"],"sha256":"` + strings.Repeat("ab", 32) + `"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		known, err := newFile("").decode(text)
		if err != nil {
			if known != nil {
				t.Errorf("%q is refused, and gives %v", text, known)
			}
			return
		}
		for id, e := range known {
			if err := e.Check(); err != nil || id != e.ID {
				t.Errorf("%q has the token %+v: %v", text, e, err)
			}
		}
		again := must.Get(encode(known))(t)
		if back, err := newFile("").decode(again); err != nil || len(back) != len(known) {
			t.Errorf("%q is written as %q, which is read as %v, %v", text, again, back, err)
		}
	})
}

// Only the secret itself is that of a token.
func FuzzLookup(f *testing.F) {
	tokens := must.Get(Open(f.TempDir()))(f)
	secret, _, err := tokens.Create(f.Context(), want, false)
	must.Do(f, err)
	for _, seed := range []string{"", secret, secret[:20], "pawl_" + secret, strings.Repeat("_", 300), "pawl_\x00_", secret + "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if token, err := tokens.Lookup(text); (err == nil) != (text == secret) || err != nil && token.ID != "" {
			t.Errorf("%q lets %+v in: %v", text, token, err)
		}
	})
}

// The form of the file is a promise to later versions.
func TestForm(t *testing.T) {
	e := Entry{Token{
		ID: "k3v7q2mx", Name: "ada", Person: true, Role: Work, Boards: []string{"shop"},
		Created: time.Date(2026, 11, 23, 6, 12, 0, 0, time.UTC), Expires: time.Date(2027, 11, 23, 6, 12, 0, 0, time.UTC),
	}, [32]byte{1}}
	text := must.Get(encode(map[string]Entry{e.ID: e}))(t)
	var form map[string]any
	must.Do(t, json.Unmarshal(text, &form))
	got, err := json.Marshal(form)
	const want = `{"tokens":[{"boards":["shop"],"created":"2026-11-23T06:12:00Z","expires":"2027-11-23T06:12:00Z","id":"k3v7q2mx","name":"ada","person":true,"role":"work","sha256":"0100000000000000000000000000000000000000000000000000000000000000"}],"version":1}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s (%v)\nwant %s", got, err, want)
	}
}
