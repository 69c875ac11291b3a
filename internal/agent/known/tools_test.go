package known

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/agenttest"
)

// What is said of a session's own list agrees with the tools that each program offered its
// models: see agenttest.Offers.
func TestHas(t *testing.T) {
	said := map[agent.Owns]int{}
	for _, a := range Agents {
		for _, o := range agenttest.Offers(t, filepath.Join("..", a.Name)) {
			for i := range a.Lists {
				tool := a.Lists[i].Name
				if makes := a.Lists[i].Makes; a.Lists[i].Read == nil || makes != "" && makes != tool {
					continue
				}
				has := a.Hooks.Has(o.Session(), tool)
				said[has]++
				if there := slices.Contains(o.Tools, tool); has == agent.Has && !there || has == agent.Lacks && there {
					t.Errorf("%s: with the model %q, %v and %v, %s: %v; it offered %v", a.Name, o.Model, o.Args, o.Env, tool, has, o.Tools)
				}
				if has == agent.Unknown && tool == "TaskCreate" && o.Model != "mock" {
					t.Errorf("nothing is known of the model %s", o.Model)
				}
			}
		}
	}
	for _, has := range []agent.Owns{agent.Unknown, agent.Has, agent.Lacks} {
		if said[has] < 10 {
			t.Errorf("only %d answers are %v", said[has], has)
		}
	}
}

// Models are recognised under the names that providers give them.
func TestListed(t *testing.T) {
	for name, want := range map[string][2]bool{
		"claude-opus-4-7": {true, true}, "us.anthropic.claude-opus-4-7-v1:0": {true, true}, "claude-sonnet-4.6": {true, true}, "Claude-Haiku-4-5-20251001": {true, true},
		"claude-opus-4-20250514": {true, true}, "anthropic/claude-sonnet-4": {true, true}, "claude-opus-4@20250514": {true, true}, "claude-opus-4-8": {false, true}, "claude-opus-5-5": {false, true}, "anthropic/claude-sonnet-5": {false, true},
		"claude-3-5-sonnet-20241022": {true, true}, "models/gemini-2.5-pro": {true, true}, "gemini-3-pro-preview": {false, true}, "gpt-5.5": {false, true},
		"qwen3-coder-plus": {}, "mock": {}, "": {}, "claude": {},
	} {
		if listed, known := agent.Listed(name); listed != want[0] || known != want[1] {
			t.Errorf("%q: %v, known: %v; want %v", name, listed, known, want)
		}
	}
}

// The model is that of the last answer of the main agent that is whole.
func TestModelIn(t *testing.T) {
	answer := func(model, more string) string {
		return `{"type":"assistant","message":{"model":"` + model + `","content":[{"type":"tool_use","input":{"model":"haiku"}}]}` + more + "}\n"
	}
	for text, want := range map[string]string{
		"":                            "",
		answer("claude-opus-4-7", ""): "claude-opus-4-7",
		answer("claude-opus-4-7", "") + answer("claude-haiku-4-5", `,"isSidechain":true`) + answer("<synthetic>", "") + `{"type":"user","message":{"content":"\"assistant\""}}` + "\n": "claude-opus-4-7",
		answer("claude-opus-4-7", "") + answer("claude-opus-5-5", "") + `{"type":"assistant","mess`:                                                                                    "claude-opus-5-5",
		`ssage":{"model":"claude-opus-4-7"},"type":"assistant"}` + "\n":                                                                                                                "",
		"\n\n\xff\n": "",
	} {
		if got := agent.ModelIn([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A goal is active until the last that is said of it.
func TestGoalIn(t *testing.T) {
	said := func(met bool) string {
		return fmt.Sprintf(`{"type":"attachment","isSidechain":false,"attachment":{"type":"goal_status","met":%t,"condition":"all there"}}`, met) + "\n"
	}
	for text, want := range map[string][2]bool{
		"": {}, said(false): {true, true}, said(false) + said(true): {false, true}, said(true) + said(false) + `{"type":"user","message":{"content":"the \"goal_status\""}}` + "\n": {true, true},
		said(true)[1:]: {},
	} {
		if active, known := agent.GoalIn([]byte(text)); active != want[0] || known != want[1] {
			t.Errorf("%q: %v, known: %v; want %v", text, active, known, want)
		}
	}
}
