package local

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/program"
)

// What an agent that speaks has told is there while it works, and again for a runner that
// takes it over.
func TestLook(t *testing.T) {
	own := settings.OwnAgents{"mine": {Command: settings.Argv{must.Get(os.Executable())(t)}, Stream: settings.ACP}}
	p := must.Get(program.Finder{Own: own, Client: []string{"/bin/pawl"}}.Find("mine"))(t)
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, StreamFile), []byte(`{"session":"s1"}
{"plan":{"todos":[{"content":"Read","status":"completed"},{"content":"Write","status":"in_progress"}]}}
{"doing":"refused: Shell curl …","refused":"Shell curl …","usage":{"in":7,"out":1}}
{"text":"half a li`), 0o600))
	for range 2 {
		look := (&process{program: p, reader: p.Reader(), dir: dir}).Look()
		if !slices.Equal(look.Todos, []runs.Todo{{Content: "Read", Status: "completed"}, {Content: "Write", Status: "in_progress"}}) || !slices.Equal(look.Refused, []string{"Shell curl …"}) || look.Usage.Tokens != 8 || look.Session != "s1" || look.Answer != "" {
			t.Errorf("%+v", look)
		}
	}
}

// The user's own labels stay, and the attempt's are added.
func TestLabels(t *testing.T) {
	for set, want := range map[string]string{"": "", "=": "=", "=team=a,": "=team=a,"} {
		env := Agents{New(Options{Environ: []string{envLabels + set}})}.environment(&runs.Attempt{Key: runs.Key{N: 3}, ID: 12}, "/tmp/x", nil)
		if want = envLabels + "=" + want[min(1, len(want)):] + "pawl.task=12,pawl.attempt=3"; !slices.Contains(env, want) {
			t.Errorf("%q: %q, want %s", set, env, want)
		}
	}
}
