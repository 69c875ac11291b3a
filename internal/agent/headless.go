package agent

// A Headless is how a program works on one prompt without a screen, with nobody
// there to ask: it ends with its turn.
type Headless struct {
	Program string // its name on PATH
	// Args are the arguments of a run. The agent stays in its own bounds: it may
	// change files in its folder, and what else it would ask for it does without.
	Args func(Turn) []string
	// Stdin says that the prompt goes to standard input; else it is among Args.
	Stdin bool
	// Env are variables of a run, NAME=value.
	Env []string
	// Said reads a line that the program prints.
	Said func(line []byte) Said
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
	Model   string // empty: the program's own choice
	Dir     string // that the program is started in
	Trusted bool   // the settings in Dir are ours, and count: its person would be asked
}

// A Trace is a run that has ended, and where the program keeps what it remembers.
type Trace struct {
	Place
	Dir      string   // that it was started in, without links
	Sessions []string // ids, each at least eight letters and digits or -
}

// Said is what a program tells in a line of its output. What it does not tell is
// empty.
type Said struct {
	Session string
	Text    string // of the agent; the last one is its answer
	More    bool   // the text goes on that of the line before
	Failed  string // why it could not do it
	Usage   Usage  // of this line; those of a run are added up
}

// Usage is what a run has cost.
type Usage struct {
	In     int     `json:"in"`                // tokens that the model read, with those that were cached
	Cached int     `json:"cached"`            // of these
	Out    int     `json:"out"`               // tokens that it wrote
	Money  float64 `json:"dollars,omitempty"` // what the program says it costs
}

// Add adds up.
func (u *Usage) Add(o Usage) {
	u.In += o.In
	u.Cached += o.Cached
	u.Out += o.Out
	u.Money += o.Money
}
