package cli

import (
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/wire"
)

// setupJSON is the envelope of setup and uninstall.
type setupJSON struct {
	wire.Envelope
	Changed bool        `json:"changed"`          // something was written, or would be
	DryRun  bool        `json:"dryRun,omitempty"` // nothing was changed
	Agents  []agentItem `json:"agents"`           // the settings asked for, or all
	Files   []fileItem  `json:"files"`            // what was changed, or would be
	Notes   []noteItem  `json:"notes"`            // what stayed as it is, and why
	Steps   []noteItem  `json:"steps"`            // what is left for a person to do
}

// agentItem is an agent that can be set up.
type agentItem struct {
	Agent string   `json:"agent"`           // its name
	Title string   `json:"title"`           // its name
	Used  bool     `json:"used"`            // its folder exists
	Setup []string `json:"setup,omitempty"` // where it is set up: user, the folder of a project, or the agent's folder that a variable names
}

// fileItem is a file with a change.
type fileItem struct {
	File   string   `json:"file"`   // its path
	Change string   `json:"change"` // made, changed or removed
	For    []string `json:"for"`    // what was put into it
	Diff   string   `json:"diff"`   // as a unified diff, secrets masked
}

// noteItem is something that a person should know.
type noteItem struct {
	Agent string `json:"agent"`           // the session, or the agent, that it is about
	File  string `json:"file,omitempty"`  // what it is about
	Text  string `json:"text"`            // one sentence
	Error bool   `json:"error,omitempty"` // no such thing exists
}

func noteItems(notes []setup.Note) []noteItem {
	items := []noteItem{}
	for _, n := range notes {
		items = append(items, noteItem{n.Agent, n.Path, n.Text, n.Error})
	}
	return items
}
