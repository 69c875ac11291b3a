package claude

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// Payload is what Claude Code writes to a hook, as far as Pawl reads it:
//
//	{"session_id": "0f0d…", "hook_event_name": "Stop", "stop_hook_active": false, …}
//
// Codex and Qwen Code use the same Names, and others nearly do.
type Payload struct {
	Name      string `json:"hook_event_name"`
	Session   string `json:"session_id"`
	Dir       string `json:"cwd"`
	Model     string `json:"model"` // in all events of Codex, in a start of others
	Mode      string `json:"permission_mode"`
	Path      string `json:"transcript_path"`
	Agent     string `json:"agent_id"` // only in the events of a subagent
	AgentType string `json:"agent_type"`

	PromptID string `json:"prompt_id"`
	TurnID   string `json:"turn_id"` // Codex

	Source string `json:"source"` // of a start, and of a prompt
	Prompt string `json:"prompt"`

	Tool      string          `json:"tool_name"`
	Input     json.RawMessage `json:"tool_input"`
	Output    json.RawMessage `json:"tool_response"`
	Error     json.RawMessage `json:"error"` // of PostToolUseFailure; of other events it is something else
	ToolUse   string          `json:"tool_use_id"`
	Millis    float64         `json:"duration_ms"`
	Active    bool            `json:"stop_hook_active"`
	LastWords string          `json:"last_assistant_message"`
	Jobs      []job           `json:"background_tasks"`
	Timers    []timer         `json:"session_crons"`

	Reason string `json:"reason"` // of PermissionDenied and of SessionEnd

	TaskID      string `json:"task_id"`
	TaskSubject string `json:"task_subject"`

	Timestamp     json.RawMessage `json:"timestamp"`      // of Copilot CLI, Qwen Code and others
	CursorVersion string          `json:"cursor_version"` // of Cursor
}

// A job is a background task. A subagent that is about to stop is
// itself one of those that run.
type job struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// A timer wakes the agent with a prompt. One that does not recur is how the agent waits
// for something; of the others it is not known.
type timer struct {
	Recurs *bool `json:"recurring"`
}

func decode(in *Payload, name string, getenv func(string) string) (agent.Event, error) {
	if in.byOther(getenv) {
		return agent.Event{Name: in.Name, Session: in.Session, Dir: in.Dir}, nil
	}
	e := in.Event(name)
	e.Transcript = in.Path
	if getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0" { // claude -p, and the like
		e.Nobody = true
	}
	if e.Name == "PermissionDenied" {
		// The call had begun, and this is all that is heard of it.
		in.call(&e, nudge.CallEnds)
		e.Output = agent.JSON(in.Reason)
		e.Call.Failed = true
	}
	return e, nil
}

// byOther reports whether it is another program that runs Claude Code's hooks:
// Copilot CLI runs those of a project, Cursor those of its user. For these Pawl
// has hooks of their own, and each event would count twice, with an answer that
// nobody reads. Claude Code itself writes neither field.
func (in *Payload) byOther(getenv func(string) string) bool {
	return in.CursorVersion != "" || in.Timestamp != nil && getenv("COPILOT_CLI") == "1"
}

// Event is what the payload means in Claude Code, and in programs that follow
// it. name is the event where the payload does not say it.
func (in *Payload) Event(name string) agent.Event {
	e := agent.Event{
		Name: cmp.Or(in.Name, name), Session: in.Session, Agent: in.Agent, Dir: in.Dir, Model: in.Model, Turn: cmp.Or(in.TurnID, in.PromptID),
	}
	e.Alone, e.Plans = unattended(in.Mode), in.Mode == "plan"

	switch e.Name {
	case "SessionStart":
		e.Kind, e.Source = nudge.Start, agent.StartSource(in.Source)
	case "UserPromptSubmit":
		if strings.TrimSpace(in.Prompt) == "" {
			break
		}
		e.Kind, e.Text = nudge.Prompt, in.Prompt
		e.Notice = !byPerson(in.Source) || strings.HasPrefix(in.Prompt, "<task-notification>")
	case "PreToolUse":
		in.call(&e, nudge.CallBegins)
	case "PostToolUse":
		in.call(&e, nudge.CallEnds)
		e.Output = in.Output
		e.Call.Failed = agent.Failed(in.Output)
	case "PostToolUseFailure":
		in.call(&e, nudge.CallEnds)
		e.Output = in.Error
		e.Call.Failed = true
	case "PreCompact":
		e.Kind = nudge.Compaction
	case "Stop":
		in.stop(&e)
	case "StopFailure":
		e.Kind = nudge.Interrupt
	case "SubagentStart":
		// The program's own helpers, as the one that summarises, have no type.
		if in.Agent != "" && in.AgentType != "" {
			e.Kind, e.Helper, e.Agent = nudge.HelperStart, in.Agent, ""
		}
	case "SubagentStop":
		if in.Agent != "" && in.AgentType != "" {
			in.stop(&e)
			e.Helper = in.Agent
		}
	case "SessionEnd":
		e.Kind, e.Source = nudge.End, agent.EndSource(in.Reason)
	case "TaskCreated":
		e.Tasks = []agent.NativeTask{{ID: in.TaskID, Subject: in.TaskSubject, Status: "pending"}}
	case "TaskCompleted":
		e.Tasks = []agent.NativeTask{{ID: in.TaskID, Subject: in.TaskSubject, Status: "completed"}}
	}
	return e
}

func (in *Payload) call(e *agent.Event, kind nudge.Kind) {
	e.Kind = kind
	e.Tool, e.ToolUse, e.Input = in.Tool, in.ToolUse, in.Input
	e.Seconds = in.Millis / 1000
}

func (in *Payload) stop(e *agent.Event) {
	e.Kind, e.Text, e.Active = nudge.Stop, in.LastWords, in.Active
	for _, job := range in.Jobs {
		if (job.Status == "running" || job.Status == "pending") && (job.ID == "" || job.ID != in.Agent) {
			e.Jobs++
		}
	}
	for _, timer := range in.Timers {
		if timer.Recurs != nil && !*timer.Recurs {
			e.Jobs++
		}
	}
}

// unattended reports whether a permission mode says that nobody is asked.
func unattended(mode string) bool {
	return mode == "bypassPermissions" || mode == "dontAsk" || mode == "yolo"
}

// byPerson reports whether a prompt with this source was written by somebody:
// the user, or the program that drives the agent for one. All others are timers
// and messages of the client. Older versions tell no source.
func byPerson(source string) bool {
	return source == "" || source == "user" || source == "sdk"
}

// Output is what Claude Code reads from a hook.
type Output struct {
	Continue   *bool     `json:"continue,omitempty"`
	StopReason string    `json:"stopReason,omitempty"`
	Message    string    `json:"systemMessage,omitempty"` // shown to the person
	Decision   string    `json:"decision,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Specific   *Specific `json:"hookSpecificOutput,omitempty"`
}

type Specific struct {
	Name    string `json:"hookEventName"`
	Context string `json:"additionalContext,omitempty"`
	Permit  string `json:"permissionDecision,omitempty"`
	Why     string `json:"permissionDecisionReason,omitempty"`
	Quiet   bool   `json:"suppressOriginalPrompt,omitempty"` // with a prompt that is handled: do not repeat it
}

func encode(e agent.Event, a agent.Answer) []byte {
	var out Output
	switch e.Kind {
	case nudge.CallBegins:
		if !out.Refuse(e, a.Refuse) {
			out.Tell(e, a.Context)
		}
	case nudge.Start, nudge.HelperStart:
		out.Tell(e, a.Context)
	case nudge.Prompt:
		if out.Block(a.Handled) {
			out.Specific = &Specific{Name: e.Name, Quiet: true}
		} else {
			out.Tell(e, a.Context)
		}
	case nudge.CallEnds:
		if e.Name == "PermissionDenied" {
			break // takes neither, and refuses an answer that has one
		}
		out.Tell(e, a.Context)
		if a.EndTurn != "" {
			out.Continue, out.StopReason = new(bool), a.EndTurn
		}
	case nudge.Stop:
		// A block would be shown to the person as an error of the hook.
		out.Tell(e, a.Continue)
	case nudge.Compaction:
	default:
		return nil
	}
	out.Message = a.Notice
	return agent.Output(out)
}

// Answer fills in what programs have in common that follow Claude Code, and reports
// whether there is an answer to such an event.
func (out *Output) Answer(e agent.Event, a agent.Answer) bool {
	switch e.Kind {
	case nudge.CallBegins:
		if !out.Refuse(e, a.Refuse) {
			out.Tell(e, a.Context)
		}
	case nudge.Start, nudge.CallEnds, nudge.HelperStart:
		out.Tell(e, a.Context)
	case nudge.Prompt:
		if !out.Block(a.Handled) {
			out.Tell(e, a.Context)
		}
	case nudge.Stop:
		out.Block(a.Continue)
	default:
		return e.Kind == nudge.Compaction
	}
	return true
}

func (out *Output) Tell(e agent.Event, text string) {
	if text != "" {
		out.Specific = &Specific{Name: e.Name, Context: text}
	}
}

// Block refuses what is about to happen, if there is a reason, and reports
// whether there was: at a stop the agent goes on with it, at a prompt its user
// reads it.
func (out *Output) Block(reason string) bool {
	if reason == "" {
		return false
	}
	out.Decision, out.Reason = "block", reason
	return true
}

// Refuse keeps a tool from running, if there is a reason, and reports whether there
// was: the agent reads it.
func (out *Output) Refuse(e agent.Event, why string) bool {
	if why == "" {
		return false
	}
	out.Specific = &Specific{Name: e.Name, Permit: "deny", Why: why}
	return true
}
