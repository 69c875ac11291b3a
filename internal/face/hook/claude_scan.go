package hook

import (
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// claudeNames are the keys of claudeInput.
var claudeNames = []string{
	"hook_event_name", "session_id", "cwd", "permission_mode", "agent_id", "agent_type", "prompt_id", "turn_id", "source", "prompt",
	"tool_name", "tool_input", "tool_response", "error", "tool_use_id", "duration_ms", "stop_hook_active", "last_assistant_message",
	"background_tasks", "reason", "task_id", "task_subject",
	"timestamp", "cursor_version",
}

// read is json.Unmarshal, several times as fast for what Claude Code writes.
func (in *claudeInput) read(payload []byte) error {
	if scanClaude(payload, in) {
		return nil
	}
	*in = claudeInput{}
	return json.Unmarshal(payload, in)
}

func scanClaude(payload []byte, in *claudeInput) bool {
	return jsonscan.All(payload, func(s *jsonscan.Scan) {
		s.Object(func(key []byte) {
			if !in.field(s, key) {
				s.Other(key, claudeNames...)
			}
		})
	})
}

// field reads the value of one of claudeNames.
func (in *claudeInput) field(s *jsonscan.Scan, key []byte) bool {
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
		in.Jobs = claudeJobs(s)
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

func claudeJobs(s *jsonscan.Scan) []claudeJob {
	jobs := []claudeJob{}
	s.Array(func() {
		var job claudeJob
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

// outcome is what the result of a tool says of how it went.
type outcome struct {
	Success *bool `json:"success"`
	IsError bool  `json:"isError"`
	IsErr   bool  `json:"is_error"`
}

func (out *outcome) read(text []byte) error {
	quick := jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Object(func(key []byte) {
			switch string(key) {
			case "success":
				success := s.Bool()
				out.Success = &success
			case "isError":
				out.IsError = s.Bool()
			case "is_error":
				out.IsErr = s.Bool()
			default:
				s.Other(key, "success", "isError", "is_error")
			}
		})
	})
	if quick {
		return nil
	}
	*out = outcome{}
	return json.Unmarshal(text, out)
}
