package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// The cost of Pawl for an agent, as setup shows it before it asks.

const (
	// bytesOfToken is how many bytes of English or of a schema make a token of a
	// model, rather too few than too many.
	bytesOfToken = 4
	// aside is what a session reads beside the tools: the server's instructions and the
	// description of the skill, in bytes. A test compares it with them.
	aside = 1_300

	measured    = 7 // events, of which the median counts
	mostMeasure = 3 * time.Second
)

// startTokens is the most that a session begins with: the tools and what stands
// beside them, and the plan that comes back.
func startTokens(held *settings.Settings) int {
	n := aside
	for _, t := range offeredTools() {
		n += len(t.Name) + len(t.Title) + len(t.Description) + len(t.Schema)
	}
	return roundUp(n/bytesOfToken + settings.Of[int](held, "recovery.tokens"))
}

// offeredTools are the tools that an agent gets.
func offeredTools() []tool.Tool {
	return tool.New(tool.Options{
		Todos: new(todo.Service),
		Board: func(context.Context, tool.Caller, bool) (query.Board, string, error) { return nil, "", nil },
	})
}

// roundUp makes two figures of a number.
func roundUp(n int) int {
	step := 1
	for n/step >= 100 {
		step *= 10
	}
	return (n + step - 1) / step * step
}

// measureEvent plays events of an agent's tool call to this program, as the agent's
// shell does, in a folder of its own, and returns what one takes; 0: it cannot be
// measured here.
func (a *app) measureEvent(ctx context.Context) time.Duration {
	program := a.env.Program()
	dir, err := os.MkdirTemp("", "pawl-measure-")
	if program == "" || err != nil {
		return 0
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, mostMeasure)
	defer cancel()
	event := `{"session_id":"measure","cwd":` + string(agent.Raw(dir)) + `,"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"a"},"tool_response":{}}`
	env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "PAWL_") })
	env = append(env, "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	var took []time.Duration
	for range measured {
		cmd := exec.CommandContext(ctx, program, "hook", "--agent", known.Agents[0].Name)
		if shell := a.programs().Find("sh"); shell != "" && filepath.Separator == '/' {
			cmd = exec.CommandContext(ctx, shell, "-c", `command -v "$0" >/dev/null 2>&1 && "$0" "$@" || true`, program, "hook", "--agent", known.Agents[0].Name)
		}
		cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(event)
		begun := time.Now()
		if err := cmd.Run(); err != nil { // on a busy machine the time may be over: what was measured counts
			break
		}
		took = append(took, time.Since(begun))
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[len(took)/2]
}
