package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/attribution/attributiontest"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
)

func init() { programs["hook"] = leaveNote }

// leaveNote is the program that an agent's hooks start: it leaves a note for the
// server of the agent that started it.
func leaveNote() {
	var note attributiontest.Note
	err := json.NewDecoder(os.Stdin).Decode(&note)
	if err == nil {
		var state string
		if state, err = userdir.State(os.Getenv); err == nil {
			err = note.Leave(attribution.Notes{Dir: state}, caller.Starter().ID)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Each client as it was seen, with this process as the agent: its hooks and
// servers are processes of their own. In the end each caller has the todo list
// that it wrote, and a subagent has not touched its main agent's.
func TestWhoCalls(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		mustrun.NotHere(t, "processes do not show here who started them")
	}
	files, err := filepath.Glob("../../internal/agent/*/testdata/calls/*.jsonl")
	if err != nil || len(files) < 12 {
		t.Fatalf("only %d stories: %v", len(files), err)
	}
	for _, file := range files {
		agent := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(file))))
		t.Run(agent+" "+strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = title.ReplaceAll(text, []byte(`{"todos": [{"content": "$1", "status": "pending"}]}`))
			steps, err := attributiontest.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			play(t, steps)
		})
	}
}

// title is the argument that the recorded tool took.
var title = regexp.MustCompile(`\{"title": "([^"]*)"\}`)

func play(t *testing.T, steps []attributiontest.Step) {
	state := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + state, "HOME=" + t.TempDir(), "GORACE=atexit_sleep_ms=0"}
	project := t.TempDir()
	var client attributiontest.Client
	var s *server
	want := map[todo.Key]string{}
	for _, step := range steps {
		switch {
		case step.Hook != "":
			note, err := client.Note(step)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(note)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("hook")
			cmd.Env, cmd.Stdin = env, strings.NewReader(string(text))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		case step.Call != nil:
			if said := s.call("tools/call", step.Call); strings.Contains(said, `"isError":true`) {
				t.Fatal(said)
			}
			key := todo.Key{Session: step.Want.Session, Agent: step.Want.Agent}
			if step.Want.By == attribution.Own {
				key.Session = string(attribution.Own)
			}
			want[key] = content.FindStringSubmatch(string(step.Call))[1]
		default:
			s = start(t, project, env, step)
		}
	}
	store, err := todofile.Open(filepath.Join(state, "pawl", "todos"))
	if err != nil {
		t.Fatal(err)
	}
	lists, err := store.Lists(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[todo.Key]string{}
	for _, head := range lists {
		list, err := store.Load(t.Context(), head.Key)
		if err != nil || len(list.Items) != 1 {
			t.Fatal(list, err)
		}
		if strings.HasPrefix(head.Session, "agent-") {
			head.Session = string(attribution.Own)
		}
		got[head.Key] = list.Items[0].Content
	}
	if !maps.Equal(got, want) {
		t.Errorf("the lists are %q, want %q", got, want)
	}
}

var content = regexp.MustCompile(`"content": "([^"]*)"`)

// server is a running pawl mcp.
type server struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
	id  int
}

func start(t *testing.T, project string, env []string, step attributiontest.Step) *server {
	cmd := exec.Command("pawl", "mcp")
	cmd.Dir, cmd.Stderr, cmd.Env = project, os.Stderr, env[:len(env):len(env)]
	for key, value := range step.Server {
		if key != "CLAUDE_PROJECT_DIR" {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	s := &server{t: t, in: in, out: bufio.NewReader(out)}
	if step.Client != "" { // the others call without a word before
		s.call("initialize", json.RawMessage(fmt.Sprintf(`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":%q,"version":"1"}}`, step.Client)))
		fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return s
}

// call asks and returns the answer, whatever else the server has to say.
func (s *server) call(method string, params json.RawMessage) string {
	s.t.Helper()
	s.id++
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params)
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.Contains(line, fmt.Sprintf(`"id":%d,`, s.id)) {
			return line
		}
	}
}
