package client

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
)

// answer answers a request of the program: it may do what the run's policy lets it, and gets
// nothing else from this client.
func (c *client) answer(m *acp.Message) []byte {
	if m.Method != acp.MethodPermission {
		return acp.Refusal(m.ID, acp.Failure{Code: acp.NoSuchMethod, Message: "pawl run does not do " + m.Method})
	}
	var asked struct {
		Options []struct{ OptionID, Kind string }
	}
	_ = json.Unmarshal(m.Params, &asked) // what cannot be read is refused
	is := c.know(acp.Field(m.Params, "toolCall"))
	kinds := []string{"reject_once", "reject_always"}
	if c.permits(&is) {
		kinds = []string{"allow_once"}
		if c.Skip {
			kinds = append(kinds, "allow_always")
		}
	} else {
		what := is.says()
		c.more = false
		c.tell(agent.Said{Doing: agent.Line("refused: " + what), Refused: what})
	}
	for _, kind := range kinds {
		for _, o := range asked.Options {
			if o.Kind == kind {
				return acp.Response(m.ID, map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": o.OptionID}})
			}
		}
	}
	return acp.Response(m.ID, map[string]any{"outcome": map[string]string{"outcome": "cancelled"}})
}

// permits is the policy. The program's own bounds come first: it asks only for what they do
// not let it. The agent may change files in its folder and call Pawl's tools, and does
// without anything else, unless the person lets it do everything.
func (c *client) permits(k *call) bool {
	if c.Skip {
		return true
	}
	switch k.Kind {
	case "edit", "read", "search":
		if len(k.Locations) == 0 {
			return false
		}
		for _, at := range k.Locations {
			if !c.inside(at.Path) {
				return false
			}
		}
		return true
	}
	return c.ours(k)
}

// inside reports whether a path is in the agent's folder, wherever links lead.
func (c *client) inside(path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return false
	}
	for rest := ""; ; { // the file may be a new one
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			rel, err := filepath.Rel(dir, filepath.Join(real, rest))
			return err == nil && filepath.IsLocal(rel) && !slices.Contains(strings.Split(rel, string(filepath.Separator)), ".git")
		}
		parent := filepath.Dir(path)
		if _, there := os.Lstat(path); there == nil || parent == path { // a link that leads nowhere yet
			return false
		}
		rest, path = filepath.Join(filepath.Base(path), rest), parent
	}
}

// ours reports whether a call is of one of Pawl's own tools: the program, which knows its
// servers, says so in the call's number or its note. A model writes neither.
func (c *client) ours(k *call) bool {
	if c.Tools == "" || k.Kind != "other" {
		return false
	}
	return strings.HasPrefix(k.ID, c.Tools) || strings.HasPrefix(k.Meta.Tool, c.Tools)
}
