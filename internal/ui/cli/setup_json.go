package cli

import (
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/wire"
)

// setupJSON is the envelope of setup.
type setupJSON struct {
	wire.Envelope
	Changed bool         `json:"changed"`          // something was written, or would be
	DryRun  bool         `json:"dryRun,omitempty"` // nothing was changed
	Agents  []agentItem  `json:"agents"`           // the settings asked for, or all
	Files   []fileItem   `json:"files"`            // what was changed, or would be
	Notes   []setup.Note `json:"notes"`            // what stayed as it is, and why
	Steps   []setup.Note `json:"steps"`            // what is left for a person to do
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
