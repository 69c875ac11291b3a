package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/pty"
	"github.com/pawl-dev/pawl/proof/e2e/server"
)

// A shown is a program on a terminal of its own, whose output is kept with the
// times at which it came.
type shown struct {
	cmd    *exec.Cmd
	master *os.File

	mu   sync.Mutex
	more *sync.Cond
	text []byte
	came []arrival
	over bool
}

// An arrival says when the output was how long.
type arrival struct {
	at    time.Time
	bytes int
}

const (
	columns, rows = 120, 40
	// apart is how far apart in time two pieces of output are two frames. A frame
	// that is longer than what the kernel hands over at once comes in several.
	apart = 10 * time.Millisecond
	// patience is how long something is waited for that should be there at once.
	patience = 20 * time.Second
)

// show starts a command on a new terminal.
func show(cmd *exec.Cmd) (*shown, error) {
	master, slave, err := pty.Pair(columns, rows)
	if err != nil {
		return nil, err
	}
	defer slave.Close()
	s := &shown{cmd: cmd, master: master}
	s.more = sync.NewCond(&s.mu)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, s.master.Close())
	}
	go s.read()
	return s, nil
}

func (s *shown) read() {
	piece := make([]byte, 64<<10)
	for {
		n, err := s.master.Read(piece)
		now := time.Now()
		s.mu.Lock()
		s.text = append(s.text, piece[:n]...)
		s.came = append(s.came, arrival{now, len(s.text)})
		s.over = err != nil
		s.more.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// now is a place in the output: its end.
func (s *shown) now() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.text)
}

// await waits until a text has come after a place, and returns when it was
// there.
func (s *shown) await(text string, after int) (time.Time, error) {
	late := time.AfterFunc(patience, s.more.Broadcast)
	defer late.Stop()
	end := time.Now().Add(patience)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if i := strings.Index(string(s.text[after:]), text); i >= 0 {
			for _, a := range s.came {
				if a.bytes >= after+i+len(text) {
					return a.at, nil
				}
			}
		}
		if s.over || !time.Now().Before(end) {
			return time.Time{}, fmt.Errorf("%q has not come, but %q", text, tail(s.text[after:]))
		}
		s.more.Wait()
	}
}

func tail(text []byte) []byte { return text[max(0, len(text)-2000):] }

// frames counts what was written after a place.
func (s *shown) frames(after int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	var last time.Time
	for _, a := range s.came {
		if a.bytes <= after {
			continue
		}
		if a.at.Sub(last) > apart {
			n++
		}
		last = a.at
	}
	return n
}

// leave presses a key that ends the program, and waits.
func (s *shown) leave(key string) error {
	_, err := s.master.WriteString(key)
	late := time.AfterFunc(patience, func() { s.cmd.Process.Kill() })
	defer late.Stop()
	return errors.Join(err, s.cmd.Wait(), s.master.Close())
}

// dataSync waits until the data of a file are on the disk.
func dataSync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// peak is the most memory that a process had so far.
func peak(pid int) int64 { return server.MemoryOf(pid, "VmHWM") }

// processor is the time that a process has taken from processors so far, and those of its
// children that have ended if that is wanted.
func processor(pid int, children bool) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // what is before may have spaces
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat is %q", pid, text)
	}
	fields = fields[11:15] // user and system, and those of the children
	if !children {
		fields = fields[:2]
	}
	var ticks int64
	for _, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100), nil
}

// load runs during and returns the share of a processor, in percent, that a process
// took while it ran.
func load(pid int, during func() error) (float64, time.Duration, error) {
	began, start := time.Now(), time.Duration(0)
	start, err := processor(pid, false)
	if err != nil {
		return 0, 0, err
	}
	if err := during(); err != nil {
		return 0, 0, err
	}
	took := time.Since(began)
	end, err := processor(pid, false)
	return 100 * float64(end-start) / float64(took), took, err
}
