package agent

import "encoding/json"

// A ListTool is a tool of a program's own by which its agent keeps a todo list.
type ListTool struct {
	Name string // or a pattern, see [Match]
	// Read returns what a call that succeeded says of the list. Nil: it only reads
	// the list, or says nothing of it.
	Read func(*Event) (Listing, bool)
	// Makes and Changes are the tools that make an entry and change one, if these
	// are two. Empty: this tool does both.
	Makes, Changes string
	// Alone says that the name means this in this program only: programs borrow
	// tools from one another, but todo_write is Pawl's in most.
	Alone bool
}

// A Listing is what an event says of the agent's own list, as todo.Decode takes
// it.
type Listing struct {
	Todos json.RawMessage
	Merge bool
	Fresh bool // its entries were made just now
	Main  bool // it is the main agent's list, even if a subagent changed it
	Own   bool // it can only tell of entries of the agent's own
	Edges []Edge
	Anew  bool // there are no other edges
}

// An Edge says that an entry waits for another one, or does so no longer.
type Edge struct {
	ID, Blocker string
	Gone        bool
}

// An Entry is one of a list, as todo.Decode knows its keys.
type Entry struct {
	ID         string `json:"id"`
	Content    string `json:"content,omitempty"`
	Status     string `json:"status,omitempty"`
	ActiveForm string `json:"activeForm,omitempty"`
}

// Entries is a listing of entries: changes of some, or all that there are.
func Entries(entries []Entry, merge bool) (Listing, bool) {
	text, err := json.Marshal(entries)
	return Listing{Todos: text, Merge: merge, Main: merge}, err == nil && len(entries) > 0
}

// WholeList reads a call that was given the whole list.
func WholeList(e *Event) (Listing, bool) { return Listing{Todos: e.Input}, true }
