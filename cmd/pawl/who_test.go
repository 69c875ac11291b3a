package main

import (
	"encoding/json"
	"fmt"
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
	"github.com/pawl-dev/pawl/internal/dev/must"
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
			text := must.Get(os.ReadFile(file))(t)
			text = title.ReplaceAll(text, []byte(`{"todos": [{"content": "$1", "status": "pending"}]}`))
			steps := must.Get(attributiontest.Read(text))(t)
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
	var s *client
	var known attributiontest.Client
	want := map[todo.Key]string{}
	for _, step := range steps {
		switch {
		case step.Hook != "":
			note := must.Get(known.Note(step))(t)
			text := must.Get(json.Marshal(note))(t)
			cmd := exec.Command("hook")
			cmd.Env, cmd.Stdin = env, strings.NewReader(string(text))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		case step.Call != nil:
			if said := s.ask("tools/call", string(step.Call)); strings.Contains(string(said), `"isError":true`) {
				t.Fatalf("%s", said)
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
	store := must.Get(todofile.Open(filepath.Join(state, "pawl", "todos")))(t)
	lists := must.Get(store.Lists(t.Context(), time.Time{}))(t)
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

// start starts the server of a client as it was seen.
func start(t *testing.T, project string, env []string, step attributiontest.Step) *client {
	cmd := exec.Command("pawl", "mcp")
	cmd.Dir, cmd.Env = project, env[:len(env):len(env)]
	for key, value := range step.Server {
		if key != "CLAUDE_PROJECT_DIR" {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
	}
	c := speak(t, cmd, step.Client)
	t.Cleanup(func() { must.Do(t, c.end()) })
	return c
}
