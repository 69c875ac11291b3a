package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Bounds of a server for agents (docs/benchmarks.md).
const (
	mcpStart = 15 * time.Millisecond  // from its start to its first list of tools
	mcpPeak  = 30 << 20               // bytes of memory with mcpTasks tasks
	mcpCall  = 300 * time.Microsecond // of a durable change, beside one fdatasync
	mcpTasks = 1_000
	mcpCalls = 200
)

// A served is what was measured of `pawl mcp`.
type served struct {
	Start time.Duration // median, by the clock, as its client waits for it
	Read  time.Duration // median of task_list
	Call  time.Duration // median of a durable task_update
	Sync  time.Duration // median of one write and one fdatasync, in turns with the calls
	Peak  int64         // bytes
}

func (s *served) String() string {
	var b strings.Builder
	row := func(what string, took, limit time.Duration) {
		fmt.Fprintf(&b, "| %s | %v ms | %v ms |\n", what, ms(took), ms(limit))
	}
	b.WriteString("| `pawl mcp`, " + thousands(mcpTasks) + " tasks | median | limit |\n|---|---:|---:|\n")
	row("start to first `tools/list`", s.Start, mcpStart)
	row("`task_update`, durable", s.Call, s.Sync+mcpCall)
	fmt.Fprintf(&b, "| one `fdatasync` | %v ms | |\n| `task_list` | %v ms | |\n", ms(s.Sync), ms(s.Read))
	fmt.Fprintf(&b, "| peak memory | %.1f MiB | %d MiB |\n", float64(s.Peak)/(1<<20), mcpPeak>>20)
	return b.String()
}

// A peer is a client of a server that runs.
type peer struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
}

// stateOf is where the programs that are measured keep the state of their user.
func stateOf(project string) string { return filepath.Join(project, ".git", "state") }

// meet starts a server and asks for its tools.
func meet(pawl, project string) (*peer, time.Duration, error) {
	p := &peer{cmd: exec.Command(pawl, "mcp", "--session", "bench")}
	p.cmd.Dir, p.cmd.Stderr = project, os.Stderr
	p.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+stateOf(project))
	to, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, 0, err
	}
	from, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	p.to, p.from = to, bufio.NewReaderSize(from, 1<<20)
	start := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, 0, err
	}
	_, err = p.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	if err == nil {
		_, err = io.WriteString(p.to, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err == nil {
		_, err = p.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	}
	return p, time.Since(start), err
}

// ask sends a request and returns how long the answer took.
func (p *peer) ask(line string) (time.Duration, error) {
	start := time.Now()
	if _, err := io.WriteString(p.to, line+"\n"); err != nil {
		return 0, err
	}
	answer, err := p.from.ReadBytes('\n')
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	var said struct {
		Result struct{ IsError bool }
		Error  json.RawMessage
	}
	if err := json.Unmarshal(answer, &said); err != nil || said.Error != nil || said.Result.IsError {
		return 0, fmt.Errorf("%s is answered with %s", line, answer)
	}
	return took, nil
}

func (p *peer) leave() error { return errors.Join(p.to.Close(), p.cmd.Wait()) }

// serve measures `pawl mcp` on a board.
func serve(p plan) (*served, error) {
	project := projectOf(p.dir, mcpTasks)
	s := &served{}
	var starts, calls, reads, syncs []time.Duration
	for range p.runs {
		peer, took, err := meet(p.pawl, project)
		if err != nil {
			return nil, err
		}
		starts = append(starts, took)
		if err := peer.leave(); err != nil {
			return nil, err
		}
	}
	peer, _, err := meet(p.pawl, project)
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp(project, "sync-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	line := make([]byte, 1<<10)
	for i := range mcpCalls + 1 {
		start := time.Now()
		_, err := log.Write(line)
		if err = errors.Join(err, dataSync(log)); err != nil {
			return nil, err
		}
		syncs = append(syncs, time.Since(start))
		text := fmt.Sprintf("Measuring, number %d", i)
		if i == mcpCalls {
			text = "" // as it was
		}
		call, err := peer.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"task_update","arguments":{"taskId":1,"activeForm":%q}}}`, 10+2*i, text))
		if err != nil {
			return nil, err
		}
		read, err := peer.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"task_list","arguments":{}}}`, 11+2*i))
		if err != nil {
			return nil, err
		}
		calls, reads = append(calls, call), append(reads, read)
	}
	s.Peak = peak(peer.cmd.Process.Pid)
	if err := peer.leave(); err != nil {
		return nil, err
	}
	s.Start, s.Call, s.Read, s.Sync = median(starts), median(calls[1:]), median(reads[1:]), median(syncs[1:])
	return s, nil
}
