package hook

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// command carries out what a person types for Pawl in the chat, where the
// program can keep it from the agent. The rest of the line is as on the command
// line:
//
//	/pawl:todo add 2 Write tests     pawl todo add 2 Write tests
//	/pawl:resume                     pawl todo resume
//	/pawl:continuation off           pawl config set todo-continuation off --scope session
//	/pawl:quiet 2h                   pawl quiet 2h
//
// Only a person gives them: a client's own prompts and those that an agent
// writes for its subagent give none.
func (s *session) command(ctx context.Context, e agent.Event) (said string, ours bool) {
	if e.Notice || s.key.Agent != "" {
		return "", false
	}
	if !s.client.Hooks.Handles || s.env.Command == nil {
		return "", false
	}
	name, rest, ours := chatCommand(e.Text)
	if !ours {
		return "", false
	}
	words, err := chatWords(rest)
	if err != "" {
		return "Pawl: " + err, true
	}
	args, ok := commandLine(name, words)
	if !ok {
		return "Pawl has no /pawl:" + name + ". There are /pawl:todo, /pawl:resume, /pawl:continuation, /pawl:reminders, /pawl:quiet and /pawl:panel.", true
	}
	if args[0] == "todo" && len(words) > 0 && words[0] == "forget" { // what answers here writes it again
		return "Pawl: a session that still writes is not erased. When it has ended, in a terminal: pawl todo forget --session " + s.key.Session, true
	}
	text, code := s.env.Command(ctx, s.place.project, append(args, "--session", s.key.Session))
	switch {
	case args[0] != "config":
	case len(words) == 0:
		text = strings.TrimRight(text, "\n") + "\nSwitch it for this session: /pawl:" + name + " on, /pawl:" + name + " off"
	case code == 0:
		text = name + ": " + words[0] + " in this session"
	}
	return chatText(text, s.key.Session), true
}

// forPawl reports whether a prompt is a command for Pawl.
func forPawl(text string) bool { _, _, ours := chatCommand(text); return ours }

// chatCommand reads the line of a command. Where the program has put the words
// of a person into a text of ours, a line with a place for them that it does not
// know is not a command.
func chatCommand(text string) (name, rest string, ours bool) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		name, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
		if name, ours = strings.CutPrefix(name, "/pawl:"); !ours {
			return "", "", false
		}
		if rest = strings.TrimSpace(rest); rest != "{{args}}" {
			break
		}
	}
	return strings.ToLower(name), rest, ours
}

// chatWords are the words of a command, as a shell has them. A quote within a
// word is an apostrophe. err says what is wrong, for a person.
func chatWords(line string) (words []string, err string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t") {
		var word strings.Builder
		for begins := true; line != "" && line[0] != ' ' && line[0] != '\t'; begins = false {
			quote := line[0]
			if !begins && !strings.HasSuffix(word.String(), "=") || quote != '"' && quote != '\'' {
				word.WriteByte(quote)
				line = line[1:]
				continue
			}
			text, rest, ended := quoted(line[1:], quote)
			if !ended {
				return nil, "a quote is begun with " + string(quote) + " and not ended: end it, or leave it out"
			}
			word.WriteString(text)
			line = rest
		}
		if w := word.String(); w == "--session" || strings.HasPrefix(w, "--session=") {
			return nil, "here it is always the list of this session: leave --session out. Another one's is seen in a terminal, with pawl todo --session ID"
		}
		words = append(words, word.String())
	}
	return words, ""
}

// quoted is what stands before the quote that ends a text, and what behind it.
// Between double quotes a backslash takes the meaning from a quote or another
// backslash.
func quoted(line string, quote byte) (text, rest string, ended bool) {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == quote:
			return b.String(), line[i+1:], true
		case quote == '"' && line[i] == '\\' && i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\\'):
			i++
		}
		b.WriteByte(line[i])
	}
	return "", "", false
}

// chatText is what the command line says, as it fits into a chat: there the
// session goes without saying, and the next step is a command of the chat.
func chatText(text, session string) string {
	text = strings.ReplaceAll(text, " --session "+session, "")
	text = strings.ReplaceAll(text, "pawl help todo", "/pawl:todo help")
	text = strings.ReplaceAll(text, "pawl todo resume", "/pawl:resume")
	text = strings.ReplaceAll(text, "pawl todo", "/pawl:todo")
	text = strings.ReplaceAll(text, "pawl quiet", "/pawl:quiet")
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
		if len(rest) == 1 && rest[0] == "help" {
			return []string{"help", "todo"}, true
		}
		return append([]string{"todo"}, rest...), true
	case "resume":
		return append([]string{"todo", "resume"}, rest...), true
	case "quiet":
		return append([]string{"quiet"}, rest...), true
	case "continuation", "reminders", "panel":
		if len(rest) == 0 {
			return []string{"config", "explain", name}, true
		}
		return append([]string{"config", "set", name}, append(rest, "--scope", "session")...), true
	}
	return nil, false
}
