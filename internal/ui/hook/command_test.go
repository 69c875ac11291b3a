package hook

import (
	"strings"
	"testing"
)

// What an agent writes to its subagent, or a client on its own, is not a command of
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

// The words of a command are split as a shell splits them, and the list is the
// session's own.
func TestCommandWords(t *testing.T) {
	for line, want := range map[string]string{
		`/pawl:todo add 2 "Look at the logs first" --priority high`: `todo|add|2|Look at the logs first|--priority|high`,
		`/pawl:todo edit 1 'a "b"' --note="c \"d\" \e"`:             `todo|edit|1|a "b"|--note=c "d" \e`,
		`/pawl:todo add Don't forget`:                               `todo|add|Don't|forget`,
		`/pawl:TODO help`:                                           `help|todo`,
		`/pawl:todo add "" x`:                                       `todo|add||x`,
		"/pawl:todo {{args}}\n/pawl:todo done 2\n\nThis is":         `todo|done|2`,
		"/pawl:todo done 2\n/pawl:todo $ARGUMENTS":                  `todo|done|2`,
		`/pawl:todo add "open`:                                      ``,
		`/pawl:todo done 1 --session other`:                         ``,
		`/pawl:todo done 1 --session=other`:                         ``,
	} {
		w := newWorld(t)
		answer := w.claude("UserPromptSubmit", obj{"prompt": line})
		got := ""
		for _, args := range w.ran {
			got += strings.TrimSuffix(strings.Join(args, "|"), "|--session|s1")
		}
		if got != want || !strings.Contains(answer, `"decision":"block"`) {
			t.Errorf("%s: ran %q, want %q; the answer is %s", line, got, want, answer)
		}
	}
}
