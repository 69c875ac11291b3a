package codex

import "github.com/pawl-dev/pawl/internal/agent"

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
