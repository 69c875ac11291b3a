// Package zed is what Pawl knows of Zed, an editor that starts agents.
package zed

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Agent is Zed, which starts agents that Pawl knows.
var Agent = agent.Agent{Name: "zed", Title: "Zed", Config: &config}

var config = agent.Editor("Zed", home, func(p agent.Place) string { return filepath.Join(home(p), "settings.json") }, agent.Value{"type", "custom"})

func home(p agent.Place) string {
	if data := p.Getenv("APPDATA"); p.OS == "windows" && data != "" {
		return filepath.Join(data, "Zed")
	}
	return p.UserConfig("zed")
}
