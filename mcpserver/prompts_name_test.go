package mcpserver

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Programs make commands of prompts, Gemini CLI by their bare names: one that it
// has itself is renamed, and the person told of it at each start.
func TestPromptNames(t *testing.T) {
	text, err := os.ReadFile("testdata/wire/2025-11-25.txtar") // what the server answers
	must.Do(t, err)
	var names []string
	for _, list := range regexp.MustCompile(`"prompts":\[.*`).FindAll(text, -1) {
		for _, m := range regexp.MustCompile(`"name":"([^"]+)","title"`).FindAllSubmatch(list, -1) {
			names = append(names, string(m[1]))
		}
	}
	if len(names) != 2 {
		t.Fatalf("the prompts are %q", names)
	}
	for _, own := range []string{"plan", "resume", "chat", "clear", "compress", "help", "init", "memory", "restore", "stats", "tasks", "tools"} {
		if slices.Contains(names, own) {
			t.Errorf("%s is a command of Gemini CLI's own", own)
		}
	}
}
