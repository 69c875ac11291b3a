package mcpserver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// TestHalf: a program may have todo lists only, or a board only. What it does
// not have is not offered, and a client that asks for it anyway gets an error.
// Reading it ended the program.
func TestHalf(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	lists := todo.New(todomem.New(), time.Now)
	for _, half := range []struct {
		name    string
		options tool.Options
		tools   string // how theirs begin
		offered []string
	}{
		{"todos", tool.Options{Todos: lists}, "todo_", []string{"pawl://todos"}},
		{"board", tool.Options{Board: tool.OneBoard(board)}, "task_", []string{"pawl://board", "pawl://ready"}},
		{"neither", tool.Options{}, "", nil},
	} {
		t.Run(half.name, func(t *testing.T) {
			client := join(t, "ada", half.options)
			if text := client.InitializeResult().Instructions; text != "" {
				t.Errorf("it is told of both: %s", text)
			}
			for one, err := range client.Tools(t.Context(), nil) {
				if err != nil || !strings.HasPrefix(one.Name, half.tools) {
					t.Errorf("%v, %v", one, err)
				}
			}
			var offered []string
			for one, err := range client.Resources(t.Context(), nil) {
				if err != nil {
					break // there are none at all
				}
				offered = append(offered, one.URI)
			}
			if !slices.Equal(offered, half.offered) {
				t.Errorf("it offers %q", offered)
			}
			for _, uri := range []string{"pawl://todos", "pawl://board", "pawl://ready"} {
				_, read := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				subscribed := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
				if there := slices.Contains(offered, uri); there != (read == nil) || there && subscribed != nil { // of what is not there the client of today tells nothing
					t.Errorf("%s: %v, %v", uri, read, subscribed)
				}
			}
			for _, name := range []string{"plan-work", "resume-work"} {
				if _, err := client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name}); err == nil {
					t.Errorf("%s is a prompt about both", name)
				}
				_, err := client.Complete(t.Context(), &mcp.CompleteParams{
					Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: name},
					Argument: mcp.CompleteParamsArgument{Name: "task"},
				})
				if half.options.Board == nil && err == nil {
					t.Errorf("%s has completions", name)
				}
			}
		})
	}
}

// TestNobodySays: without Options.Who a claim is the client's, by its own name.
func TestNobodySays(t *testing.T) {
	for shown, name := range map[string]string{"ada": "ada", "": "agent", " a\x1b[31m\nb ": "a", strings.Repeat("x", 300): "xxx"} {
		board := pawl.NewBoard(memory.New())
		defer board.Close()
		made := must.Get(board.Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Plan"}}}}))(t)
		client := join(t, shown, tool.Options{Board: tool.OneBoard(board)})
		result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "task_claim", Arguments: map[string]any{}})
		if err != nil || result.IsError {
			t.Fatalf("%q: %+v, %v", shown, result, err)
		}
		tasks, err := board.Get(t.Context(), made.IDs...)
		if err != nil || !strings.HasPrefix(tasks[0].Owner, name) {
			t.Errorf("%q owns as %q, %v", shown, tasks[0].Owner, err)
		}
	}
}

// join makes a server without more than it must have, and a client of it.
func join(t *testing.T, name string, o tool.Options) *mcp.ClientSession {
	server := mcpserver.New(mcpserver.Options{Tools: tool.New(o), Board: o.Board, Todos: o.Todos})
	t.Cleanup(server.Close)
	here, there := mcp.NewInMemoryTransports()
	must.Get(server.MCP().Connect(t.Context(), here, nil))(t)
	client := must.Get(mcp.NewClient(&mcp.Implementation{Name: name}, nil).Connect(t.Context(), there, nil))(t)
	t.Cleanup(func() { client.Close() })
	return client
}
