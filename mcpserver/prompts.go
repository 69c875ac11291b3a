package mcpserver

import (
	"cmp"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/tool"
)

// maxArgument bounds what a person can give a prompt, in runes: a goal, not a
// document.
const maxArgument = 4_000

// addPrompts adds prompts, which some programs make commands of: their names are
// no words that a program has for its own, as /plan and /resume.
func (s *Server) addPrompts() {
	if !s.whole() {
		return
	}
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: "plan-work", Title: "Plan work as tasks",
		Description: "Break a goal down into tasks that wait for one another, on the project's board",
		Arguments: []*mcp.PromptArgument{
			{Name: "goal", Description: "what is to be reached; else what was talked about"},
			{Name: "parent", Description: "the task that this is a part of"},
		},
	}, s.plan)
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: "resume-work", Title: "Resume work",
		Description: "Go on where the work was left: open todos, tasks in progress, and what is ready",
		Arguments: []*mcp.PromptArgument{
			{Name: "task", Description: "the task to go on with; else the most urgent one"},
		},
	}, s.resume)
}

func (s *Server) plan(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	by, err := s.reader(ctx, req.Params, req)
	if err != nil {
		return nil, err
	}
	goal := cmp.Or(argument(req, "goal"), "What we talked about.")
	parent, err := s.argumentTask(ctx, by, req, "parent")
	if err != nil {
		return nil, err
	}
	board, err := s.boardText(ctx, by)
	if err != nil {
		return nil, err
	}
	text := s.word.plan + "\n\n## Goal\n\n" + goal + "\n"
	if parent != "" {
		text += "\n## A part of this task: make it the parent of the new ones\n\n" + parent
	}
	return prompt(text + "\n" + board), nil
}

func (s *Server) resume(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	by, err := s.reader(ctx, req.Params, req)
	if err != nil {
		return nil, err
	}
	task, err := s.argumentTask(ctx, by, req, "task")
	if err != nil {
		return nil, err
	}
	todos, err := s.todosText(ctx, by)
	if err != nil {
		return nil, err
	}
	board, err := s.boardText(ctx, by)
	if err != nil {
		return nil, err
	}
	text := s.word.resume + "\n"
	if task != "" {
		text += "\n## Go on with this task\n\n" + task
	}
	return prompt(text + "\n# Todo list of this session\n\n" + strings.TrimSpace(todos) + "\n\n" + board), nil
}

func prompt(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}

func argument(req *mcp.GetPromptRequest, name string) string {
	return text.Clip(strings.TrimSpace(req.Params.Arguments[name]), maxArgument)
}

// argumentTask is the task that an argument names, in full; empty: none is named.
func (s *Server) argumentTask(ctx context.Context, by tool.Caller, req *mcp.GetPromptRequest, name string) (string, error) {
	id := argument(req, name)
	if id == "" {
		return "", nil
	}
	text, err := s.taskText(ctx, by, id)
	switch pawl.KindOf(err) {
	case pawl.NotFound: // which names the task
		return "", invalidParams("%v", err)
	case pawl.Invalid:
		return "", invalidParams("argument %s: %v", name, err)
	}
	return text, err
}
