package live

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/prose"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/nudge"
)

// A Mark is what a check has come to.
type Mark string

// The marks. If a model did not do what it was asked, the mark is Unseen: Pawl has
// neither failed nor passed.
const (
	Yes    Mark = "yes"
	No     Mark = "no"
	Unseen Mark = "unseen"
)

// Sign is the mark on a screen.
func (m Mark) Sign() string {
	return map[Mark]string{Yes: "✔", No: "✘", Unseen: "○"}[m]
}

// A Check is one promise of Pawl, and what was seen of it.
type Check struct {
	Name string `json:"name"` // one word
	What string `json:"what"` // the promise
	Mark Mark   `json:"mark"` // yes, no, or unseen
	Saw  string `json:"saw"`  // one sentence
}

var checks = []struct {
	name, turn, what string
	judge            func(*story, *seen) (Mark, string)
}{
	{"hooks", "plan", "Pawl's hooks fire", hooks},
	{"tools", "plan", "Pawl's tools are offered to the agent", tools},
	{"list", "plan", "the agent's todos are kept", list},
	{"compaction", "compact", "the plan comes back after a compaction", compaction},
	{"resume", "resume", "the plan comes back when a session is resumed", resume},
	{"ticked", "work", "finished work is ticked", ticked},
	{"new-session", "new", "a new session is told what is ready", newSession},
	{"apart", "native", "the agent's own list and Pawl's are not mixed up", apart},
	{"bounded", "stop", "an agent that stops is asked to go on, and not for ever", bounded},
	{"stop", "halt", "a person's stop is a stop", halt},
}

func (r *Report) judge(ctx context.Context, s *story) error {
	for _, t := range turns {
		if n := s.seen[t.name]; n != nil {
			r.Runs = append(r.Runs, Run{t.name, t.doing, round(n.took), len(n.lines), n.usage, n.fault})
		}
	}
	r.Usage = s.said
	if plan := s.seen["plan"]; plan != nil && plan.session != "" {
		var err error
		if s.planned, err = s.toy.todos(ctx, plan.session); err != nil {
			return err
		}
	}
	for _, c := range checks {
		mark, saw := Unseen, ""
		switch n := s.seen[c.turn]; {
		case n == nil && c.turn == "compact":
			saw = s.Agent.Title + " cannot be told to compact so short a conversation without a screen"
		case n == nil:
			saw = s.Agent.Title + " has no list of its own in every session"
		case n.fault != "":
			saw = n.fault
		default:
			mark, saw = c.judge(s, n)
		}
		r.Checks = append(r.Checks, Check{c.name, c.what, mark, s.mask(saw)})
	}
	return nil
}

func hooks(s *story, n *seen) (Mark, string) {
	var names []string
	for _, l := range n.lines {
		if l.Event != "" && !slices.Contains(names, l.Event) {
			names = append(names, l.Event)
		}
	}
	if len(names) == 0 {
		saw := "the agent answered, and called no hook: " + s.quote(n)
		if steps := s.Agent.Config.Steps; steps != nil && !s.trusted { // what only its person can do
			saw += "; unless already done: " + strings.Join(steps(s.place()), "; ")
		}
		return No, saw
	}
	for _, want := range []struct {
		kind nudge.Kind
		what string
	}{{nudge.Prompt, "its prompt"}, {nudge.Stop, "its stop"}} {
		if len(n.of(want.kind)) == 0 && !(want.kind == nudge.Stop && s.Agent.Headless.First) {
			return No, "no hook told of " + want.what + ", only: " + strings.Join(names, ", ")
		}
	}
	return Yes, strings.Join(names, ", ")
}

func tools(s *story, _ *seen) (Mark, string) {
	started := false
	for _, turn := range s.seen {
		for _, l := range turn.lines {
			if started = started || l.Method != ""; l.Method == "tools" {
				return Yes, text.Count(len(l.Tools), "tool", "tools") + ": " + strings.Join(l.Tools, ", ")
			}
		}
	}
	if started {
		return No, "the server was started, and never asked for its tools"
	}
	return No, "the server was never started"
}

func list(s *story, n *seen) (Mark, string) {
	if len(n.todos) == len(birds) && all(birds, func(b string) bool {
		return slices.ContainsFunc(n.todos, func(t step) bool { return strings.Contains(t.Content, b) })
	}) {
		return Yes, "3 todos, by " + cmp.Or(strings.Join(n.calls(), ", "), "todo_write, as the server saw")
	}
	if !n.called("todo_write") {
		return Unseen, "the model did not call " + writer(s.Agent) + ", " + n.instead()
	}
	return No, writer(s.Agent) + " was called, and the list is: " + listed(n.todos)
}

func compaction(s *story, n *seen) (Mark, string) {
	compacted := len(n.of(nudge.Compaction)) > 0
	for _, l := range n.of(nudge.Start) {
		if l.Source == string(nudge.Compact) {
			compacted = true
			if names(l.Context) {
				return Yes, l.Event + " gave the three todos back"
			}
		}
	}
	if !compacted {
		return Unseen, "no hook told of a compaction: " + s.quote(n)
	}
	next := s.seen["resume"]
	if next == nil || next.fault != "" {
		return Unseen, "it was compacted, and the run after it failed"
	}
	if event := next.given(names); event != "" {
		return Yes, event + " of the prompt after it gave the three todos back"
	}
	if len(s.seen["plan"].todos) == 0 {
		return Unseen, "there was no list to give back"
	}
	return No, "it was compacted, and no hook gave the todos back"
}

func resume(s *story, n *seen) (Mark, string) {
	return recovered(s, n, names, "the three todos")
}

func newSession(s *story, n *seen) (Mark, string) {
	return recovered(s, n, func(text string) bool { return strings.Contains(strings.ToLower(text), "kestrel") }, "the project's task")
}

// recovered is about what a hook gives and the agent is asked for.
func recovered(s *story, n *seen, has func(string) bool, what string) (Mark, string) {
	event := n.given(has)
	switch {
	case event == "" && len(s.seen["plan"].of(nudge.Prompt)) == 0:
		return Unseen, "no hook fires"
	case event == "" && what == "the three todos" && len(s.seen["plan"].todos) == 0:
		return Unseen, "there was no list to give back"
	case event == "":
		return No, "no hook gave " + what + " to the agent, which says: " + s.quote(n)
	case !has(n.text):
		return Unseen, event + " gave " + what + " to the agent, whose answer does not show it: " + s.quote(n)
	}
	return Yes, event + " gave " + what + ", and it answered: " + s.quote(n)
}

func ticked(s *story, n *seen) (Mark, string) {
	files := 0
	for _, b := range birds {
		if info, err := os.Stat(filepath.Join(s.root, b+".txt")); err == nil && info.Mode().IsRegular() {
			files++
		}
	}
	of, done := len(n.todos), len(n.todos)-len(open(n.todos))
	if of == 0 && n.finished() { // a list of which all is done is emptied
		of, done = len(birds), len(birds)
	}
	saw := fmt.Sprintf("%d of 3 files are written, %d of %s completed", files, done, text.Count(of, "todo", "todos"))
	switch asked := n.continued(); {
	case of == 0:
		return Unseen, saw
	case files < len(birds):
		return Unseen, saw + ": the model did not do the work: " + s.quote(n)
	case done == of:
		return Yes, saw
	case asked > 0:
		return Unseen, saw + ", although it was asked to go on " + text.Count(asked, "time", "times")
	case len(n.of(nudge.Stop)) == 0, prose.Asks(n.text):
		return Unseen, saw
	default:
		return No, saw + ", and nothing reminded it"
	}
}

func (n *seen) finished() bool {
	return slices.ContainsFunc(n.lines, func(l trace.Line) bool {
		return l.Method == "result" && all(birds, func(b string) bool { return strings.Contains(l.Text, "[x] Write "+b+".txt") })
	})
}

func apart(s *story, n *seen) (Mark, string) {
	own := slices.ContainsFunc(n.calls(), func(tool string) bool { _, ours := attribution.Tool(tool); return !ours && s.lists(tool) })
	switch {
	case n.called("todo_write"), n.called("task_create"):
		return Unseen, "the model called Pawl's tool, and not its own: " + strings.Join(n.calls(), ", ")
	case !own:
		return Unseen, "the model did not call " + s.Agent.Hooks.Native + ", " + n.instead()
	case len(n.todos) != len(native) || !all(native, func(want string) bool {
		return slices.ContainsFunc(n.todos, func(t step) bool { return t.Content == want })
	}):
		return No, "its own list of two steps is in Pawl: " + listed(n.todos)
	}
	for _, l := range n.lines {
		if strings.Contains(l.Continue, writer(s.Agent)) {
			return No, "a note names " + writer(s.Agent) + " for a list that is the agent's own"
		}
	}
	if work := s.seen["work"]; work.fault == "" && !slices.Equal(work.todos, s.planned) {
		return No, "the list of the other session has changed: " + listed(s.planned)
	}
	return Yes, "two steps, made with " + s.Agent.Hooks.Native + ", each once; the other session's list is as it was"
}

func bounded(s *story, n *seen) (Mark, string) {
	stops := n.of(nudge.Stop)
	asked := n.continued()
	times := text.Count(asked, "time", "times")
	switch {
	case s.Agent.Headless.First:
		return Unseen, "without a screen " + s.Agent.Title + " ends at the first stop, whatever a hook says"
	case !n.called("todo_write"):
		return Unseen, "the model did not call " + writer(s.Agent) + ", " + n.instead()
	case len(stops) == 0:
		return Unseen, "no hook told of a stop"
	case asked > mostAsked:
		return No, "it was asked to go on " + times
	case asked == 0 && len(open(n.todos)) == 0:
		return Unseen, "the model completed the todo, so there was nothing to ask for"
	case asked == 0 && (prose.Asks(n.text) || n.called("todo_pause")):
		return Unseen, "the model asked its person instead: " + s.quote(n)
	case asked == 0:
		return No, "it stopped with a todo left, and was not asked to go on"
	case stops[len(stops)-1].Continue != "":
		return Unseen, "it was asked to go on " + times + ", and the program ended"
	}
	return Yes, "it was asked to go on " + times + ", and then left alone"
}

// mostAsked is nudge.Defaults.PerPrompt.
const mostAsked = 12

func halt(s *story, n *seen) (Mark, string) {
	switch asked := n.continued(); {
	case asked > 0:
		return No, "it was told to stop, and was asked to go on " + text.Count(asked, "time", "times")
	case len(open(n.todos)) == 0:
		return Unseen, "no todo was left"
	case len(n.of(nudge.Stop)) == 0:
		return Unseen, "no hook told of a stop"
	}
	return Yes, "a todo is left, and it was not asked to go on"
}

// given is the event at which the agent was given something; empty: none.
func (n *seen) given(has func(string) bool) string {
	for _, l := range n.lines {
		if l.Context != "" && l.Agent == "" && has(l.Context) {
			return l.Event
		}
	}
	return ""
}

func (n *seen) continued() (times int) {
	for _, l := range n.of(nudge.Stop) {
		if l.Continue != "" {
			times++
		}
	}
	return times
}

// calls are the tools that the agent called, each once.
func (n *seen) calls() (tools []string) {
	for _, l := range n.lines {
		if (l.Kind == string(nudge.CallBegins) || l.Kind == string(nudge.CallEnds)) && l.Tool != "" && !slices.Contains(tools, l.Tool) {
			tools = append(tools, l.Tool)
		}
	}
	return tools
}

// called reports whether a tool of Pawl was called, as hooks or its server know.
func (n *seen) called(tool string) bool {
	return slices.ContainsFunc(n.lines, func(l trace.Line) bool {
		name, ours := attribution.Tool(l.Tool)
		return ours && name == tool || l.Method == "tools/call" && l.Tool == tool
	})
}

func (n *seen) instead() string {
	if calls := n.calls(); len(calls) > 0 {
		return "but " + strings.Join(calls, ", ")
	}
	return "and no other tool"
}

// lists reports whether a tool is for the agent's own list.
func (s *story) lists(tool string) bool {
	for _, l := range s.Agent.Lists {
		if agent.Match(l.Name, tool) {
			return true
		}
	}
	return false
}

func (s *story) quote(n *seen) string {
	if n.text == "" {
		return "it says nothing"
	}
	return `"` + s.mask(n.text) + `"`
}

func names(text string) bool {
	return all(birds, func(b string) bool { return strings.Contains(text, b) })
}

func all(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

func open(todos []step) (left []step) {
	for _, t := range todos {
		if t.Status == "pending" || t.Status == "in_progress" {
			left = append(left, t)
		}
	}
	return left
}

func listed(todos []step) string {
	if len(todos) == 0 {
		return "empty"
	}
	var lines []string
	for _, t := range todos {
		lines = append(lines, t.Content+" ("+t.Status+")")
	}
	return strings.Join(lines, ", ")
}
