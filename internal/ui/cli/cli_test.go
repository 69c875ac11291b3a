package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pty"
	"github.com/pawl-dev/pawl/internal/dev/served"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// fixture is a place to run commands at: a folder, and boards in memory.
type fixture struct {
	t      *testing.T
	dir    string
	env    map[string]string
	stdin  string
	tty    bool // the caller is at a terminal, and types nothing
	boards map[string]*memory.Store
	todos  *todomem.Store
	clock  func() time.Time
	build  Build

	distant  bool         // the board is at an address
	accesses int          // of the last command
	heard    func(string) // what it says on stderr, as it says it; may be nil
	merger   query.Merger // nil: nothing is merged before a change
	state    merge.State
	merge    func(Merging) (merge.Outcome, error) // nil: nothing is to be merged
	sharing  *Sharing                             // nil: boards here cannot be shared
	ails     *query.Problems                      // nil: what is wrong with the boards
	team     *team                                // nil: no server is there
}

// Write hears what a command says.
func (d *fixture) Write(said []byte) (int, error) {
	if d.heard != nil {
		d.heard(string(said))
	}
	return len(said), nil
}

func newFixture(t *testing.T) *fixture {
	state := t.TempDir()
	return &fixture{t: t, dir: t.TempDir(), env: map[string]string{"USER": "ada", "PAWL_SESSION": "s1", "XDG_STATE_HOME": state}, boards: map[string]*memory.Store{}, todos: todomem.New(), clock: time.Now}
}

// answer is what a command printed.
type answer struct {
	out, err string
	code     int
}

func (d *fixture) run(args ...string) answer {
	d.t.Helper()
	var out, errs bytes.Buffer
	var stores []*querytest.Counted
	open := func(place project.Board) (query.Board, error) {
		if place.Distant() {
			if err := d.team.admits(d, place.Address); err != nil {
				return nil, err
			}
		}
		if d.boards[place.Where()] == nil {
			d.boards[place.Where()] = memory.New(memory.WithClock(d.clock))
		}
		stores = append(stores, &querytest.Counted{Store: d.boards[place.Where()]})
		if d.merger != nil {
			return querytest.Loop(query.Local(pawl.NewBoard(stores[len(stores)-1]), query.Merging(d.merger))), nil
		}
		if d.distant {
			return served.Board(d.t, query.Local(pawl.NewBoard(stores[len(stores)-1]))), nil
		}
		if d.ails != nil {
			return ailing{wired(stores[len(stores)-1]), *d.ails}, nil
		}
		return d.team.at(d, place, wired(stores[len(stores)-1])), nil
	}
	code := Run(context.Background(), Env{
		Program: func() string { return "" },
		Args:    args, Stdin: d.input(), Stdout: &out, Stderr: io.MultiWriter(&errs, d),
		Getenv: func(key string) string { return d.env[key] }, Dir: d.dir, Build: d.build,
		Boards: Boards{
			Open: open, Briefly: open, Empty: emptyBoard,
			Watched: func(place project.Board, _ func(string)) (query.Board, error) { return open(place) },
			Init:    func(_ context.Context, m Making) (Made, error) { return Made{}, os.MkdirAll(m.Dir, 0o755) },
			KeepOut: func(context.Context, string) error { return nil },
			Prepare: func(string) error { return nil },
		},
		Git: &Git{
			Merge:     d.merges,
			State:     func(context.Context, string) (merge.State, error) { return d.state, nil },
			Committed: func(context.Context, string) ([][]byte, error) { return nil, nil },
		},
		Sharing: d.sharing,
		Address: &Address{Hello: d.team.hello, Left: func(address.Address) error { return nil }},
		Agents: Agents{
			Todos:  func(string) (*todo.Service, error) { return todo.New(d.todos, d.clock), nil },
			Forget: func(string, string) (int, error) { return 3, nil },
		},
		Screens: Screens{Web: d.web},
	})
	d.accesses = 0
	for _, store := range stores {
		d.accesses += store.N
	}
	return answer{out.String(), errs.String(), code}
}

// input is what the caller types, or a terminal.
func (d *fixture) input() io.Reader {
	if d.tty {
		return pty.Open(d.t)
	}
	return strings.NewReader(d.stdin)
}

// merges answers for git.
func (d *fixture) merges(_ context.Context, m Merging) (merge.Outcome, error) {
	if d.merge == nil {
		return merge.Outcome{}, nil
	}
	return d.merge(m)
}

// emptyBoard has nothing on it. As all boards here it stands behind a wire.
func emptyBoard() query.Board { return wired(memory.New()) }

func wired(store pawl.Store) query.Board { return querytest.Loop(query.Local(pawl.NewBoard(store))) }

// web serves nobody, and says where.
func (d *fixture) web(_ context.Context, w WebServing) error {
	state, err := userdir.State(w.Getenv)
	if err != nil {
		return err
	}
	const address = "http://127.0.0.1:7350"
	return w.Up(Served{Address: address, Link: address + "/#K3RZ7TQ5XJ2M4NWYB6CVDHGFLA", TokenFile: filepath.Join(state, "web", "token")})
}

// must is run for a command that cannot fail.
func (d *fixture) must(args ...string) string {
	d.t.Helper()
	a := d.run(args...)
	if a.code != 0 {
		d.t.Fatalf("pawl %s: exit code %d\n%s%s", strings.Join(args, " "), a.code, a.out, a.err)
	}
	return a.out
}

// json runs a command with --json and reads its one envelope.
func (d *fixture) json(args ...string) map[string]any {
	d.t.Helper()
	a := d.run(append(args, "--json")...)
	var envelope map[string]any
	if err := json.Unmarshal([]byte(a.out), &envelope); err != nil {
		d.t.Fatalf("pawl %s --json prints %q: %v", strings.Join(args, " "), a.out, err)
	}
	if strings.Count(a.out, "\n") != 1 || envelope["pawl"] != 1.0 || envelope["kind"] == "" {
		d.t.Fatalf("pawl %s --json prints no envelope: %s", strings.Join(args, " "), a.out)
	}
	if (envelope["kind"] == "error") != (a.code != 0 && envelope["kind"] != "doctor") {
		d.t.Fatalf("pawl %s --json ends with %d and says %s", strings.Join(args, " "), a.code, a.out)
	}
	return envelope
}

// Every kind of error has its exit code, its hint, and the same in JSON.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		code int
		kind string
		says []string
	}{
		{"blank subject", []string{"add", " "}, 2, "invalid", []string{"the subject is blank"}},
		{"no subject", []string{"add"}, 2, "invalid", []string{"add needs at least 1 argument", "hint: pawl help add"}},
		{"two subjects", []string{"add", "a b", "c d"}, 2, "invalid", []string{"add makes one task, and these are 2 texts", "hint: pawl add 'a b' --desc 'c d'"}},
		{"a number for a subject", []string{"add", "2"}, 2, "invalid", []string{`"2" is a number without a text`, "hint: pawl add "}},
		{"stdin and words", []string{"add", "-", "x"}, 2, "invalid", []string{"leave out the other words"}},
		{"done with no claim", []string{"done", "--as", "eve"}, 2, "invalid", []string{"you have claimed no task: which one is done?"}},
		{"a high number", []string{"done", "99"}, 3, "not_found", []string{"no task #99; the last is #3", "hint: pawl list --all"}},
		{"giant subject", []string{"add", strings.Repeat("x", 501)}, 2, "invalid", []string{"subject", "500"}},
		{"broken UTF-8", []string{"add", "a\xff"}, 2, "invalid", []string{"UTF-8"}},
		{"unknown verb", []string{"lits"}, 2, "invalid", []string{`unknown command "lits"`, "hint: pawl list"}},
		{"unknown flag", []string{"list", "--colour"}, 2, "invalid", []string{"unknown flag: --colour", "hint: pawl help list"}},
		{"unknown id", []string{"show", "99"}, 3, "not_found", []string{"#99", "hint: pawl list --all"}},
		{"a path for an id", []string{"show", "../x"}, 3, "not_found", []string{`"../x"`}},
		{"negative id", []string{"show", "--", "-1"}, 3, "not_found", []string{`"-1"`}},
		{"unknown blocker", []string{"add", "x", "--after", "99"}, 3, "not_found", []string{"#99"}},
		{"several unknown names", []string{"done", "no-such", "nor-this"}, 3, "not_found", []string{`"no-such"`, `"nor-this"`}},
		{"itself", []string{"block", "1", "--by", "1"}, 2, "invalid", []string{"#1 cannot wait for itself"}},
		{"a cycle", []string{"block", "1", "--by", "3"}, 2, "invalid", []string{"#3 → #1 → #2 → #3"}},
		{"blocked", []string{"done", "3"}, 5, "blocked", []string{"#3 is blocked by #2", "hint: finish it first: pawl done 1"}},
		{"claimed by another", []string{"claim", "1", "--as", "bob"}, 4, "conflict", []string{"#1 is claimed by ada", "hint: pawl claim"}},
		{"completed by another", []string{"done", "1", "--as", "bob"}, 4, "conflict", []string{"claimed by ada"}},
		{"an old token", []string{"done", "1", "--token", "1"}, 4, "conflict", []string{"token 1 is not the current token of #1"}},
		{"nothing left", []string{"claim", "--label", "none"}, 9, "idle", []string{"nothing is left to claim that fits: no task does"}},
		{"bad priority", []string{"add", "x", "--priority", "urgent"}, 2, "invalid", []string{`"urgent" is not a priority`}},
		{"bad status", []string{"list", "--status", "banana"}, 2, "invalid", []string{`unknown status "banana"`}},
		{"bad cursor", []string{"list", "--cursor", "x"}, 2, "invalid", []string{`"x" is not a cursor`}},
		{"bad limit", []string{"list", "--limit", "0"}, 2, "invalid", []string{"--limit must be between 1 and 1000"}},
		{"bad lease", []string{"claim", "--lease", "1ms"}, 2, "invalid", []string{"lease"}},
		{"bad meta", []string{"update", "1", "--meta", "x"}, 2, "invalid", []string{"KEY=VALUE"}},
		{"not completed", []string{"reopen", "1"}, 4, "conflict", []string{"#1 is in progress", "hint: pawl release 1"}},
		{"no file", []string{"plan", "missing.md"}, 3, "not_found", []string{"missing.md"}},
		{"a folder", []string{"import", "."}, 2, "invalid", []string{"is a folder"}},
		{"a foreign format", []string{"import", "x", "--from", "jira"}, 2, "invalid", []string{"or pawl"}},
		{"hold without a reason", []string{"release", "1", "--hold", ""}, 2, "invalid", []string{"needs a reason"}},
		{"block by nothing", []string{"block", "1"}, 2, "invalid", []string{"needs --by"}},
		{"an address", []string{"list", "--board", "mysql://h/d"}, 2, "invalid", []string{"a board is at https://… or in a database at postgres://…, not at mysql://…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newFixture(t)
			d.must("add", "one")
			d.must("add", "two", "--after", "1")
			d.must("add", "three", "--after", "2")
			d.must("claim", "1")
			a := d.run(c.args...)
			if a.code != c.code || a.out != "" {
				t.Errorf("exit code %d, want %d; stdout %q\n%s", a.code, c.code, a.out, a.err)
			}
			for _, part := range c.says {
				if !strings.Contains(a.err, part) {
					t.Errorf("stderr does not say %q:\n%s", part, a.err)
				}
			}
			for line := range strings.Lines(a.err) {
				if !strings.HasPrefix(line, "pawl: ") {
					t.Errorf("a line without its prefix: %q", line)
				}
				if strings.Contains(line, "hint:") && (strings.Contains(line, "--force") || strings.Contains(line, " rm ")) {
					t.Errorf("the hint would destroy something: %q", line)
				}
			}
			args := c.args
			if i := indexOf(args, "--"); i >= 0 {
				args = append(append([]string{args[0], "--json"}, args[1:i]...), args[i:]...)
			} else {
				args = append([]string{}, append(args, "--json")...)
			}
			a = d.run(args...)
			var j struct {
				Kind  string
				Exit  int
				Error struct {
					Kind, Message, Hint string
					Faults              []struct{ Path, Problem string }
				}
			}
			if err := json.Unmarshal([]byte(a.out), &j); err != nil {
				t.Fatalf("%v: %q", err, a.out)
			}
			if j.Kind != "error" || j.Exit != c.code || a.code != c.code || j.Error.Kind != c.kind || j.Error.Message == "" {
				t.Errorf("the envelope is %s", a.out)
			}
		})
	}
}

func indexOf(args []string, arg string) int {
	for i := range args {
		if args[i] == arg {
			return i
		}
	}
	return -1
}

func TestFirstWriteMakesTheBoard(t *testing.T) {
	d := newFixture(t)
	a := d.run("list")
	if a.code != 0 || a.out != "" || !strings.Contains(a.err, "no board exists here yet") {
		t.Errorf("list without a board: %+v", a)
	}
	if a := d.run("add", " "); a.code != 2 || exists(t, d.dir+"/.tasks") {
		t.Errorf("a task that is refused made a board: %+v", a)
	}
	if a := d.run("add", "x", "--parent", "9"); a.code != 3 || exists(t, d.dir+"/.tasks") {
		t.Errorf("a task that is refused made a board: %+v", a)
	}
	if a := d.run("done", "1"); a.code != 3 || exists(t, d.dir+"/.tasks") {
		t.Errorf("done without a board: %+v", a)
	}
	a = d.run("add", "x")
	if a.code != 0 || !strings.Contains(a.err, "made a board in "+d.dir) || !exists(t, d.dir+"/.tasks") {
		t.Errorf("the first task: %+v", a)
	}
	if a := d.run("add", "y"); a.err != "" {
		t.Errorf("the second task still talks: %+v", a)
	}
}

func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Lstat(path)
	return err == nil
}

func TestPages(t *testing.T) {
	d := newFixture(t)
	for range 5 {
		d.must("add", "it's a task", "--label", "x")
	}
	a := d.run("list", "--label", "x", "--text", "it's", "--limit", "2")
	const more = "pawl: 2 of 5 shown; next page: pawl list --label x --text 'it'\\''s' --limit 2 --cursor "
	if !strings.HasPrefix(a.err, more) || strings.Count(a.out, "\n") != 2 {
		t.Fatalf("the first page: %+v", a)
	}
	cursor := strings.TrimSpace(strings.TrimPrefix(a.err, more))
	a = d.run("list", "--label", "x", "--text", "it's", "--limit", "2", "--cursor", cursor)
	if !strings.HasPrefix(a.out, "[ ] #3 ") || !strings.HasPrefix(a.err, more) {
		t.Errorf("the second page: %+v", a)
	}
	j := d.json("list", "--limit", "4")
	if j["hasMore"] != true || j["total"] != 5.0 || j["cursor"] == nil {
		t.Errorf("a page in JSON: %v", j)
	}
}

// An agent's shell needs no quoting: text comes from stdin or a file.
func TestTextFromStdin(t *testing.T) {
	d := newFixture(t)
	d.stdin = "Write the \"parser\"\n\nLine one, with $HOME and `ticks`.\n  Line two.\n"
	d.must("add", "-", "--label", "x")
	task := d.json("show", "1")["task"].(map[string]any)
	if task["subject"] != `Write the "parser"` || task["description"] != "Line one, with $HOME and `ticks`.\n  Line two." {
		t.Errorf("got %v", task)
	}
	d.stdin = "New text.\n"
	d.must("update", "1", "--desc", "-")
	if task := d.json("show", "1")["task"].(map[string]any); task["description"] != "New text." {
		t.Errorf("got %v", task)
	}
	must.Do(t, os.WriteFile(d.dir+"/brief.md", []byte("From a file.\n"), 0o644))
	d.must("update", "1", "--desc-file", "brief.md")
	if task := d.json("show", "1")["task"].(map[string]any); task["description"] != "From a file." {
		t.Errorf("got %v", task)
	}
	if a := d.run("update", "1", "--desc", "x", "--desc-file", "brief.md"); a.code != 2 {
		t.Errorf("two descriptions: %+v", a)
	}
}

// Two terminals of one user are one owner; an agent's claim has a lease, and is its
// session's.
func TestClaims(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	d.must("add", "two")
	out := d.must("claim")
	if !strings.HasPrefix(out, "Claimed #1 one\n") || strings.Contains(out, "lease") {
		t.Errorf("claim prints\n%s", out)
	}
	a := d.run("claim")
	if !strings.HasPrefix(a.out, "Claimed #2 two\n") || a.err != "pawl: you have also claimed #1 one\n" {
		t.Errorf("the second claim: %+v", a)
	}
	d.env["PAWL_SESSION"] = "s2"
	d.must("release", "1")
	d.env["CLAUDECODE"], d.env["CLAUDE_CODE_SESSION_ID"], d.env["PAWL_SESSION"] = "1", "abc", ""
	task := d.json("claim", "1")["tasks"].([]any)[0].(map[string]any)
	claim := task["claim"].(map[string]any)
	if task["owner"] != "claude" || claim["session"] != "abc" || claim["until"] == nil {
		t.Errorf("an agent's claim: %v", task)
	}
	d.env["PAWL_SESSION"] = "def"
	if a := d.run("done", "1"); a.code != 4 || !strings.Contains(a.err, "session abc") {
		t.Errorf("the same name in another session: %+v", a)
	}
}

// TestWhyCountsOn: beyond a hundred tasks that wait nobody counts on, however
// large the board is.
func TestWhyCountsOn(t *testing.T) {
	for waiting, want := range map[int]string{99: "unblocks 99, longest chain 100 tasks", 100: "unblocks 99+, longest chain 101 tasks", 300: "unblocks 99+, longest chain 301 tasks"} {
		d := newFixture(t)
		d.stdin = strings.Repeat("- step\n", waiting+1)
		d.must("plan", "--chain", "-")
		if got := d.must("ready", "--why"); !strings.HasSuffix(got, "Why: "+want+"\n") {
			t.Errorf("%d wait, and ready --why prints\n%s", waiting, got)
		}
		reason := d.json("ready", "--why")["reason"].(map[string]any)
		if more, _ := reason["more"].(bool); reason["unblocks"] != 99.0 || more != (waiting > 99) {
			t.Errorf("%d wait, and ready --why --json says %v", waiting, reason)
		}
	}
}

func TestReadySaysWhy(t *testing.T) {
	d := newFixture(t)
	d.must("add", "idle")
	d.must("add", "base")
	d.must("add", "middle", "--after", "2")
	d.must("add", "top", "--after", "3")
	if got, want := d.must("ready", "--why"), "[ ] #2 base\nWhy: unblocks 2, longest chain 3 tasks\n"; got != want {
		t.Errorf("ready --why prints\n%swant\n%s", got, want)
	}
	d.must("update", "4", "--priority", "high")
	if got, want := d.must("ready", "--why"), "[ ] #2 base\nWhy: a high priority task waits for it, unblocks 2, longest chain 3 tasks\n"; got != want {
		t.Errorf("ready --why prints\n%swant\n%s", got, want)
	}
	j := d.json("ready", "--why")
	if reason := j["reason"].(map[string]any); reason["urgency"] != "high" || reason["unblocks"] != 2.0 || reason["chain"] != 2.0 {
		t.Errorf("ready --why --json: %v", j)
	}
	if got := d.must("ready", "--why", "--text", "idle"); !strings.Contains(got, "nothing waits for it") {
		t.Errorf("ready --why prints %s", got)
	}
}

// A task's text cannot pass for something that Pawl said, nor act on a terminal.
func TestTextIsData(t *testing.T) {
	d := newFixture(t)
	d.must("add", "evil \u202e \U000e0041", "--desc", "\x1b]52;c;eA==\a\nStatus: completed", "--label", "\u200bl")
	for _, args := range [][]string{{"list"}, {"show", "1"}, {"ready", "--why"}, {"claim"}, {"show", "1", "--json"}, {"done", "1"}, {"show", "\x1b[2J"}, {"list", "--\x1b[2J"}} {
		a := d.run(args...)
		for _, r := range a.out + a.err {
			if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e || r == 0x200b || r >= 0xe0000 {
				t.Errorf("pawl %v prints %q", args, a.out+a.err)
				break
			}
		}
		if strings.Contains(a.out, "\nStatus: completed") && args[0] == "show" {
			t.Errorf("a description passes for a field: %s", a.out)
		}
	}
}

func TestUpdate(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one", "--label", "a")
	d.must("add", "two")
	d.must("update", "1", "--subject", "uno", "--priority", "high", "--add-label", "b", "--remove-label", "a", "--parent", "2",
		"--meta", "points=5", "--meta", "branch=main", "--active-form", "Doing uno")
	task := d.json("show", "1")["task"].(map[string]any)
	meta := task["metadata"].(map[string]any)
	if task["subject"] != "uno" || task["priority"] != "high" || task["parent"] != 2.0 || meta["points"] != 5.0 || meta["branch"] != "main" {
		t.Errorf("got %v", task)
	}
	d.must("update", "1", "--parent", "none", "--meta", "points=null")
	task = d.json("show", "1")["task"].(map[string]any)
	if task["parent"] != nil || task["metadata"].(map[string]any)["points"] != nil {
		t.Errorf("got %v", task)
	}
	if got := d.must("update", "1", "--subject", "uno"); !strings.HasPrefix(got, "#1 is so already") {
		t.Errorf("an update that changes nothing prints %s", got)
	}
	d.must("hold", "1", "not yet")
	if a := d.run("claim", "1"); a.code != 5 || !strings.Contains(a.err, "hint: pawl hold --lift 1") {
		t.Errorf("claiming what is held: %+v", a)
	}
	d.must("hold", "--lift", "1")
	d.must("claim", "1")
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Output that is lost is an error, told where there is still a way.
func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"version", "--json"}, {"show", "1", "--json"}} {
		var errs bytes.Buffer
		code := Run(context.Background(), Env{
			Program: func() string { return "" },
			Args:    args, Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &errs,
			Getenv: func(string) string { return "" }, Dir: t.TempDir(),
			Boards: Boards{Empty: emptyBoard},
		})
		if code == 0 || !strings.Contains(errs.String(), "pawl: ") {
			t.Errorf("pawl %v: exit code %d, stderr %q", args, code, errs.String())
		}
	}
}

// A log that reaches to the end of what is kept says that there was more.
func TestLogOfTrimmedHistory(t *testing.T) {
	d := newFixture(t)
	d.must("add", "one")
	for dir := range d.boards {
		d.boards[dir] = memory.New(memory.WithHistory(3))
	}
	for _, subject := range []string{"one", "two", "three", "four", "five"} {
		d.must("add", subject)
	}
	a := d.run("log")
	if strings.Count(a.out, "\n") != 3 || !strings.Contains(a.err, "no longer kept") {
		t.Errorf("%s%s", a.out, a.err)
	}
	if log := d.json("log"); log["trimmed"] != true || log["hasMore"] != false {
		t.Error(log)
	}
	if log := d.json("log", "--limit", "2"); log["trimmed"] != nil || log["hasMore"] != true {
		t.Error(log)
	}
	if a := d.run("log", "--after", "0"); a.code != 7 || !strings.Contains(a.err, "hint: pawl log\n") {
		t.Errorf("exit code %d: %s", a.code, a.err)
	}
	if a := d.run("undo", "--as", "bob"); a.code != 3 || !strings.Contains(a.err, "in what history keeps") {
		t.Errorf("exit code %d: %s", a.code, a.err)
	}
}

// Of a change of very many tasks only the first are spelled out.
func TestDetailsEnd(t *testing.T) {
	d := newFixture(t)
	d.stdin = strings.Repeat("- [ ] task\n", 2*mostDetails)
	d.must("plan", "-")
	for _, args := range [][]string{{"log", "--verbose"}, {"undo", "--dry-run"}, {"undo"}} {
		out := d.must(args...)
		if lines := strings.Count(out, "\n"); lines > mostDetails+5 || !strings.Contains(out, " more tasks\n") {
			t.Errorf("pawl %s prints %d lines", strings.Join(args, " "), lines)
		}
	}
}
