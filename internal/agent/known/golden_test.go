package known_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/nudge"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// atLeast is how many lines there are of an agent, so that none gets lost.
var atLeast = map[string]int{
	"claude": 215, "codex": 70, "qwen": 83, "vscode": 12, "goose": 11, "crush": 14,

	"gemini": 105, "llxprt": 9, "copilot": 79, "opencode": 253, "cursor": 18, "windsurf": 7,
}

// hooked are the agents that have hooks.
func hooked() (all []*agent.Agent) {
	for _, a := range known.Agents {
		if a.Hooks != nil {
			all = append(all, a)
		}
	}
	return all
}

// allFiles are the files with lines of all agents.
func allFiles(t testing.TB) (all []string) {
	for _, a := range hooked() {
		all = append(all, agenttest.Files(t, folder(a))...)
	}
	return all
}

func folder(a *agent.Agent) string { return filepath.Join("..", a.Name) }

// TestRecorded decodes each line, and compares the event with the golden file
// beside: NAME.jsonl, NAME.golden.
func TestRecorded(t *testing.T) {
	for _, a := range hooked() {
		count := 0
		for _, file := range agenttest.Files(t, folder(a)) {
			t.Run(a.Name+" "+strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
				var got bytes.Buffer
				for i, l := range agenttest.Lines(t, file) {
					if l.Agent != a.Name {
						t.Fatalf("line %d is of %s", i+1, l.Agent)
					}
					count++
					e, err := l.Decode(a.Hooks)
					if err != nil {
						ours, _, _ := strings.Cut(err.Error(), ": json: ") // what follows is Go's, and changes with it
						fmt.Fprintf(&got, "%d %s error: %s\n", i+1, l.Event, ours)
						continue
					}
					fmt.Fprintf(&got, "%d %s\n", i+1, show(e))
					if e.Name != l.Event {
						t.Errorf("line %d is %s, decoded as %q", i+1, l.Event, e.Name)
					}
				}
				golden(t, strings.TrimSuffix(file, ".jsonl")+".golden", got.Bytes())
			})
		}
		if want := max(1, atLeast[a.Name]); count < want {
			t.Errorf("%s: %d lines, want at least %d", a.Name, count, want)
		}
	}
}

// TestAnswers encodes each kind of answer to each kind of event that the lines
// of an agent have, and compares with testdata/answers.golden. An event that is
// not there can be answered by nothing.
func TestAnswers(t *testing.T) {
	for _, a := range hooked() {
		var events []agent.Event // the first of each kind
		for _, file := range agenttest.Files(t, folder(a)) {
			for _, l := range agenttest.Lines(t, file) {
				e, err := l.Decode(a.Hooks)
				if err != nil {
					continue
				}
				alike := func(o agent.Event) bool {
					return o.Name == e.Name && o.Kind == e.Kind && (o.Agent == "") == (e.Agent == "")
				}
				if !slices.ContainsFunc(events, alike) {
					events = append(events, e)
				}
			}
		}
		t.Run(a.Name, func(t *testing.T) {
			var got bytes.Buffer
			for _, e := range events {
				if out := a.Hooks.Encode(e, agent.Answer{}); out != nil {
					t.Errorf("%s: an empty answer is %q, want nothing", e.Name, out)
				}
				said := false
				for _, s := range agenttest.Samples {
					out := a.Hooks.Encode(e, s.Answer)
					if out == nil {
						continue
					}
					if !json.Valid(out) {
						t.Errorf("%s, %s: not JSON: %s", e.Name, s.Name, out)
					}
					if !said {
						fmt.Fprintf(&got, "%s (%s)\n", e.Name, strings.TrimSpace(string(e.Kind)+" "+whose(e)))
						said = true
					}
					fmt.Fprintf(&got, "  %s: %s\n", s.Name, out)
				}
			}
			if mute := a.Name == "windsurf"; mute != (got.Len() == 0) {
				t.Errorf("%d bytes of answers, from one that cannot answer: %v", got.Len(), mute)
			}
			golden(t, filepath.Join(folder(a), "testdata", "answers.golden"), got.Bytes())
		})
	}
}

// TestAccepted gives each agent the text that it took from the recorder's hook,
// and compares the answer with the one that it took. What is written another
// way on purpose is in other, with the reason.
func TestAccepted(t *testing.T) {
	other := map[string]string{
		"claude Stop, block":         "context continues the agent too, and is not shown as an error",
		"claude SubagentStop, block": "the same",
		"qwen PreToolUse":            "the program takes it and drops it",
	}
	count := map[string]int{}
	for _, file := range allFiles(t) {
		for i, l := range agenttest.Lines(t, file) {
			a := known.Find(l.Agent)
			accepted, text := accepted(t, l)
			way := l.Agent + " " + l.Event
			blocks := bytes.Contains(l.Stdout, []byte("block"))
			if blocks {
				way += ", block"
			}
			if accepted == nil || other[way] != "" {
				continue
			}
			e, err := l.Decode(a.Hooks)
			if err != nil {
				t.Errorf("%s:%d: %v", file, i+1, err)
				continue
			}
			if e.Kind == "" {
				continue // it means nothing to Pawl, which does not answer it
			}
			var got any
			answer := agent.Answer{Context: text, Continue: text}
			if blocks && e.Kind == nudge.Prompt {
				answer = agent.Answer{Handled: text}
			}
			out := a.Hooks.Encode(e, answer)
			if out != nil {
				if err := json.Unmarshal(out, &got); err != nil {
					t.Errorf("%s:%d: %s: %v", file, i+1, out, err)
				}
			}
			if !reflect.DeepEqual(got, accepted) {
				t.Errorf("%s:%d: %s: %s, but what was accepted is %s", file, i+1, l.Event, out, l.Stdout)
			}
			count[l.Agent]++
		}
	}
	for _, agent := range []string{"claude", "codex", "copilot", "gemini", "qwen"} {
		if count[agent] < 5 {
			t.Errorf("%s: %d recorded answers were compared, want some more", agent, count[agent])
		}
	}
	t.Log("compared:", count)
}

// accepted returns the recorded answer and the text in it, and nil when there
// is none.
func accepted(t *testing.T, l agenttest.Line) (answer any, text string) {
	t.Helper()
	raw := l.Stdout
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		raw = json.RawMessage(quoted)
	}
	var shape struct {
		Reason   string `json:"reason"`
		Context  string `json:"additionalContext"`
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(raw, &shape) != nil {
		return nil, ""
	}
	text = shape.Reason + shape.Context + shape.Specific.Context
	if text == "" {
		return nil, ""
	}
	must.Do(t, json.Unmarshal(raw, &answer))
	return answer, text
}

// golden compares with a golden file, or writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		must.Do(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (make it with -update)", err)
	}
	if !bytes.Equal(got, want) {
		g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Errorf("%s:%d\n got %s\nwant %s\nupdate it with -update, and look at the diff", file, i+1, at(g, i), at(w, i))
				return
			}
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

func whose(e agent.Event) string {
	if e.Agent != "" {
		return "of a subagent"
	}
	return ""
}

// show writes an event as one line: its name, then each field that says
// something. Whatever the event's type has is shown, without being named here.
func show(e agent.Event) string {
	var b strings.Builder
	b.WriteString(e.Name)
	name := e.Name
	e.Name = ""
	showFields(&b, "", reflect.ValueOf(e))
	if b.Len() == len(name) {
		b.WriteString(" nothing")
	}
	return b.String()
}

func showFields(b *strings.Builder, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		if field.IsZero() {
			continue
		}
		switch {
		case f.Anonymous:
			showFields(b, prefix, field)
		case field.Kind() == reflect.Struct:
			showFields(b, prefix+f.Name+".", field)
		case f.Type == reflect.TypeFor[json.RawMessage]():
			var short bytes.Buffer
			if err := json.Compact(&short, field.Bytes()); err != nil {
				short.Reset()
				fmt.Fprintf(&short, "broken %q", field.Bytes())
			}
			fmt.Fprintf(b, " %s%s=%s", prefix, f.Name, cut(short.String()))
		case field.Kind() == reflect.String:
			fmt.Fprintf(b, " %s%s=%s", prefix, f.Name, cut(fmt.Sprintf("%q", field.String())))
		default:
			fmt.Fprintf(b, " %s%s=%+v", prefix, f.Name, field.Interface())
		}
	}
}

// cut keeps a golden line readable: how long something was says enough of its end.
func cut(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s…(%d)", strings.ToValidUTF8(s[:most], ""), len(s))
}
