//go:build unix

package server

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A Machine is a user's machine: a home of its own.
type Machine struct {
	testing.TB
	Home, Dir string   // Dir is where commands run
	Vars      []string // added to their environment
	Program   string   // which one runs; empty: that of the package
}

// NewMachine returns one that knows no server.
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

// Machine returns one whose commands work on a board of the server.
func (s *Server) Machine(token Token, board string) *Machine {
	s.Helper()
	m := NewMachine(s.TB).At(s.Origin+"/boards/"+board, token)
	if s.cert != nil {
		m.Vars = append(m.Vars, "SSL_CERT_FILE="+s.cert.file)
	}
	return m
}

// A Said is the result of a command.
type Said struct {
	Out, Err string
	Code     int
	Took     time.Duration // by the clock
	CPU      time.Duration
	Peak     int64 // bytes of memory, as far as the system shows that of a running process
}

// Command is a command that has not been started.
func (m *Machine) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, cmp.Or(m.Program, program), args...)
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
	failed := cmd.Start()
	ended, peak := make(chan struct{}), make(chan int64, 1)
	if failed == nil {
		go func() { peak <- peakOf(cmd.Process.Pid, ended) }()
		failed = cmd.Wait()
		close(ended)
	} else {
		peak <- 0
	}
	var exit *exec.ExitError
	if failed != nil && !errors.As(failed, &exit) {
		m.Fatalf("pawl %v: %v", args, failed)
	}
	p := cmd.ProcessState
	said := Said{Out: out.String(), Err: err.String(), Code: p.ExitCode(), Took: time.Since(began), CPU: p.UserTime() + p.SystemTime(), Peak: <-peak}
	if ctx.Err() != nil {
		m.Errorf("pawl %v does not end\n%s", args, said.Err)
	}
	return said
}

// peakOf returns the peak memory of a process when it has ended. The figure of wait4
// counts the memory of the starting process, too.
func peakOf(pid int, ended <-chan struct{}) (peak int64) {
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for {
		peak = max(peak, MemoryOf(pid, "VmHWM"))
		select {
		case <-ended:
			return peak
		case <-look.C:
		}
	}
}

// limited keeps the beginning of what is written.
type limited struct{ b *strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if room := 1<<20 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
