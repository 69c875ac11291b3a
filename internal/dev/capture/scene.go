package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// A scene is what is seen on one picture.
type scene struct {
	name          string
	title         string
	width, height int
	command       []string // of pawl; none: a shell
	shows         []string // what is on the picture, whatever the day
	story         func(s *stage)
}

//go:embed plan.md
var plan string

var scenes = []scene{
	{
		name: "first", title: "A plan, an agent at work on it, and what Pawl tells the agent after its conversation was compacted",
		width: 88, height: 13,
		shows: []string{"pawl plan plan.md", "in a row", "compacted", "The conversation was summarised", "Parse statements", "Recover after an error"},
		story: (*stage).first,
	},
	{
		name: "board", title: "pawl board: what is blocked, ready, in progress and done",
		width: 120, height: 30, command: []string{"board"},
		shows: []string{"Blocked", "Ready", "In progress", "Write the parser", "Write the manual", "Release 1.0"},
		story: func(s *stage) {
			s.compiler()
			s.open()
			s.sees("Write the parser", "In progress 2", "12 min")
			s.keep()
		},
	},
	{
		name: "live", title: "pawl board: a task is completed, what waited for it is ready, and somebody takes one of them",
		width: 120, height: 18, command: []string{"board"},
		shows: []string{"Completed #3", "waits for #3", "bob"},
		story: func(s *stage) {
			s.compiler()
			s.open()
			s.sees("▌ ◆ #10 Write the manual")
			s.press("Right", "Home")
			s.sees("▌ → #3 Write the parser")
			s.keep()
			s.press("d")
			s.sees("Completed #3", "◆ #6 Resolve names", "◆ #5 Errors")
			s.keep()
			s.run("carol", "claim", "6")
			s.run("carol", "update", "6", "--active-form", "Naming scopes")
			s.sees("→ #6 Resolve names", "Naming scopes")
			s.keep()
		},
	},
	{
		name: "graph", title: "pawl board: what a task waits for, and what waits for it",
		width: 120, height: 22, command: []string{"board", "9"},
		shows: []string{"Around", "Golden tests", "Check types", "Release 1.0", "Longest chain"},
		story: func(s *stage) {
			s.compiler()
			s.open()
			s.sees("Around #9", "Write the parser", "Release 1.0")
			s.keep()
		},
	},
	{
		name: "panel", title: "pawl todo --follow: the todos of an agent's session, and what it does for the current one",
		width: 60, height: 16, command: []string{"todo", "--follow"},
		shows: []string{"Parse statements", "go test", "running", "Recover after an error"},
		story: func(s *stage) {
			s.agent()
			s.open()
			s.sees("Parse statements", "(running 3 s)")
			s.keep()
		},
	},
}

// compiler is a plan that some work on.
func (s *stage) compiler() {
	s.do(func() error { return os.WriteFile(filepath.Join(s.dir, "plan.md"), []byte(plan), 0o644) })
	s.run("ada", "plan", "plan.md")
	s.run("ada", "done", "1", "2")
	s.run("ada", "claim", "3", "--lease", "15m")
	s.run("ada", "update", "3", "--active-form", "Writing the parser's tests")
	s.run("bob", "claim", "4", "--lease", "15m")
	s.run("bob", "update", "4", "--active-form", "Emitting loops")
	s.run("ada", "hold", "11", "legal has to answer")
	s.age(1, 3*time.Hour)
	s.age(2, 40*time.Minute)
	s.age(3, 12*time.Minute)
	s.age(4, 3*time.Minute)
}

// age has something happened to a task some time ago, as an editor of its file
// may say.
func (s *stage) age(id int, by time.Duration) {
	s.do(func() error {
		name := filepath.Join(s.dir, ".tasks", fmt.Sprintf("task_%d.json", id))
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text = happened.ReplaceAllFunc(text, func(line []byte) []byte {
			parts := happened.FindSubmatch(line)
			at, parseErr := time.Parse(time.RFC3339, string(parts[2]))
			err = errors.Join(err, parseErr)
			return fmt.Appendf(nil, "%s%s", parts[1], at.Add(-by).Format("2006-01-02T15:04:05.000Z"))
		})
		if err != nil {
			return err
		}
		return os.WriteFile(name, text, 0o644)
	})
}

var happened = regexp.MustCompile(`("(?:created|started|completed)At": ")([^"]*)`)

// tell tells what an agent does, as Claude Code's hooks do.
func (s *stage) tell(event string, fields map[string]any) {
	all := map[string]any{"session_id": "parser", "cwd": s.dir, "hook_event_name": event}
	maps.Copy(all, fields)
	s.do(func() error {
		payload, err := json.Marshal(all)
		if err != nil {
			return err
		}
		return s.pawl(bytes.NewReader(payload), "hook", "--agent", "claude")
	})
}

// agent is a session with a list, in the middle of its work.
func (s *stage) agent() {
	todo := func(content, status string, more ...string) map[string]any {
		t := map[string]any{"content": content, "status": status, "activeForm": content}
		for i := 0; i+1 < len(more); i += 2 {
			t[more[i]] = more[i+1]
		}
		return t
	}
	s.tell("SessionStart", map[string]any{"source": "startup"})
	s.tell("PostToolUse", map[string]any{"tool_name": "TodoWrite", "tool_use_id": "1", "tool_response": map[string]any{}, "tool_input": map[string]any{"todos": []any{
		todo("Read the grammar", "completed"),
		todo("Parse expressions", "completed"),
		todo("Parse statements", "in_progress", "priority", "high"),
		todo("Recover after an error", "pending"),
		todo("Update the manual", "pending", "priority", "low"),
	}}})
	for i, call := range []struct {
		tool, key, value string
		ended            bool
	}{
		{"Read", "file_path", "parse/expr.go", true}, {"Edit", "file_path", "parse/stmt.go", true},
		{"Grep", "pattern", "func.*Stmt", true}, {"Edit", "file_path", "parse/stmt_test.go", true}, {"Bash", "command", "go test ./parse", false},
	} {
		fields := map[string]any{"tool_name": call.tool, "tool_use_id": fmt.Sprint(10 + i), "tool_input": map[string]any{call.key: call.value}}
		s.tell("PreToolUse", fields)
		if call.ended {
			fields["tool_response"] = map[string]any{}
			s.tell("PostToolUse", fields)
		}
	}
}

// first is the first screen of the README: a plan, a compaction, and the plan is
// back.
func (s *stage) first() {
	s.tell("SessionStart", map[string]any{"source": "startup"})
	for name, text := range map[string]string{
		"plan.md": "1. Write the parser\n2. Write the emitter\n3. Test both\n4. Release 1.0\n",
		// Claude Code's input to a hook, and the part of the answer that the agent reads.
		"compacted.json": `{"session_id":"parser","cwd":"` + s.dir + `","hook_event_name":"SessionStart","source":"compact"}`,
		"compacted":      "#!/bin/sh\npawl hook --agent claude <compacted.json | sed 's/.*\"additionalContext\":\"//; s/\"}}$//; s/.u003c/</g; s/.u003e/>/g; s/\\\\n/\\n/g'\necho\n",
	} {
		s.do(func() error { return os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o755) })
	}
	s.run("ada", "init")
	s.open()
	s.enter("pawl plan plan.md")
	s.sees("in a row")
	s.keep()
	s.do(func() error { return s.pawl(nil, "claim", "1", "--as", "claude", "--session", "parser") })
	s.tell("PostToolUse", map[string]any{"tool_name": "TodoWrite", "tool_use_id": "1", "tool_response": map[string]any{}, "tool_input": map[string]any{"todos": []any{
		map[string]any{"content": "Parse expressions", "status": "completed", "activeForm": "Parsing expressions"},
		map[string]any{"content": "Parse statements", "status": "in_progress", "activeForm": "Parse statements"},
		map[string]any{"content": "Recover after an error", "status": "pending", "activeForm": "Recovering"},
	}}})
	s.enter("clear", "# an agent takes the first task, and plans its steps", "pawl list", "pawl todo --session parser")
	s.sees("Recover after an error")
	s.keep()
	s.enter("clear", "# its conversation is compacted: what Pawl's hook tells it then", "./compacted")
	s.sees("</pawl-recovery>")
	s.keep()
}
