package todo

import (
	"cmp"
	"context"
	"slices"
)

// CallLog is a store that records tool calls without rewriting a list. Agents
// make a call at each step, and a crash of the machine may lose the last ones.
type CallLog interface {
	// LogCall runs note on the list of a key. If note returns true, LogCall keeps
	// the note, and Load and Update return the list with it from then on
	// ([List.Note]). Only a crash of the machine loses it. note must neither change
	// nor keep the list; it is pure and may run again.
	//
	// id names the call; empty means all running calls. Among the todos that left
	// the list, note may see only those with these calls.
	LogCall(ctx context.Context, key Key, id string, note func(*List) (CallNote, bool)) error
}

// A CallNote is the start of a tool call, or the end of one, or of all that run:
//
//	{Todo: "2", Content: …, Call: {ID: "toolu_1", Name: "Bash", StartedAt: …, Outcome: Running}}
//	{Ends: One, Call: {ID: "toolu_1", EndedAt: …, Outcome: Succeeded}}
//	{Ends: All, Call: {EndedAt: …, Outcome: Interrupted}}
type CallNote struct {
	// Where a call starts: the todo, and the [ContentSum] of its content and of its
	// subtask's, because a rewrite changes ids. Zero: no subtask.
	Todo    string
	Content uint32
	Subtask uint32
	Project string // sets the list's project, if it has none

	Ends Ends
	Call ToolCall // an end fills in only what changed
}

// Ends says which calls a note ends.
type Ends uint8

// The ends.
const (
	None Ends = iota // the note is a start
	One              // the call with this id
	All              // all that run
)

// ContentSum identifies a content in four bytes: its 32-bit FNV-1a hash.
func ContentSum(content string) uint32 {
	sum := uint32(2166136261)
	for i := range len(content) {
		sum = (sum ^ uint32(content[i])) * 16777619
	}
	return sum
}

// manyNotes is how many notes make an index of a list's calls worth its cost.
const manyNotes = 4

// Note makes notes part of the list, in order, one by one or together. A call goes to the todo it started
// with, wherever that todo is now; if the todo is gone, the call is dropped. Note
// ignores the start of a known call, and an end that adds nothing.
func (l *List) Note(notes ...CallNote) {
	known := l.call
	if len(notes) > manyNotes {
		known = l.callIndex()
	}
	notes = slices.Clone(notes)
	begun := make([]*CallNote, 0, len(notes)) // starts, which are attached when their ends are known
	byID := make(map[string]*CallNote, len(notes))
	for i := range notes {
		n := &notes[i]
		switch id := n.Call.ID; {
		case n.Ends == All:
			for _, b := range begun {
				b.Call.end(&n.Call)
			}
			l.eachCall(func(c *ToolCall) bool { c.end(&n.Call); return true })
		case n.Ends == One && byID[id] != nil:
			byID[id].Call.end(&n.Call)
		case n.Ends == One:
			known(id).end(&n.Call)
		case id == "":
			begun = append(begun, n)
		case byID[id] == nil && known(id) == nil:
			begun, byID[id] = append(begun, n), n
		}
	}
	if len(begun) == 0 {
		return
	}
	text := l.callText()
	for _, n := range begun {
		if l.attach(n) {
			l.Project = cmp.Or(l.Project, n.Project)
		}
		// Trimming once at the end drops the same, unless the whole text became too
		// much in between.
		if text += len(n.Call.Parameters); text > MaxCallText {
			l.trimArguments()
			text = l.callText()
		}
	}
	l.trimArguments()
}

// attach adds a call where it began, if that is still there.
func (l *List) attach(n *CallNote) bool {
	item := l.begunWith(n)
	if item == nil {
		return false
	}
	to := &item.ToolCalls
	for i := range item.Subtasks {
		if sub := &item.Subtasks[i]; n.Subtask != 0 && ContentSum(sub.Content) == n.Subtask {
			to = &sub.ToolCalls
			break
		}
	}
	*to = append(*to, n.Call)
	if over := len(*to) - MaxToolCalls; over > 0 {
		*to = (*to)[over:]
	}
	return true
}

// begunWith finds the todo of a start: by content, else by id, because a person
// may have edited the content.
func (l *List) begunWith(n *CallNote) *Item {
	var named *Item
	for i := range l.Items {
		if item := &l.Items[i]; item.ID == n.Todo {
			if named = item; ContentSum(item.Content) == n.Content {
				return item
			}
		}
	}
	for i := range l.Items {
		if item := &l.Items[i]; ContentSum(item.Content) == n.Content {
			return item
		}
	}
	for i := range slices.Backward(l.Past) {
		if item := &l.Past[i].Item; item.ID == n.Todo && ContentSum(item.Content) == n.Content {
			return item
		}
	}
	return named
}

// begins returns the note of a call that starts now. It returns none when no todo
// is in progress or the call is known.
func (l *List) begins(c ToolCall, project string) (CallNote, bool) {
	at := l.Current()
	if at < 0 || l.call(c.ID) != nil {
		return CallNote{}, false
	}
	item := &l.Items[at]
	n := CallNote{Todo: item.ID, Content: ContentSum(item.Content), Call: c}
	if l.Project == "" {
		n.Project = project
	}
	for i := range item.Subtasks {
		if sub := &item.Subtasks[i]; sub.Status == InProgress {
			n.Subtask = ContentSum(sub.Content)
			break
		}
	}
	return n, true
}

// end records how a call ended, unless it is known.
func (c *ToolCall) end(how *ToolCall) {
	if c.ends(how.Outcome) {
		c.EndedAt, c.Outcome = how.EndedAt, how.Outcome
	}
}

// callIndex is call for many lookups.
func (l *List) callIndex() func(id string) *ToolCall {
	byID := map[string]*ToolCall{}
	l.eachCall(func(c *ToolCall) bool {
		if c.ID != "" && byID[c.ID] == nil {
			byID[c.ID] = c
		}
		return true
	})
	return func(id string) *ToolCall { return byID[id] }
}
