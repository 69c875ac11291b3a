package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/store/file"
)

// BenchmarkHook answers events in one process, on a board and lists of files:
// what is left of a hook without its start. proof/bench measures all of it.
func BenchmarkHook(b *testing.B) {
	project, home := b.TempDir(), b.TempDir()
	board := filepath.Join(project, ".tasks")
	if _, err := file.Init(board, file.Unchanged); err != nil {
		b.Fatal(err)
	}
	tasks, err := boards.Open(board)
	if err != nil {
		b.Fatal(err)
	}
	var create pawl.Create
	for i := range 100 {
		create.Tasks = append(create.Tasks, pawl.NewTask{Subject: fmt.Sprint("Step ", i)})
	}
	if _, err := tasks.Do(b.Context(), pawl.Request{By: pawl.Actor{Name: "bench"}, Op: create}, 0); err != nil {
		b.Fatal(err)
	}
	if err := tasks.Close(); err != nil {
		b.Fatal(err)
	}
	env := hook.Env{
		Args: []string{"--agent", "claude"}, Stdout: io.Discard, Stderr: io.Discard, Dir: project, Now: time.Now, Open: openQuick, Todos: lists,
		Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
	}
	send := func(b *testing.B, event string, n int, more map[string]any) {
		payload := map[string]any{"session_id": "bench", "cwd": project, "hook_event_name": event, "prompt_id": fmt.Sprint("prompt-", n), "tool_use_id": fmt.Sprint("toolu_", n)}
		for key, value := range more {
			payload[key] = value
		}
		text, err := json.Marshal(payload)
		if err != nil {
			b.Fatal(err)
		}
		env.Stdin = bytes.NewReader(text)
		hook.Run(b.Context(), env)
	}
	todos := func(n int) map[string]any {
		var all []map[string]any
		for i := range 20 {
			status := []string{"pending", "completed"}[(i+n)%2]
			all = append(all, map[string]any{"content": fmt.Sprint("Carry part ", i, " over"), "activeForm": fmt.Sprint("Carrying part ", i), "status": status})
		}
		return map[string]any{"tool_name": "TodoWrite", "tool_input": map[string]any{"todos": all}}
	}
	n := 0
	for _, event := range []struct {
		name, event string
		more        func() map[string]any
	}{
		{"TodoWrite", "PostToolUse", func() map[string]any { return todos(n) }},
		{"Start", "SessionStart", func() map[string]any { return map[string]any{"source": "compact"} }},
		{"Prompt", "UserPromptSubmit", func() map[string]any { return map[string]any{"prompt": fmt.Sprint("What does round.go do? ", n)} }},
		{"Large", "PostToolUse", func() map[string]any {
			return map[string]any{"tool_name": "Read", "tool_response": map[string]any{"content": strings.Repeat("\tif cents < 0 {\n", 4<<10)}}
		}},
		{"Stop", "Stop", func() map[string]any { return map[string]any{"last_assistant_message": fmt.Sprint("It rounds. ", n)} }},
	} {
		b.Run(event.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n++
				send(b, event.event, n, event.more())
			}
		})
	}
}
