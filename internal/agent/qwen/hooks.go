package qwen

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Qwen Code writes: Claude Code's names and some of its own.
type input struct {
	claude.Payload
	Time    string `json:"timestamp"`
	Typed   string `json:"submitted_prompt"` // not always told, as where the keys of vi are used
	TodoID  string `json:"todo_id"`
	Content string `json:"todo_content"`
	Status  string `json:"todo_status"` // of TodoCreated
	Phase   string `json:"phase"`       // of the events of todos
}

// decode reads an event of Qwen Code. Its UserPromptSubmit comes with each
// result of a tool too, without a text, and with what a stop hook said.
func decode(in *input, name string, _ func(string) string) (agent.Event, error) {
	e := in.Event(name)
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
		e.Tasks = []agent.NativeTask{{ID: in.TodoID, Subject: in.Content, Status: in.Status}}
	case "TodoCompleted":
		e.Tasks = []agent.NativeTask{{ID: in.TodoID, Subject: in.Content, Status: "completed"}}
	}
	return e, nil
}

// encode writes an answer for Qwen Code. It drops context that comes before
// a tool runs, shows the person a message only at the main agent's stop, and
// takes what would end the turn in Claude Code for the output of the tool.
func encode(e agent.Event, a agent.Answer) []byte {
	var out claude.Output
	if e.Kind == nudge.CallBegins {
		a.Context = ""
	}
	out.Answer(e, a)
	if e.Kind == nudge.Stop && e.Agent == "" {
		out.Message = a.Notice
	}
	return agent.Output(out)
}
