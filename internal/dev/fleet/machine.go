//go:build unix

package fleet

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Machine is a user's, with a home of its own.
type Machine struct {
	testing.TB
	Home, Dir string   // Dir is where commands run
	Vars      []string // added to their environment
}

// NewMachine returns one where nothing is known of any server.
func NewMachine(t testing.TB) *Machine {
	t.Helper()
	return &Machine{TB: t, Home: t.TempDir(), Dir: t.TempDir()}
}

// At lets the machine's commands work on a board at an address.
func (m *Machine) At(address string, token Token) *Machine {
	at := *m
	at.Vars = append(at.Vars[:len(at.Vars):len(at.Vars)], "PAWL_BOARD="+address, "PAWL_TOKEN="+token.Secret)
	return &at
}

// Machine is one whose commands work on a board of the server.
func (s *Server) Machine(token Token, board string) *Machine {
	s.Helper()
	m := NewMachine(s.TB).At(s.Origin+"/boards/"+board, token)
	if s.cert != nil {
		m.Vars = append(m.Vars, "SSL_CERT_FILE="+s.cert.certFile)
	}
	return m
}

// A Said is what came of a command.
type Said struct {
	Out, Err string
	Code     int
	Took     time.Duration // by the clock
	CPU      time.Duration
	Peak     int64 // bytes of memory
}

// Command is a command that has not been started.
func (m *Machine) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Dir = append(environment(m.Home), m.Vars...), m.Dir
	if _, err := os.Stat(m.Dir); err != nil {
		m.Fatal(err)
	}
	return cmd
}

// Pawl runs a command, and kills it when it does not end.
func (m *Machine) Pawl(stdin string, args ...string) Said {
	m.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	cmd := m.Command(ctx, args...)
	var out, err strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &limited{b: &out}, &limited{b: &err}
	began := time.Now()
	failed := cmd.Run()
	var exit *exec.ExitError
	if failed != nil && !errors.As(failed, &exit) {
		m.Fatalf("pawl %v: %v", args, failed)
	}
	p := cmd.ProcessState
	said := Said{Out: out.String(), Err: err.String(), Code: p.ExitCode(), Took: time.Since(began), CPU: p.UserTime() + p.SystemTime()}
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		said.Peak = int64(usage.Maxrss) * maxrssUnit
	}
	if ctx.Err() != nil {
		m.Errorf("pawl %v does not end\n%s", args, said.Err)
	}
	return said
}

// limited keeps the beginning of what is written.
type limited struct{ b *strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if room := 1<<20 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
