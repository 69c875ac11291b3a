package qwen

import (
	"strings"
	"testing"
)

// Versions of Qwen Code differ in what stands for the words of a person: the
// commands have both.
func TestQwenCommands(t *testing.T) {
	texts := commands()
	for name, text := range texts {
		command := "/pawl:" + strings.TrimSuffix(name, ".md")
		if !strings.Contains(text, "\n---\n"+command+" {{args}}\n"+command+" $ARGUMENTS\n") || strings.Contains(text, "allowed-tools") {
			t.Errorf("%s is %s", name, text)
		}
	}
	if len(texts) < 5 {
		t.Errorf("they are only %d", len(texts))
	}
}
