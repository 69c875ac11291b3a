package setup

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
)

// braked finds what keeps Pawl from working, in a text of a file whose pieces
// could be read.
func braked(c *agent.Config, f File, text []byte) (found []Finding) {
	tell := func(what, step string) { found = append(found, Finding{f.Path, what, step}) }
	if len(f.Pieces) == 0 || len(text) == 0 {
		return nil
	}
	read := func([]string) []string { return nil }
	switch f.Pieces[0].Kind {
	case agent.KindMember, agent.KindElement:
		read = func(path []string) (values []string) {
			for _, e := range jsonc.Elements(text, path...) {
				values = append(values, string(e))
			}
			if is, ok := jsonc.Get(text, path...); ok && is[0] != '[' {
				values = append(values, string(is))
			}
			return values
		}
	case agent.KindTable:
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
	for _, b := range c.Brakes {
		for _, is := range read(strings.Split(b.Path, ".")) {
			if strings.HasPrefix(is, b.Value) {
				tell(b.What, "take "+is+" out of "+b.Path)
			}
		}
	}
	for _, p := range f.Pieces {
		if !p.IsServer() {
			continue
		}
		at := strings.Join(p.Path, ".")
		is := func(name, value string) bool {
			return slices.Contains(read(append(slices.Clone(p.Path), name)), value)
		}
		switch {
		case p.Kind == agent.KindMember && is("enabled", "false"):
			tell("the server is switched off", "set "+at+".enabled to true")
		case p.Kind == agent.KindMember && is("disabled", "true"):
			tell("the server is switched off", "take "+at+".disabled out")
		case p.Kind == agent.KindEntry && entryOff(text, p):
			tell("the server is switched off", "set "+at+".enabled to true")
		}
		if trust, ok := jsonc.Get(p.Value, "trust"); ok && string(trust) == "true" && read(p.Path) != nil && !is("trust", "true") {
			tell("the permission to call the tools unasked is missing", "set "+at+".trust to true")
		}
		if p.Kind == agent.KindTable && !is("default_tools_approval_mode", `"approve"`) && !is("default_tools_approval_mode", `'approve'`) {
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
