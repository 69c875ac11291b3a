// Package agenttest reads what agents' programs wrote to their hooks, from the
// folders internal/agent/NAME/testdata.
package agenttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A Line is one call of a hook, as the files in testdata have it, one a line.
type Line struct {
	Agent string   `json:"agent"`
	Args  []string `json:"args"`  // the agent, and --event if it was given
	Event string   `json:"event"` // as the agent calls it

	Stdin json.RawMessage   `json:"stdin"`
	Env   map[string]string `json:"env"`
	// Stdout is an answer that the program accepted: an object, or its text.
	Stdout json.RawMessage `json:"stdout"`
}

// Decode reads the line's payload as the hook would. Without args, the event is
// named on the command line.
func (l Line) Decode(hooks *agent.Hooks) (agent.Event, error) {
	name := ""
	switch {
	case len(l.Args) > 1:
		name = l.Args[1]
	case len(l.Args) == 0:
		name = l.Event
	}
	return hooks.Decode(name, l.Stdin, func(key string) string { return l.Env[key] })
}

// Files are the files with lines of an agent, whose folder is dir.
func Files(t testing.TB, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "testdata", "recorded", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if made := filepath.Join(dir, "testdata", "made.jsonl"); exists(made) {
		all = append(all, made)
	}
	if len(all) == 0 {
		t.Fatalf("%s/testdata has neither recorded/*.jsonl nor made.jsonl: add payloads that the program wrote, or by its documentation writes", filepath.Base(dir))
	}
	return all
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Lines are the lines of a file.
func Lines(t testing.TB, file string) []Line {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []Line
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var l Line
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

// A Sample is an answer that is written for each kind of event.
type Sample struct {
	Name   string
	Answer agent.Answer
}

// Samples have texts that a careless encoder would break.
var Samples = []Sample{
	{"context", agent.Answer{Context: sampleText}},
	{"continue", agent.Answer{Continue: sampleText}},
	{"notice", agent.Answer{Notice: "Pawl: 2 open"}},
	{"end turn", agent.Answer{EndTurn: "paused: \"why\""}},
	{"handled", agent.Answer{Handled: "off now"}},
	{"context, notice", agent.Answer{Context: "c", Notice: "n"}},
	{"continue, notice", agent.Answer{Continue: "c", Notice: "n"}},
	{"context, end turn, notice", agent.Answer{Context: "c", EndTurn: "e", Notice: "n"}},
	{"handled, context, notice", agent.Answer{Handled: "h", Context: "c", Notice: "n"}},
}

const sampleText = "one <b> & \"two\"\n\\three\u2028\x1b"

// An Offer is the tools that a program's model got at its first request, in one line of
// testdata/tools.jsonl: recorded on 2026-11-28 with the newest programs, Pawl's server and
// a model that only listens. Names of tools that come later, behind a search, are not in it.
type Offer struct {
	Model string            `json:"model"` // empty: the program's own choice
	Args  []string          `json:"args"`
	Env   map[string]string `json:"env"`
	Tools []string          `json:"tools"`
}

// Session is what can be known of the session.
func (o *Offer) Session() agent.Session {
	return agent.Session{Model: o.Model, Args: append([]string{"agent"}, o.Args...), Getenv: func(name string) string { return o.Env[name] }}
}

// Offers reads those of a program; none were recorded of some.
func Offers(t testing.TB, dir string) (all []Offer) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "testdata", "tools.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	must.Do(t, err)
	for line := range bytes.Lines(text) {
		var o Offer
		must.Do(t, json.Unmarshal(line, &o))
		all = append(all, o)
	}
	return all
}
