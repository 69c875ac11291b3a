package codex

import (
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/nudge"
)

// decode reads an event of Codex. It has Claude Code's names and a turn_id;
// what is its own is that there is an Interrupt, and that a subagent is told of
// its prompt, which is one even if an agent wrote it.
//
// A shell command that failed cannot be told from one that did not: Codex hands
// over what it printed, not its exit code.
func decode(in *claude.Payload, name string, _ func(string) string) (agent.Event, error) {
	e := in.Event(name)
	if e.Name == "Interrupt" {
		e.Kind = nudge.Interrupt
	}
	return e, nil
}

// encode writes an answer for Codex, which refuses one with a key that it
// does not know. It ignores context at a stop, and what would end the turn in
// Claude Code replaces what the tool returned: neither is ever sent.
func encode(e agent.Event, a agent.Answer) []byte {
	var out claude.Output
	if !out.Answer(e, a) && e.Kind != nudge.Interrupt {
		return nil
	}
	out.Message = a.Notice
	return agent.Output(out)
}
