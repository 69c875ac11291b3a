//go:build unix

package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/query"
)

// A raid is many connections at once from one address, which is not that of others.
type raid struct {
	*Server
	from  net.IP
	token Token // for the board shop
}

// dial is a connection of the raid, nil if the server takes none.
func (r *raid) dial() net.Conn {
	d := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: r.from}}
	conn, err := d.DialContext(r.TB.Context(), "tcp", r.Addr)
	if err != nil {
		return nil
	}
	conn.SetDeadline(time.Now().Add(within))
	return conn
}

// secure is dial with TLS, if the server has it.
func (r *raid) secure() net.Conn {
	conn := r.dial()
	if conn == nil || r.cert == nil {
		return conn
	}
	config := r.cert.config()
	config.ServerName = "localhost"
	return tls.Client(conn, config)
}

// head is the beginning of a request with the raid's token.
func (r *raid) head(line string) string {
	return line + " HTTP/1.1\r\nHost: " + r.Addr + "\r\nAuthorization: Bearer " + r.token.Secret + "\r\nContent-Type: application/json\r\n"
}

// say sends text over a connection of its own and returns the beginning of what comes back.
func (r *raid) say(parts ...string) string {
	conn := r.secure()
	if conn == nil {
		return ""
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(within))
	go func() {
		for _, part := range parts {
			if _, err := io.WriteString(conn, part); err != nil {
				return
			}
		}
	}()
	answer, _ := io.ReadAll(io.LimitReader(conn, 1<<20))
	return string(answer)
}

// keep opens so many connections, sends text over each and keeps them until the test
// ends; it returns how many the server took.
func (r *raid) keep(n int, open func() net.Conn, text string) (taken int) {
	var mu sync.Mutex
	var group sync.WaitGroup
	lanes := make(chan struct{}, 64)
	for range n {
		lanes <- struct{}{}
		group.Go(func() {
			defer func() { <-lanes }()
			conn := open()
			if conn == nil {
				return
			}
			r.Cleanup(func() { conn.Close() })
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
			mu.Lock()
			taken++
			mu.Unlock()
		})
	}
	group.Wait()
	return taken
}

// A bystander works on the board all the while.
type bystander struct {
	stop    context.CancelFunc
	over    chan struct{}
	served  int
	slowest time.Duration
	err     error
}

// watchOver begins a bystander.
func (r *raid) watchOver(token Token) *bystander {
	ctx, stop := context.WithCancel(context.Background())
	w := &bystander{stop: stop, over: make(chan struct{})}
	board := r.ClientAt(r.Origin, token, "shop", within)
	go func() {
		defer close(w.over)
		for ctx.Err() == nil {
			began := time.Now()
			if _, err := query.Of(context.Background(), board, query.Asker{}, query.OverviewQuery{}); err != nil {
				w.err = err
			}
			w.served++
			w.slowest = max(w.slowest, time.Since(began))
			board.Close() // each time over a new connection
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return w
}

func (w *bystander) end() { w.stop(); <-w.over }

const lane = 8 * time.Second // in which a bystander is served: less than a request may take

var raids = map[string]func(t *testing.T, r *raid){
	"slow headers": func(t *testing.T, r *raid) {
		for conn := range r.some(t, 40, r.secure) {
			go drip(conn, "GET /boards/shop/v1/hello HTTP/1.1\r\nX: "+strings.Repeat("y", 10_000))
		}
		r.pass(500 * time.Millisecond)
	},
	"half bodies": func(t *testing.T, r *raid) {
		taken := r.keep(100, r.secure, r.head("POST /boards/shop/v1/do")+"Content-Length: 1000\r\n\r\n{\"requests\":")
		t.Logf("%d of 100 taken", taken)
		r.pass(200 * time.Millisecond)
	},
	"half handshakes": func(t *testing.T, r *raid) {
		t.Logf("%d of 200 taken", r.keep(200, r.dial, "\x16\x03\x01\x02\x00\x01"))
		r.pass(200 * time.Millisecond)
	},
	"idle connections": func(t *testing.T, r *raid) {
		n := 2000
		if *long.Asked {
			n = 10_000
		}
		t.Logf("%d of %d taken", r.keep(n, r.dial, ""), n)
	},
	"idle connections after a request": func(t *testing.T, r *raid) {
		t.Logf("%d of 300 taken", r.keep(300, r.secure, r.head("GET /boards/shop/v1/hello")+"\r\n"))
	},
	"streams that nobody reads": func(t *testing.T, r *raid) {
		body := `{"from":{"after":0}}`
		t.Logf("%d of 200 taken", r.keep(200, r.secure, r.head("POST /boards/shop/v1/watch")+fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)))
		Fill(t, r.ClientAt(r.Origin, r.token, "shop", within), 500)
	},
	"giant bodies": func(t *testing.T, r *raid) {
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				r.refused(t, "a giant body", r.say(r.head("POST /boards/shop/v1/do")+"Content-Length: 200000000\r\n\r\n", `{"requests":[`, strings.Repeat(" ", 80<<20)))
			})
		}
		group.Wait()
	},
	"giant bodies without a token": func(t *testing.T, r *raid) {
		for range 3 {
			r.refused(t, "a giant body without a token", r.say("POST /boards/shop/v1/do HTTP/1.1\r\nHost: x\r\nContent-Length: 200000000\r\n\r\n", strings.Repeat(" ", 80<<20)))
		}
	},
	"large bodies of JSON": func(t *testing.T, r *raid) {
		var group sync.WaitGroup
		body := `{"requests":[` + strings.Repeat(`{},`, 10<<20) + `{}]}`
		for range 4 {
			group.Go(func() {
				r.refused(t, "a large body", r.say(r.head("POST /boards/shop/v1/do")+fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n", len(body)), body))
			})
		}
		group.Wait()
	},
	"deep JSON": func(t *testing.T, r *raid) {
		for _, path := range []string{"do", "ask", "watch", "export"} {
			body := strings.Repeat(`{"a":[`, 1<<20)
			r.refused(t, "deep JSON to "+path, r.say(r.head("POST /boards/shop/v1/"+path)+fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n", len(body)), body))
		}
	},
	"endless chunks": func(t *testing.T, r *raid) {
		r.refused(t, "endless chunks", r.say(r.head("POST /boards/shop/v1/do")+"Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("10000\r\n"+strings.Repeat(" ", 0x10000)+"\r\n", 1200)))
	},
	"header floods": func(t *testing.T, r *raid) {
		r.refused(t, "many headers", r.say(r.head("GET /boards/shop/v1/hello"), strings.Repeat("X-Y: z\r\n", 200_000), "Connection: close\r\n\r\n"))
		r.refused(t, "a long header", r.say(r.head("GET /boards/shop/v1/hello")+"X: ", strings.Repeat("y", 8<<20), "\r\nConnection: close\r\n\r\n"))
		r.refused(t, "a long path", r.say("GET /boards/"+strings.Repeat("x", 4<<20), " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
	},
	"two lengths": func(t *testing.T, r *raid) {
		inner := r.head("GET /boards/shop/v1/hello") + "\r\n"
		r.refused(t, "two lengths", r.say(r.head("POST /boards/shop/v1/do")+"Content-Length: 4\r\nContent-Length: 400\r\nConnection: close\r\n\r\n{}  "+inner))
		r.refused(t, "a length and chunks", r.say(r.head("POST /boards/shop/v1/do")+"Content-Length: 4\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n"))
		r.refused(t, "two tokens", r.say(r.head("GET /boards/shop/v1/hello")+"Authorization: Bearer x\r\nConnection: close\r\n\r\n"))
		r.refused(t, "two hosts", r.say(r.head("GET /boards/shop/v1/hello")+"Host: other\r\nConnection: close\r\n\r\n"))
	},
	"not HTTP": func(t *testing.T, r *raid) {
		for _, text := range []string{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x00\x00\x00", "GET\r\n\r\n", "SSH-2.0-x\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", "\x16\x03\x01" + strings.Repeat("\xff", 4096) + "\r\n\r\n"} {
			r.refused(t, fmt.Sprintf("%.20q", text), r.say(text, "\r\n\r\n"))
		}
	},
	"requests one behind the other": func(t *testing.T, r *raid) {
		r.say(strings.Repeat(r.head("GET /boards/shop/v1/hello")+"\r\n", 3000), r.head("GET /boards/shop/v1/hello")+"Connection: close\r\n\r\n")
	},
	"methods": func(t *testing.T, r *raid) {
		for _, method := range []string{"TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "get", "G E T", ""} {
			r.refused(t, method, r.say(r.head(method+" /boards/shop/v1/do")+"Connection: close\r\n\r\n"))
		}
	},
	"guesses at tokens": func(t *testing.T, r *raid) {
		for i := range 300 {
			bad := r.token.Secret[:len(r.token.Secret)-4] + fmt.Sprintf("%04d", i)
			r.refused(t, "a wrong token", r.say("GET /boards/shop/v1/hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "+bad+"\r\n\r\n"))
		}
	},
}

// refused checks an answer that must not be one of success.
func (r *raid) refused(t *testing.T, what, answer string) {
	t.Helper()
	if strings.HasPrefix(answer, "HTTP/1.1 200") || strings.HasPrefix(answer, "HTTP/1.0 200") {
		t.Errorf("%s is answered with %s", what, clip(answer))
	}
	if strings.Contains(answer, "goroutine ") || strings.Contains(answer, r.Dir) {
		t.Errorf("%s: the answer tells of the server's insides: %s", what, clip(answer))
	}
}

// some are connections of the raid.
func (r *raid) some(t *testing.T, n int, open func() net.Conn) func(func(net.Conn) bool) {
	return func(yield func(net.Conn) bool) {
		taken := 0
		for range n {
			if conn := open(); conn != nil {
				taken++
				t.Cleanup(func() { conn.Close() })
				if !yield(conn) {
					break
				}
			}
		}
		t.Logf("%d of %d taken", taken, n)
	}
}

// drip sends a text byte by byte.
func drip(conn net.Conn, text string) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for i := range text {
		if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
			return
		}
		<-tick.C
	}
}

// pass lets a raid last.
func (r *raid) pass(d time.Duration) { <-time.After(d) }

// TestHostileClients: whatever clients from one address do, others are served, and the
// server takes little memory.
func TestHostileClients(t *testing.T) {
	s := Start(t, Options{TLS: true})
	boss := s.Token("boss", "--board", "shop", "--role", "admin")
	thug := s.Token("thug", "--board", "shop", "--role", "work")
	Fill(t, s.Client(boss, "shop"), 50)
	for name, attack := range raids {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 3)
			at := *s
			at.TB = t
			r := &raid{&at, net.IPv4(127, 0, 0, 66), thug}
			if conn := r.dial(); conn == nil {
				mustrun.NotHere(t, "this machine has one loopback address only")
			} else {
				conn.Close()
			}
			w := r.watchOver(boss)
			attack(t, r)
			w.end()
			if w.err != nil || *long.Asked && w.slowest > lane || w.served == 0 {
				t.Errorf("others were served %d times, the slowest one after %v: %v", w.served, w.slowest, w.err)
			}
		})
		select {
		case <-s.ended:
			t.Fatalf("the server has ended after %s:\n%s", name, s.Said())
		default:
		}
		s.AsMuch(t, name, 300<<20)
	}
	if said := s.Said(); strings.Contains(said, "panic") || strings.Contains(said, "goroutine ") || strings.Contains(said, thug.Secret) {
		t.Errorf("the server says\n%s", said)
	}
	t.Logf("%d raids; at its highest the server took %d MiB", len(raids), s.Memory("VmHWM")>>20)
}

// AsMuch checks that the server never took more memory.
func (s *Server) AsMuch(t testing.TB, when string, most int64) {
	t.Helper()
	if peak := s.Memory("VmHWM"); peak > most {
		t.Errorf("after %s the server has taken %d MiB", when, peak>>20)
	}
}
