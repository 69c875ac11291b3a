package web

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The server that shows a board already is found, and makes a code.
func TestRunning(t *testing.T) {
	d := openDoor(t, func(o *Options) { o.Dir = "/compiler/.tasks" })
	want := Wanted{Addr: d.addr, AccessToken: token, Board: "/compiler/.tasks", By: "ada"}
	l, running, err := Listen(t.Context(), want)
	if err != nil || l != nil || running == nil || running.Addr != d.addr {
		t.Fatalf("%v, %+v, %v", l, running, err)
	}
	if _, valid, err := d.Codes.Use(t.Context(), d.Now(), running.Code); err != nil || !valid {
		t.Error("its code does not work")
	}
	for name, change := range map[string]func(*Wanted){
		"another board": func(w *Wanted) { w.Board = "/parser/.tasks" },
		"another name":  func(w *Wanted) { w.By = "bob" },
		"another user":  func(w *Wanted) { w.AccessToken = strings.Repeat("x", len(token)) },
	} {
		other := want
		change(&other)
		_, running, err := Listen(t.Context(), other)
		if !errors.Is(err, pawl.Unavailable) || running != nil {
			t.Fatalf("%s: %+v, %v", name, running, err)
		}
		if told := strings.HasSuffix(err.Error(), " is taken by pawl serve, which shows /compiler/.tasks to ada"); told != (name != "another user") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A program that listens in its place does not get the token, nor one that asks the
// true server what to say.
func TestImpostor(t *testing.T) {
	d := openDoor(t, func(o *Options) { o.Dir = "/compiler/.tasks" })
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	heard := make(chan string, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				close(heard)
				return
			}
			defer conn.Close()
			for asked := bufio.NewReader(conn); ; {
				r, err := http.ReadRequest(asked)
				if err != nil {
					break
				}
				heard <- r.URL.Path + " " + r.Header.Get("Authorization")
				r.RequestURI, r.URL.Scheme, r.URL.Host, r.Host = "", "http", d.addr, d.addr
				res, err := http.DefaultClient.Do(r)
				if err != nil {
					break
				}
				res.Write(conn)
			}
		}
	}()
	_, running, err := Listen(t.Context(), Wanted{Addr: l.Addr().String(), AccessToken: token, Board: "/compiler/.tasks", By: "ada"})
	if !errors.Is(err, pawl.Unavailable) || running != nil {
		t.Errorf("it is believed: %+v, %v", running, err)
	}
	l.Close()
	asked := 0
	for line := range heard {
		asked++
		if line != "/api/v1/proof " {
			t.Errorf("it was sent %q", line)
		}
	}
	if asked == 0 {
		t.Error("it was not asked at all")
	}
}

// The token is made once, and only a file that nobody else can read is trusted.
func TestTokenFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "web")
	first, path, err := AccessToken(t.Context(), dir)
	if err != nil || len(first) != tokenLetters {
		t.Fatal(first, err)
	}
	if second, _, err := AccessToken(t.Context(), dir); err != nil || second != first {
		t.Errorf("another one: %q, %v", second, err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	refused := func(name string) {
		t.Helper()
		_, _, err := AccessToken(t.Context(), dir)
		if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Invalid || !strings.Contains(e.Hint.Text, path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{"empty": "", "short": "c2VjcmV0", "odd": strings.Repeat("!", tokenLetters), "long": strings.Repeat("x", maxTokenFile+1)} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		refused(name)
	}
	must.Do(t, os.WriteFile(path, []byte(first+"\n"), 0o600))
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o640, 0o604, 0o644, 0o620} {
			must.Do(t, os.Chmod(path, mode))
			refused(mode.String())
		}
	}
	must.Do(t, os.Remove(path))
	if third, _, err := AccessToken(t.Context(), dir); err != nil || third == first {
		t.Errorf("after it was removed: %v", err)
	}
}
