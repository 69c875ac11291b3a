package hook

import (
	"bufio"
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

	"github.com/pawl-dev/pawl/nudge"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A line is what one call of a hook was, as the files in testdata/recorded and
// testdata/made have it, one a line.
type line struct {
	Agent string   `json:"agent"`
	Args  []string `json:"args"`  // the agent, and --event where it was given
	Event string   `json:"event"` // as the agent calls it

	Stdin json.RawMessage   `json:"stdin"`
	Env   map[string]string `json:"env"`
	// Stdout is an answer that the program accepted: an object, or its text.
	Stdout json.RawMessage `json:"stdout"`
}

// atLeast is how many lines there are of each agent, so that none gets lost.
var atLeast = map[string]int{
	"claude": 215, "codex": 70, "qwen": 83, "vscode": 12, "goose": 11, "crush": 14,

	"gemini": 105, "llxprt": 9, "copilot": 79, "opencode": 253, "cursor": 18, "windsurf": 7,
}

// samples are the answers that are written for each kind of event. Their text
// is such that a careless encoder would break.
var samples = []struct {
	name   string
	answer Answer
}{
	{"context", Answer{Context: sampleText}},
	{"continue", Answer{Continue: sampleText}},
	{"notice", Answer{Notice: "Pawl: 2 open"}},
	{"end turn", Answer{EndTurn: "paused: \"why\""}},
	{"handled", Answer{Handled: "off now"}},
	{"context, notice", Answer{Context: "c", Notice: "n"}},
	{"continue, notice", Answer{Continue: "c", Notice: "n"}},
	{"context, end turn, notice", Answer{Context: "c", EndTurn: "e", Notice: "n"}},
	{"handled, context, notice", Answer{Handled: "h", Context: "c", Notice: "n"}},
}

const sampleText = "one <b> & \"two\"\n\\three\u2028\x1b"

// TestRecorded decodes each line, and compares the event with the golden file
// beside: NAME.jsonl, NAME.golden.
func TestRecorded(t *testing.T) {
	count := map[string]int{}
	for _, file := range lineFiles(t) {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), func(t *testing.T) {
			var got bytes.Buffer
			for i, l := range readLines(t, file) {
				count[l.Agent]++
				e, err := l.decode(t)
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
	for agent := range dialects {
		if n, want := count[agent], atLeast[agent]; want == 0 || n < want {
			t.Errorf("%s: %d lines, want at least %d", agent, n, max(want, 1))
		}
	}
}

// TestAnswers encodes each kind of answer to each kind of event that the lines
// of an agent have, and compares with testdata/answers/AGENT.golden. An event
// that is not there can be answered by nothing.
func TestAnswers(t *testing.T) {
	events := map[string][]Event{} // the first of each kind, by agent
	for _, file := range lineFiles(t) {
		for _, l := range readLines(t, file) {
			e, err := l.decode(t)
			if err != nil {
				continue
			}
			alike := func(o Event) bool {
				return o.Name == e.Name && o.Kind == e.Kind && (o.Agent == "") == (e.Agent == "")
			}
			if !slices.ContainsFunc(events[l.Agent], alike) {
				events[l.Agent] = append(events[l.Agent], e)
			}
		}
	}
	for agent, d := range dialects {
		t.Run(agent, func(t *testing.T) {
			var got bytes.Buffer
			for _, e := range events[agent] {
				if out := d.Encode(e, Answer{}); out != nil {
					t.Errorf("%s: an empty answer is %q, want nothing", e.Name, out)
				}
				said := false
				for _, s := range samples {
					out := d.Encode(e, s.answer)
					if out == nil {
						continue
					}
					if !json.Valid(out) {
						t.Errorf("%s, %s: not JSON: %s", e.Name, s.name, out)
					}
					if !said {
						fmt.Fprintf(&got, "%s (%s)\n", e.Name, strings.TrimSpace(string(e.Kind)+" "+whose(e)))
						said = true
					}
					fmt.Fprintf(&got, "  %s: %s\n", s.name, out)
				}
			}
			if mute := agent == "windsurf"; mute != (got.Len() == 0) {
				t.Errorf("%d bytes of answers, from one that cannot answer: %v", got.Len(), mute)
			}
			golden(t, filepath.Join("testdata", "answers", agent+".golden"), got.Bytes())
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
	for _, file := range lineFiles(t) {
		for i, l := range readLines(t, file) {
			d := dialects[l.Agent]
			accepted, text := l.accepted(t)
			way := l.Agent + " " + l.Event
			blocks := bytes.Contains(l.Stdout, []byte("block"))
			if blocks {
				way += ", block"
			}
			if accepted == nil || d == nil || other[way] != "" {
				continue
			}
			e, err := l.decode(t)
			if err != nil {
				t.Errorf("%s:%d: %v", file, i+1, err)
				continue
			}
			if e.Kind == "" {
				continue // it means nothing to Pawl, which does not answer it
			}
			var got any
			answer := Answer{Context: text, Continue: text}
			if blocks && e.Kind == nudge.Prompt {
				answer = Answer{Handled: text}
			}
			out := d.Encode(e, answer)
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
func (l line) accepted(t *testing.T) (answer any, text string) {
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
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	return answer, text
}

// decode reads the line's payload as the hook would. Without args, the event
// is named on the command line.
func (l line) decode(t *testing.T) (Event, error) {
	t.Helper()
	d := dialects[l.Agent]
	if d == nil {
		t.Fatalf("there are lines of %s, and no dialect", l.Agent)
	}
	name := ""
	switch {
	case len(l.Args) > 1:
		name = l.Args[1]
	case len(l.Args) == 0:
		name = l.Event
	}
	return d.Decode(name, l.Stdin, func(key string) string { return l.Env[key] })
}

// lineFiles are the files with lines, of which there are some in each folder.
func lineFiles(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, dir := range []string{"recorded", "made"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("there is nothing in testdata/%s (%v)", dir, err)
		}
		all = append(all, files...)
	}
	return all
}

func readLines(t testing.TB, file string) []line {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []line
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("%s:%d: %v", file, len(all)+1, err)
		}
		all = append(all, l)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return all
}

// golden compares with a golden file, or writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
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
				t.Errorf("%s:%d\n got %s\nwant %s\nwrite it anew with -update, and look at the diff", file, i+1, at(g, i), at(w, i))
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

func whose(e Event) string {
	if e.Agent != "" {
		return "of a subagent"
	}
	return ""
}

// show writes an event as one line: its name, then each field that says
// something. Whatever the event's type has is shown, without being named here.
func show(e Event) string {
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
