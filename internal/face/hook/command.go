package hook

import (
	"context"
	"strings"
)

// command carries out what a person types for Pawl in the chat, where the
// program can keep it from the agent. What the line says more is as on the
// command line:
//
//	/pawl:todo add 2 Write tests     pawl todo add 2 Write tests
//	/pawl:resume                     pawl todo resume
//	/pawl:continuation off           pawl config set todo-continuation off --scope session
//
// They are of whoever sits there: a client's own prompts and those that an agent
// writes for its subagent give none.
func (s *session) command(ctx context.Context, e Event) (said string, ours bool) {
	if e.Notice || s.key.Agent != "" {
		return "", false
	}
	line, _, _ := strings.Cut(strings.TrimSpace(e.Text), "\n")
	words := words(line)
	if !s.d.Handles || s.env.Command == nil || len(words) == 0 {
		return "", false
	}
	name, ours := strings.CutPrefix(words[0], "/pawl:")
	if !ours {
		return "", false
	}
	args, ok := commandLine(name, words[1:])
	if !ok {
		return "Pawl has no /pawl:" + name + ". There are /pawl:todo, /pawl:resume, /pawl:continuation, /pawl:reminders and /pawl:panel.", true
	}
	text, _ := s.env.Command(ctx, s.place.project, append(args, "--session", s.key.Session))
	return chatText(text, s.key.Session), true
}

// words are the words of a line; one in double quotes may hold spaces. Nothing
// else is special: people write apostrophes.
func words(line string) []string {
	var all []string
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		if inner, quoted := strings.CutPrefix(rest, `"`); quoted {
			word, after, closed := strings.Cut(inner, `"`)
			if closed && (after == "" || after[0] == ' ') {
				all, rest = append(all, word), after
				continue
			}
		}
		word, after, _ := strings.Cut(rest, " ")
		all, rest = append(all, word), after
	}
	return all
}

// chatText is what the command line says, as it fits into a chat: there the
// session goes without saying, and the next step is a command of the chat.
func chatText(text, session string) string {
	text = strings.ReplaceAll(text, " --session "+session, "")
	text = strings.ReplaceAll(text, "pawl todo resume", "/pawl:resume")
	text = strings.ReplaceAll(text, "pawl todo", "/pawl:todo")
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString(strings.TrimPrefix(line, "pawl: "))
	}
	return b.String()
}

// commandLine is what a chat command means on the command line.
func commandLine(name string, rest []string) ([]string, bool) {
	switch name {
	case "todo":
		return append([]string{"todo"}, rest...), true
	case "resume":
		return append([]string{"todo", "resume"}, rest...), true
	case "continuation", "reminders", "panel":
		if len(rest) == 0 {
			return []string{"config", "explain", name}, true
		}
		return append([]string{"config", "set", name}, append(rest, "--scope", "session")...), true
	}
	return nil, false
}
