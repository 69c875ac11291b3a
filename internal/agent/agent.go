package agent

import "strings"

// An Agent describes one agent's program. Fields for features that the program lacks
// are empty.
type Agent struct {
	Name  string // on the command line and on the board: claude
	Title string // as people call it: Claude Code

	// Marks are variables that the program sets for the commands that it runs. Any
	// of them shows it; the first is set in every command. Session is the one that
	// names its session, Project the one that tells servers the project's folder;
	// empty: there is none.
	Marks            []string
	Session, Project string
	// Clients are what the program calls itself to a server, from the first letter
	// on and in small letters.
	Clients []string
	// Data are the clients, as patterns of [Match], that give their model the data
	// of a tool's result instead of the text: they must get the text alone.
	Data []string
	// Resources reports whether a server's resources are worth it in an environment; nil:
	// in each. See mcpserver.Options.
	Resources func(getenv func(string) string) bool
	// Meta reads what a call's _meta says about its caller. field is the text at a
	// path, empty if there is none that can name something. Nil: nothing is told.
	Meta func(field func(path ...string) string) Meta

	Hooks  *Hooks     // nil: the program has no hooks, or none that Pawl answers
	Config *Config    // nil: it cannot be set up
	Lists  []ListTool // the program's own tools for a todo list

	Headless *Headless // nil: it works only with a person at its screen, or nobody has tried
}

// A Meta is what a call of a server says about its caller. A field that it does not
// tell is empty.
type Meta struct {
	Session, Agent string
	ToolUse        string // the client's number of this call
}

// Hooks are how a program speaks to its hooks, and what it does with answers.
type Hooks struct {
	// Decode reads an event. name is --event, or empty if the payload names it.
	// An event that means nothing to Pawl has no Kind; that is not an error. getenv
	// is the hook's environment, for what a payload lacks.
	Decode func(name string, payload []byte, getenv func(string) string) (Event, error)
	// Encode writes an answer to an event, without what the program has no way to
	// do; nil: nothing is printed.
	Encode func(Event, Answer) []byte

	EndsTurn bool // a turn can be ended after a tool call
	Refuses  bool // a call can be refused before it runs, with a text for the agent
	Handles  bool // a prompt can be kept from the agent, with a text for the person
	Silent   bool // see nudge.Event.Silent

	// Native is the agent's own tool that makes a list: TaskCreate. Empty: it has
	// none, or only by a setting. Owns says whether a session has a tool of the agent's
	// own for a list; nil: each has Native, and of others it is not known.
	Native string
	Owns   func(s Session, tool string) Owns
	// EachModel says that the program gives a list to whatever model it runs.
	EachModel bool
	// Model is the variable that names the model; empty: there is none.
	Model string
	// ByEntry says that the agent changes its own list entry by entry also if the
	// same tool makes them.
	ByEntry bool
	// Prints are the arguments with which the program prints an answer and ends,
	// with no person there.
	Prints []string
	// Pauses is the agent's own tool by which it pauses. Empty: it has none.
	Pauses string
	// Shown is how the program shows a tool of Pawl's server to its agent:
	// "mcp__pawl__" before todo_write.
	Shown string
	// Off is how a person switches continuation off in a chat; empty: by the
	// command line.
	Off string
	// Stops is how often the program lets a hook continue its agent before it ends
	// the turn anyway; 0: without a limit. StopsIn is the variable in which a person
	// sets another number.
	Stops   int
	StopsIn string
}

// Match reports whether a name is the pattern, or begins with what stands before
// a * at the pattern's end.
func Match(pattern, name string) bool {
	if begin, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(name, begin)
	}
	return name == pattern
}
