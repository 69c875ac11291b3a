package setup

import "path/filepath"

// AgentsMD is the name of what is set up in a project's AGENTS.md, which agents
// of all kinds read. It is asked for by itself and not among the agents.
const AgentsMD = "agents-md"

var agentsMD = Agent{
	Name: AgentsMD, Title: "AGENTS.md",
	files: func(p place) []File {
		return []File{{filepath.Join(p.Root, "AGENTS.md"), []Piece{{Kind: Block, For: "note", Text: agentsBlock}}}}
	},
	steps: func(place) []string { return nil },
	home:  func(p place) string { return filepath.Join(p.Root, "AGENTS.md") },
}
