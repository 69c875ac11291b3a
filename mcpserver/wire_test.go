package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/served"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

var update = flag.Bool("update", false, "write the answers in testdata/wire anew")

// TestWire plays the transcripts in testdata/wire. A transcript is in a file's
// section wire; what the server says is written again by -update.
//
//	ada> {"jsonrpc": …}      ada's client writes this line
//	ada< {"jsonrpc": …}      and the server this
//	ada+ 2025-06-18          another client, with the handshake of this revision
//	ada: task_list {…}       it calls a tool
//	ada| [ ] #1 Set up       and this is a line of the text that the model reads
//	ada! unknown …           or of an error
//	ada-                     it goes
//	= add Set up             somebody else changes the board, see deed
//
// A client that is only called by > has to say hello itself. Time stands still
// but for what "= wait" says. The instructions, the list of tools and structured
// results are long, and stand as "…" in all but the transcript full.
func TestWire(t *testing.T) { wireTest(t, near) }

// The same transcripts with the board at the address of a server.
func TestWireFromAfar(t *testing.T) {
	wireTest(t, func(t testing.TB, b *pawl.Board) query.Board { return served.Board(t, query.Local(b)) })
}

func wireTest(t *testing.T, reach func(testing.TB, *pawl.Board) query.Board) {
	files, err := filepath.Glob("testdata/wire/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("only %d transcripts were found, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 1 || archive.Files[0].Name != "wire" {
				t.Fatalf("a transcript has one section, wire: %v", err)
			}
			want := string(archive.Files[0].Data)
			var got string
			synctest.Test(t, func(t *testing.T) { got = play(t, want, reach) })
			if !strings.HasSuffix(t.Name(), "/full") {
				got = instructions.ReplaceAllString(got, `"instructions":"…"`)
				got = listed.ReplaceAllString(got, `"tools":["…"]}`)
				got = structured(got)
			}
			if *update {
				archive.Files[0].Data = []byte(got)
				must.Do(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			} else if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

var (
	instructions = regexp.MustCompile(`"instructions":"(?:[^"\\]|\\.)*"`)
	listed       = regexp.MustCompile(`"tools":\[\{.*\}\]\}`)
)

// structured cuts structured results, which are for package tool to test.
func structured(text string) string {
	const key = `"structuredContent":`
	before, after, found := strings.Cut(text, key)
	if !found {
		return text
	}
	var value json.RawMessage
	if err := json.NewDecoder(strings.NewReader(after)).Decode(&value); err != nil {
		return text
	}
	return before + key + `{"…"}` + structured(after[len(value):])
}

// A stage is a server with its clients.
type stage struct {
	t       *testing.T
	server  *mcpserver.Server
	board   *pawl.Board
	todos   *todo.Service
	clients map[string]*testWire
	order   []*testWire
	out     strings.Builder
}

// near reaches a board in this process.
func near(_ testing.TB, b *pawl.Board) query.Board { return query.Local(b) }

func newStage(t *testing.T, reach func(testing.TB, *pawl.Board) query.Board) *stage {
	st := &stage{t: t, board: pawl.NewBoard(memory.New()), clients: map[string]*testWire{}}
	st.todos = todo.New(todomem.New(), time.Now)
	st.server = newServer(reach(t, st.board), st.todos)
	return st
}

// play runs a transcript and returns it with what the server said.
func play(t *testing.T, script string, reach func(testing.TB, *pawl.Board) query.Board) string {
	t.Helper()
	st := newStage(t, reach)
	defer st.board.Close()
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		name, kind, rest := parse(line)
		switch kind {
		case '<', '|', '!':
			continue // what the server said
		case '>':
			st.say(line)
			st.client(name).send(rest)
		case '+':
			st.say(line)
			st.client(name).hello(rest)
		case ':':
			st.say(line)
			st.client(name).call(rest)
		case '-':
			st.say(line)
			st.client(name).leave()
		case '=':
			st.say(line)
			st.deed(rest)
		default: // a comment, or a blank line
			st.say(line)
			continue
		}
		synctest.Wait()
		for _, c := range st.order {
			st.out.WriteString(c.heard())
		}
	}
	for _, c := range st.order {
		c.leave()
	}
	st.server.Close()
	return st.out.String()
}

// parse takes a line apart: who, what sort of line, and the rest.
func parse(line string) (name string, kind byte, rest string) {
	if i := strings.IndexAny(line, "<>|!+:-= #"); i >= 0 && line[i] != ' ' && line[i] != '#' {
		return line[:i], line[i], strings.TrimSpace(line[i+1:])
	}
	return "", 0, ""
}

func (st *stage) say(line string) { st.out.WriteString(line + "\n") }

// newServer is a server that takes the client's name for who calls, and an agent
// that it names in the metadata for a subagent.
func newServer(board query.Board, todos *todo.Service) *mcpserver.Server {
	who := func(_ context.Context, call mcpserver.Call) (tool.Caller, error) {
		agent, _ := call.Meta["test/agent"].(string)
		return tool.Caller{
			Actor:   pawl.Actor{Name: call.Client.Name, Session: "s-" + call.Client.Name, Agent: agent},
			Project: "/project",
		}, nil
	}
	o := tool.Options{Todos: todos, Now: time.Now}
	o.Board = func(context.Context, tool.Caller, bool) (query.Board, string, error) { return board, "", nil }
	return mcpserver.New(mcpserver.Options{
		Version: "1.2.3", Tools: tool.New(o), Board: o.Board, Todos: todos, Who: who, Now: time.Now,
	})
}

// deed is something that does not come through the server:
//
//	add SUBJECT        bob adds a task
//	done ID            and completes one
//	todo NAME CONTENT  a person adds a todo to the list of this client's session
//	wait DURATION      time goes by
func (st *stage) deed(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	var op pawl.Op
	switch verb {
	case "add":
		op = pawl.Create{Tasks: []pawl.NewTask{{Subject: rest}}}
	case "done":
		id := must.Get(st.board.Resolve(st.t.Context(), rest))(st.t)
		op = pawl.Complete{IDs: []pawl.ID{id}}
	case "todo":
		name, content, _ := strings.Cut(rest, " ")
		key := todo.Key{Session: "s-" + name}
		must.Get(st.todos.Edit(st.t.Context(), key, todo.Editing{Project: "/project"}, todo.Add{Content: content}))(st.t)
		return
	case "wait":
		d := must.Get(time.ParseDuration(rest))(st.t)
		time.Sleep(d) // nobody waits: the clock is the test's
		return
	default:
		st.t.Fatalf("no such deed: %s", line)
	}
	must.Get(st.board.Do(st.t.Context(), pawl.Request{By: pawl.Actor{Name: "bob"}, Op: op}))(st.t)
}

// client is the client with a name, made when it is first heard of.
func (st *stage) client(name string) *testWire {
	c := st.clients[name]
	if c == nil {
		c = connect(st.t, st.server)
		c.name = name
		st.clients[name] = c
		st.order = append(st.order, c)
	}
	return c
}

// A wire is a client that speaks in lines.
type testWire struct {
	t    *testing.T
	name string
	to   *io.PipeWriter
	done chan error

	lines chan string // what came; closed with the connection

	id      int
	pending map[int]string // a request of ours: what becomes of its answer
}

func connect(t *testing.T, server *mcpserver.Server) *testWire {
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &testWire{t: t, to: to, done: make(chan error, 1), lines: make(chan string, 1000), id: 1000, pending: map[int]string{}}
	go func() {
		c.done <- server.Lines(t.Context(), in, out)
		out.Close()
	}()
	go func() {
		lines := bufio.NewScanner(from)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			c.lines <- lines.Text()
		}
		close(c.lines)
	}()
	return c
}

func (c *testWire) send(line string) {
	if _, err := io.WriteString(c.to, line+"\n"); err != nil {
		c.t.Fatalf("%s is gone: %v", c.name, err)
	}
}

func (c *testWire) request(becomes, method string, params any) {
	c.id++
	c.pending[c.id] = becomes
	line := must.Get(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params}))(c.t)
	c.send(string(line))
}

// ask asks for something and waits for what comes back.
func (c *testWire) ask(method string, params any) json.RawMessage {
	c.t.Helper()
	c.request("", method, params)
	for line := range c.lines {
		var answer struct {
			ID     int
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &answer); err == nil && answer.ID == c.id && answer.Result != nil {
			return answer.Result
		}
	}
	c.t.Fatalf("%s is not answered", method)
	return nil
}

// hello is the handshake, whose answers are not shown.
func (c *testWire) hello(revision string) {
	c.request("", "initialize", map[string]any{
		"protocolVersion": revision, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": c.name, "version": "1"},
	})
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (c *testWire) call(line string) {
	name, args, _ := strings.Cut(line, " ")
	if args == "" {
		args = "{}"
	}
	c.request("text", "tools/call", map[string]any{"name": name, "arguments": json.RawMessage(args)})
}

func (c *testWire) leave() {
	if c.to == nil {
		return
	}
	c.to.Close()
	if err := <-c.done; err != nil {
		c.t.Errorf("%s: the server ended with: %v", c.name, err)
	}
	c.to = nil
}

// heard is what the server said since it was last asked.
func (c *testWire) heard() string {
	var w, told strings.Builder // a change may be told before it is answered, or after
	for range len(c.lines) {
		line := <-c.lines
		var answer struct {
			ID     int
			Error  json.RawMessage
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil && !bytes.Contains([]byte(line), []byte(`"id":"`)) {
			c.t.Fatalf("%s got something that is not JSON: %q, %v", c.name, line, err)
		}
		becomes, ours := c.pending[answer.ID]
		switch {
		case strings.HasPrefix(line, `{"jsonrpc":"2.0","method":`):
			fmt.Fprintf(&told, "%s< %s\n", c.name, line)
		case !ours || answer.Error != nil:
			fmt.Fprintf(&w, "%s< %s\n", c.name, line)
		case becomes == "text":
			mark := "|"
			if answer.Result.IsError {
				mark = "!"
			}
			for _, content := range answer.Result.Content {
				for text := range strings.Lines(content.Text) {
					fmt.Fprintln(&w, strings.TrimRight(c.name+mark+" "+text, " \n"))
				}
			}
		}
		if ours {
			delete(c.pending, answer.ID)
		}
	}
	return w.String() + told.String()
}
