package claude

import (
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// Names are the keys of Payload.
var Names = []string{
	"hook_event_name", "session_id", "cwd", "permission_mode", "agent_id", "agent_type", "prompt_id", "turn_id", "source", "prompt",
	"tool_name", "tool_input", "tool_response", "error", "tool_use_id", "duration_ms", "stop_hook_active", "last_assistant_message",
	"background_tasks", "session_crons", "reason", "task_id", "task_subject",
	"timestamp", "cursor_version",
}

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
		s.Object(func(key []byte) {
			if !in.Field(s, key) {
				s.Other(key, Names...)
			}
		})
	})
}

// Field reads the value of one of Names.
func (in *Payload) Field(s *jsonscan.Scan, key []byte) bool {
	switch string(key) {
	case "hook_event_name":
		in.Name = s.Text()
	case "session_id":
		in.Session = s.Text()
	case "cwd":
		in.Dir = s.Text()
	case "permission_mode":
		in.Mode = s.Text()
	case "agent_id":
		in.Agent = s.Text()
	case "agent_type":
		in.AgentType = s.Text()
	case "prompt_id":
		in.PromptID = s.Text()
	case "turn_id":
		in.TurnID = s.Text()
	case "source":
		in.Source = s.Text()
	case "prompt":
		in.Prompt = s.Text()
	case "tool_name":
		in.Tool = s.Text()
	case "tool_input":
		in.Input = s.Raw()
	case "tool_response":
		in.Output = s.Raw()
	case "error":
		in.Error = s.Raw()
	case "tool_use_id":
		in.ToolUse = s.Text()
	case "duration_ms":
		in.Millis = s.Float()
	case "stop_hook_active":
		in.Active = s.Bool()
	case "last_assistant_message":
		in.LastWords = s.Text()
	case "background_tasks":
		s.Once(in.Jobs == nil)
		in.Jobs = jobs(s)
	case "session_crons":
		s.Once(in.Timers == nil)
		in.Timers = timers(s)
	case "reason":
		in.Reason = s.Text()
	case "task_id":
		in.TaskID = s.Text()
	case "task_subject":
		in.TaskSubject = s.Text()
	case "timestamp":
		in.Timestamp = s.Raw()
	case "cursor_version":
		in.CursorVersion = s.Text()
	default:
		return false
	}
	return true
}

func jobs(s *jsonscan.Scan) []job {
	jobs := []job{}
	s.Array(func() {
		var job job
		s.Object(func(key []byte) {
			switch string(key) {
			case "id":
				job.ID = s.Text()
			case "status":
				job.Status = s.Text()
			default:
				s.Other(key, "id", "status")
			}
		})
		jobs = append(jobs, job)
	})
	return jobs
}

func timers(s *jsonscan.Scan) []timer {
	timers := []timer{}
	s.Array(func() {
		var timer timer
		s.Object(func(key []byte) {
			if string(key) == "recurring" {
				recurs := s.Bool()
				timer.Recurs = &recurs
			} else {
				s.Other(key, "recurring")
			}
		})
		timers = append(timers, timer)
	})
	return timers
}
