//go:build unix

package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// Claimers are so many clients of a board, connected.
func (s *Server) Claimers(board string, n int) (all []*remote.Board) {
	s.Helper()
	for i := range n {
		token := s.Token(fmt.Sprint("claimer", i), "--board", board, "--role", "work", "--agent")
		b := s.ClientAt(s.Origin, token, board, within)
		_, err := b.Hello(s.TB.Context())
		must(s.TB, err)
		all = append(all, b)
	}
	return all
}

// Paced lets clients claim and complete tasks, each with a pause before a claim, and
// says how long each claim took.
func (s *Server) Paced(clients []*remote.Board, each int, pause time.Duration) (took []time.Duration) {
	s.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	for _, b := range clients {
		group.Go(func() {
			for range each {
				if pause > 0 {
					<-time.After(pause/2 + time.Duration(rand.Int64N(int64(pause))))
				}
				began := time.Now()
				o, err := b.Do(context.Background(), pawl.Request{Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}}, 0)
				d := time.Since(began)
				mu.Lock()
				took = append(took, d)
				mu.Unlock()
				if err == nil {
					_, err = b.Do(context.Background(), pawl.Request{Op: pawl.Complete{IDs: o.Result.IDs}}, 0)
				}
				if err != nil {
					s.Errorf("claim: %v", err)
					return
				}
			}
		})
	}
	group.Wait()
	return took
}

// Memory reads the memory of the server's process: VmRSS now, VmHWM at most; 0 if the
// system does not tell.
func (s *Server) Memory(what string) int64 { return MemoryOf(s.Pid(), what) }

// MemoryOf is Memory of any process.
func MemoryOf(pid int, what string) (kib int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "\n"+what+":")
	fmt.Sscan(rest, &kib)
	return kib << 10
}

// An Audience is many watchers of a board, each with a connection of its own.
type Audience struct {
	s     *Server
	size  int
	mu    sync.Mutex
	made  map[pawl.Revision]time.Time
	seen  map[pawl.Revision][]time.Time
	count atomic.Int64 // of what was seen
	more  chan struct{}
}

// Watch connects so many watchers.
func (s *Server) Watch(token Token, board string, watchers int) *Audience {
	s.Helper()
	a := &Audience{s: s, size: watchers, made: map[pawl.Revision]time.Time{}, seen: map[pawl.Revision][]time.Time{}, more: make(chan struct{}, 1)}
	for i := range watchers {
		in := bufio.NewReaderSize(s.post(i, token, board, remote.PathWatch, `{"from":{"now":true}}`), 2<<10)
		resp, err := http.ReadResponse(in, nil)
		must(s.TB, err)
		if resp.StatusCode != http.StatusOK {
			text, _ := io.ReadAll(io.LimitReader(resp.Body, 1000))
			s.Fatalf("watcher %d: %d %s", i, resp.StatusCode, text)
		}
		lines := bufio.NewReaderSize(resp.Body, 2<<10)
		if line, err := lines.ReadString('\n'); err != nil { // the board's revision
			s.Fatalf("watcher %d: %q, %v", i, line, err)
		}
		go a.follow(lines)
	}
	return a
}

// post sends a request on a connection of its own, the n-th of many, which ends with the test.
func (s *Server) post(n int, token Token, board, path, body string) net.Conn {
	s.Helper()
	conn, err := s.dial(s.TB.Context(), n)
	must(s.TB, err)
	s.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /boards/%s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s: 1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		board, path, s.Addr, token.Secret, remote.ProtocolHeader, len(body), body)
	must(s.TB, err)
	return conn
}

// dial is a connection from one of several addresses of this machine: a server bounds
// how many one address has.
func (s *Server) dial(ctx context.Context, n int) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+n%200))}}
	conn, err := d.DialContext(ctx, "tcp", s.Addr)
	if err != nil || s.cert == nil {
		return conn, err
	}
	return s.cert.client(ctx, conn)
}

var revisionKey = []byte(`"revision":`)

func (a *Audience) follow(lines *bufio.Reader) {
	for {
		line, err := lines.ReadSlice('\n')
		now := time.Now()
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
		_, rest, found := bytes.Cut(line, revisionKey)
		if found && bytes.Contains(line, []byte(`"set"`)) {
			digits := rest[:max(0, bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }))]
			rev, _ := strconv.ParseInt(string(digits), 10, 64)
			a.mu.Lock()
			a.seen[pawl.Revision(rev)] = append(a.seen[pawl.Revision(rev)], now)
			a.mu.Unlock()
			a.count.Add(1)
			select {
			case a.more <- struct{}{}:
			default:
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
	}
}

// Sees makes changes with a pause between them, and returns for each change and
// watcher how long the change took to arrive, and how many never did.
func (a *Audience) Sees(b query.Board, changes int, pause time.Duration) (took []time.Duration, missed int) {
	a.s.Helper()
	for i := range changes {
		began := time.Now()
		subject := "change " + strconv.Itoa(i)
		o, err := b.Do(context.Background(), pawl.Request{Op: pawl.Update{ID: 1, Subject: &subject}}, 0)
		must(a.s.TB, err)
		a.mu.Lock()
		a.made[o.Result.Revision] = began
		a.mu.Unlock()
		<-time.After(pause)
	}
	late := time.After(within)
	for a.count.Load() < int64(changes*a.size) {
		select {
		case <-a.more:
			continue
		case <-late:
		}
		break
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for rev, began := range a.made {
		for _, at := range a.seen[rev] {
			took = append(took, at.Sub(began))
		}
	}
	return took, changes*a.size - len(took)
}

// A Host starts servers outside of tests. A failure panics with a text.
type Host struct {
	testing.TB
	Dir      string // for temporary folders
	made     int
	cleanups []func()
	Faults   []string
}

// Use names the program that servers run, outside of tests.
func Use(binary string) { program = binary }

func (h *Host) Helper()                      {}
func (h *Host) Cleanup(f func())             { h.cleanups = append(h.cleanups, f) }
func (h *Host) Context() context.Context     { return context.Background() }
func (h *Host) Failed() bool                 { return len(h.Faults) > 0 }
func (h *Host) Fatal(args ...any)            { panic(fmt.Sprint(args...)) }
func (h *Host) Fatalf(f string, a ...any)    { panic(fmt.Sprintf(f, a...)) }
func (h *Host) Error(args ...any)            { h.Faults = append(h.Faults, fmt.Sprint(args...)) }
func (h *Host) Errorf(f string, a ...any)    { h.Faults = append(h.Faults, fmt.Sprintf(f, a...)) }
func (h *Host) Logf(format string, a ...any) {}

// TempDir is a new folder in Dir.
func (h *Host) TempDir() string {
	h.made++
	dir := h.Dir + "/host" + strconv.Itoa(h.made)
	must(h, os.MkdirAll(dir, 0o755))
	return dir
}

// Close undoes all that was started, the last first.
func (h *Host) Close() {
	for i := len(h.cleanups) - 1; i >= 0; i-- {
		h.cleanups[i]()
	}
}

// Err returns the faults, if any.
func (h *Host) Err() error {
	if len(h.Faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(h.Faults, "\n"))
}
