package host

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// Sessions of two tokens never mix: the id of another's session opens nothing, and each
// acts in its own name, whatever the client calls itself.
func TestToolsOfTwoTokens(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	faces := NewFaces("1.2.3", nil, nil, "", slog.New(slog.DiscardHandler))
	defer faces.Close()
	open := func(ctx context.Context, _ bool) (query.Board, error) {
		token, there := access.Of(ctx)
		if !there {
			t.Error("the board was opened for nobody")
		}
		return access.Guard(query.Local(board), token, time.Now), nil
	}
	_, tools := faces.Of("shop", open)
	tester := toolsTester{t, tools, access.Work}
	begin, call := tester.begin, tester.call
	ada, bob := begin("ada"), begin("bob")
	if said := call("ada", ada, "task_create", `{"tasks":[{"subject":"Set up"},{"subject":"Write"}]}`); !strings.Contains(said, "Set up") {
		t.Fatal(said)
	}
	call("ada", ada, "task_claim", `{}`)
	if said := call("bob", bob, "task_claim", `{}`); !strings.Contains(said, "Write") {
		t.Error(said)
	}
	if said := call("bob", ada, "task_list", `{}`); !strings.HasPrefix(said, http.StatusText(http.StatusNotFound)) {
		t.Errorf("bob used ada's session: %s", said)
	}
	page := must.Get(query.Of(t.Context(), query.Local(board), query.Asker{}, query.TasksQuery{}))(t)
	owners := map[pawl.ID]string{}
	for _, task := range page.Page.Tasks {
		owners[task.ID] = task.Owner
	}
	if owners[1] != "ada" || owners[2] != "bob" {
		t.Error(owners)
	}
}

// The tools of an agent's token take nothing away that somebody else asked of a task.
func TestToolsOfAnAgent(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	asked := []pawl.NewTask{
		{Subject: "checked", Checks: []pawl.Check{{Name: "own", Run: []string{"test", "-e", "proof"}}}, Accept: []string{"ada saw it"}},
		{Subject: "waits"},
	}
	for _, op := range []pawl.Op{pawl.Create{Tasks: asked}, pawl.PutHold{IDs: []pawl.ID{2}, Reason: "ada decides"}} {
		if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "terminal-1"}, Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	faces := NewFaces("1.2.3", nil, nil, "", slog.New(slog.DiscardHandler))
	defer faces.Close()
	_, tools := faces.Of("shop", func(ctx context.Context, _ bool) (query.Board, error) {
		token, _ := access.Of(ctx)
		return access.Guard(query.Local(board), token, time.Now), nil
	})
	bot := toolsTester{t, tools, access.Work}
	session := bot.begin("bot")
	for args, want := range map[string]string{
		`{"taskId":"1","removeAccept":["ada saw it"]}`: "only a person may take the criterion",
		`{"taskId":"1","removeChecks":["own"]}`:        "only a person may take the check own from #1",
		`{"taskId":"1","status":"deleted"}`:            "only a person may remove #1",
		`{"taskId":"1","status":"completed"}`:          "not shown",
		`{"taskId":"2","status":"deleted"}`:            "#2 was put on hold by ada",
		`{"taskId":"2","lift":true}`:                   "#2 was put on hold by ada",
		`{"taskId":"2","hold":"mine"}`:                 "#2 was put on hold by ada",
	} {
		if said := bot.call("bot", session, "task_update", args); !strings.Contains(said, want) {
			t.Errorf("%s: %s", args, said)
		}
	}
}

// Servers of tokens that nobody uses make room for others, and those in use stay.
func TestToolsMakeRoom(t *testing.T) {
	faces := NewFaces("1.2.3", nil, nil, "", slog.New(slog.DiscardHandler))
	defer faces.Close()
	in := func(token string) *tooling {
		return faces.tools.enter(toolsFor{"shop", token}, access.Token{ID: token}, func(context.Context, bool) (query.Board, error) { return nil, nil })
	}
	busy := in("busy")
	for i := range maxTooling + 10 {
		s := in(strings.Repeat("x", i+1))
		if s == nil {
			t.Fatal(i)
		}
		faces.tools.leave(s)
	}
	if n := len(faces.tools.open); n != maxTooling {
		t.Errorf("%d servers", n)
	}
	if in("busy") != busy {
		t.Error("one that is in use was ended")
	}
}

// A toolsTester calls the tools of a board over HTTP, in the names of tokens.
type toolsTester struct {
	t     *testing.T
	tools http.Handler
	role  access.Role
}

func (c toolsTester) send(token, session, body string) (string, string) {
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("MCP-Protocol-Version", "2025-06-18")
	}
	w := httptest.NewRecorder()
	c.tools.ServeHTTP(w, r.WithContext(access.With(r.Context(), access.Token{ID: "id-" + token, Name: token, Role: c.role, Boards: []string{"shop"}})))
	text, _ := io.ReadAll(w.Result().Body)
	return w.Header().Get("Mcp-Session-Id"), http.StatusText(w.Code) + " " + string(text)
}

func (c toolsTester) begin(token string) string {
	session, said := c.send(token, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}`)
	if session == "" {
		c.t.Fatal(said)
	}
	c.send(token, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return session
}

func (c toolsTester) call(token, session, tool, args string) string {
	_, said := c.send(token, session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+args+`}}`)
	return said
}

// While a board does not exist nobody writes on what stands in for it: that would be
// lost, and others would read it.
func TestToolsOfNoBoard(t *testing.T) {
	faces := NewFaces("1.2.3", nil, nil, "", slog.New(slog.DiscardHandler))
	defer faces.Close()
	open := func(context.Context, bool) (query.Board, error) { return nil, nil }
	_, shop := faces.Of("shop", open)
	_, other := faces.Of("other", open)
	eve, bob := toolsTester{t, shop, access.Read}, toolsTester{t, other, access.Work}
	if said := eve.call("eve", eve.begin("eve"), "task_create", `{"tasks":[{"subject":"Leak"}]}`); !strings.Contains(said, "may only read") {
		t.Error(said)
	}
	session := bob.begin("bob")
	bob.call("bob", session, "task_create", `{"tasks":[{"subject":"Leak"}]}`)
	if said := bob.call("bob", session, "task_list", `{}`); strings.Contains(said, "Leak") || !strings.Contains(said, "No tasks") {
		t.Error(said)
	}
}
