package agent

import (
	"encoding/json"
	"time"
)

// A Headless is how a program works on one prompt without a screen, with nobody
// there to ask: it ends with its turn.
type Headless struct {
	Program string // its name on PATH
	Install string // the command that installs it
	// Args are the arguments of a run. The agent stays in its own bounds: it may change
	// files in its folder, and does without anything else that it would ask for.
	Args func(Turn) []string
	// ACP are the arguments with which the program speaks the Agent Client Protocol, in the
	// same bounds; nil: it does not. pawl run then speaks with it, and Args are for a look at
	// its hooks alone.
	ACP func(Turn) []string
	// Skip are the arguments by which the program does everything without asking, outside
	// of its own bounds too; Args has them in a turn with Turn.Skip alone. Nil: there are
	// none.
	Skip []string
	// Stdin says that the prompt goes to standard input; else it is among Args.
	Stdin bool
	// Env are variables of a run, NAME=value; nil: none.
	Env func(Turn) []string
	// Untried says that all of this is from the program's documentation.
	Untried bool
	// Free says that the program asks for nothing and keeps to no bounds: it works only for
	// a person who lets it do everything.
	Free bool
	// Said reads a line that the program prints; nil: it prints only its answer.
	Said func(line []byte) Said
	// Tells is what the lines tell of the run's cost.
	Tells Tells
	// Limited are texts by which the program says, on standard error or as the reason of
	// its failure, that its provider refuses requests now, beside those of
	// [Limited]. In small letters.
	Limited []string
	// Compact is a prompt that has the program summarise the conversation; empty:
	// without a screen there is none.
	Compact string
	// First says that the program ends at the first stop, even if a hook asks its
	// agent to go on.
	First bool
	// Login is what a person does to log in, and Refused are texts by which the
	// program says that this is missing.
	Login   string
	Refused []string
	// Traces are what a run leaves in the user's folders, as patterns of
	// filepath.Match: all that match, for nothing else does, may be removed.
	Traces func(Trace) []string
	// Forget are the arguments with which the program itself removes a session; nil:
	// there are none.
	Forget func(session string) []string
	// Named are files of the user in which a run leaves lines that stay.
	Named func(Place) []string
	// Tokens is about what one request costs that says nothing, with the program's
	// own instructions and tools: counted in requests, four bytes each.
	Tokens int
}

// A Turn is one run of a program.
type Turn struct {
	Prompt  string
	Session string // the one to go on with; empty: a new one
	Whole   string // the prompt for a new session, if Pawl is told that Session is gone; empty: Prompt
	Model   string // empty: the program's own choice
	Dir     string // that the program is started in
	Trusted bool   // the settings in Dir are ours, and count: its person would be asked
	// Work says that Dir is a work tree made for a task. The agent may run commands there,
	// as far as the program can keep them in bounds of its own.
	Work bool
	Skip bool // the person lets it do everything without asking
}

// With adds the flags for the model and the session of a turn to arguments, if it has them
// and the program has such a flag.
func (t Turn) With(args []string, model, session string) []string {
	if t.Model != "" && model != "" {
		args = append(args, model, t.Model)
	}
	if t.Session != "" && session != "" {
		args = append(args, session, t.Session)
	}
	return args
}

// Tells is what a program tells of what a run costs, and when. A limit that it does not
// tell in time cannot be kept.
type Tells struct {
	Tokens, Money       bool // while it works
	AllTokens, AllMoney bool // at the end of the run
}

// A Trace is a run that has ended, and where the program keeps what it remembers.
type Trace struct {
	Place
	Dir      string   // that it was started in, without links
	Sessions []string // ids, each at least eight letters and digits or -
}

// Started are the arguments with which pawl run starts the program.
func (h *Headless) Started(t Turn) []string {
	if h.ACP != nil {
		return h.ACP(t)
	}
	return h.Args(t)
}

// Said is what a program tells in a line of its output. A field that it does not tell is
// empty. Its JSON is the line that Pawl writes for programs which it speaks with.
type Said struct {
	Session string `json:"session,omitempty"`
	Text    string `json:"text,omitempty"`    // of the agent; the last one is its answer
	More    bool   `json:"more,omitempty"`    // the text goes on that of the line before
	Failed  string `json:"failed,omitempty"`  // why it could not do it
	Doing   string `json:"doing,omitempty"`   // what it does now: a tool and a file, or the first line of Text; cleaned and short
	Usage   Usage  `json:"usage,omitzero"`    // see [Bill]
	Message string `json:"message,omitempty"` // whose usage it is; one that comes again replaces what it was
	Total   bool   `json:"total,omitempty"`   // the usage is of the whole run until now
	Plan    *Plan  `json:"plan,omitempty"`    // the agent's list, if it has changed
	Refused string `json:"refused,omitempty"` // what it asked for and did not get; cleaned and short

	// Limited says that the provider refuses requests now. That can be about an
	// attempt that the program repeats by itself: only a run that ends so has failed by it.
	Limited bool          `json:"limited,omitempty"`
	Until   time.Time     `json:"until,omitzero"` // until then, if it tells a time
	Wait    time.Duration `json:"wait,omitempty"` // for so long, if it tells that
}

// A Plan is an agent's own list, all of it.
type Plan struct {
	Todos []Todo `json:"todos"`
}

// A Todo is one of a plan.
type Todo struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress, completed
}

// Line is the line that [Heard] reads.
func (s Said) Line() []byte { return append(JSON(s), '\n') }

// Heard reads a line that Pawl has written for a program.
func Heard(line []byte) (s Said) {
	_ = json.Unmarshal(line, &s) // half a line, of a writer that was killed, says nothing
	return s
}

// Usage is what a run has cost.
type Usage struct {
	In     int     `json:"in"`                // tokens that the model read, with those that were cached
	Cached int     `json:"cached"`            // of these
	Out    int     `json:"out"`               // tokens that it wrote
	Money  float64 `json:"dollars,omitempty"` // what the program says it costs
}

// Sum is all tokens, as limits count them.
func (u Usage) Sum() int { return u.In + u.Out }

// Add adds up.
func (u *Usage) Add(o Usage) {
	u.In += o.In
	u.Cached += o.Cached
	u.Out += o.Out
	u.Money += o.Money
}
