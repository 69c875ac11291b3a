package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// A Session is what is known of a session of a program where the tools that it has
// depend on it.
type Session struct {
	Model  string              // empty: nobody has told
	Args   []string            // the program's own, with its name; nil: not known
	Getenv func(string) string // the program's environment, as its hooks have it
}

// Owns says whether a session has a tool.
type Owns int

// The answers.
const (
	Unknown Owns = iota
	Has
	Lacks
)

// A family is models of one vendor: those that its own program gives a todo list. The
// vendor says of the others that they plan without one.
type family struct {
	name   string
	listed []string // patterns
}

// families are of 2026-11-28: Claude Code 2.1.332 (its notes to 2.1.233 give the reason:
// newer models keep track without a list, and its tools and reminders take up context),
// Gemini CLI 0.61.0, Codex 0.171.0, each as it offered tools to these models.
var families = []family{
	{"claude-", []string{
		"claude-3*", "claude-opus-4", "claude-opus-4@*", "claude-sonnet-4", "claude-sonnet-4@*", "claude-opus-4-0*", "claude-opus-4-1*", "claude-opus-4-2025*", "claude-opus-4-5*", "claude-opus-4-6*", "claude-opus-4-7*",
		"claude-sonnet-4-0*", "claude-sonnet-4-2025*", "claude-sonnet-4-5*", "claude-sonnet-4-6*", "claude-haiku-4-5*",
	}},
	{"gemini-", []string{"gemini-2.5*"}},
	{"gpt-", nil},
}

// Listed reports whether a model is one that its vendor gives a todo list. It is not
// known of a model that belongs to no family of these.
func Listed(model string) (listed, known bool) {
	model = strings.ToLower(model)
	for _, f := range families {
		// A provider's name may stand before it: us.anthropic.claude-opus-4-7-v1:0.
		_, rest, is := strings.Cut(model, f.name)
		if !is {
			continue
		}
		name := f.name + rest
		if f.name == "claude-" { // Copilot CLI: claude-opus-4.8
			name = strings.ReplaceAll(name, ".", "-")
		}
		return slices.ContainsFunc(f.listed, func(pattern string) bool { return Match(pattern, name) }), true
	}
	return false, false
}

// Has says whether a session has a tool of the program's own for a list.
func (h *Hooks) Has(s Session, tool string) Owns {
	switch {
	case h.Owns != nil:
		return h.Owns(s, tool)
	case tool == h.Native:
		return Has
	}
	return Unknown
}

// Habit reports whether a session's model plans without being told to, or may do so:
// then no list is proposed to it.
func (h *Hooks) Habit(model string) bool {
	if listed, known := Listed(model); known {
		return !listed
	}
	return !h.EachModel
}

// Flag is the value of the first of some flags in a command line: --model opus, -m=opus.
func (s *Session) Flag(names ...string) string {
	for i, arg := range s.Args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case !slices.Contains(names, name):
		case joined:
			return value
		case i+1 < len(s.Args):
			return s.Args[i+1]
		}
	}
	return ""
}

// ModelIn is the model of the last answer in the end of a transcript as Claude Code writes
// it, one entry a line; empty: no answer is whole in it.
//
//	{"type": "assistant", "isSidechain": false, "message": {"model": "claude-opus-5-5", …}}
func ModelIn(transcript []byte) (model string) {
	entries(transcript, `"assistant"`, func(e *entry) bool {
		if e.Type == "assistant" && !e.Helper && !strings.HasPrefix(e.Message.Model, "<") { // <synthetic>: the program's own words
			model = e.Message.Model
		}
		return model == ""
	})
	return model
}

// GoalIn reports whether a goal of the person's is active, by the last entry about one in
// the end of such a transcript. The program writes it when the goal is set or cleared, and
// whenever it has judged at a stop whether it is met (seen in 2.1.332).
//
//	{"type": "attachment", "attachment": {"type": "goal_status", "met": false, "condition": "all tests pass"}}
func GoalIn(transcript []byte) (active, known bool) {
	entries(transcript, `"goal_status"`, func(e *entry) bool {
		if known = e.Attachment.Type == "goal_status" && !e.Helper; known {
			active = !e.Attachment.Met
		}
		return !known
	})
	return active, known
}

type entry struct {
	Type    string `json:"type"`
	Helper  bool   `json:"isSidechain"`
	Message struct {
		Model string `json:"model"`
	} `json:"message"`
	Attachment struct {
		Type string `json:"type"`
		Met  bool   `json:"met"`
	} `json:"attachment"`
}

// entries goes backward through those that have a word in them, until more says false.
func entries(transcript []byte, word string, more func(*entry) bool) {
	for len(transcript) > 0 {
		at := bytes.LastIndexByte(transcript, '\n')
		line := transcript[at+1:]
		transcript = transcript[:max(at, 0)]
		var e entry
		if bytes.Contains(line, []byte(word)) && json.Unmarshal(line, &e) == nil && !more(&e) {
			return
		}
	}
}
