package claude

import (
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// Read is json.Unmarshal, several times as fast for what Claude Code writes. It
// saves 0.25 ms of 6.5 ms CPU time of a whole hook, which is why it is here.
func (in *Payload) Read(payload []byte) error {
	if scan(payload, in) {
		return nil
	}
	*in = Payload{}
	return json.Unmarshal(payload, in)
}

func scan(payload []byte, in *Payload) bool {
	return jsonscan.All(payload, func(s *jsonscan.Scan) {
		s.Some(append(in.Fields(s), jsonscan.Key("timestamp", &in.Timestamp))...)
	})
}

// Fields are those of the payload that s reads, but for the timestamp: not every program
// has that as it comes.
func (in *Payload) Fields(s *jsonscan.Scan) []jsonscan.Field {
	return []jsonscan.Field{
		jsonscan.Key("hook_event_name", &in.Name),
		jsonscan.Key("session_id", &in.Session),
		jsonscan.Key("cwd", &in.Dir),
		jsonscan.Key("permission_mode", &in.Mode),
		jsonscan.Key("agent_id", &in.Agent),
		jsonscan.Key("agent_type", &in.AgentType),
		jsonscan.Key("prompt_id", &in.PromptID),
		jsonscan.Key("turn_id", &in.TurnID),
		jsonscan.Key("source", &in.Source),
		jsonscan.Key("prompt", &in.Prompt),
		jsonscan.Key("tool_name", &in.Tool),
		jsonscan.Key("tool_input", &in.Input),
		jsonscan.Key("tool_response", &in.Output),
		jsonscan.Key("error", &in.Error),
		jsonscan.Key("tool_use_id", &in.ToolUse),
		jsonscan.Key("duration_ms", &in.Millis),
		jsonscan.Key("stop_hook_active", &in.Active),
		jsonscan.Key("last_assistant_message", &in.LastWords),
		jsonscan.Key("background_tasks", func() {
			jsonscan.Objects(s, &in.Jobs, 0, func(j *job) { s.Some(jsonscan.Key("id", &j.ID), jsonscan.Key("status", &j.Status)) })
		}),
		jsonscan.Key("session_crons", func() {
			jsonscan.Objects(s, &in.Timers, 0, func(t *timer) {
				s.Some(jsonscan.Key("recurring", func() {
					recurs := s.Bool()
					t.Recurs = &recurs
				}))
			})
		}),
		jsonscan.Key("reason", &in.Reason),
		jsonscan.Key("task_id", &in.TaskID),
		jsonscan.Key("task_subject", &in.TaskSubject),
		jsonscan.Key("cursor_version", &in.CursorVersion),
	}
}
