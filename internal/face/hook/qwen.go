package hook

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/nudge"
)

// qwenInput is what Qwen Code writes: Claude Code's names and some of its own.
type qwenInput struct {
	claudeInput
	Time    string `json:"timestamp"`
	Typed   string `json:"submitted_prompt"` // not always told, as where the keys of vi are used
	TodoID  string `json:"todo_id"`
	Content string `json:"todo_content"`
	Status  string `json:"todo_status"` // of TodoCreated
	Phase   string `json:"phase"`       // of the events of todos
}

// decodeQwen reads an event of Qwen Code. Its UserPromptSubmit comes with each
// result of a tool too, without a text, and with what a stop hook said.
func decodeQwen(name string, payload []byte, _ func(string) string) (Event, error) {
	var in qwenInput
	if err := json.Unmarshal(payload, &in); err != nil {
		return Event{}, fmt.Errorf("an event of Qwen Code: %w", err)
	}
	e := in.event(name)
	e.At = in.Time
	if e.Kind == nudge.Prompt && strings.HasPrefix(in.Typed, "/pawl:") {
		e.Text = in.Typed // the prompt is what the command stands for
	}
	// Both events of a todo come twice: before it is kept, when it may yet be
	// refused, and after.
	if in.Phase == "validation" {
		return e, nil
	}
	switch e.Name {
	case "TodoCreated":
		e.Tasks = []NativeTask{{ID: in.TodoID, Subject: in.Content, Status: in.Status}}
	case "TodoCompleted":
		e.Tasks = []NativeTask{{ID: in.TodoID, Subject: in.Content, Status: "completed"}}
	}
	return e, nil
}

// encodeQwen writes an answer for Qwen Code. It drops context that comes before
// a tool runs, shows the person a message only at the main agent's stop, and
// takes what would end the turn in Claude Code for the output of the tool.
func encodeQwen(e Event, a Answer) []byte {
	var out claudeOutput
	switch e.Kind {
	case nudge.Start, nudge.CallEnds, nudge.HelperStart:
		out.context(e, a.Context)
	case nudge.Prompt:
		if !out.block(a.Handled) {
			out.context(e, a.Context)
		}
	case nudge.Stop:
		out.block(a.Continue)
		if e.Agent == "" {
			out.Message = a.Notice
		}
	}
	return out.json()
}
