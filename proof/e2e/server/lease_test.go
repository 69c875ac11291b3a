//go:build unix

package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/query"
)

// An agent is a `pawl mcp` on a machine of its own.
type agent struct {
	testing.TB
	in   io.Writer
	out  *bufio.Reader
	pid  int
	last int
}

// startAgent starts one, as an agent's program does.
func startAgent(m *Machine, name string) *agent {
	m.Helper()
	cmd := m.Command(context.Background(), "mcp")
	cmd.Env = append(cmd.Env, "PAWL_SESSION="+name)
	in, err := cmd.StdinPipe()
	must(m.TB, err)
	out, err := cmd.StdoutPipe()
	must(m.TB, err)
	must(m.TB, cmd.Start())
	m.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	a := &agent{TB: m.TB, in: in, out: bufio.NewReader(out), pid: cmd.Process.Pid}
	a.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fleet","version":"1"}}`)
	a.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

func (a *agent) send(line string) {
	a.Helper()
	_, err := io.WriteString(a.in, line+"\n")
	must(a.TB, err)
}

// request sends a request and returns its result.
func (a *agent) request(method, params string) json.RawMessage {
	a.Helper()
	a.last++
	a.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, a.last, method, params))
	for {
		line, err := a.out.ReadString('\n')
		must(a.TB, err)
		var m struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		must(a.TB, json.Unmarshal([]byte(line), &m))
		if m.ID != a.last {
			continue // something that it tells
		}
		if m.Error != nil {
			a.Fatalf("%s %s: %s", method, params, m.Error)
		}
		return m.Result
	}
}

// call calls a tool, and returns the text that a model gets.
func (a *agent) call(tool, arguments string) (text string, failed bool) {
	a.Helper()
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	must(a.TB, json.Unmarshal(a.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)), &r))
	for _, c := range r.Content {
		text += c.Text + "\n"
	}
	return text, r.IsError
}

// TestFrozen: an agent whose machine sleeps loses its task when the lease ends, to one
// that claims it. When the machine wakes, it learns that before it writes: its change is
// refused, with the name of who has the task.
func TestFrozen(t *testing.T) {
	long.Only(t)
	s := Start(t, Options{TLS: true})
	boss := s.Token("boss", "--board", "shop", "--role", "admin")
	ada := s.Token("ada-agent", "--board", "shop", "--role", "work", "--agent")
	bob := s.Token("bob-agent", "--board", "shop", "--role", "work", "--agent")
	board := s.Client(boss, "shop")
	Fill(t, board, 1)
	sleeper := s.Machine(ada, "shop")
	if said := sleeper.Pawl("", "config", "set", "lease", "6s", "--user"); said.Code != 0 {
		t.Fatal(said.Err)
	}
	a, b := startAgent(sleeper, "a"), startAgent(s.Machine(bob, "shop"), "b")
	if text, failed := a.call("task_claim", `{"taskId":"1"}`); failed {
		t.Fatal(text)
	}
	if text, failed := b.call("task_claim", `{"taskId":"1"}`); !failed || !strings.Contains(text, "ada-agent") {
		t.Fatalf("a task of two agents, or nobody's: %v %s", failed, text)
	}
	// While its program is connected, the lease is renewed.
	until := func() time.Time {
		a, err := query.Of(t.Context(), board, query.Asker{}, query.TaskQuery{Names: []string{"1"}})
		must(t, err)
		return a.Tasks[0].Detail.Task.Claim.Until
	}
	for first := until(); !until().After(first); <-time.After(20 * time.Millisecond) {
	}
	must(t, syscall.Kill(a.pid, syscall.SIGSTOP))
	late := time.After(within)
	for {
		text, failed := b.call("task_claim", `{"taskId":"1"}`)
		if !failed {
			break
		}
		select {
		case <-late:
			t.Fatalf("the lease does not end: %s", text)
		case <-time.After(100 * time.Millisecond):
		}
	}
	must(t, syscall.Kill(a.pid, syscall.SIGCONT))
	text, failed := a.call("task_update", `{"taskId":"1","status":"completed"}`)
	if !failed || !strings.Contains(text, "bob-agent") {
		t.Errorf("an agent that slept completes the task of another, or is not told whose it is: %v %s", failed, text)
	}
	if text, failed := b.call("task_update", `{"taskId":"1","status":"completed"}`); failed {
		t.Errorf("who took the task over cannot complete it: %s", text)
	}
	AllDone(t, board, 1)
}
