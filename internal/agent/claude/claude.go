// Package claude is what Pawl knows of Claude Code.
package claude

import (
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Agent is Claude Code.
var Agent = agent.Agent{
	Name: "claude", Title: "Claude Code",
	Marks:     []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID"},
	Session:   "CLAUDE_CODE_SESSION_ID",
	Clients:   []string{"claude-code"},
	Project:   "CLAUDE_PROJECT_DIR",
	Data:      []string{"claude-code"}, // seen in 2.1.329
	Meta:      meta,
	Resources: resources,
	Config:    &config,
	Headless:  &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Claude Code", decode), Encode: encode, Refuses: true,
		EndsTurn: true, Handles: true, Prints: []string{"-p", "--print"},
		Native: "TaskCreate", Owns: owns, Model: modelIn, Shown: "mcp__pawl__", Off: "/pawl:continuation off",
		Stops: 8, StopsIn: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
	},
	Lists: []agent.ListTool{
		{Name: "TodoWrite", Read: agent.WholeList}, {Name: "TodoRead"},
		{Name: "TaskCreate", Read: taskCall, Makes: "TaskCreate", Changes: "TaskUpdate"},
		{Name: "TaskUpdate", Read: taskCall, Makes: "TaskCreate", Changes: "TaskUpdate"},
		{Name: "TaskList", Read: taskList, Makes: "TaskCreate", Changes: "TaskUpdate"},
		{Name: "TaskGet"},
	},
}

// owns says whether a session has TaskCreate and its kin, or TodoWrite in their place: by
// its model, by a variable that settings may set as well, or because the command line names
// them.
func owns(s agent.Session, tool string) agent.Owns {
	tasks, err := strconv.ParseBool(s.Getenv("CLAUDE_CODE_ENABLE_TASKS"))
	single := err == nil && !tasks
	if single && tool != "TodoWrite" {
		return agent.Lacks
	}
	asked, _ := strconv.ParseBool(s.Getenv(ownList))
	for _, name := range strings.FieldsFunc(s.Flag("--allowedTools", "--allowed-tools", "--tools"), func(r rune) bool { return r == ',' || r == ' ' }) {
		asked = asked || name == tool
	}
	listed, known := agent.Listed(s.Model)
	switch {
	case !single && tool == "TodoWrite" && (asked || listed):
		return agent.Unknown // older versions have it
	case asked, listed, strings.Contains(s.Model, "application-inference-profile"):
		return agent.Has
	case known:
		return agent.Lacks
	}
	return agent.Unknown
}

// resources: without the search for tools, three tools that read resources stand in each
// request, 2,085 bytes in 2.1.332. It is off by default where requests go through another
// address than the vendor's.
func resources(getenv func(string) string) bool {
	search := getenv("ENABLE_TOOL_SEARCH")
	on, err := strconv.ParseBool(search)
	return on || err != nil && search != "" || search == "" && getenv("ANTHROPIC_BASE_URL") == ""
}

// meta reads the number of the call:
//
//	{"claudecode/toolUseId": "toolu_01…"}
func meta(field func(path ...string) string) agent.Meta {
	return agent.Meta{ToolUse: field("claudecode/toolUseId")}
}
