package hook

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// maxScript is how much of a transcript's end is read: several answers.
const maxScript = 64 << 10

// about is what is known of the session's model and program: what the conversation says
// last, then an event, then how the program was started.
func (s *session) about() agent.Session {
	if s.facts != nil {
		return *s.facts
	}
	s.facts = &agent.Session{Getenv: s.env.Getenv}
	if s.process() != "" {
		s.facts.Args = s.agent.Args()
	}
	h := s.client.Hooks
	s.facts.Model = cmp.Or(agent.ModelIn(endOf(s.script, maxScript)), s.mem.Model, s.facts.Flag("--model", "-m"))
	if h.Model != "" {
		s.facts.Model = cmp.Or(s.facts.Model, s.env.Getenv(h.Model))
	}
	return *s.facts
}

// goal reports whether the program goes on by a goal of its person's: what the conversation
// says last of it, else whether one was set and no other conversation has begun.
func (s *session) goal() bool {
	if s.key.Agent != "" {
		return false
	}
	if active, known := agent.GoalIn(endOf(s.script, maxScript)); known {
		s.mem.Goal = active
	}
	return s.mem.Goal
}

// goalSet notes a goal that a person sets or ends with a prompt, as Claude Code takes it:
// /goal all tests pass.
func (s *session) goalSet(e *agent.Event) {
	switch words := strings.Fields(e.Text); {
	case e.Kind == nudge.Start && e.Source != nudge.Compact && e.Source != nudge.Resume:
		s.mem.Goal = false
	case e.Kind != nudge.Prompt || e.Notice || e.Transcript == "" || len(words) < 2 || words[0] != "/goal": // without a transcript nobody knows when it is met
	default:
		s.mem.Goal = len(words) > 2 || !slices.Contains([]string{"clear", "stop", "off", "reset", "none", "cancel", "pause", "status", "show"}, words[1])
	}
}

// endOf is the end of a regular file; nil: there is none.
func endOf(path string, most int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	end := make([]byte, min(info.Size(), most))
	n, _ := file.ReadAt(end, info.Size()-int64(len(end)))
	return end[:n]
}
