package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What setup says that a session begins with is not less than it is.
func TestStartTokens(t *testing.T) {
	instructions := must.Get(os.ReadFile("../../../mcpserver/instructions.md"))(t)
	front, _, _ := strings.Cut(strings.TrimPrefix(string(integrations.Skill()), "---\n"), "\n---\n")
	if n := len(instructions) + len(front); n > aside || n < aside*3/4 {
		t.Errorf("the instructions and the skill's description have %d bytes, and aside says %d", n, aside)
	}
	if n := len(offeredTools()); n != 8 {
		t.Errorf("%d tools", n)
	}
	for n, want := range map[int]int{7: 7, 99: 99, 101: 110, 1790: 1800, 1800: 1800, 12_001: 13_000} {
		if got := roundUp(n); got != want {
			t.Errorf("%d is rounded to %d, want %d", n, got, want)
		}
	}
}

// Each event of each agent has a word that people know.
func TestEventKind(t *testing.T) {
	for event, want := range map[string]string{
		"SessionStart": "start", "sessionEnd": "end", "UserPromptSubmit": "prompt", "beforeSubmitPrompt": "prompt", "BeforeAgent": "prompt", "AfterAgent": "stop",
		"PreToolUse": "tools", "pre_run_command": "tools", "TaskCreated": "tools", "SubagentStop": "subagents", "preCompact": "compaction", "agentStop": "stop", "Interrupt": "stop",
	} {
		if got := eventKind(event); got != want {
			t.Errorf("%s is %q, want %q", event, got, want)
		}
	}
}
