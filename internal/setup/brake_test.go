package setup

import (
	"strings"
	"testing"
)

// What keeps Pawl from working is told by setup and by the doctor, also where
// every piece is in its place.
func TestBraked(t *testing.T) {
	for _, c := range []struct{ agent, file, text, want string }{
		{"claude", ".claude/settings.json", `{"permissions": {"deny": ["mcp__pawl"]}}`, `Pawl's tools are denied: take "mcp__pawl" out of permissions.deny`},
		{"gemini", ".gemini/settings.json", `{"hooksConfig": {"enabled": false}}`, "hooks are switched off: take false out of hooksConfig.enabled"},
		{"gemini", ".gemini/settings.json", `{"mcp": {"excluded": ["pawl"]}}`, "the server is switched off"},
		{"gemini", ".gemini/settings.json", `{"mcpServers": {"pawl": {"command": "pawl", "args": ["mcp"]}}}`, "set mcpServers.pawl.trust to true"},
		{"codex", ".codex/config.toml", "[features]\nhooks = false\n", "hooks are switched off"},
		{"codex", ".codex/config.toml", "[mcp_servers.pawl]\ncommand = \"pawl\"\nargs = [\"mcp\"]\n", "write default_tools_approval_mode"},
		{"opencode", ".config/opencode/opencode.json", `{"mcp": {"pawl": {"type": "local", "command": ["pawl", "mcp"], "enabled": false}}}`, "set mcp.pawl.enabled to true"},
		{"goose", ".config/goose/config.yaml", "extensions:\n  pawl:\n    cmd: pawl\n    args: [mcp]\n    enabled: false\n", "set extensions.pawl.enabled to true"},
	} {
		h := newHouse(t)
		sound := h.of(c.agent, User)
		h.setup(sound)
		if found := h.planner.Check(sound, "").Findings; strings.Contains(findings(found), "switched off") || strings.Contains(findings(found), "permission") {
			t.Errorf("%s: found in a sound setup: %s", c.agent, findings(found))
		}
		h.uninstall(sound)
		h.write(c.file, c.text)
		var told []string
		for _, n := range h.setup(sound).Notes {
			told = append(told, n.Text)
		}
		if !strings.Contains(strings.Join(told, "\n"), c.want) {
			t.Errorf("%s: setup tells %q, want %q", c.agent, told, c.want)
		}
		if found := findings(h.planner.Check(sound, "").Findings); !strings.Contains(found, c.want) {
			t.Errorf("%s: the doctor finds %q, want %q", c.agent, found, c.want)
		}
	}
}

func findings(all []Finding) string {
	var b strings.Builder
	for _, f := range all {
		b.WriteString(f.Text + ": " + f.Step + "\n")
	}
	return b.String()
}
