package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// hooked is what was measured of `pawl hook`, as an agent's program starts it.
type hooked struct {
	Runs   int
	Boards []hookBoard
}

// A hookBoard is what the events cost on one board. A limit is the median of
// the starts that were measured in turns with its event, and hookLimit.
type hookBoard struct {
	Size   int
	Events []hookFigure
}

// A hookFigure also has by how much the least time of an event was above the
// least start: what is left where other programs disturb the machine least.
type hookFigure struct {
	figure
	Least ms
}

func (h *hooked) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "medians of %d runs\n\n| event, at so many tasks | took | limit | of it | | the least, above a start |\n|---|---:|---:|---:|---|---:|\n", h.Runs)
	for _, board := range h.Boards {
		for _, e := range board.Events {
			fmt.Fprintf(&b, "| %s: %s | %v ms | %v ms | %s | %v ms |\n", thousands(board.Size), e.Name, e.Took, e.Limit, share(int64(e.Took), int64(e.Limit)), e.Least)
		}
	}
	return b.String()
}

// measureHooks has an agent work on each of the boards.
func measureHooks(p plan) (*hooked, error) {
	h := &hooked{Runs: p.runs}
	for _, size := range p.sizes {
		p.say("hooks on %s tasks", thousands(size))
		a := &agent{pawl: p.pawl, project: projectOf(p.dir, size), home: filepath.Join(p.work, strconv.Itoa(size)), events: map[string]*paired{}}
		if err := a.work(p.runs); err != nil {
			return nil, err
		}
		h.Boards = append(h.Boards, hookBoard{size, a.figures()})
	}
	return h, nil
}

// An agent is one that works on a board: a session with todos and two claimed
// tasks, and another one with nothing.
type agent struct {
	pawl, project, home string

	round  int
	names  []string // of the events, in the order in which they came first
	events map[string]*paired
	clock  []time.Duration // of each event, by the clock
	late   int             // events that a server did not answer in time, and that went on without it
}

// paired are the times of an event, and those of the starts just before.
type paired struct{ took, start []time.Duration }

const (
	busySession, idleSession = "bench-busy", "bench-idle"
	hookTodos                = 20
	largeOutput              = 64 << 10 // of a tool that read a file
)

// A step is an event: its name in Claude Code, what is in it beside what is in
// all, and what has to be in the answer for the event to have had its effect.
// One without a name only leads to the next.
type step struct {
	name, event, session string
	payload              map[string]any
	answer               string
}

// steps returns those of one round. All that distinguishes two events contains the
// number of the round.
func (a *agent) steps() []step {
	n := strconv.Itoa(a.round)
	read := map[string]any{"file_path": "/src/ledger/round.go", "offset": a.round}
	edit := func(output int) map[string]any {
		return map[string]any{"tool_name": "Read", "tool_input": read, "tool_use_id": "toolu_read" + n, "duration_ms": 12,
			"tool_response": map[string]any{"type": "text", "file": map[string]any{"content": strings.Repeat("\tif cents < 0 { return \"owed\" }\n", output/32)}}}
	}
	own := map[string]any{"tool_name": "mcp__pawl__todo_read", "tool_input": map[string]any{"verbose": a.round}, "tool_use_id": "toolu_own" + n,
		"tool_response": []any{map[string]any{"type": "text", "text": "1. [ ] Step 1"}}}
	return []step{
		{"SessionStart, startup", "SessionStart", busySession, map[string]any{"source": "startup"}, "Step"},
		{"UserPromptSubmit, simple", "UserPromptSubmit", busySession, map[string]any{"prompt": "What does round.go do? (" + n + ")"}, ""},
		{"UserPromptSubmit, complex", "UserPromptSubmit", busySession, map[string]any{"prompt": complexPrompt + n}, ""},
		{"PreToolUse, the agent's own tool", "PreToolUse", busySession, edit(0), ""},
		{"PostToolUse, the same", "PostToolUse", busySession, edit(2 << 10), ""},
		{"", "PreToolUse", busySession, toolUse(edit(0), "toolu_large"+n), ""},
		{"PostToolUse, with 64 KiB", "PostToolUse", busySession, toolUse(edit(largeOutput), "toolu_large"+n), ""},
		{"PreToolUse, a tool of Pawl's", "PreToolUse", busySession, own, ""},
		{"PostToolUse, the same tool", "PostToolUse", busySession, own, ""},
		{"PostToolUse, TodoWrite of 20 todos", "PostToolUse", busySession, a.todoWrite(), ""},
		{"Stop, with open todos", "Stop", busySession, map[string]any{"last_assistant_message": "The ledger rounds now. " + n}, "Continue working on this task"},
		{"SubagentStop", "SubagentStop", busySession, map[string]any{"agent_id": "helper", "agent_type": "Explore", "last_assistant_message": "Found " + n}, ""},
		{"SessionStart, compact", "SessionStart", busySession, map[string]any{"source": "compact"}, "Step"},
		{"UserPromptSubmit, complex, without a list", "UserPromptSubmit", idleSession, map[string]any{"prompt": complexPrompt + n}, ""},
		{"Stop, with nothing open", "Stop", idleSession, map[string]any{"last_assistant_message": "It does nothing. " + n}, ""},
		{"SessionEnd", "SessionEnd", idleSession, map[string]any{"reason": "other"}, ""},
		{"SessionEnd, which gives back two tasks", "SessionEnd", busySession, map[string]any{"reason": "other"}, ""},
	}
}

const complexPrompt = `Please do the following for the payments service, in this order:

1. Read internal/ledger/*.go and write down every place that rounds money.
2. Replace float64 amounts with an integer type, and keep the wire format.
3. Add table tests for rounding, refunds, partial captures and zero amounts.
4. Migrate the column from NUMERIC to BIGINT, with the way back.
5. Then update the API description and regenerate the client.

Round `

func toolUse(payload map[string]any, id string) map[string]any {
	payload["tool_use_id"] = id
	return payload
}

// todoWrite changes each todo.
func (a *agent) todoWrite() map[string]any {
	var todos []map[string]any
	for i := range hookTodos {
		status := "pending"
		if (i+a.round)%2 == 0 {
			status = "completed"
		}
		todos = append(todos, map[string]any{
			"content": fmt.Sprintf("Step %d: carry the ledger over", i+1), "activeForm": fmt.Sprintf("Carrying over part %d", i+1), "status": status,
		})
	}
	input := map[string]any{"todos": todos}
	return map[string]any{"tool_name": "TodoWrite", "tool_input": input, "tool_use_id": "toolu_todos" + strconv.Itoa(a.round),
		"tool_response": map[string]any{"oldTodos": todos, "newTodos": todos}}
}

// work does everything once in each round. The first one only warms up.
func (a *agent) work(rounds int) error {
	for range rounds + 1 {
		for range 2 {
			if _, _, err := a.run(nil, "claim"); err != nil {
				return err
			}
		}
		time.Sleep(20 * time.Millisecond) // see course.settle
		for _, s := range a.steps() {
			if err := a.measure(s); err != nil {
				return err
			}
		}
		if a.round == 0 {
			a.names, a.events, a.clock = nil, map[string]*paired{}, nil
		}
		a.round++
	}
	log, err := os.ReadFile(filepath.Join(a.home, "state", "pawl", "hook.log"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if a.late = strings.Count(string(log), "does not answer within"); err == nil && a.late == 0 {
		err = fmt.Errorf("hooks failed: %s", log)
	}
	return err
}

// payload is what Claude Code writes to its hook.
func (a *agent) payload(s step) ([]byte, error) {
	payload := map[string]any{
		"session_id": s.session, "cwd": a.project, "hook_event_name": s.event, "permission_mode": "default",
		"transcript_path": "/home/dev/.claude/projects/ledger/" + s.session + ".jsonl", "prompt_id": "prompt-" + strconv.Itoa(a.round),
	}
	maps.Copy(payload, s.payload)
	return json.Marshal(payload)
}

// measure starts the binary for nothing, and then for an event.
func (a *agent) measure(s step) error {
	text, err := a.payload(s)
	if err != nil {
		return err
	}
	_, start, err := a.run(nil, "version")
	if err != nil {
		return err
	}
	began := time.Now()
	answer, took, err := a.run(text, "hook", "--agent", "claude")
	a.clock = append(a.clock, time.Since(began))
	if err != nil {
		return err
	}
	if !strings.Contains(answer, s.answer) {
		return fmt.Errorf("%s in round %d is answered with %q, which lacks %q", s.name, a.round, answer, s.answer)
	}
	if s.name == "" {
		return nil
	}
	if a.events[s.name] == nil {
		a.names = append(a.names, s.name)
		a.events[s.name] = &paired{}
	}
	pair := a.events[s.name]
	pair.took, pair.start = append(pair.took, took), append(pair.start, start)
	return nil
}

// run runs the binary in the project, as an agent's program does, and says what
// CPU time it took.
func (a *agent) run(input []byte, args ...string) (string, time.Duration, error) {
	cmd := exec.Command(a.pawl, args...)
	cmd.Dir = a.project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + a.home, "XDG_STATE_HOME=" + filepath.Join(a.home, "state"),
		"PAWL_AGENT=claude", "PAWL_SESSION=" + busySession,
	}
	var said, failed strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(input)), &said, &failed
	if err := cmd.Run(); err != nil {
		return "", 0, fmt.Errorf("%v: %w\n%s", args, err, &failed)
	}
	return said.String(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func (a *agent) figures() []hookFigure {
	var figures []hookFigure
	for _, name := range a.names {
		pair := a.events[name]
		f := figure{name, ms(median(pair.took)), ms(median(pair.start) + hookLimit)}
		figures = append(figures, hookFigure{f, ms(slices.Min(pair.took) - slices.Min(pair.start))})
	}
	return figures
}
