package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/wire"
)

// TestKindExamples holds testdata/kinds.md, to which docs/cli.md leads, to the answers that are
// given.
func TestKindExamples(t *testing.T) {
	generated(t, filepath.Join("testdata", "kinds.md"), []byte("# Kinds\n\n"+strings.TrimSpace(kindsMarkdown(t))+"\n"))
}

// kindsMarkdown shows each kind with an answer that was really given.
func kindsMarkdown(t *testing.T) string {
	t.Helper()
	d := newFixture(t)
	clock := time.Date(2026, 11, 21, 9, 59, 0, 0, time.UTC)
	d.clock = func() time.Time { clock = clock.Add(time.Second); return clock }
	d.env = map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "0b7c1f52", "XDG_STATE_HOME": t.TempDir()}
	real := must.Get(filepath.EvalSymlinks(d.dir))(t)
	book := must.Get(schema.Open())(t)
	d.merge = func(Merging) (merge.Outcome, error) { return metAgain(), nil }
	answers := map[string]string{}
	for _, s := range shown {
		d.stdin = s.stdin
		call := strings.Fields(s.call)
		d.build = Build{Version: "v1.2.3", Commit: "5e0c8f1d2b7a4c3f9e6d1a0b8c7f6e5d4c3b2a10", Date: "2026-11-20T16:04:05Z"}
		agent := d.env
		if s.kind == "forget" { // which is a person's
			d.env = map[string]string{"XDG_STATE_HOME": agent["XDG_STATE_HOME"]}
		}
		out := d.run(call...).out
		d.env = agent
		if s.kind == "" {
			continue
		}
		if err := book.Check(s.kind, []byte(out)); err != nil && !*update {
			t.Errorf("pawl %s: %v", s.call, err)
		}
		out = strings.NewReplacer(
			strings.Trim(quoteJSON(t, d.dir), `"`), "/home/ada/compiler", strings.Trim(quoteJSON(t, real), `"`), "/home/ada/compiler",
			strings.Trim(quoteJSON(t, d.env["XDG_STATE_HOME"]), `"`), "/home/ada/.local/state",
			`"`+runtime.Version()+`"`, `"go1.26.8"`, `"os":"`+runtime.GOOS, `"os":"linux`, `"arch":"`+runtime.GOARCH, `"arch":"amd64`,
		).Replace(out)
		out = overlong.ReplaceAllString(out, `"$1…"`)
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(out), "", "  "); err != nil {
			t.Fatalf("pawl %s prints %q: %v", s.call, out, err)
		}
		answers[s.kind] += fmt.Sprintf("```\n$ pawl %s\n%s```\n\n", s.call, pretty.String())
	}
	answers["demo"], answers["trust"], answers["setup"], answers["share"] = demoExample(t), trustExample(t), setupExample(t), shareExample(t)
	answers["tokens"], answers["join"], answers["database"] = tokensExample(t), joinExample(t), databaseExample(t)
	answers["check"], answers["run"] = checkExample(t), runExample(t)
	var b strings.Builder
	for _, k := range kinds {
		if answers[k.name] == "" {
			t.Errorf("testdata/kinds.md would have no example of kind %s: add a call to shown", k.name)
		}
		fmt.Fprintf(&b, "## kind %s\n\n%s. [Schema](../../../../docs/schema/%s.json).\n\n%s", k.name, k.says, k.name, answers[k.name])
	}
	return b.String()
}

// overlong is a text that would fill the page.
var overlong = regexp.MustCompile(`"((?:[^"\\]|\\.){400})(?:[^"\\]|\\.)+"`)

// shown are the calls whose answers testdata/kinds.md shows, and those before them
// that make the board what it is.
var shown = []struct{ kind, call, stdin string }{
	{"result", "plan - --json", "- [ ] Set up the project \n- [ ] Write the parser (after: Set up the project)\n"},
	{"", "claim --json", ""},
	{"task", "show 1 --json", ""},
	{"error", "claim 1 --as bob --session s2 --json", ""},
	{"tasks", "list --limit 1 --json", ""},
	{"log", "log --limit 1 --json", ""},
	{"agents", "agents --json", ""},
	{"changes", "log --follow --after 1 --limit 1 --json", ""},
	{"", "todo add Plan --json", ""},
	{"", "todo start 1 --json", ""},
	{"todos", "todo add Write --priority high --json", ""},
	{"sessions", "todo sessions --json", ""},
	{"forget", "todo forget --session 0b7c1f52 --yes --json", ""},
	{"status", "status --json", ""},
	{"graph", "graph --json", ""},
	{"board", "init --json", ""},
	{"export", "export tasks.jsonl --json", ""},
	{"merge", "merge --json", ""},
	{"sync", "sync --json", ""},
	{"doctor", "doctor --json", ""},
	{"serve", "serve --json", ""},
	{"config", "config set lease 45m --json", ""},
	{"quiet", "quiet --json", ""},
	{"completion", "completion bash --json", ""},
	{"help", "help done --json", ""},
	{"version", "version --json", ""},
}

// demoExample is the first step of the demo, which cannot be played on boards in
// memory: it also starts processes of its own.
func demoExample(t *testing.T) string {
	t.Helper()
	out := newFixture(t).must("add", "Setup project")
	text := must.Get(json.MarshalIndent(demoJSON{
		wire.NewEnvelope("demo"), "/tmp/pawl-demo-2699221442", false,
		[]stepJSON{{"/tmp/pawl-demo-2699221442/three", "pawl add 'Setup project'", out, 2228}},
	}, "", "  "))(t)
	return fmt.Sprintf("```\n$ pawl demo --json\n%s\n```\n\n", text)
}

// checkExample is given to a person, who has typed the command.
func checkExample(t *testing.T) string {
	t.Helper()
	d := newFixture(t)
	d.env["XDG_STATE_HOME"], d.env["PATH"] = t.TempDir(), os.Getenv("PATH")
	d.must("add", "Write the parser", "--check", "tests: git version")
	getenv := func(name string) string { return d.env[name] }
	service := must.Get(checks.In(project.Open(project.From{Dir: d.dir, Getenv: getenv}), getenv))(t)
	must.Do(t, service.Trust(t.Context(), []pawl.Check{{Name: "tests", Run: []string{"git", "version"}}}, nil))
	out := d.must("check", "1", "--json")
	out = regexp.MustCompile(`"ms":\d+`).ReplaceAllString(out, `"ms":2130`)
	out = regexp.MustCompile(`git version[^"]*"`).ReplaceAllString(out, `go test ./..."`)
	out = regexp.MustCompile(`,"tail":"[^"]*"`).ReplaceAllString(out, "")
	var pretty bytes.Buffer
	must.Do(t, json.Indent(&pretty, []byte(out), "", "  "))
	return fmt.Sprintf("```\n$ pawl check 1 --json\n%s```\n\n", pretty.String())
}

// runExample is how a run of two agents stands.
func runExample(t *testing.T) string {
	t.Helper()
	at := time.Date(2026, 9, 21, 12, 0, 0, 0, time.UTC)
	s := &runs.State{}
	s.Apply(runs.Record{N: 1, Kind: runs.KindBegin, Run: &runs.Run{
		ID: "k3m5q7xa", Began: at, Agent: "claude", Slots: 2, Target: "refs/heads/main", Review: "before-merge", Limits: runs.Limits{Attempts: 3},
	}})
	for i, a := range []runs.Attempt{
		{ID: 9, Subject: "Write the parser", Phase: runs.Waiting, Files: []string{"parse.go", "parse_test.go"}, Added: 80, Removed: 4, Ended: at.Add(9 * time.Minute)},
		{ID: 12, Subject: "Retry hooks", Phase: runs.Running, Slot: 1},
	} {
		a.Key = runs.Key{Task: runs.Identity(fmt.Sprintf("%d-1790000000000", a.ID)), N: i + 1}
		a.Agent, a.Branch, a.Began, a.Started = "claude", runs.BranchOf(a.ID, a.Subject, a.N), at, at.Add(time.Second)
		s.Apply(runs.Record{N: i + 2, Kind: runs.KindAttempt, Attempt: &a})
	}
	live := runs.Live{Attempts: map[string]runs.Doing{"12-1790000000000/2": {Doing: "edit hook.go", Used: runs.Usage{Tokens: 12_400}}}}
	status := runs.StatusOf(s, live, true, at.Add(10*time.Minute))
	out := wire.RunStatusOf(&status)
	text := must.Get(json.MarshalIndent(runJSON{Envelope: wire.NewEnvelope("run"), Status: &out}, "", "  "))(t)
	return fmt.Sprintf("```\n$ pawl run status --json\n%s\n```\n\n", text)
}

// trustExample is given to a person, who is not the one that the others were
// given to.
func trustExample(t *testing.T) string {
	t.Helper()
	d := newFixture(t)
	d.env["XDG_STATE_HOME"] = t.TempDir()
	d.must("init")
	d.must("config", "set", "board", "../planning")
	root := must.Get(filepath.EvalSymlinks(d.dir))(t)
	if _, changed, err := project.Open(project.From{Dir: d.dir, Getenv: func(name string) string { return d.env[name] }}).Trust(t.Context(), time.Now()); !changed || err != nil {
		t.Fatal(changed, err)
	}
	out := d.must("trust", "--list", "--json")
	out = strings.NewReplacer(
		strings.Trim(quoteJSON(t, root), `"`), "/home/ada/compiler",
		strings.Trim(quoteJSON(t, filepath.Join(filepath.Dir(root), "planning")), `"`), "/home/ada/planning",
	).Replace(out)
	out = regexp.MustCompile(`"at":"[^"]*"`).ReplaceAllString(out, `"at":"2026-11-21T10:00:00.000Z"`)
	var pretty bytes.Buffer
	must.Do(t, json.Indent(&pretty, []byte(out), "", "  "))
	return fmt.Sprintf("```\n$ pawl trust --list --json\n%s```\n\n", pretty.String())
}

// setupExample has a home of its own.
func setupExample(t *testing.T) string {
	t.Helper()
	d := newFixture(t)
	home := t.TempDir()
	d.env = map[string]string{"HOME": home}
	out := d.must("setup", "windsurf", "--dry-run", "--json")
	out = strings.ReplaceAll(out, strings.Trim(quoteJSON(t, home), `"`), "/home/ada")
	out = overlong.ReplaceAllString(out, `"$1…"`)
	var pretty bytes.Buffer
	must.Do(t, json.Indent(&pretty, []byte(out), "", "  "))
	return fmt.Sprintf("```\n$ pawl setup windsurf --dry-run --json\n%s```\n\n", pretty.String())
}

func quoteJSON(t *testing.T, s string) string {
	t.Helper()
	return string(must.Get(json.Marshal(s))(t))
}

func read(t *testing.T, file string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(file))(t))
}

// TestManPages asks groff for a second opinion: it warns of whatever it does not
// understand in a page.
func TestManPages(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		mustrun.NotHere(t, "groff is not installed, and is only a second opinion")
	}
	pages := []*manual.Page{front(true)}
	for v := range all {
		pages = append(pages, v.page(v.command(&app{})))
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-rCHECKSTYLE=3", "-z")
	cmd.Dir = t.TempDir()
	for _, p := range pages {
		must.Do(t, os.WriteFile(filepath.Join(cmd.Dir, p.Name), []byte(p.Roff("1.2.3", "2026-11-21")), 0o600))
		cmd.Args = append(cmd.Args, p.Name)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// tokensExample has the same secret each time.
func tokensExample(t *testing.T) string {
	t.Helper()
	text := must.Get(json.MarshalIndent(tokensJSON{
		wire.NewEnvelope("tokens"),
		[]tokenJSON{{ID: "k3v7q2mx", Name: "ada", Kind: "person", Role: "work", Boards: []string{"shop"}, Live: true, Created: "2026-11-23T06:12:00.000Z"}},
		"pawl_k3v7q2mx_K043ib2rsM8MR83YFRY4hdvYX7cB8yu46qvgtf4zMOo",
		[]string{"pawl join https://pawl.example.org/boards/shop"},
	}, "", "  "))(t)
	return fmt.Sprintf("```\n$ pawl serve token create ada --board shop --boards /srv/pawl --json\n%s\n```\n\n", text)
}

// databaseExample is the answer to serve migrate, which needs a database.
func databaseExample(t *testing.T) string {
	t.Helper()
	text := must.Get(json.MarshalIndent(databaseJSON{
		Envelope: wire.NewEnvelope("database"), Database: "the database pawl at db.example.org:5432", Level: 5,
	}, "", "  "))(t)
	return fmt.Sprintf("```\n$ pawl serve migrate --store postgres://db.example.org/pawl --json\n%s\n```\n\n", text)
}
