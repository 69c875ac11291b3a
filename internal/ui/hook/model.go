package hook

import (
	"cmp"
	"os"

	"github.com/pawl-dev/pawl/internal/agent"
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
