package mcpserver

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/tool"
)

// loadAlways asks clients that hide tools until they are searched for to show
// this one from the start. It costs a place in each prompt, so few have it.
var loadAlways = mcp.Meta{"anthropic/alwaysLoad": true}

func (s *Server) addTool(t tool.Tool) {
	offered := &mcp.Tool{
		Name: t.Name, Description: t.Description, InputSchema: t.Schema,
		// Titles, which say what names do, and openWorldHint are left out: each client pays
		// for the list, and clients show the names and go by the other hints.
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.ReadOnly, IdempotentHint: t.Idempotent || t.ReadOnly},
	}
	if !t.ReadOnly && !t.Destructive { // a client takes it for destructive else
		offered.Annotations.DestructiveHint = new(false)
	}
	if t.Core {
		offered.Meta = maps.Clone(loadAlways)
	}
	s.mcp.AddTool(offered, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args := req.Params.Arguments
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		by, err := s.o.Who(ctx, Call{Tool: t.Name, Args: args, Meta: req.Params.GetMeta(), Client: client(req), HTTP: req.Session.ID()})
		if err != nil {
			return answer(tool.Result{LLMContent: "Error: " + err.Error(), Err: err}, client(req)), nil
		}
		s.seen(by, req.Session)
		result := t.Call(s.progress(ctx, req), by, args)
		if !t.ReadOnly {
			s.todosMayDiffer()
		}
		return answer(result, client(req)), nil
	})
}

// progress has a client told what its call waits for, if the client asks for that.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	told := 0.0
	return tool.WithProgress(ctx, func(message string) {
		told++
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: told, Message: message})
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("telling a client of progress", "error", err)
		}
	})
}

// answer is a result on the wire. The text is for the model, the data for
// programs.
func answer(r tool.Result, to Client) *mcp.CallToolResult {
	a := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.LLMContent}}, IsError: r.Err != nil}
	if r.Data != nil && !showsData(to) {
		a.StructuredContent = r.Data
	}
	return a
}

// showsData reports whether a client gives its model the data of a result where
// there is some, and not the text, so that it must get the text alone.
func showsData(to Client) bool {
	for _, a := range known.Agents {
		for _, pattern := range a.Data {
			if agent.Match(pattern, to.Name) {
				return true
			}
		}
	}
	return false
}

// asking is a request that says which client it comes from.
type asking interface {
	ClientInfo() *mcp.Implementation
	GetSession() mcp.Session
}

// client is the program that asks. Since 2026-07-28 each request says it.
func client(req asking) Client {
	info := req.ClientInfo()
	if info == nil {
		return Client{}
	}
	return Client{Name: info.Name, Version: info.Version}
}
