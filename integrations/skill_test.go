package integrations_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// What the form of a skill allows, and how much of it an agent should have to
// read.
const (
	maxSkillDescription = 1024
	maxSkillLines       = 120
)

func TestSkill(t *testing.T) {
	text := string(integrations.Skill())
	head := regexp.MustCompile(`(?s)\A---\nname: pawl\ndescription: ([^\n:]+)\nlicense: MIT\n---\n`).FindStringSubmatch(text)
	if head == nil || len(head[1]) > maxSkillDescription {
		t.Error("the head of SKILL.md is not that of a skill in the folder pawl")
	}
	if n := strings.Count(text, "\n"); n > maxSkillLines {
		t.Errorf("SKILL.md has %d lines, and at most %d are meant to be read", n, maxSkillLines)
	}

	var want []string
	for _, tl := range tool.New(tool.Options{Board: tool.OneBoard(nil), Todos: &todo.Service{}}) {
		want = append(want, tl.Name)
	}
	got := regexp.MustCompile(`\b(?:todo|task)_[a-z]+\b`).FindAllString(text, -1)
	slices.Sort(want)
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("SKILL.md names the tools %v, and there are %v", got, want)
	}

	verbs := regexp.MustCompile("`pawl ([a-z]+)").FindAllStringSubmatch(text, -1)
	if len(verbs) == 0 {
		t.Error("SKILL.md shows no command")
	}
	for _, m := range verbs {
		if !slices.Contains(cli.Verbs(), m[1]) {
			t.Errorf("SKILL.md shows pawl %s, which is no verb", m[1])
		}
	}
}

// TestSkillExamples makes each call that the skill shows, on a board with
// twelve tasks of which the last one is the caller's where the call changes it.
func TestSkillExamples(t *testing.T) {
	calls := regexp.MustCompile("(?s)`((?:todo|task)_[a-z]+) (\\{[^`]+\\})\n?`").FindAllStringSubmatch(
		strings.ReplaceAll(string(integrations.Skill()), "```", "`"), -1)
	if len(calls) < 8 {
		t.Fatalf("SKILL.md shows %d calls", len(calls))
	}
	for _, call := range calls {
		ctx := context.Background()
		board := pawl.NewBoard(memory.New())
		tools := map[string]tool.Tool{}
		for _, tl := range tool.New(tool.Options{Board: tool.OneBoard(board), Todos: todo.New(todomem.New(), time.Now)}) {
			tools[tl.Name] = tl
		}
		me := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
		do := func(name, args string) tool.Result { return tools[name].Call(ctx, me, json.RawMessage(args)) }
		for i := range 12 {
			do("task_create", fmt.Sprintf(`{"subject": "Task %d"}`, i+1))
		}
		if call[1] == "task_update" {
			do("task_claim", `{"taskId": 12}`)
		}
		if r := do(call[1], call[2]); r.Err != nil {
			t.Errorf("%s %s: %s", call[1], call[2], r.LLMContent)
		}
		must.Do(t, board.Close())
	}
}

// TestCommandsAreAnswered types each chat command, and expects the hook to run
// it: what it would say of a word that it does not know is not a command line.
func TestCommandsAreAnswered(t *testing.T) {
	entries, err := fs.ReadDir(integrations.ClaudeCommands(), ".")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no commands: %v", err)
	}
	dir := t.TempDir()
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		var ran []string
		var out bytes.Buffer
		payload := must.Get(json.Marshal(map[string]string{
			"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": dir, "prompt": "/pawl:" + name + " on",
		}))(t)
		hook.Run(context.Background(), hook.Env{
			Args: []string{"--agent", "claude"}, Stdin: bytes.NewReader(payload), Stdout: &out, Stderr: os.Stderr, Dir: dir, Now: time.Now,
			Getenv: func(key string) string {
				return map[string]string{"HOME": dir, "XDG_STATE_HOME": dir, "XDG_CONFIG_HOME": dir}[key]
			},
			Todos: func(string) (*todo.Service, error) { return todo.New(todomem.New(), time.Now), nil },
			Command: func(_ context.Context, _ string, args []string) (string, int) {
				ran = args
				return "said", 0
			},
		})
		if len(ran) == 0 || !strings.Contains(out.String(), "said") && !strings.Contains(out.String(), name+": on in this session") {
			t.Errorf("/pawl:%s ran %q, and the hook said %s", name, ran, out.String())
		}
	}
}
