package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// The status line shares its row with other things, so it is kept short.
const (
	maxStatusLine  = 72      // columns in all
	maxStatusInput = 1 << 20 // bytes of what the agent's program tells
)

var statuslineVerb = verb{
	name:  "statusline",
	short: "print one line for an agent's status bar",
	long: "An agent's program starts it every few seconds and shows the line it prints: the agent's current todo, how many of its todos are done, and how many tasks are ready. ⏸ with a reason means that the agent has paused; quiet, that pawl quiet silences nudges.\n\n" +
		"It reads the program's JSON on standard input (session_id, workspace.project_dir, cwd). Without it the line shows the session of --session or of the environment, else the newest one of the project, so that other status bars can show it too. If it has nothing to show, or fails, the line is empty and the exit code is 0.",
	examples: []string{
		`echo '{"session_id": "0b7c1f52"}' | pawl statusline`,
		"pawl statusline < /dev/null",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, _ []string) error {
			if a.json {
				return usage("statusline", "statusline has no --json; pawl todo --json prints the list")
			}
			a.print("%s\n", a.statusLine(ctx))
			return nil
		}
	},
}

// statusInput is what an agent's program tells of its session. Programs differ,
// and any field may be missing.
type statusInput struct {
	Session string `json:"session_id"`
	Camel   string `json:"sessionId"`
	Dir     string `json:"cwd"`
	Where   struct {
		Project string `json:"project_dir"`
		Current string `json:"current_dir"`
	} `json:"workspace"`
}

// readStatusInput reads what there is of it. A field of another type than
// expected is as good as none.
func readStatusInput(r io.Reader) statusInput {
	var in statusInput
	if terminal.Is(r) {
		return in
	}
	text := bufio.NewReader(io.LimitReader(r, maxStatusInput))
	if mark, _ := text.Peek(len("\uFEFF")); string(mark) == "\uFEFF" {
		_, _ = text.Discard(len(mark))
	}
	_ = json.NewDecoder(text).Decode(&in)
	return in
}

// statusLine is the line, empty where there is nothing to say. Other commands
// report faults of a list or a board.
//
//	▶ Running tests 3/7 · 2 ready
func (a *app) statusLine(ctx context.Context) string {
	a.brief = true
	in := readStatusInput(a.env.Stdin)
	for _, session := range []string{in.Session, in.Camel} {
		if a.session == "" {
			a.session = session
		}
	}
	for _, dir := range []string{in.Dir, in.Where.Current, in.Where.Project} {
		if dir != "" {
			a.env.Dir = dir // the last one is where the agent was started
		}
	}

	t := &todoRun{app: a}
	var doing string
	if t.reach() == nil && t.locate(ctx) == nil {
		if list, err := t.lists.Read(ctx, t.key); err == nil {
			doing = statusOfList(&list)
		}
	}
	glance := a.statusGlance(ctx, t.key.Session)
	if doing == "" {
		doing = statusOfTasks(glance.Claimed)
	}
	ready := ""
	if glance.Free > 0 {
		ready = fmt.Sprintf("%d ready", glance.Free)
	}
	old := ""
	if !a.asOf.IsZero() && time.Since(a.asOf) > time.Minute {
		old = "as of " + server.Clock(a.asOf)
	}
	parts := slices.DeleteFunc([]string{doing, ready, a.quietNow(), old}, func(part string) bool { return part == "" })
	return strings.Join(parts, " · ")
}

// statusGlance looks at the board, where there is one.
func (a *app) statusGlance(ctx context.Context, session string) pawl.Glance {
	place, err := a.place()
	if err != nil || !place.Exists {
		return pawl.Glance{}
	}
	answer, err := asked(ctx, a, query.GlanceQuery{GlanceQuery: pawl.GlanceQuery{Session: session, Ready: 1, For: a.name()}})
	if err != nil {
		return pawl.Glance{}
	}
	return answer.Glance
}

// statusOfList says what is done of a list, and how far it is.
func statusOfList(list *todo.List) string {
	mark, text := "▶", ""
	current := list.Current()
	if current < 0 {
		mark, current = "○", firstOpen(list.Items)
	}
	if current >= 0 {
		text = list.Items[current].ActiveForm
		if text == "" || mark == "○" {
			text = list.Items[current].Content
		}
	}
	if list.Pause != nil {
		mark, text = "⏸", list.Pause.Reason
	}
	switch {
	case len(list.Items) > 0:
		all := len(list.Items)
		return statusText(mark, text, fmt.Sprintf(" %d/%d", all-list.Open(), all))
	case list.Pause != nil:
		return statusText(mark, text, "")
	}
	return ""
}

func firstOpen(items []todo.Item) int {
	for i := range items {
		if items[i].Open() && !items[i].Blocked {
			return i
		}
	}
	return -1
}

// statusOfTasks says what the session works on that has no todos.
func statusOfTasks(held []pawl.Task) string {
	if len(held) == 0 {
		return ""
	}
	text, more := held[0].ActiveForm, ""
	if text == "" {
		text = held[0].Subject
	}
	if len(held) > 1 {
		more = fmt.Sprintf(" +%d", len(held)-1)
	}
	return statusText("▶", fmt.Sprintf("%v %s", held[0].ID, text), more)
}

// statusText puts a text from outside between a mark and what must stay to be
// seen. The width of the terminal is not told; the rest of the line fits into
// what is left of 80 columns.
func statusText(mark, s, rest string) string {
	room := maxStatusLine - term.Width(mark) - term.Width(rest) - len(" ") - len(" · 99999 ready")
	s = (term.Screen{Unicode: true}).Fit(text.Line(strings.Join(strings.Fields(s), " ")), room)
	return strings.TrimRight(mark+" "+s, " ") + rest
}
