package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestHTTP plays the transcripts in testdata/http, which are like those of
// TestWire, over HTTP:
//
//	ada> {"jsonrpc": …}      ada's client posts this
//	ada< 200 {"jsonrpc": …}  and the server answers so
//	ada+ 2025-06-18          it speaks this revision; an older one shakes hands
//	ada: task_list {…}       it calls a tool, and reads this text
//	ada| [ ] #1 Set up
//	ada@                     it opens its stream
//	ada~ {"jsonrpc": …}      and is told this on it
//	ada.                     it hangs up all that is open
//	ada-                     it ends its session
//	= add Set up             somebody else changes the board, see deed
//
// Clients and server live in one bubble: what the server leaves behind when it is
// closed makes the test fail.
func TestHTTP(t *testing.T) {
	files, err := filepath.Glob("testdata/http/*.txtar")
	if err != nil || len(files) < 6 {
		t.Fatalf("only %d transcripts were found, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 1 || archive.Files[0].Name != "http" {
				t.Fatalf("a transcript has one section, http: %v", err)
			}
			want := string(archive.Files[0].Data)
			var got string
			synctest.Test(t, func(t *testing.T) { got = playHTTP(t, want) })
			got = listed.ReplaceAllString(instructions.ReplaceAllString(got, `"instructions":"…"`), `"tools":["…"]}`)
			got = structured(got)
			if *update {
				archive.Files[0].Data = []byte(got)
				must.Do(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			} else if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// playHTTP runs a transcript and returns it with what the server said.
func playHTTP(t *testing.T, script string) string {
	t.Helper()
	st := newStage(t, near)
	defer st.board.Close()
	house := newHouse(t, st.server.HTTP())
	clients := map[string]*visitor{}
	var order []*visitor
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		name, kind, rest := parseHTTP(line)
		if kind == '<' || kind == '|' || kind == '~' {
			continue // what the server said
		}
		st.say(line)
		if kind == '=' {
			st.deed(rest)
		} else if kind != 0 {
			c := clients[name]
			if c == nil {
				c = house.visitor(name)
				clients[name] = c
				order = append(order, c)
			}
			c.act(kind, rest)
		}
		synctest.Wait()
		for _, c := range order {
			st.out.WriteString(c.heard())
		}
	}
	st.server.Close()
	synctest.Wait()
	for _, c := range order {
		c.hangUp()
	}
	house.close()
	return st.out.String()
}

func parseHTTP(line string) (name string, kind byte, rest string) {
	if i := strings.IndexAny(line, "<>|~+:@.-= #"); i >= 0 && line[i] != ' ' && line[i] != '#' {
		return line[:i], line[i], strings.TrimSpace(line[i+1:])
	}
	return "", 0, ""
}

// A house is a handler that is served without a network.
type house struct {
	t      *testing.T
	server *http.Server
	done   chan struct{}
	calls  chan net.Conn
	once   sync.Once
}

func newHouse(t *testing.T, handler http.Handler) *house {
	h := &house{t: t, server: &http.Server{Handler: handler}, done: make(chan struct{}), calls: make(chan net.Conn)}
	go h.server.Serve(h)
	return h
}

func (h *house) Accept() (net.Conn, error) {
	select {
	case conn := <-h.calls:
		return conn, nil
	case <-h.done:
		return nil, net.ErrClosed
	}
}

func (h *house) Addr() net.Addr { return &net.TCPAddr{} }

func (h *house) Close() error {
	h.once.Do(func() { close(h.done) })
	return nil
}

// close ends the server, which has nothing left to do: net/http keeps a
// connection that it has refused for half a second.
func (h *house) close() {
	time.Sleep(time.Second)
	h.server.Close()
}

// client is one that comes to the house.
func (h *house) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		h.calls <- there
		return here, nil
	}}}
}

// A visitor is a client that speaks HTTP.
type visitor struct {
	t       *testing.T
	name    string
	http    *http.Client
	session string // as the server named it
	speaks  string // the revision; empty: it says none
	ctx     context.Context
	hang    context.CancelFunc
	id      int

	mu       sync.Mutex
	answered strings.Builder
	told     strings.Builder // on the stream: it may be heard before the answer, or after
}

func (h *house) visitor(name string) *visitor {
	v := &visitor{t: h.t, name: name, http: h.client(), id: 1000}
	v.ctx, v.hang = context.WithCancel(context.Background())
	return v
}

func (v *visitor) hangUp() {
	v.hang()
	v.http.CloseIdleConnections()
	v.ctx, v.hang = context.WithCancel(context.Background())
}

func (v *visitor) act(kind byte, rest string) {
	switch kind {
	case '>':
		v.post(rest, v.write)
	case '+':
		v.hello(rest)
	case ':':
		name, args, _ := strings.Cut(rest, " ")
		if args == "" {
			args = "{}"
		}
		v.post(v.message("tools/call", map[string]any{"name": name, "arguments": json.RawMessage(args)}), v.writeText)
	case '@':
		v.send(http.MethodGet, "", func(line string) { v.tell(line) })
	case '.':
		v.hangUp()
	case '-':
		v.send(http.MethodDelete, "", v.write)
	default:
		v.t.Fatalf("%s%c is nothing that a client does", v.name, kind)
	}
}

// hello is the handshake, whose answers are not shown.
func (v *visitor) hello(revision string) {
	v.speaks, v.session = "", ""
	if revision < "2026" {
		v.post(v.message("initialize", map[string]any{
			"protocolVersion": revision, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": v.name, "version": "1"},
		}), func(string) {})
		synctest.Wait()
		v.speaks = revision
		v.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, func(string) {})
	}
	v.speaks = revision
}

// message is a request, with what each has to say since 2026-07-28.
func (v *visitor) message(method string, params map[string]any) string {
	v.id++
	if v.speaks >= "2026" {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    v.speaks,
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": v.name, "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
	}
	return string(must.Get(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": v.id, "method": method, "params": params}))(v.t))
}

func (v *visitor) post(body string, heard func(string)) { v.send(http.MethodPost, body, heard) }

// send makes a request and returns; what comes back is heard when it comes.
func (v *visitor) send(method, body string, heard func(line string)) {
	req := must.Get(http.NewRequestWithContext(v.ctx, method, "http://pawl/mcp", strings.NewReader(body)))(v.t)
	var message struct {
		Method string
		Params struct{ Name, URI string }
	}
	json.Unmarshal([]byte(body), &message) // what is none has no headers of one
	for key, value := range map[string]string{
		"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
		"Mcp-Session-Id": v.session, "MCP-Protocol-Version": v.speaks, "Mcp-Method": message.Method, "Mcp-Name": message.Params.Name + message.Params.URI,
	} {
		if value != "" {
			req.Header.Set(key, value)
		}
	}
	go func() {
		resp, err := v.http.Do(req)
		if err != nil {
			return // it hung up
		}
		defer resp.Body.Close()
		if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
			v.session = id
		}
		if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
			text, _ := io.ReadAll(resp.Body)
			heard(strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + string(bytes.TrimSpace(text))))
			return
		}
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				heard(strconv.Itoa(resp.StatusCode) + " " + data)
			}
		}
	}()
}

func (v *visitor) write(line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.answered.WriteString(v.name + "< " + line + "\n")
}

// writeText writes the text of a tool's answer.
func (v *visitor) writeText(line string) {
	_, body, _ := strings.Cut(line, " ")
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if json.Unmarshal([]byte(body), &answer) != nil || len(answer.Result.Content) == 0 {
		v.write(line)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for text := range strings.Lines(answer.Result.Content[0].Text) {
		v.answered.WriteString(strings.TrimRight(v.name+"| "+text, " \n") + "\n")
	}
}

func (v *visitor) tell(line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.told.WriteString(v.name + "~ " + strings.TrimPrefix(line, "200 ") + "\n")
}

// heard is what the server said since it was last asked.
func (v *visitor) heard() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	defer v.answered.Reset()
	defer v.told.Reset()
	return v.answered.String() + v.told.String()
}
