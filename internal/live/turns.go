package live

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/agent"
)

// A turn is one run of the agent's program, with its prompt. judge.go decides
// what it showed.
type turn struct {
	name     string
	after    string // the turn without which it makes no sense; empty: none
	resumes  bool   // it goes on with the session of that turn
	doing    string // for the person who waits
	requests int    // of the model, about
	only     func(*agent.Agent) bool
	prompt   func(*agent.Agent) string
}

func (t turn) fits(a *agent.Agent) bool { return t.only == nil || t.only(a) }

// The toy project's subject: names that nobody guesses.
const kestrels = "Count the kestrels"

var (
	birds  = []string{"heron", "otter", "badger"}
	native = []string{"Look at README.md", "Count its lines"}
)

// writer is the tool that makes a todo list, as the agent sees it.
func writer(a *agent.Agent) string { return a.Hooks.Shown + "todo_write" }

var turns = []turn{
	{
		name: "plan", doing: "a new session makes a plan of three todos", requests: 2,
		prompt: func(a *agent.Agent) string {
			return fmt.Sprintf("This is a test of a task memory called Pawl, in a toy repository. Call the tool %s once, with exactly these three todos, all pending: "+
				"\"Write heron.txt\", \"Write otter.txt\", \"Write badger.txt\". Do not write the files yet, and use no other tool for lists. "+
				"Then end your turn with this question to me: Shall I begin?", writer(a))
		},
	},
	{
		name: "compact", after: "plan", resumes: true, doing: "its conversation is compacted", requests: 1,
		only:   func(a *agent.Agent) bool { return a.Headless.Compact != "" },
		prompt: func(a *agent.Agent) string { return a.Headless.Compact },
	},
	{
		name: "resume", after: "plan", resumes: true, doing: "it is resumed, and asked for the plan", requests: 1,
		prompt: func(*agent.Agent) string {
			return "Which three files are still to be written, as your todo list says? Name them. Call no tool, and change nothing."
		},
	},
	{
		name: "work", after: "plan", resumes: true, doing: "it does the three todos", requests: 8,
		prompt: func(a *agent.Agent) string {
			return fmt.Sprintf("Begin now. Write the three files into the current folder; each has one line, its own name without .txt. "+
				"After each file mark its todo as completed with %s. When all three are completed, end your turn with the word DONE.", writer(a))
		},
	},
	{
		name: "new", doing: "a new session is asked for the project's plan", requests: 1,
		prompt: func(*agent.Agent) string {
			return "Which task of this project is ready to be worked on, as you were told at the start? Answer with its title alone. Call no tool."
		},
	},
	{
		name: "native", doing: "a new session uses the agent's own list", requests: 2,
		only: func(a *agent.Agent) bool { return a.Hooks.Native != "" },
		prompt: func(a *agent.Agent) string {
			return fmt.Sprintf("Make a list of two steps with your own built-in tool %s, and with no tool of Pawl: \"%s\", \"%s\". Do not begin with them. "+
				"Then end your turn with this question to me: Shall I begin?", a.Hooks.Native, native[0], native[1])
		},
	},
	{
		name: "stop", doing: "a new session stops with a todo left", requests: 4,
		prompt: func(a *agent.Agent) string {
			return fmt.Sprintf("Call the tool %s once with one todo, \"Wait for the owl\", in_progress. Then end your turn at once with the words: I end here. "+
				"It is part of the test that you end it again with the same words, and without calling a tool, whenever you are told to go on.", writer(a))
		},
	},
	{
		name: "halt", after: "stop", resumes: true, doing: "its person says stop", requests: 1,
		prompt: func(*agent.Agent) string { return "Stop. Do nothing more for now." },
	},
}
