//go:build unix

package server

import (
	"bytes"
	"cmp"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
)

// Options are the settings of a server.
type Options struct {
	TLS   bool
	Store string   // of a database that keeps the boards; empty: a folder does
	Line  string   // by which the server itself reaches the database; empty: as Store
	Flags []string // of pawl serve, besides those that say where

	Program string // which one runs; empty: that of the package
}

// A Server is a `pawl serve` of boards, which may be killed and started again.
type Server struct {
	testing.TB
	Dir    string // of the boards, or of a server's own files beside a database
	Addr   string // host:port, the same each time it starts
	Origin string
	Options

	home    string
	cert    *certificate // nil without TLS
	process *exec.Cmd
	ended   chan struct{} // closed when the process has ended
	noise   *noise
	client  *http.Client
}

// Start starts a server with a new folder, and ends it with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{TB: t, Options: o, Dir: filepath.Join(t.TempDir(), "boards"), Addr: freeAddr(t), home: t.TempDir(), noise: &noise{}}
	must(t, os.Mkdir(s.Dir, 0o755))
	s.Origin = "http://" + s.Addr
	if o.TLS {
		s.Origin = "https://" + s.Addr
		s.cert = newCertificate(t, t.TempDir())
	}
	s.client = &http.Client{Transport: s.Transport(), Timeout: within, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.Again()
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		if s.process != nil {
			s.process.Process.Kill()
			<-s.ended
		}
		if t.Failed() {
			t.Logf("the server said:\n%s", s.noise.tail())
		}
	})
	return s
}

// Again starts the server where it was, and returns when it is ready.
func (s *Server) Again() {
	s.Helper()
	where := s.place(cmp.Or(s.Line, s.Store))
	if s.Store != "" {
		where = append(where, "--state", s.Dir)
	}
	args := slices.Concat([]string{"serve", "--addr", s.Addr}, where, s.Flags)
	if s.cert != nil {
		args = append(args, "--tls-cert", s.cert.file, "--tls-key", s.cert.file)
	}
	cmd := exec.Command(cmp.Or(s.Program, program), args...)
	cmd.Env, cmd.Dir = s.env(), s.home
	cmd.Stdout, cmd.Stderr = s.noise, s.noise
	must(s.TB, cmd.Start())
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	s.process, s.ended = cmd, ended
	s.await()
}

// place are the flags that say where the boards are.
func (s *Server) place(dsn string) []string {
	if dsn != "" {
		return []string{"--store", dsn}
	}
	return []string{"--boards", s.Dir}
}

// Kept is a board's store, as the next process reads it from the folder or the
// database.
func (s *Server) Kept(name string) pawl.Store {
	s.Helper()
	if s.Store != "" {
		db, err := pg.Open(context.Background(), s.Store)
		must(s.TB, err)
		s.Cleanup(func() { db.Close() })
		return postgres.Over(db).Board(name)
	}
	store, err := file.Open(filepath.Join(s.Dir, name, ".tasks"))
	must(s.TB, err)
	s.Cleanup(func() { store.Close() })
	return store
}

// await asks until the server is ready.
func (s *Server) await() {
	s.Helper()
	deadline := time.Now().Add(within)
	for {
		resp, err := s.client.Get(s.Origin + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != http.StatusServiceUnavailable {
				return
			}
		}
		select {
		case <-s.ended:
			s.Fatalf("the server ended: %v\n%s", s.process.ProcessState, s.noise.tail())
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			s.Fatalf("the server is not ready: %v\n%s", err, s.noise.tail())
		}
	}
}

// Kill ends the server as a power cut would.
func (s *Server) Kill() { s.end(syscall.SIGKILL) }

// Stop asks the server to end, and returns how long it took and whether it said so
// with exit code 0.
func (s *Server) Stop() (took time.Duration, clean bool) {
	began := time.Now()
	s.end(syscall.SIGTERM)
	return time.Since(began), s.process.ProcessState.Success()
}

func (s *Server) end(signal syscall.Signal) {
	s.Helper()
	select {
	case <-s.ended:
		s.Fatalf("the server had ended by itself: %v\n%s", s.process.ProcessState, s.noise.tail())
	default:
	}
	must(s.TB, s.process.Process.Signal(signal))
	select {
	case <-s.ended:
	case <-time.After(within):
		s.Fatalf("the server does not end after signal %v\n%s", signal, s.noise.tail())
	}
}

// Pin is the SHA-256 of the server's certificate, in hex.
func (s *Server) Pin() string { return s.cert.pin }

// Pid is the process that serves.
func (s *Server) Pid() int { return s.process.Process.Pid }

// Said is what the server has printed.
func (s *Server) Said() string { return s.noise.tail() }

var secret = regexp.MustCompile(`pawl_[0-9A-Za-z]+_[0-9A-Za-z_-]{43}`)

// A Token is one that the server's program made.
type Token struct {
	Name, Secret string
}

// ID is the public part of the token.
func (t Token) ID() string { return strings.Split(t.Secret, "_")[1] }

// Token makes a token, as the server's administrator would.
func (s *Server) Token(name string, flags ...string) Token {
	s.Helper()
	out := s.Run(slices.Concat([]string{"serve", "token", "create", name}, s.place(s.Store), flags)...)
	found := secret.FindString(out)
	if found == "" {
		s.Fatalf("no token in\n%s", out)
	}
	return Token{name, found}
}

// Revoke ends a token, as the server's administrator would.
func (s *Server) Revoke(token Token) {
	s.Helper()
	s.Run(append([]string{"serve", "token", "revoke", token.ID()}, s.place(s.Store)...)...)
}

// Run runs the program on the server's machine.
func (s *Server) Run(args ...string) string {
	s.Helper()
	cmd := exec.Command(cmp.Or(s.Program, program), args...)
	cmd.Env, cmd.Dir = s.env(), s.home
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("pawl %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (s *Server) env() []string { return environment(s.home) }

// Client is a board at the server's address, as a command opens it.
func (s *Server) Client(token Token, board string) *remote.Board {
	s.Helper()
	return s.ClientAt(s.Origin, token, board, remote.Usual)
}

// ClientAt is a board at another origin that leads to the server, with some patience.
func (s *Server) ClientAt(origin string, token Token, board string, patience time.Duration) *remote.Board {
	s.Helper()
	o := remote.Options{Address: address.Address{Origin: origin, Board: board}, Token: token.Secret, Name: token.Name, Patience: patience, Version: "fleet"}
	if s.cert != nil {
		o.Cert = s.cert.pin
	}
	b, err := remote.Open(o)
	must(s.TB, err)
	s.Cleanup(func() { b.Close() })
	return b
}

// Transport is a separate connection to the server, for raw requests.
func (s *Server) Transport() *http.Transport {
	tr := &http.Transport{MaxIdleConnsPerHost: 64}
	if s.cert != nil {
		tr.TLSClientConfig = s.cert.config()
	}
	return tr
}

// noise keeps what a process prints.
type noise struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *noise) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

func (n *noise) tail() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := n.text.Bytes()
	return string(text[max(0, len(text)-4000):])
}

func environment(home string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
		"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
	}
}

// freeAddr returns an address with a free port. A server that restarts on it finds it
// free again, as long as nobody else asks for any port.
func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// within is how long a test waits before it calls something stuck.
const within = 2 * time.Minute
