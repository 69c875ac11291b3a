package attribution

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	agents "github.com/pawl-dev/pawl/internal/agent/known"
)

// MaxMeta is how many bytes of a call's _meta are read: clients send about one
// kilobyte.
const MaxMeta = 64 << 10

// A meta is what a call's _meta says about its caller.
type meta struct {
	explicit pawl.Actor // in keys that are Pawl's own
	said     pawl.Actor // in the client's words
	toolUse  string     // the client's number of this call
	client   string     // what the client calls itself
}

// decodeMeta reads a call's _meta. A value of an unknown form counts as absent: a client
// may send anything. Programs that know Pawl say
// {"pawl/session": "s1", "pawl/agent": "reviewer"}.
func decodeMeta(raw json.RawMessage) meta {
	var all map[string]json.RawMessage
	if len(raw) > MaxMeta || json.Unmarshal(raw, &all) != nil {
		return meta{}
	}
	m := meta{
		explicit: pawl.Actor{Session: id(all["pawl/session"]), Agent: id(all["pawl/agent"])},
		client:   id(object(all["io.modelcontextprotocol/clientInfo"])["name"]),
	}
	field := func(path ...string) string {
		fields := all
		for _, key := range path[:len(path)-1] {
			fields = object(fields[key])
		}
		return id(fields[path[len(path)-1]])
	}
	for _, a := range agents.Agents {
		if a.Meta == nil {
			continue
		}
		said := a.Meta(field)
		if m.said.Session == "" {
			m.said = pawl.Actor{Session: said.Session, Agent: said.Agent}
		}
		m.toolUse = cmp.Or(m.toolUse, said.ToolUse)
	}
	return m
}

// object reads an object, or a string that holds one.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// id reads the name of a session, agent or call. A value that cannot be one counts as none.
func id(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) != nil || !valid(text) {
		return ""
	}
	return text
}

func valid(text string) bool {
	return text != "" && utf8.ValidString(text) && utf8.RuneCountInString(text) <= pawl.MaxName &&
		strings.TrimSpace(text) == text && strings.IndexFunc(text, unicode.IsControl) < 0
}
