package todo

import (
	"cmp"
	"context"
	"slices"
)

// CallLog is a store that notes tool calls without writing a list anew: they
// come at each step of an agent, and a crash may take the last of them.
type CallLog interface {
	// LogCall runs note on the list of a key and, when it returns true, keeps what
	// it returns: from then on Load and Update return the list with it
	// ([List.Note]). What was kept is lost with a crash of the machine only. The
	// list is not note's to change or keep; note is pure and may run again.
	//
	// id says which call it is about, and empty means those that run: of what left
	// the list the one that note gets need not have more than these.
	LogCall(ctx context.Context, key Key, id string, note func(*List) (CallNote, bool)) error
}

// A CallNote is the start of a tool call, or the end of one, or of all that run:
//
//	{Todo: "2", Content: …, Call: {ID: "toolu_1", Name: "Bash", StartedAt: …, Outcome: Running}}
//	{Ends: One, Call: {ID: "toolu_1", EndedAt: …, Outcome: Succeeded}}
//	{Ends: All, Call: {EndedAt: …, Outcome: Interrupted}}
type CallNote struct {
	// Where a call begins: the todo, its content and that of its subtask as
	// [ContentSum] has it, for ids are given anew. No subtask is zero.
	Todo    string
	Content uint32
	Subtask uint32
	Project string // of the list, which knew none until then

	Ends Ends
	Call ToolCall // of an end only what is new
}

// Ends says which calls a note ends.
type Ends uint8

// The ends.
const (
	None Ends = iota // it is a start
	One              // the call with this id
	All              // those that run
)

// ContentSum tells a content from others in few bytes: its 32-bit FNV-1a hash.
func ContentSum(content string) uint32 {
	sum := uint32(2166136261)
	for i := range len(content) {
		sum = (sum ^ uint32(content[i])) * 16777619
	}
	return sum
}

// manyNotes is how many of them are worth an index of a list's calls.
const manyNotes = 4

// Note makes notes part of the list, in their order. A call goes to the todo
// that it began with, wherever that is now; where that is gone, so is the call.
// The start of a call that is known is passed over, and an end that is no news.
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
	for _, n := range begun {
		if l.attach(n) {
			l.Project = cmp.Or(l.Project, n.Project)
		}
	}
	if len(begun) > 0 {
		l.trimArguments()
	}
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

// begunWith finds the todo of a start. Its id alone tells it only when no todo
// has its content: a person may have edited that.
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

// begins returns the note of a call that begins now: with no todo in progress,
// or when the call is known, there is none.
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

// end takes over how a call ended, if that is news of it.
func (c *ToolCall) end(how *ToolCall) {
	if c.ends(how.Outcome) {
		c.EndedAt, c.Outcome = how.EndedAt, how.Outcome
	}
}

// callIndex is call for who looks for many.
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
