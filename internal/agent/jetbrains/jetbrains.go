// Package jetbrains is what Pawl knows of the editors of JetBrains, whose AI Assistant starts
// agents.
package jetbrains

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Agent is all of these editors: they read one file.
var Agent = agent.Agent{Name: "jetbrains", Title: "JetBrains", Config: &config}

var config = agent.Editor("JetBrains", home, func(p agent.Place) string { return filepath.Join(home(p), "acp.json") }, nil)

func home(p agent.Place) string { return filepath.Join(p.Home, ".jetbrains") }
