package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

func TestTable(t *testing.T) {
	if len(Table) < 16 {
		t.Fatalf("only %d settings", len(Table))
	}
	seen := map[string]bool{}
	for key, became := range former {
		now := ""
		if i := strings.Index(became, "run."); i >= 0 {
			now, _, _ = strings.Cut(became[i:], " ")
		}
		if Find(key) != nil || now != "" && Find(now) == nil || Former(key) != became {
			t.Errorf("%s %s", key, became)
		}
	}
	for i := range Table {
		s := &Table[i]
		for _, name := range append([]string{s.Key}, s.Aliases...) {
			if seen[name] || Find(name) != s {
				t.Errorf("%s is in the table twice", name)
			}
			seen[name] = true
		}
		if _, ok := s.parse(s.Default); !ok && s.Type != Folder {
			t.Errorf("the default of %s is %q: %s", s.Key, s.Default, s.Wants())
		}
		if s.Meaning == "" || s.ReadBy == "" || (s.Type == Int) != (s.Unit != "") || (s.Type == Choice) != (len(s.Words) > 1) {
			t.Errorf("%s is not complete", s.Key)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		key, text string
		want      any // nil: refused
	}{
		{"panel", "true", true}, {"panel", "off", false}, {"panel", "Yes", true}, {"panel", "1", nil}, {"panel", "", nil},
		{"reminders", "true", 10}, {"reminders", "off", 0}, {"reminders", "Yes", 10}, {"reminders", "1", 1}, {"reminders", "", nil},
		{"continuation", "0", 0}, {"continuation", "100", 100}, {"continuation", "101", nil}, {"recovery.tokens", "off", nil},
		{"continuation", "-1", nil}, {"continuation", "2.5", nil}, {"continuation", "99999999999999999999", nil},
		{"lease", "30m", 30 * time.Minute}, {"lease", "7d", 7 * 24 * time.Hour}, {"lease", "0", time.Duration(0)},
		{"lease", "8d", nil}, {"lease", "10ms", nil}, {"lease", "-5m", nil}, {"lease", "30", nil}, {"todos.keep", "0", nil}, {"archive.after", "0", time.Duration(0)},
		{"interactive", "never", "never"}, {"interactive", "Never", nil},
		{"board", "../shared", "../shared"}, {"board", "/srv/board@home", "/srv/board@home"}, {"board", "C:\\boards", "C:\\boards"},
		{"board", "", nil}, {"board", ".", nil}, {"board", "~/board", nil}, {"board", " x", nil}, {"board", "a\nb", nil}, {"board", "a\xff", nil},
		{"board", "https://host/boards/x", "https://host/boards/x"}, {"board", "http://host/boards/x", nil}, {"board", "https://ada:secret@host/boards/x", nil}, {"board", "https://host/x", nil}, {"board", "postgres://ada:secret@host/db", nil}, {"board", "ada:secret@host", nil},
		{"board", "postgres://ada@host/db?board=shop", "postgres://ada@host/db?board=shop"}, {"board", "postgres://ada:secret@host/db?board=shop", nil},
		{"board", strings.Repeat("x", maxPath+1), nil},
	} {
		s := Find(test.key)
		got, err := s.Parse(test.text)
		if (err == nil) != (test.want != nil) || err == nil && got != test.want {
			t.Errorf("%s %q: got %v, %v", test.key, test.text, got, err)
		}
		if err == nil {
			if again, err := s.Parse(format(got)); err != nil || again != got {
				t.Errorf("%s %q: written as %q, and read as %v, %v", test.key, test.text, format(got), again, err)
			}
			continue
		}
		if pawl.KindOf(err) != pawl.Invalid || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s %q: %v", test.key, test.text, err)
		}
	}
}

func TestNearest(t *testing.T) {
	for key, want := range map[string]string{
		"leese": "lease", "LEASE": "lease", "slots": "run.slots", "ui.panel": "panel",
		"todo-continuaton": "todo-continuation", "pannel": "panel", "xyzzy": "", "": "",
	} {
		if got := Nearest(key); got != want {
			t.Errorf("%q: got %q, want %q", key, got, want)
		}
	}
	if s := Find("panel"); s == nil || s.Key != "ui.showTodoPanel" {
		t.Errorf("an alias: %v", s)
	}
}

// said is what a file says, as "key=value@line:column".
func said(f *File) (all []string) {
	for i := range Table {
		if v, ok := f.Get(Table[i].Key); ok {
			all = append(all, fmt.Sprintf("%s=%s@%d:%d", v.Setting.Key, v, v.Origin.Line, v.Origin.Column))
		}
	}
	return all
}

func problems(f *File) (all []string) {
	for _, p := range f.Problems {
		mark := "warning: "
		if p.Error {
			mark = "error: "
		}
		all = append(all, mark+p.String())
	}
	return all
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, text     string
		said, problems []string
	}{
		{name: "nothing", text: ""},
		{name: "blank", text: " \n"},
		{name: "only comments", text: "// later\n/* much later */"},
		{name: "empty", text: "{}"},
		{name: "dotted", text: `{"lease": "30m", "recovery.tokens": 5}`, said: []string{"lease=30m@1:11", "recovery.tokens=5@1:37"}},
		{
			name: "nested, with comments and trailing commas",
			text: "{\n  // ours\n  \"todos\": {\"store\": \"file\", \"keep\": \"20d\",},\n  \"ui\": {\"showTodoPanel\": false,}, /* é */ \"lease\": \"1h\",\n}\n",
			said: []string{"lease=1h@4:53", "ui.showTodoPanel=false@4:27", "todos.store=file@3:22", "todos.keep=20d@3:38"},
		},
		{name: "aliases", text: `{"continuation": false, "panel": false}`, said: []string{"todo-continuation=0@1:18", "ui.showTodoPanel=false@1:34"}},
		{
			name: "switches with a number", text: `{"todo-continuation": true, "reminders": 4}`,
			said: []string{"todo-continuation=3@1:23", "reminders=4@1:42"},
		},
		{
			name: "earlier keys", text: `{"run": {"stall": "5m"}, "continuation.attempts": 4}`,
			problems: []string{"warning: F:1:10: run.stall is idle in run.timeout now", "warning: F:1:26: continuation.attempts is todo-continuation now"},
		},
		{name: "byte order mark", text: "\ufeff{\"lease\": \"30m\"}", said: []string{"lease=30m@1:11"}},
		{name: "a schema", text: `{"$schema": "x"}`},
		{
			name: "unknown keys", text: "{\"leese\": 1,\n \"ui\": {\"panel\": true}, \"zzzzzz\": {\"lease\": 1}}",
			problems: []string{
				"warning: F:1:2: leese is not a setting that this pawl knows: lease is",
				"warning: F:2:9: ui.panel is not a setting that this pawl knows: panel is",
				"warning: F:2:25: zzzzzz is not a setting that this pawl knows",
			},
		},
		{
			name: "wrong types", text: `{"lease": 30, "reminders": "true", "continuation": {"attempts": 2}, "run.timeout": 60, "interactive": "maybe", "todos.keep": ["1d"], "todos.store": {"x": 1}}`,
			problems: []string{
				`error: F:1:11: lease must be a duration such as "15m", from 1s to 7d, or "0": never`,
				`error: F:1:28: reminders must be a whole number from 0 to 1000, true, or false: 0`,
				`error: F:1:52: continuation must be a whole number from 0 to 100, true, or false: 0`,
				`error: F:1:84: run.timeout must be durations such as "attempt 1h, task 4h, run 0, idle 10m", each from 1s to 365d, or 0: never`,
				`error: F:1:103: interactive must be "auto", "always" or "never"`,
				`error: F:1:126: todos.keep must be a duration such as "30d", from 1h to 3650d`,
				`error: F:1:149: todos.store must be "file" or "memory"`,
			},
		},
		{
			name: "twice", text: "{\"lease\": \"30m\",\n\"lease\": \"40m\"}", said: []string{"lease=40m@2:10"},
			problems: []string{"warning: F:2:10: lease is already set in line 1; this one counts"},
		},
		{
			name: "twice, the second one wrong", text: "{\"lease\": \"30m\",\n\"lease\": 40}", said: []string{"lease=30m@1:11"},
			problems: []string{`error: F:2:10: lease must be a duration such as "15m", from 1s to 7d, or "0": never`},
		},
		{
			name: "not for a project", text: `{"toolCalls.arguments": "local"}`,
			problems: []string{"warning: F:1:2: toolCalls.arguments counts only when it is set for the user or the session, not for the project"},
		},
		{name: "a password", text: `{"board": "postgres://ada:secret@host/db"}`, problems: []string{
			"error: F:1:11: board must be a folder, absolute or relative to the project, or an address such as \"https://host/boards/name\", for the user also \"postgres://host/database?board=name\", without ~ or a password",
		}},
		{name: "a database", text: `{"board": "postgres://ada@host/db?board=shop"}`, problems: []string{
			"error: F:1:11: board must not name a database here: a project's board is in a folder, or on a server at https://…",
		}},
		{name: "cut off", text: "{\"lease\": \"30m\",\n", problems: []string{"error: F:2:1: ends in the middle of something"}},
		{name: "no comma", text: "{\"é\": 1\n \"lease\": \"30m\"}", problems: []string{"error: F:2:2: is not JSON from here on: invalid character '\"' after object value (expecting ',' or '}')"}},
		{name: "after letters of two bytes", text: "{\"é\": é}", problems: []string{"error: F:1:7: is not JSON from here on: invalid character 'é' at start of value"}},
		{name: "more behind it", text: "{} {}", problems: []string{"error: F:1:4: is not JSON from here on: invalid character '{' after top-level value"}},
		{name: "a list", text: " []", problems: []string{"error: F:1:2: must hold an object: { … }"}},
		{name: "not UTF-8", text: "{\n\"\xff\": 1}", problems: []string{"error: F:2:2: is not valid UTF-8 here"}},
		{name: "a long key", text: `{"` + strings.Repeat("k", 99) + `": 1}`, problems: []string{"warning: F:1:2: " + strings.Repeat("k", 59) + "… is not a setting that this pawl knows"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := readText(Project, "F", []byte(test.text))
			if diff := cmp.Diff(test.said, said(f)); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.problems, problems(f)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// A file made to fill a screen does not.
func TestManyProblems(t *testing.T) {
	f := readText(Project, "F", []byte("{"+strings.Repeat(`"x": 1, `, 500)+`"lease": 1, "y": 1}`))
	if n := len(f.Problems); n != mostProblems+1 {
		t.Fatalf("%d problems", n)
	}
	if last := f.Problems[mostProblems]; last.String() != "F: has more problems, not shown here" || !last.Error {
		t.Errorf("the last one: %+v", last)
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestLayers(t *testing.T) {
	project := Read(Project, write(t, Name, `{"lease": "20m", "reminders": false, "board": "/y", "todo-continuation": 9, "toolCalls.arguments": "local"}`))
	user := Read(User, write(t, Name, `{"lease": "30m", "reminders": "no", "board": "/x", "toolCalls.arguments": "off"}`))
	session := Read(Session, write(t, Name, `{"lease": "40m"}`))
	s := Merge(project, user, session)
	if got := Of[time.Duration](s, "lease"); got != 40*time.Minute {
		t.Errorf("the session's lease is %v", got)
	}
	if got := Of[time.Duration](Merge(project, user), "lease"); got != 30*time.Minute {
		t.Errorf("the user's lease is %v", got)
	}
	for key, want := range map[string]string{
		"lease": "40m session", "reminders": "0 project", "todo-continuation": "9 project",
		"toolCalls.arguments": "off user", "board": "/y project", "todos.keep": "30d default",
	} {
		if v := s.Get(key); v.String()+" "+v.Origin.Scope.String() != want {
			t.Errorf("%s is %s, of the %s; want %s", key, v, v.Origin.Scope, want)
		}
	}
	if n := len(s.Problems()); n != 2 {
		t.Errorf("%d problems, want 2: %v", n, s.Problems())
	}
	if v := Merge(user).Get("board"); v.String() != "/x" {
		t.Errorf("the user's board is %s", v)
	}
	if n := len(Merge().All()); n != len(Table) {
		t.Errorf("%d defaults", n)
	}
}

func TestUnreadable(t *testing.T) {
	folder := t.TempDir()
	link := filepath.Join(folder, "link")
	mustrun.Link(t, write(t, Name, `{"lease": "30m"}`), link)
	for _, test := range []struct {
		name, path string
		scope      Scope
		exists     bool
		want       string
	}{
		{"none", filepath.Join(folder, "none"), Project, false, ""},
		{"in a file", filepath.Join(write(t, "file", ""), Name), Project, false, ""},
		{"a folder", folder, Project, true, "not a regular file"},
		{"large", write(t, Name, strings.Repeat(" ", maxFile)+"{}"), User, true, "larger than 64 KiB"},
		{"a project's link", link, Project, true, "symbolic link"},
		{"a user's link", link, User, true, ""},
	} {
		f := Read(test.scope, test.path)
		got := strings.Join(problems(f), "\n")
		if f.Exists != test.exists || (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: exists %v, %q", test.name, f.Exists, got)
		}
	}
	if v, _ := Read(User, link).Get("lease"); v.Setting == nil {
		t.Error("a user's link was not followed")
	}
}

// A database is named for the user alone, however it comes into a file.
func TestDatabase(t *testing.T) {
	const at = "postgres://ada@host/db?board=shop"
	text := `{"board": "` + at + `"}`
	if v, said := Read(User, write(t, Name, text)).Get("board"); !said || v.String() != at {
		t.Errorf("the user's is %v, %v", v, said)
	}
	if v, said := Read(Project, write(t, Name, text)).Get("board"); said {
		t.Errorf("the project's counts: %v", v)
	}
	path := write(t, Name, "{}")
	for _, scope := range []Scope{Project, User} {
		if _, err := Set(t.Context(), scope, path, Find("board"), at); (err == nil) != (scope == User) {
			t.Errorf("set for the %s: %v", scope, err)
		}
	}
}
