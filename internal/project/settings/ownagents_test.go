package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Commands, paths and agents as a file has them, and all that is wrong with them at
// once, each with its own place.
func TestListed(t *testing.T) {
	text := `{
  "run": {
    "setup": "npm ci --omit 'dev deps'", // as a line
    "copy": [".env", "web/.env.local",],
    "attempts": 5,
    "agents": {
      "mine": {"command": ["my-agent", "--print"], "prompt": "argument", "stream": "text", "resume": ["--resume", "{session}"], "env": {"A": "b", /* kept */},},
      "short": {"command": "other -p"},
    },
  },
  "run.timeout": "2h, task 0",
}`
	path := filepath.Join(t.TempDir(), Name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	f := Read(User, path)
	all := Merge(f)
	if got := problems(f); got != nil {
		t.Error(got)
	}
	for key, want := range map[string]any{
		"run.setup": Argv{"npm", "ci", "--omit", "dev deps"}, "run.copy": PathList{".env", "web/.env.local"},
		"run.agents": OwnAgents{
			"mine":  {Command: Argv{"my-agent", "--print"}, Prompt: ByArgument, Stream: Text, Resume: []string{"--resume", "{session}"}, Env: map[string]string{"A": "b"}},
			"short": {Command: Argv{"other", "-p"}, Prompt: ByStdin, Stream: Text},
		},
	} {
		if diff := cmp.Diff(want, all.Get(key).Is); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for key, want := range map[string]string{"run.attempts": "5", "run.timeout": "attempt 2h, task 0, run 0, idle 10m", "run.budget": ""} {
		if got := all.Get(key).String(); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
	// Other changes keep all of it.
	for _, key := range []string{"run.slots", "run.timeout", "lease"} {
		changed, err := put([]byte(text), path, Find(key), Merge().Get(key).Is)
		if err != nil || !strings.Contains(string(changed), "/* kept */") || !strings.Contains(string(changed), "// as a line") {
			t.Errorf("%s: %s, %v", key, changed, err)
		}
		again := readText(User, path, changed)
		if len(again.Problems) > 0 || !reflect.DeepEqual(Merge(again).Get("run.agents").Is, all.Get("run.agents").Is) {
			t.Errorf("%s: %v", key, again.Problems)
		}
	}
}

func TestListedFaults(t *testing.T) {
	text := `{
  "run.setup": "a | b",
  "run.copy": [".env", 3, "../x", "/etc/passwd", "a/.GIT/config", ".env", "C:/x", "a\\b", ".git ./x", "GIT~1"],
  "run.permissions": "all",
  "run.agents": {
    "mine": {"command": [], "prompt": "tty", "stream": "A B", "resume": ["--resume"], "env": {"PAWL_TASK": "1", "1A": "x", "B": 2}, "shell": true},
    "Big": {"command": "x"},
    "none": {},
    "twice": {"command": "x"}, "twice": {"command": "y"},
    "list": [],
  },
}`
	f := readText(User, "F", []byte(text))
	if got := problems(f); len(got) != mostProblems+1 || !strings.HasPrefix(got[0], "error: F:2:16: run.setup cannot run: ") || !strings.HasPrefix(got[1], "error: F:3:24: run.copy[1] must be ") {
		t.Errorf("%q", got)
	}
	for _, v := range []string{"run.setup", "run.copy", "run.agents"} {
		if _, said := f.Get(v); said {
			t.Errorf("%s counts, with faults", v)
		}
	}
	only := func(key, text string) (all []string) {
		for _, p := range readText(User, "F", []byte("{\n\""+key+"\": "+text+"\n}")).Problems {
			all = append(all, p.Key+" "+p.Text)
		}
		return all
	}
	if diff := cmp.Diff([]string{
		"run.copy[0] must be a text",
		`run.copy[1] must be a path inside the project with slashes, such as "web/.env", and no part of .git`,
		"run.copy[3] is there twice",
	}, only("run.copy", `[3, "../x", ".env", ".env"]`)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"/etc/passwd", "a/.GIT/config", "C:/x", `a\\b`, ".git ./x", "GIT~1", "a//b", "./a", "a/..", ".", "", " a", "a\\n", ".git"} {
		if got := only("run.copy", `["`+bad+`"]`); len(got) != 1 {
			t.Errorf("%q: %q", bad, got)
		}
	}
	if diff := cmp.Diff([]string{
		`run.agents.mine.command must be a command: a text such as "npm ci", or a list of its words`,
		`run.agents.mine.prompt must be "stdin", "argument" or "file"`,
		`run.agents.mine.stream must be "text" or the name of an agent that Pawl knows`,
		`run.agents.mine.resume must have {session} where the session's id goes`,
		"run.agents.mine.env.PAWL_TASK is set by Pawl itself",
		"run.agents.mine.env.1A is not the name of a variable",
		"run.agents.mine.env.B must be a text of at most 8192 bytes",
		"run.agents.mine.shell is unknown: an agent has command, prompt, stream, resume, skip and env",
	}, only("run.agents", `{"mine": {"command": {}, "prompt": "tty", "stream": "A B", "resume": ["--resume"], "env": {"PAWL_TASK": "1", "1A": "x", "B": 2}, "shell": true}}`)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		`run.agents has "twice" twice`,
		`run.agents has an agent called "Big": a name has small letters, digits, - and _`,
		"run.agents.none must have a command",
		"run.agents.list must be an object with command",
	}, only("run.agents", `{"Big": {"command": "x"}, "none": {}, "twice": {"command": "x"}, "twice": {"command": "y"}, "list": []}`)); diff != "" {
		t.Error(diff)
	}
	for _, test := range []string{`{"run.agents": {"a": {"command": "x"}}}`, `{"run.review": "none"}`, `{"run.permissions": "skip"}`} {
		f := readText(Project, "F", []byte(test))
		if len(f.Problems) != 1 || len(f.values) != 0 {
			t.Errorf("%s of a project: %v", test, problems(f))
		}
	}
}

// What config set writes, config get prints, and set takes it again.
func TestListedRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	for _, test := range []struct{ key, text, want string }{
		{"run.setup", "npm ci", "npm ci"},
		{"run.setup", `["my tool", "", "it's", "[x]", "a\nb"]`, ""},
		{"run.setup", `["my tool"]`, `["my tool"]`},
		{"run.setup", `["[x]", "y"]`, ""},
		{"run.setup", "", ""},
		{"run.copy", ".env", `[".env"]`},
		{"run.copy", `[".env", "a,b"]`, `[".env","a,b"]`},
		{"run.copy", "", ""},
		{"run.agent", "mine", "mine"},
		{"run.agents", `{"mine": {"command": "x -y", "env": {"A": "<&>"}}}`, ""},
		{"run.timeout", "2h", "attempt 2h, task 4h, run 0, idle 10m"},
		{"run.timeout", " task  90m,idle 0 , run 365d", "attempt 1h, task 1h30m, run 365d, idle 0"},
		{"run.timeout", "0", "attempt 0, task 4h, run 0, idle 10m"},
		{"run.budget", "$2.5", "attempt $2.5"},
		{"run.budget", "attempt 900 tokens, run $20, run 2000000000 tokens", "attempt 900 tokens, run $20, run 2000000000 tokens"},
	} {
		s := Find(test.key)
		value, err := s.Parse(test.text)
		if err != nil {
			t.Errorf("%s %s: %v", test.key, test.text, err)
			continue
		}
		if _, err := Set(t.Context(), User, path, s, test.text); err != nil {
			t.Errorf("%s %s: %v", test.key, test.text, err)
		}
		if changed, err := Set(t.Context(), User, path, s, test.text); changed || err != nil {
			t.Errorf("%s %s: changed again, %v", test.key, test.text, err)
		}
		is, said := Read(User, path).Get(test.key)
		if !said || !reflect.DeepEqual(is.Is, value) {
			t.Errorf("%s %s: written, it is %#v, not %#v", test.key, test.text, is.Is, value)
		}
		if test.want != "" && is.String() != test.want {
			t.Errorf("%s %s: shown as %s", test.key, test.text, is)
		}
		if again, err := s.Parse(is.String()); err != nil || !reflect.DeepEqual(again, value) {
			t.Errorf("%s: shown as %s, which is %#v, %v", test.key, is, again, err)
		}
		if text, err := json.Marshal(is.JSON()); err != nil || string(text) == "null" {
			t.Errorf("%s: %s %v", test.key, text, err)
		}
	}
	for _, bad := range [][2]string{
		{"run.setup", "a && b"}, {"run.setup", "set: npm ci"}, {"run.setup", `{"x": 1}`}, {"run.setup", "[1]"}, {"run.setup", `["x"], "y": ["z"]`},
		{"run.copy", "../x"}, {"run.agents", "mine"}, {"run.agents", `{}, "b": {}`}, {"run.agents", `{"mine": {}}`}, {"run.agent", "../x"}, {"run.agent", "Mine"}, {"run.agent", "-x"},
		{"run.slots", "0"}, {"run.slots", "17"}, {"run.timeout", ""}, {"run.timeout", "-1s"}, {"run.timeout", "1h 2h"}, {"run.timeout", "366d"}, {"run.timeout", "9ms"}, {"run.timeout", "day 1h"}, {"run.timeout", "1h,"},
		{"run.budget", "2"}, {"run.budget", "$-1"}, {"run.budget", "$NaN"}, {"run.budget", "1.5 tokens"}, {"run.budget", "2000000001 tokens"}, {"run.budget", "idle $1"}, {"run.budget", "run"}, {"run.budget", ""}, {"run.budget", "run $5, run $20"}, {"run.timeout", "1h, attempt 2h"},
	} {
		if value, err := Find(bad[0]).Parse(bad[1]); pawl.KindOf(err) != pawl.Invalid {
			t.Errorf("%s %s is taken as %#v: %v", bad[0], bad[1], value, err)
		}
	}
	_, err := Find("run.agents").Parse(`{"a": {"prompt": "x"}, "b": {"x": 1}}`)
	if e, ok := err.(*pawl.Error); !ok || len(e.Faults) != 2 || e.Faults[0].Path != "run.agents.a.prompt" {
		t.Errorf("%v", err)
	}
}

// A key joins the innermost group that is there.
func TestAddInGroups(t *testing.T) {
	for _, test := range []struct{ text, key, want string }{
		{`{"run": {"slots": 3}}`, "run.attempts", `{"run": {"slots": 3, "attempts": 3}}`},
		{`{"run": {}, "lease": "1h"}`, "run.attempts", `{"run": {"attempts": 3}, "lease": "1h"}`},
		{`{"run.slots": 3}`, "run.attempts", `{"run.slots": 3, "run.attempts": 3}`},
		{`{"checks": {"untrusted": "skip"}}`, "lease", `{"checks": {"untrusted": "skip"}, "lease": "15m"}`},
	} {
		got, err := put([]byte(test.text), "F", Find(test.key), Merge().Get(test.key).Is)
		if err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(test.want) {
			t.Errorf("%s with %s:\n got %s\nwant %s, %v", test.text, test.key, got, test.want, err)
		}
		f := readText(User, "F", got)
		if len(f.Problems) > 0 || len(f.values) != 2 {
			t.Errorf("%s: %v, %v", got, said(f), f.Problems)
		}
	}
}
