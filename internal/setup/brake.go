package setup

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/jsonc"
)

// A brake is a value somewhere in an agent's settings that keeps Pawl from
// working there, though all its pieces are in their places.
type brake struct {
	agents string // with spaces around
	path   string // with points; an element of a list there, or the value itself
	value  string // what begins like it
	what   string
}

var brakes = [...]brake{
	{" claude ", "permissions.deny", `"mcp__pawl`, "Pawl's tools are denied"},
	{" claude ", "permissions.ask", `"mcp__pawl`, "it asks at each call of Pawl's tools"},
	{" claude ", "disabledMcpjsonServers", `"pawl"`, "the server is switched off"},
	{" gemini qwen ", "hooksConfig.enabled", "false", "hooks are switched off"},
	{" gemini llxprt qwen ", "hooksConfig.disabled", `"pawl"`, "the hooks are switched off"},
	{" gemini llxprt qwen ", "mcp.excluded", `"pawl"`, "the server is switched off"},
	{" codex ", "features.hooks", "false", "hooks are switched off"},
	{" codex ", "features.codex_hooks", "false", "hooks are switched off"},
	{" codex ", "mcp_servers.pawl.enabled", "false", "the server is switched off"},
}

// braked finds what keeps Pawl from working, in a text of a file whose pieces
// could be read.
func (s Setup) braked(f File, text []byte) (found []Finding) {
	tell := func(what, step string) { found = append(found, Finding{f.Path, what, step}) }
	if len(f.Pieces) == 0 || len(text) == 0 {
		return nil
	}
	read := func([]string) []string { return nil }
	switch f.Pieces[0].Kind {
	case Member, Element:
		read = func(path []string) (values []string) {
			for _, e := range jsonc.Elements(text, path...) {
				values = append(values, string(e))
			}
			if is, ok := jsonc.Get(text, path...); ok && is[0] != '[' {
				values = append(values, string(is))
			}
			return values
		}
	case Table:
		all, _ := statements(text)
		read = func(path []string) (values []string) {
			for _, st := range all {
				if !st.header && slices.Equal(st.path, path) {
					values = append(values, strings.TrimSpace(string(st.value)))
				}
			}
			return values
		}
	}
	for _, b := range brakes {
		if !strings.Contains(b.agents, " "+s.Agent+" ") {
			continue
		}
		for _, is := range read(strings.Split(b.path, ".")) {
			if strings.HasPrefix(is, b.value) {
				tell(b.what, "take "+is+" out of "+b.path)
			}
		}
	}
	for _, p := range f.Pieces {
		if !p.isServer() {
			continue
		}
		at := strings.Join(p.Path, ".")
		is := func(name, value string) bool {
			return slices.Contains(read(append(slices.Clone(p.Path), name)), value)
		}
		switch {
		case p.Kind == Member && is("enabled", "false"):
			tell("the server is switched off", "set "+at+".enabled to true")
		case p.Kind == Member && is("disabled", "true"):
			tell("the server is switched off", "take "+at+".disabled out")
		case p.Kind == Entry && entryOff(text, p):
			tell("the server is switched off", "set "+at+".enabled to true")
		}
		if trust, ok := jsonc.Get(p.Value, "trust"); ok && string(trust) == "true" && read(p.Path) != nil && !is("trust", "true") {
			tell("the permission to call the tools unasked is missing", "set "+at+".trust to true")
		}
		if p.Kind == Table && !is("default_tools_approval_mode", `"approve"`) && !is("default_tools_approval_mode", `'approve'`) {
			tell("the permission to call the tools unasked is missing", "write default_tools_approval_mode = \"approve\" below ["+at+"]")
		}
	}
	return found
}

// entryOff reports whether an entry in YAML says that it is switched off.
func entryOff(text []byte, p Piece) bool {
	m, err := readMapping(text, p.Path[0])
	if err != nil {
		return false
	}
	from, to, _ := m.child(text, p.Path[1])
	for line := range strings.Lines(string(text[from:to])) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "enabled:"); ok && strings.TrimSpace(value) == "false" {
			return true
		}
	}
	return false
}
