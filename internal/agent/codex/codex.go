// Package codex is what Pawl knows of Codex.
package codex

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Codex.
var Agent = agent.Agent{
	Name: "codex", Title: "Codex",
	Marks:    []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"},
	Session:  "CODEX_THREAD_ID",
	Clients:  []string{"codex"},
	Data:     []string{"codex-mcp-client"}, // seen in 0.169
	Meta:     meta,
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Codex", decode), Encode: encode, Refuses: true,
		Handles: true, Prints: []string{"exec", "e", "review"}, Shown: "mcp__pawl__", // update_plan depends on the model
	},
	Lists: []agent.ListTool{{Name: "update_plan", Read: agent.WholeList}},
}

// meta reads the session and the thread, which differ in a subagent:
//
//	{"sessionId": "01a1…a0", "threadId": "01a1…0e", "x-codex-turn-metadata": {"session_id": …, "thread_id": …}}
func meta(field func(path ...string) string) agent.Meta {
	session, thread := field("sessionId"), field("threadId")
	if session == "" {
		session, thread = field("x-codex-turn-metadata", "session_id"), field("x-codex-turn-metadata", "thread_id")
	}
	if thread == session {
		thread = "" // the main one
	}
	return agent.Meta{Session: session, Agent: thread}
}
