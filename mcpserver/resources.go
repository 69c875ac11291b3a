package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/tool"
)

// The resources. A person puts them into a conversation by name, so each is text to
// be read, and bounded.
const (
	boardURI = "pawl://board"
	readyURI = "pawl://ready"
	todosURI = "pawl://todos"
	taskURI  = "pawl://task/" // and its id
	taskForm = taskURI + "{id}"
)

const (
	markdown  = "text/markdown"
	plainText = "text/plain"
)

func (s *Server) addResources() {
	if s.o.Board != nil {
		s.addResource(mcp.Resource{URI: boardURI, Name: "board", Title: "Task board", Description: "The open tasks of this project: in progress, ready, waiting"}, s.boardText)
		s.addResource(mcp.Resource{URI: readyURI, Name: "ready", Title: "Ready tasks", Description: "The tasks that can be started now, the most urgent first"}, s.readyText)
		s.addTasks()
	}
	if s.o.Todos != nil {
		s.addResource(mcp.Resource{URI: todosURI, Name: "todos", Title: "Todo list", Description: "The todo list of this session"}, s.todosText)
	}
}

// announced leaves resources out of what a client is told of the server.
func (s *Server) announced(next mcp.MethodHandler) mcp.MethodHandler {
	without := func(c *mcp.ServerCapabilities, to Client) *mcp.ServerCapabilities {
		if c == nil || s.o.Resources(to) {
			return c
		}
		fewer := *c
		fewer.Resources = nil
		return &fewer
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		switch told := result.(type) {
		case *mcp.InitializeResult:
			if r, is := req.(*mcp.ServerRequest[*mcp.InitializeParams]); is && r.Params.ClientInfo != nil && told != nil {
				told.Capabilities = without(told.Capabilities, Client{r.Params.ClientInfo.Name, r.Params.ClientInfo.Version})
			}
		case *mcp.DiscoverResult:
			if r, is := req.(asking); is && told != nil {
				told.Capabilities = without(told.Capabilities, client(r))
			}
		}
		return result, err
	}
}

func (s *Server) addResource(r mcp.Resource, text func(context.Context, tool.Caller) (string, error)) {
	r.MIMEType = markdown
	s.mcp.AddResource(&r, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		by, err := s.reader(ctx, req.Params, req)
		if err != nil {
			return nil, err
		}
		text, err := text(ctx, by)
		return contents(req, text, err)
	})
}

// addTasks offers each task.
func (s *Server) addTasks() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: taskForm, Name: "task", Title: "Task", MIMEType: plainText,
		Description: "A task in full, with the tasks around it",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		name, _ := strings.CutPrefix(req.Params.URI, taskURI)
		by, err := s.reader(ctx, req.Params, req)
		if err != nil {
			return nil, err
		}
		text, err := s.taskText(ctx, by, name)
		if kind := pawl.KindOf(err); kind == pawl.NotFound || kind == pawl.Invalid {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		return contents(req, text, err)
	})
}

// reader is who asks for something that is not a tool.
func (s *Server) reader(ctx context.Context, params mcp.Params, req asking) (tool.Caller, error) {
	return s.o.Who(ctx, Call{Meta: params.GetMeta(), Client: client(req), HTTP: req.GetSession().ID()})
}

func contents(req *mcp.ReadResourceRequest, text string, err error) (*mcp.ReadResourceResult, error) {
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: text}}}, nil
}
