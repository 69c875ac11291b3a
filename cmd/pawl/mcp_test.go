package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	folder "github.com/pawl-dev/pawl/internal/project"
)

// A client speaks to a real `pawl mcp`.
type client struct {
	t     *testing.T
	cmd   *exec.Cmd
	to    io.WriteCloser
	lines chan string
	id    int
}

// home is a folder for a project and for what the user has, with the programs
// of the stories in it.
type home struct{ dir, bin string }

func newHome(t *testing.T) home {
	t.Helper()
	h := home{t.TempDir(), t.TempDir()}
	exe := must.Get(os.Executable())(t)
	// The test binary is pawl when it is called so: see testscript.Main.
	name := filepath.Join(h.bin, "pawl")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Link(exe, name); err != nil {
		// On another disk. A link by name would not do: Pawl runs itself by the name of
		// its file, and as a test binary would run all tests.
		text, err := os.ReadFile(exe)
		if err == nil {
			err = os.WriteFile(name, text, 0o755)
		}
		must.Do(t, err)
	}
	must.Do(t, os.MkdirAll(filepath.Join(h.dir, "project"), 0o777))
	return h
}

// pawl is a command in the project.
func (h home) pawl(t *testing.T, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), filepath.Join(h.bin, "pawl"), args...)
	cmd.Dir = filepath.Join(h.dir, "project")
	cmd.Env = append([]string{
		"HOME=" + h.dir, "USER=ada", "XDG_STATE_HOME=" + filepath.Join(h.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(h.dir, "config"),
		"LOCALAPPDATA=" + h.dir, "APPDATA=" + h.dir, "GORACE=atexit_sleep_ms=0",
	}, env...)
	return cmd
}

// run runs a command, and returns what it printed.
func (h home) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := h.pawl(t, nil, args...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pawl %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// serve starts a server and shakes hands.
func (h home) serve(t *testing.T, args ...string) *client {
	t.Helper()
	return speak(t, h.pawl(t, nil, append([]string{"mcp"}, args...)...), "ada")
}

// speak starts the command of a server, and shakes hands as a client of this name; empty: it
// does not.
func speak(t *testing.T, cmd *exec.Cmd, name string) *client {
	t.Helper()
	c := &client{t: t, cmd: cmd, lines: make(chan string, 1000)}
	c.cmd.Stderr = t.Output()
	out, err := c.cmd.StdoutPipe()
	must.Do(t, err)
	if c.to, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	must.Do(t, c.cmd.Start())
	go func() {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			c.lines <- lines.Text()
		}
		close(c.lines)
	}()
	t.Cleanup(func() { c.cmd.Process.Kill() })
	if name != "" {
		c.ask("initialize", fmt.Sprintf(`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":%q,"version":"1"}}`, name))
		c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	must.Get(io.WriteString(c.to, line+"\n"))(c.t)
}

// next is the first line with a text in it.
func (c *client) next(text string) string {
	c.t.Helper()
	timeout := time.After(time.Minute)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the server ended without saying %s", text)
			}
			if strings.Contains(line, text) {
				return line
			}
		case <-timeout:
			c.t.Fatalf("the server has not said %s", text)
		}
	}
}

// ask asks for something and returns the result.
func (c *client) ask(method, params string) json.RawMessage {
	c.t.Helper()
	c.id++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	var answer struct{ Result, Error json.RawMessage }
	line := c.next(fmt.Sprintf(`"id":%d,`, c.id))
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Error != nil {
		c.t.Fatalf("%s %s: %s, %v", method, params, line, err)
	}
	return answer.Result
}

// call calls a tool and returns what the model reads.
func (c *client) call(tool, args string) string {
	c.t.Helper()
	var result struct{ Content []struct{ Text string } }
	must.Do(c.t, json.Unmarshal(c.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args)), &result))
	if len(result.Content) != 1 {
		c.t.Fatalf("%s has %d texts", tool, len(result.Content))
	}
	return result.Content[0].Text
}

// end closes the input and waits for the server.
func (c *client) end() error {
	c.to.Close()
	for range c.lines {
	}
	return c.cmd.Wait()
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

// A todo list outlives the server that wrote it, which is killed, and so does
// what it did on the board.
func TestMCPKilled(t *testing.T) {
	h := newHome(t)
	c := h.serve(t, "--session", "s1")
	contains(t, c.call("todo_write", `{"todos":[{"content":"Plan","status":"completed"},{"content":"Write tests","status":"in_progress"}]}`), "← current Write tests")
	contains(t, c.call("task_create", `{"subject":"Set up the project"}`), "#1", "made a board in", filepath.Join("project", ".tasks"))
	contains(t, c.call("task_claim", `{}`), "Claimed #1")
	must.Do(t, c.cmd.Process.Kill())
	c.cmd.Wait() // with an error: it was killed

	c = h.serve(t, "--session", "s1")
	contains(t, c.call("todo_read", `{}`), "✔ Plan", "→ Write tests")
	contains(t, c.call("task_update", `{"taskId":1,"status":"completed"}`), "Completed #1")
	other := h.serve(t, "--session", "s2")
	if text := other.call("todo_read", `{}`); strings.Contains(text, "Plan") {
		t.Errorf("another session reads: %s", text)
	}
	for _, c := range []*client{c, other} {
		if err := c.end(); err != nil {
			t.Errorf("a server whose input ended says: %v", err)
		}
	}
}

// Subscribers are told what another process does, also when the board
// was not there yet and when it is a person who edits the list of todos.
func TestMCPTellsOfOtherProcesses(t *testing.T) {
	h := newHome(t)
	c := h.serve(t, "--session", "s1")
	c.ask("resources/subscribe", `{"uri":"pawl://ready"}`)
	c.ask("resources/subscribe", `{"uri":"pawl://task/1"}`)
	c.ask("resources/subscribe", `{"uri":"pawl://todos"}`)
	h.run(t, "add", "Set up the project")
	c.next(`"uri":"pawl://ready"`)
	h.run(t, "add", "Write the code", "--blocked-by", "1")
	h.run(t, "done", "1")
	c.next(`"uri":"pawl://task/1"`)
	contains(t, string(c.ask("resources/read", `{"uri":"pawl://ready"}`)), "#2 Write the code")
	h.run(t, "todo", "add", "Call the customer", "--session", "s1")
	c.next(`"uri":"pawl://todos"`)
	contains(t, c.call("todo_read", `{}`), "Call the customer")
	must.Do(t, c.end())
}

// Settings count as soon as they are changed.
func TestMCPSettings(t *testing.T) {
	h := newHome(t)
	c := h.serve(t, "--session", "s1")
	list := `{"todos":[{"content":"Plan","status":"in_progress"}]}`
	contains(t, c.call("todo_write", list), "## Todo List (1 task)")
	h.run(t, "config", "set", "interactive", "always", "--scope", "user")
	contains(t, c.call("todo_write", list), "TODO list updated")
	h.run(t, "config", "set", "panel", "false", "--scope", "user")
	contains(t, c.call("todo_write", list), "## Todo Progress")
	must.Do(t, c.end())
}

// Lists that are kept in memory leave no file.
func TestMCPMemory(t *testing.T) {
	h := newHome(t)
	h.run(t, "config", "set", "todos.store", "memory", "--scope", "user")
	c := h.serve(t)
	c.call("todo_write", `{"todos":[{"content":"Plan","status":"in_progress"}]}`)
	contains(t, c.call("todo_read", `{}`), "Plan")
	must.Do(t, c.end())
	if _, err := os.Stat(filepath.Join(h.dir, "state", "pawl", "todos")); !os.IsNotExist(err) {
		t.Errorf("there is a folder of todo lists: %v", err)
	}
}

// A project that is not there is not a reason to make one, and no board.
func TestMCPNoProject(t *testing.T) {
	h := newHome(t)
	file := filepath.Join(h.dir, "file")
	must.Do(t, os.WriteFile(file, nil, 0o644))
	for dir, want := range map[string]string{filepath.Join(h.dir, "nowhere"): " does not exist", file: " is not a folder"} {
		out, err := h.pawl(t, nil, "mcp", "--project", dir).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("--project %s: %v, want an error with %q\n%s", dir, err, want, out)
		}
		if _, err := os.Stat(filepath.Join(dir, ".tasks")); err == nil {
			t.Errorf("there is a board in %s", dir)
		}
	}
}

// A list belongs to the project, whichever of its folders the server was started
// in, and by whatever name.
func TestMCPProjectOfLists(t *testing.T) {
	h := newHome(t)
	h.run(t, "init")
	project := filepath.Join(h.dir, "project")
	sub := filepath.Join(project, "sub", "deep")
	must.Do(t, os.MkdirAll(sub, 0o755))
	link := filepath.Join(t.TempDir(), "link")
	mustrun.Link(t, project, link)
	want := must.Get(folder.Root(project))(t)
	for session, dir := range map[string]string{"deep": sub, "link": link} {
		c := h.serve(t, "--session", session, "--project", dir)
		c.call("todo_write", `{"todos":[{"content":"Plan","status":"pending"}]}`)
		must.Do(t, c.end())
		list := must.Get(os.ReadFile(filepath.Join(h.dir, "state", "pawl", "todos", session+".json")))(t)
		if named, _ := json.Marshal(want); !strings.Contains(string(list), `"project": `+string(named)) {
			t.Errorf("the list of %s is of another project than %s:\n%s", dir, want, list)
		}
	}
}
