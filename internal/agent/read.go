package agent

import (
	"bytes"
	"encoding/json"

	"github.com/pawl-dev/pawl/nudge"
)

// Helpers for the payloads of several programs.

// EndSource tells the end of a conversation that another one follows in the same
// program.
func EndSource(reason string) nudge.Source {
	if reason == string(nudge.Clear) {
		return nudge.Clear
	}
	return ""
}

// StartSource reads the source of a start. One that is not known here keeps a
// conversation, or there would be no word for it.
func StartSource(source string) nudge.Source {
	switch s := nudge.Source(source); s {
	case nudge.Startup, nudge.Resume, nudge.Clear, nudge.Compact, nudge.Fork:
		return s
	case "":
		return nudge.Startup
	}
	return nudge.Resume
}

// Failed reports whether what a tool returned says that it failed: an MCP
// result that is an error, {"success": false} of the client's own tools.
func Failed(output json.RawMessage) bool {
	if !bytes.HasPrefix(output, []byte("{")) {
		return false
	}
	var out struct {
		Success *bool `json:"success"`
		IsError bool  `json:"isError"`
		IsErr   bool  `json:"is_error"`
	}
	if json.Unmarshal(output, &out) != nil {
		return false
	}
	return out.IsError || out.IsErr || out.Success != nil && !*out.Success
}

// Unquoted returns the value in a string that is one: some programs write a
// call's arguments as text.
func Unquoted(args json.RawMessage) json.RawMessage {
	var text string
	if !bytes.HasPrefix(args, []byte(`"`)) || json.Unmarshal(args, &text) != nil {
		return args
	}
	if inner := []byte(text); json.Valid(inner) {
		return inner
	}
	return args
}

// JSON writes a value that can always be written: strings and flags.
func JSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}
