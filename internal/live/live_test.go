package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/nudge"
)

// The test is three programs: itself, an agent's, and Pawl as far as a look calls
// it. What the agent does is in AGENT; what its hooks would have written it writes
// to the tap itself.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[len(os.Args)-1] == "you": // see toy.pawl
		playPawl()
	case os.Getenv("AGENT") != "":
		playAgent(os.Getenv("AGENT"))
	default:
		os.Exit(m.Run())
	}
}

// playPawl keeps todo lists as the fake agent left them.
func playPawl() {
	args := strings.Join(os.Args[1:], " ")
	switch {
	case strings.HasPrefix(args, "add "):
	case strings.HasPrefix(args, "todo --session "):
		text, err := os.ReadFile(filepath.Join(os.Getenv(trace.Variable), os.Args[3]+".todos"))
		if err != nil {
			text = []byte(`{"todos":[]}`)
		}
		fmt.Printf("%s\n", text)
	default:
		fmt.Println("unknown:", args)
		os.Exit(2)
	}
}

// A fake is what the agent's program is in one run.
type fake struct {
	dir, session, prompt, does string
	resumed                    bool
}

func (f fake) see(kind nudge.Kind, l trace.Line) {
	l.Kind, l.Session, l.At = string(kind), f.session, time.Now()
	if l.Event == "" {
		l.Event = string(kind)
	}
	trace.Add(f.dir, l)
}

func (f fake) call(tool string) {
	f.see(nudge.CallEnds, trace.Line{Tool: tool})
	if _, name, ours := strings.Cut(tool, "mcp__pawl__"); ours {
		trace.Add(f.dir, trace.Line{Method: "tools/call", Tool: name})
	}
}

func (f fake) todos(status string, contents ...string) {
	list := struct {
		Todos []step `json:"todos"`
	}{}
	for _, c := range contents {
		list.Todos = append(list.Todos, step{c, status})
	}
	text, _ := json.Marshal(list)
	_ = os.WriteFile(filepath.Join(f.dir, f.session+".todos"), text, 0o600)
}

func (f fake) stop(notes int) {
	for range notes {
		f.see(nudge.Stop, trace.Line{Continue: "Continue working on this task"})
	}
	f.see(nudge.Stop, trace.Line{})
}

// is reports whether the agent is to do something wrong.
func (f fake) is(what string) bool { return slices.Contains(strings.Split(f.does, ","), what) }

func (f fake) say(text string) {
	line, _ := json.Marshal(map[string]any{"type": "result", "session_id": f.session, "result": text, "usage": map[string]int{"input_tokens": 100, "output_tokens": 10}})
	fmt.Printf("%s\n", line)
}

var planned = []string{"Write heron.txt", "Write otter.txt", "Write badger.txt"}

// recovery is what a hook gives; three todos, or the project's task.
const givenTodos = "<pawl-recovery>\nWrite heron.txt\nWrite otter.txt\nWrite badger.txt\n</pawl-recovery>"

func playAgent(does string) {
	if slices.Contains(os.Args, "--version") {
		fmt.Println("9.8.7 (Fake)")
		return
	}
	prompt, _ := io.ReadAll(os.Stdin)
	f := fake{dir: os.Getenv(trace.Variable), prompt: string(prompt), does: does}
	if at := slices.Index(os.Args, "--resume"); at > 0 {
		f.session, f.resumed = os.Args[at+1], true
	} else {
		f.session = fmt.Sprintf("session-%d-0123456789", os.Getpid())
	}
	if f.is("logged-out") {
		fmt.Println(`{"type":"result","is_error":true,"result":"Not logged in · Please run /login"}`)
		os.Exit(1)
	}
	if f.is("hangs") {
		fmt.Println(`{"type":"system"}`)
		forever := make(chan os.Signal, 1)
		signal.Notify(forever, os.Interrupt)
		<-forever
	}
	if f.is("no-hooks") {
		f.say("Shall I begin?")
		return
	}
	about := func(part string) bool { return strings.Contains(f.prompt, part) }
	if f.prompt != "/compact" {
		source, given := nudge.Startup, "Ready: "+kestrels
		if f.resumed {
			source, given = nudge.Resume, givenTodos
		}
		if f.is("forgets") {
			given = ""
		}
		f.see(nudge.Start, trace.Line{Source: string(source), Context: given})
		f.see(nudge.Prompt, trace.Line{})
		if !f.is("no-server") {
			trace.Add(f.dir, trace.Line{Method: "tools/list"})
			trace.Add(f.dir, trace.Line{Method: "tools", Tools: []string{"todo_write", "task_create"}})
		}
	}
	switch {
	case f.is("lazy"):
		f.stop(0)
		f.say("No. My home is " + os.Getenv("HOME") + ", my key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.")
	case about("exactly these three todos"):
		f.call("mcp__pawl__todo_write")
		if !f.is("loses") {
			f.todos("pending", planned...)
		}
		f.stop(0)
		f.say("Shall I begin?")
	case f.prompt == "/compact":
		given := givenTodos
		if f.is("forgets") {
			given = ""
		}
		f.see(nudge.Start, trace.Line{Source: string(nudge.Compact), Context: given})
		f.say("")
	case about("Which three files"):
		f.stop(0)
		f.say("heron, otter and badger")
	case about("Begin now"):
		for _, b := range birds {
			_ = os.WriteFile(b+".txt", []byte(b+"\n"), 0o600)
		}
		if !f.is("unticked") {
			f.call("mcp__pawl__todo_write")
			f.todos("completed", planned...)
		}
		f.stop(0)
		f.say("DONE")
	case about("Which task of this project"):
		f.stop(0)
		f.say(kestrels)
	case about("built-in tool"):
		f.call("TaskCreate")
		f.todos("pending", native...)
		if f.is("mixes") {
			f.todos("pending", append(native, planned...)...)
		}
		f.stop(0)
		f.say("Shall I begin?")
	case about("Wait for the owl"):
		f.call("mcp__pawl__todo_write")
		f.todos("in_progress", "Wait for the owl")
		notes := 2
		if f.is("endless") {
			notes = 40
		} else if f.is("silent") {
			notes = 0
		}
		f.stop(notes)
		f.say("I end here.")
	case about("Stop. Do nothing more"):
		notes := 0
		if f.is("pushed") {
			notes = 1
		}
		f.stop(notes)
		f.say("I have stopped.")
	default:
		f.say("?")
	}
}

// look looks at an agent that does something wrong.
func look(t *testing.T, does string) (*Report, string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	claude := *known.Find("claude")
	l := &Look{
		Agent: &claude, Program: self, Pawl: self, Version: "1.2.3", Home: home,
		Environ: append(os.Environ(), "AGENT="+does, "HOME="+home, "CLAUDECODE=1", "PAWL_SESSION=mine", "TMPDIR="+home),
		Setup:   func(context.Context, string, string, func(string) string) (bool, error) { return true, nil },
		Tell:    func(string) {}, Now: time.Now,
	}
	if does == "hangs" {
		l.Limit = 200 * time.Millisecond
	}
	r, err := l.Run(context.Background())
	return r, home, err
}

// TestRun breaks each promise on purpose, and names the checks that say so.
func TestRun(t *testing.T) {
	for does, want := range map[string]string{
		"good":      "",
		"no-hooks":  "no: hooks tools; unseen: list compaction resume ticked new-session apart bounded stop",
		"no-server": "no: tools",
		"loses":     "no: list; unseen: ",
		"forgets":   "no: compaction resume new-session",
		"unticked":  "no: ticked",
		"mixes":     "no: apart",
		"endless":   "no: bounded",
		"silent":    "no: bounded",
		"pushed":    "no: stop",
		"lazy":      "unseen: list compaction resume ticked new-session apart bounded stop",
		"hangs":     "unseen: hooks tools list compaction resume ticked new-session apart bounded stop",
	} {
		t.Run(does, func(t *testing.T) {
			t.Parallel()
			r, home, err := look(t, does)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Checks) != len(checks) {
				t.Fatalf("%d checks, want %d", len(r.Checks), len(checks))
			}
			for _, c := range r.Checks {
				mark := Yes
				for part := range strings.SplitSeq(want, "; ") {
					if m, names, ok := strings.Cut(part, ": "); ok && slices.Contains(strings.Fields(names), c.Name) {
						mark = Mark(m)
					}
				}
				if c.Mark != mark || c.Saw == "" {
					t.Errorf("%s is %s, want %s: %s", c.Name, c.Mark, mark, c.Saw)
				}
			}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			for _, shown := range []string{string(text), r.Markdown()} {
				for _, private := range []string{home, "pawl-live-", "sk-ant-api03"} {
					if strings.Contains(shown, private) {
						t.Errorf("the report has %q:\n%s", private, shown)
					}
				}
			}
		})
	}
}

func TestLoggedOut(t *testing.T) {
	_, _, err := look(t, "logged-out")
	var e *pawl.Error
	if !errors.Is(err, pawl.Unavailable) || !errors.As(err, &e) || !strings.Contains(e.Hint.Text, "/login") {
		t.Errorf("%v, want one that says how to log in", err)
	}
}

func TestEnvironment(t *testing.T) {
	env := environment([]string{"PATH=/bin", "HOME=/h", "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=a", "GIT_DIR=/x", "PAWL_BOARD=/y", "ANTHROPIC_API_KEY=k"}, "/look", "/toy/bin", "/toy")
	want := []string{"HOME=/h", "ANTHROPIC_API_KEY=k", "PATH=/toy/bin" + string(os.PathListSeparator) + "/bin", "PWD=/toy", "PAWL_LIVE=/look"}
	if !slices.Equal(env, want) {
		t.Errorf("%q, want %q", env, want)
	}
}

// What a program keeps of the toy goes, what is its user's stays.
func TestClean(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(t.TempDir(), "pawl-toy-abc")
	session := "0b7c1111-2222-3333-4444-555555555555"
	slug := strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(root)
	files := map[string]bool{ // stays
		".claude/projects/" + slug + "/x.jsonl":              false,
		".claude/projects/-home-ada-shop/y.jsonl":            true,
		".claude/tasks/" + session + "/1.json":               false,
		".claude/tasks/ffff1111-2222-3333-4444-55555/1.json": true,
		".claude.json": true,
	}
	for name := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte("{}"), 0o600))
	}
	s := &story{Look: &Look{Agent: known.Find("claude"), Home: home}, toy: &toy{root: root, home: home}, seen: map[string]*seen{
		"plan": {session: session}, "new": {session: "*"}, "stop": {session: "../../../../.claude"},
	}}
	left := s.clean(context.Background())
	for name, stays := range files {
		if _, err := os.Stat(filepath.Join(home, filepath.FromSlash(name))); (err == nil) != stays {
			t.Errorf("%s: %v, and stays is %t", name, err, stays)
		}
	}
	if want := []string{"~/.claude.json: the program's own record, which may name the toy project"}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}

// A look that a person ends leaves no more behind than one that was done: it left
// the sessions that the program had kept until then.
func TestEnded(t *testing.T) {
	self := must.Get(os.Executable())(t)
	home := t.TempDir()
	claude := *known.Find("claude")
	ctx, end := context.WithCancel(context.Background())
	defer end()
	kept := ""
	l := &Look{
		Agent: &claude, Program: self, Pawl: self, Version: "1.2.3", Home: home,
		Environ: append(os.Environ(), "AGENT=hangs", "HOME="+home, "TMPDIR="+home),
		Setup: func(_ context.Context, root, _ string, _ func(string) string) (bool, error) {
			slug := strings.NewReplacer("/", "-", ".", "-", "_", "-", `\`, "-", ":", "-").Replace(root)
			kept = filepath.Join(home, ".claude", "projects", slug)
			return true, os.MkdirAll(kept, 0o700)
		},
		Tell: func(string) { end() }, Now: time.Now,
	}
	if _, err := l.Run(ctx); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("%v, want one that says that it was ended", err)
	}
	if _, err := os.Stat(kept); err == nil {
		t.Error("the program's record of the toy is left")
	}
}

// A secret is hidden before a text is cut: half of one has no shape.
func TestMask(t *testing.T) {
	y := &toy{root: "/toy", dir: "/", home: "/home/ada"}
	secret := "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
	for at := maxSaid - len(secret) - 5; at < maxSaid+5; at++ {
		if got := y.mask(strings.Repeat("x", at-1) + " " + secret); strings.Contains(got, "sk-") {
			t.Fatalf("behind %d bytes: %s", at, got[at-5:])
		}
	}
}

// Each agent that can be run is told what it needs, and no more is trusted than
// the toy.
func TestHeadless(t *testing.T) {
	lines := map[string]string{
		"claude":   `{"type":"result","is_error":false,"result":"Hello","session_id":"s1","usage":{"input_tokens":7,"cache_read_input_tokens":3,"output_tokens":2}}`,
		"codex":    `{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":3,"output_tokens":2}}`,
		"qwen":     `{"type":"result","is_error":false,"result":"Hello","session_id":"s1","usage":{"input_tokens":7,"output_tokens":2,"cache_read_input_tokens":3}}`,
		"copilot":  "", // it tells none
		"cursor":   "",
		"amp":      `{"type":"result","is_error":false,"result":"Hello","session_id":"s1","usage":{"input_tokens":7,"cache_read_input_tokens":3,"output_tokens":2}}`,
		"opencode": `{"type":"step_finish","sessionID":"s1","part":{"tokens":{"input":7,"output":2,"cache":{"read":3,"write":0}},"cost":0}}`,
	}
	for _, a := range known.Agents {
		h := a.Headless
		if h == nil {
			continue
		}
		if line, ok := lines[a.Name]; ok == (h.Said == nil) {
			t.Errorf("%s: how it tells tokens is not tried here", a.Name)
		} else if ok {
			if u := h.Said([]byte(line)).Usage; line != "" && (u.In != 10 || u.Cached != 3 || u.Out != 2) {
				t.Errorf("%s: %+v", a.Name, u)
			}
			if said := h.Said([]byte(`{"type":`)); said != (agent.Said{}) {
				t.Errorf("%s: half a line says %+v", a.Name, said)
			}
		}
		args := h.Args(agent.Turn{Prompt: "Do it", Session: "0b7c", Model: "small", Dir: "/toy", Trusted: true})
		for _, want := range []string{"small", "0b7c"} {
			if want == "small" && a.Name == "amp" {
				continue // it has modes instead
			}
			if !slices.ContainsFunc(args, func(arg string) bool { return arg == want || strings.HasSuffix(arg, "="+want) }) {
				t.Errorf("%s: no %q among %q", a.Name, want, args)
			}
		}
		if slices.Contains(args, "Do it") == h.Stdin {
			t.Errorf("%s: the prompt goes in twice, or not at all: %q", a.Name, args)
		}
		own := strings.Join(h.Args(agent.Turn{Prompt: "Do it", Dir: "/toy"}), " ")
		for _, bypass := range []string{"trust", "bypass", "yolo", "dangerous", "allow-all"} {
			if strings.Contains(own, bypass) {
				t.Errorf("%s: %s, though the set-up is the user's: %s", a.Name, bypass, own)
			}
		}
		work := h.Started(agent.Turn{Prompt: "Do it", Dir: "/toy", Work: true})
		for _, arg := range h.Skip {
			if slices.Contains(work, arg) && arg != "--approval-mode" {
				t.Errorf("%s does everything without asking, and no person has let it: %q", a.Name, work)
			}
		}
		free := h.Started(agent.Turn{Prompt: "Do it", Dir: "/toy", Work: true, Skip: true})
		if !strings.Contains(strings.Join(free, "\x00"), strings.Join(h.Skip, "\x00")) || len(h.Skip) == 0 {
			t.Errorf("%s: no %q among %q", a.Name, h.Skip, free)
		}
		if h.Install == "" {
			t.Errorf("%s: how it is installed is not known", a.Name)
		}
		if h.Login == "" || len(h.Refused) == 0 || h.Tokens == 0 || h.Program == "" {
			t.Errorf("%s: something is missing: %+v", a.Name, h)
		}
	}
}

// A program may print without an end, and lines of any length.
func TestListener(t *testing.T) {
	tail := &tail{}
	l := &listener{read: agent.Heard, tail: tail}
	for _, part := range []string{
		"warning\n", `{"text":"Do","more":true}` + "\n" + `{"te`,
		`xt":"ne.","more":true}` + "\n", `{"other":"?"}` + "\n",
		`{"text":"More.","more":true}` + "\n", strings.Repeat("x", 3*maxTail) + "\n",
	} {
		if _, err := l.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.Copy(l, bytes.NewReader(bytes.Repeat([]byte("y"), maxPrinted+10))); err != nil {
		t.Fatal(err)
	}
	l.close()
	if l.text != "More." {
		t.Errorf("%q is the last that it said", l.text)
	}
	if len(tail.String()) > maxTail {
		t.Errorf("%d bytes of its end are kept", len(tail.String()))
	}
	plain := &listener{tail: tail}
	if _, err := plain.Write([]byte("Heron, otter\nand badger.\n")); err != nil {
		t.Fatal(err)
	}
	if plain.close(); plain.text != "Heron, otter\nand badger.\n" {
		t.Errorf("%q is what it printed", plain.text)
	}
}
