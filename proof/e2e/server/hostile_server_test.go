//go:build unix

package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

// What a client may take, whatever a server does to it.
const (
	mostMemory = 256 << 20
	mostTime   = 45 * time.Second // an export waits for 30 s
)

// A liar answers each request in its way.
type liar struct {
	addr     string
	requests atomic.Int64
	tokens   atomic.Int64 // requests that had a token
}

func newLiar(t *testing.T, lie func(out *bufio.Writer, r *http.Request)) *liar {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	a := &liar{addr: l.Addr().String()}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(within))
				in, out := bufio.NewReader(conn), bufio.NewWriterSize(conn, 64<<10)
				r, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				io.Copy(io.Discard, r.Body)
				a.requests.Add(1)
				if r.Header.Get("Authorization") != "" {
					a.tokens.Add(1)
				}
				lie(out, r)
				out.Flush() // each lie is told over a connection of its own
			}()
		}
	}()
	return a
}

const good = "HTTP/1.1 200 OK\r\nPawl-Protocol: 1 1\r\nContent-Type: application/json\r\n"

// endless writes the same bytes until the client goes.
func endless(out *bufio.Writer, text string) {
	text = strings.Repeat(text, 1+4096/len(text))
	for {
		if _, err := out.WriteString(text); err != nil {
			return
		}
	}
}

// slowly writes a byte now and then, until the client goes.
func slowly(out *bufio.Writer, text string) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i++ {
		if out.WriteByte(text[i%len(text)]) != nil || out.Flush() != nil {
			return
		}
		<-tick.C
	}
}

func whole(body string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", good, len(body), body)
}

const ugly = `\u001b]0;owned\u0007\u001b[2J\u009b31m\r\u202egnihton\u0000\u0008`

func failure(status int, message string) string {
	body := `{"error":{"kind":"conflict","message":"` + message + `","hint":{"step":"say","text":"` + message + `"}}}`
	return fmt.Sprintf("HTTP/1.1 %d Odd\r\nPawl-Protocol: 1 1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

var lies = map[string]func(out *bufio.Writer, r *http.Request){
	"an endless answer": func(out *bufio.Writer, _ *http.Request) { out.WriteString(good + "\r\n"); endless(out, " ") },
	"an endless answer of JSON": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(good + "\r\n" + `{"outcomes":[`)
		endless(out, `{},`)
	},
	"an endless stream": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(good + "\r\n")
		endless(out, `{"news":{"revision":1}}`+"\n")
	},
	"an endless line": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(good + "\r\n" + `{"task":{"subject":"`)
		endless(out, "x")
	},
	"an endless header":       func(out *bufio.Writer, _ *http.Request) { out.WriteString(good + "X-Long: "); endless(out, "x") },
	"endless headers":         func(out *bufio.Writer, _ *http.Request) { out.WriteString(good); endless(out, "X-Many: x\r\n") },
	"endless interim answers": func(out *bufio.Writer, _ *http.Request) { endless(out, "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n") },
	"a length that cannot be": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(good + "Content-Length: 9223372036854775807\r\n\r\n{")
	},
	"slow bytes":   func(out *bufio.Writer, _ *http.Request) { out.WriteString(good + "\r\n"); slowly(out, " ") },
	"slow headers": func(out *bufio.Writer, _ *http.Request) { slowly(out, good) },
	"slow beats":   func(out *bufio.Writer, _ *http.Request) { out.WriteString(good + "\r\n"); slowly(out, "{}\n") },
	"no answer":    func(out *bufio.Writer, _ *http.Request) {},
	"not HTTP": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("SSH-2.0-OpenSSH_9.6\r\n\x1b[2J\x1b]0;owned\a")
	},
	"a page": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>\x1b[2J log in</html>")
	},
	"a page as if it were Pawl": func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole("<html>\x1b[2J log in</html>")) },
	"nothing":                   func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole("")) },
	"null":                      func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole("null")) },
	"an empty object":           func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole("{}")) },
	"deep JSON":                 func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole(strings.Repeat("[", 1<<20))) },
	"deep JSON in what is not known": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(whole(`{"later":` + strings.Repeat(`{"a":`, 1<<20)))
	},
	"an outcome of nothing": func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole(`{"outcomes":[{}]}`)) },
	"null outcomes": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(whole(`{"outcomes":[null],"errors":[null]}`))
	},
	"too many outcomes": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(whole(`{"outcomes":[` + strings.Repeat("{},", 100_000) + "{}]}"))
	},
	"an error that is not one": func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole(`{"outcomes":[{}],"errors":[{}]}`)) },
	"an error with escapes":    func(out *bufio.Writer, _ *http.Request) { out.WriteString(failure(409, ugly)) },
	"an error with escapes, of an op": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(whole(`{"outcomes":[{}],"errors":[{"kind":"conflict","message":"` + ugly + `"}]}`))
	},
	"an endless error": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 409 Odd\r\nPawl-Protocol: 1 1\r\n\r\n" + `{"error":{"message":"`)
		endless(out, "x")
	},
	"a long error": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(failure(409, strings.Repeat("long ", 100_000)))
	},
	"wait for a year": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 503 Odd\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n")
	},
	"wait for less than no time": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 429 Odd\r\nRetry-After: -5\r\nContent-Length: 0\r\n\r\n")
	},
	"no protocol": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
	},
	"a protocol of the future": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 200 OK\r\nPawl-Protocol: 99 98\r\nContent-Length: 2\r\n\r\n{}")
	},
	"a protocol that is not a number": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 200 OK\r\nPawl-Protocol: \x1b[2J 1\r\nContent-Length: 2\r\n\r\n{}")
	},
	"a protocol beyond numbers": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString("HTTP/1.1 200 OK\r\nPawl-Protocol: 99999999999999999999999 1\r\nContent-Length: 2\r\n\r\n{}")
	},
	"a packed answer": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(good + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00")
	},
	"news that go back": func(out *bufio.Writer, _ *http.Request) {
		out.WriteString(good + "\r\n")
		for _, rev := range []string{"5", "4", "-1", "9223372036854775807", "3"} {
			fmt.Fprintf(out, `{"news":{"revision":%s,"set":{"revision":%s,"verb":"create","by":{"name":"%s"}}}}`+"\n", rev, rev, ugly)
		}
	},
}

// TestHostileServer: whatever a server answers, a command ends soon, takes little
// memory, prints nothing that a terminal would obey, and tells nobody the token.
func TestHostileServer(t *testing.T) {
	t.Parallel()
	token := Token{"ada", "pawl_hostile1_" + strings.Repeat("S", 43)}
	commands := [][]string{{"ready"}, {"add", "hello"}, {"claim"}, {"block", "1", "2"}, {"show", "1"}, {"export"}, {"log"}}
	var group sync.WaitGroup
	var ran atomic.Int64
	for name, lie := range lies {
		a := newLiar(t, lie)
		for _, command := range commands {
			if !long.Turn(name+" "+command[0], 4) {
				continue
			}
			m := NewMachine(t).At("http://"+a.addr+"/boards/shop", token)
			group.Go(func() { // they wait, most of the time
				m.harmless(t, name, token, command, m.Pawl("", command...))
				if a.requests.Load() == 0 {
					t.Errorf("%s: nobody asked the server", name)
				}
				ran.Add(1)
			})
		}
	}
	group.Wait()
	t.Logf("%d kinds of lies, %d commands", len(lies), ran.Load())
}

// harmless checks what a server may not do to a command.
func (m *Machine) harmless(t *testing.T, name string, token Token, command []string, said Said) {
	t.Helper()
	if said.Peak > mostMemory {
		t.Errorf("%s: %v took %d MiB", name, command, said.Peak>>20)
	}
	if *long.Asked && said.Took > mostTime {
		t.Errorf("%s: %v took %v", name, command, said.Took)
	}
	for _, r := range said.Out + said.Err {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf) {
			t.Errorf("%s: %v prints %q:\n%q\n%q", name, command, r, clip(said.Out), clip(said.Err))
			break
		}
	}
	if said.Code != 0 && (said.Err == "" || len(said.Err) > 8<<10) {
		t.Errorf("%s: %v: exit %d with an error of %d bytes: %q", name, command, said.Code, len(said.Err), clip(said.Err))
	}
	if strings.Contains(said.Err, "panic") || strings.Contains(said.Err, "goroutine ") {
		t.Errorf("%s: %v: %s", name, command, clip(said.Err))
	}
	if strings.Contains(said.Out+said.Err, token.Secret) {
		t.Errorf("%s: %v prints the token", name, command)
	}
	must(t, filepath.WalkDir(m.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), token.Secret) {
			t.Errorf("%s: %v: %s: the token is in it, or %v", name, command, path, err)
		}
		return nil
	}))
}

// TestRedirects: a server that sends elsewhere is not followed, and who is there does
// not get the token.
func TestRedirects(t *testing.T) {
	long.Only(t)
	t.Parallel()
	thief := newLiar(t, func(out *bufio.Writer, _ *http.Request) { out.WriteString(whole("{}")) })
	token := Token{"ada", "pawl_hostile1_" + strings.Repeat("S", 43)}
	for _, status := range []int{301, 302, 303, 307, 308, 305, 300} {
		a := newLiar(t, func(out *bufio.Writer, r *http.Request) {
			fmt.Fprintf(out, "HTTP/1.1 %d Elsewhere\r\nPawl-Protocol: 1 1\r\nLocation: http://%s%s\r\nRefresh: 0; url=http://%s/\r\nContent-Length: 0\r\n\r\n", status, thief.addr, r.URL.Path, thief.addr)
		})
		m := NewMachine(t).At("http://"+a.addr+"/boards/shop", token)
		for _, command := range [][]string{{"ready"}, {"add", "hello"}, {"export"}} {
			said := m.Pawl("", command...)
			m.harmless(t, fmt.Sprint(status), token, command, said)
			if said.Code == 0 {
				t.Errorf("%d: %v succeeds:\n%s", status, command, said.Out)
			}
		}
		if a.requests.Load() == 0 {
			t.Errorf("%d: nobody asked the server", status)
		}
	}
	if n := thief.requests.Load(); n > 0 {
		t.Errorf("%d requests were sent to where the server pointed, %d with the token", n, thief.tokens.Load())
	}
}
