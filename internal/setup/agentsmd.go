package setup

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

// AgentsMD is the name of what is set up in a project's AGENTS.md, which agents
// of all kinds read. It is asked for by itself and not among the agents.
const AgentsMD = "agents-md"

var agentsMD = agent.Agent{
	Name: AgentsMD, Title: "AGENTS.md",
	Config: &agent.Config{
		Files: func(p agent.Place) []File {
			return []File{{Path: filepath.Join(p.Root, "AGENTS.md"), Pieces: []Piece{{Kind: agent.KindBlock, For: "note", Text: agentsBlock}}}}
		},
		Steps: func(agent.Place) []string { return nil },
		Home:  func(p agent.Place) string { return filepath.Join(p.Root, "AGENTS.md") },
	},
}

const agentsBlock = blockBegin + `
## Plans and todos

This project keeps its plan with Pawl, outside the conversation. Use todo_write for what only this session needs, and task_create, task_claim and task_update for what must outlive it. Before you start look at task_list; note what you learned with task_update; finish what you claimed, or release it. Without these tools the command is ` + "`pawl`" + `: ` + "`pawl ready`, `pawl claim`, `pawl done ID`" + `.
` + blockEnd + "\n"
