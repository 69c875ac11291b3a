package hook

import (
	"hash/fnv"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
)

// maxRuns is how many calls under way are remembered, more than a program
// starts at once. Beyond it the oldest is forgotten: its end will not come.
const maxRuns = 16

// A run is a call under way, of a program that gives its calls no numbers:
// Gemini CLI, Copilot CLI. Its end names the tool and the arguments again, and
// that is how it is known.
type run struct {
	Key uint64 `json:"k"`
	ID  string `json:"i"`
}

// begins returns the number of a call, and makes one for a call without.
func (m *memory) begins(e *agent.Event, now time.Time) string {
	if e.ToolUse != "" {
		return e.ToolUse
	}
	r := run{runKey(e), "call-" + strconv.FormatInt(now.UnixNano(), 36)}
	if len(m.Runs) >= maxRuns {
		m.Runs = append([]run(nil), m.Runs[len(m.Runs)-maxRuns+1:]...)
	}
	m.Runs = append(m.Runs, r)
	return r.ID
}

// ends returns the number that a call began with; empty: it is not known to
// have begun. Of two equal calls it does not matter which one ends first, but a
// call that was refused never ends: the newest is taken.
func (m *memory) ends(e *agent.Event) string {
	if e.ToolUse != "" {
		return e.ToolUse
	}
	key := runKey(e)
	for i := len(m.Runs) - 1; i >= 0; i-- {
		if r := m.Runs[i]; r.Key == key {
			m.Runs = append(m.Runs[:i:i], m.Runs[i+1:]...)
			return r.ID
		}
	}
	return ""
}

func runKey(e *agent.Event) uint64 {
	h := fnv.New64a()
	h.Write([]byte(e.Tool))
	h.Write([]byte{0})
	h.Write(e.Input)
	return h.Sum64()
}
