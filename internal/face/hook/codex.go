package hook

import (
	"fmt"

	"github.com/pawl-dev/pawl/nudge"
)

// decodeCodex reads an event of Codex. It has Claude Code's names and a turn_id;
// what is its own is that there is an Interrupt, and that a subagent is told of
// its prompt, which is no less one for having been written by an agent.
//
// A shell command that failed cannot be told from one that did not: Codex hands
// over what it printed, not its exit code.
func decodeCodex(name string, payload []byte, _ func(string) string) (Event, error) {
	var in claudeInput
	if err := in.read(payload); err != nil {
		return Event{}, fmt.Errorf("an event of Codex: %w", err)
	}
	e := in.event(name)
	if e.Name == "Interrupt" {
		e.Kind = nudge.Interrupt
	}
	return e, nil
}

// encodeCodex writes an answer for Codex, which refuses one with a key that it
// does not know. It ignores context at a stop, and what would end the turn in
// Claude Code replaces what the tool returned: neither is ever sent.
func encodeCodex(e Event, a Answer) []byte {
	var out claudeOutput
	switch e.Kind {
	case nudge.Start, nudge.CallBegins, nudge.CallEnds, nudge.HelperStart:
		out.context(e, a.Context)
	case nudge.Prompt:
		if !out.block(a.Handled) {
			out.context(e, a.Context)
		}
	case nudge.Stop:
		out.block(a.Continue)
	case nudge.Compaction, nudge.Interrupt:
	default:
		return nil
	}
	out.Message = a.Notice
	return out.json()
}
