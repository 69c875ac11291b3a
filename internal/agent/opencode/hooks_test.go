package opencode

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
)

// What opencode run puts between quotation marks is a prompt, and not a quotation
// of one, which asks for nothing.
func TestTyped(t *testing.T) {
	for given, want := range map[string]string{
		`"First read it, then test it."`:        "First read it, then test it.",
		`"Rename \"a b\" to \"c\", then stop."`: `Rename "a b" to "c", then stop.`,
		"\"one\ntwo\"\n":                        "one\ntwo",
		`"a b" and "c d"`:                       `"a b" and "c d"`,
		`say "hello"`:                           `say "hello"`,
		`"`:                                     `"`,
		``:                                      ``,
	} {
		text, _ := said(agent.JSON(map[string]any{"parts": []any{map[string]any{"type": "text", "text": given}}}))
		if text != want {
			t.Errorf("%q is read as %q, want %q", given, text, want)
		}
	}
}

// The plugin of opencode has a place for the command.
func TestPluginCommand(t *testing.T) {
	if text := pluginText("/opt/pawl"); !strings.Contains(text, `process.env.PAWL_BIN || "/opt/pawl"`) {
		t.Error("the plugin calls something else")
	}
}
