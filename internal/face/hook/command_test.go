package hook

import (
	"slices"
	"testing"
)

// What an agent writes to its subagent, or a client on its own, is no command of
// a person: else an agent could switch off what keeps it going.
func TestCommandsOfPersonsOnly(t *testing.T) {
	w := newWorld(t)
	const line = "/pawl:continuation off"
	w.send(`{"session_id": "s1", "agent_id": "a1", "agent_type": "default", "hook_event_name": "UserPromptSubmit", "prompt": "`+line+`"}`, "--agent", "codex")
	w.claude("UserPromptSubmit", obj{"prompt": line, "source": "timer"})
	if len(w.ran) != 0 {
		t.Errorf("it ran %q", w.ran)
	}
	if w.claude("UserPromptSubmit", obj{"prompt": line, "source": "user"}); len(w.ran) != 1 {
		t.Errorf("for its user it ran %q", w.ran)
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"": nil,
		` todo  add 2 "Look at the logs first" --priority high `: {"todo", "add", "2", "Look at the logs first", "--priority", "high"},
		`todo add Mend the user's "file`:                         {"todo", "add", "Mend", "the", "user's", `"file`},
		`todo add "a"b "" c`:                                     {"todo", "add", `"a"b`, "", "c"},
	} {
		if got := words(line); !slices.Equal(got, want) {
			t.Errorf("%q has the words %q, want %q", line, got, want)
		}
	}
}
