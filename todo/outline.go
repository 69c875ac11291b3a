package todo

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Row is one line of what a list shows, as values: [Structured] writes them as
// text, and a panel draws them. Its texts are safe to show, each in one line.
type Row struct {
	Kind   RowKind
	Indent int    // how deep it stands: a subtask below its todo, a call below either
	Item   int    // the position of the todo that it is about
	Text   string // of the todo or subtask; of a call what was called: bash(command: 'go test'); of CallsBefore: how many

	Status   Status   // of a todo or subtask
	Priority Priority // of a todo
	Done, Of int      // of a todo: how many of its subtasks are completed
	Blocked  bool     // of a pending todo: it waits for something that the agent cannot do
	Task     pawl.ID  // of a todo: the task that it was promoted to

	Outcome   Outcome   // of a call
	Times     int       // of a call: how often it was made in a row; of CallsBefore: how many they are
	StartedAt time.Time // of a call
}

// RowKind says what a row is about.
type RowKind uint8

// The kinds of rows.
const (
	ItemRow     RowKind = iota // a todo
	SubtaskRow                 // a part of it
	CallRow                    // a tool call that was made for either
	CallsBefore                // there are earlier calls
)

// Outline is all that a list shows, in its order. Of the tool calls of each todo
// and subtask it has the latest five; where there are very many calls they are
// left out of what is completed, and if need be of all but the current todo.
func Outline(l *List) []Row { return slices.Collect(l.rows(room{})) }

// rows goes through the rows of a list, its texts cut to a room.
func (l *List) rows(r room) iter.Seq[Row] {
	with := showCalls(l.Items)
	return func(yield func(Row) bool) {
		for i := range l.Items {
			if !l.Items[i].rows(i, with(&l.Items[i]), r, yield) {
				return
			}
		}
	}
}

func (i *Item) rows(at int, calls bool, r room, yield func(Row) bool) bool {
	row := Row{
		Kind: ItemRow, Item: at, Text: r.line(i.Content), Status: i.Status, Priority: i.Priority, Of: len(i.Subtasks),
		Blocked: i.Blocked && i.Status == Pending, Task: i.Task,
	}
	for s := range i.Subtasks {
		if i.Subtasks[s].Status == Completed {
			row.Done++
		}
	}
	if !yield(row) {
		return false
	}
	if r.bare {
		return true
	}
	for s := range i.Subtasks {
		sub := &i.Subtasks[s]
		if !yield(Row{Kind: SubtaskRow, Indent: 1, Item: at, Text: r.line(sub.Content), Status: sub.Status}) {
			return false
		}
		if calls && !callRows(at, 2, sub.ToolCalls, yield) {
			return false
		}
	}
	return !calls || callRows(at, 1, i.ToolCalls, yield)
}

// callRows are a row for each of the most recent calls. Those before are counted
// one by one: without their arguments, which are not kept, they look the same.
func callRows(at, indent int, calls []ToolCall, yield func(Row) bool) bool {
	runs := fold(calls)
	if hidden := len(runs) - shownCalls; hidden > 0 {
		over := 0
		for _, run := range runs[:hidden] {
			over += run.n
		}
		if !yield(Row{Kind: CallsBefore, Indent: indent, Item: at, Text: "..." + count(over, "more tool call") + "...", Times: over}) {
			return false
		}
		runs = runs[hidden:]
	}
	for _, run := range runs {
		if !yield(Row{
			Kind: CallRow, Indent: indent, Item: at, Text: cutHead(line(run.Name)) + "(" + parameters(run.Parameters) + ")",
			Outcome: run.Outcome, Times: run.n, StartedAt: run.StartedAt,
		}) {
			return false
		}
	}
	return true
}

// Badges are what a row says behind its text, in order: "[HIGH]", "(1/2)",
// "(blocked)", "(task #12)", "2x", "(failed)". Progress is told once a subtask is
// completed, or when the subtasks themselves are not shown.
func (r *Row) Badges(subtasksShown bool) []string {
	var all []string
	switch r.Priority {
	case High:
		all = append(all, "[HIGH]")
	case Low:
		all = append(all, "[LOW]")
	}
	if r.Done > 0 || !subtasksShown && r.Of > 0 {
		all = append(all, fmt.Sprintf("(%d/%d)", r.Done, r.Of))
	}
	if r.Blocked {
		all = append(all, "(blocked)")
	}
	if r.Task != 0 {
		all = append(all, fmt.Sprintf("(task #%d)", r.Task))
	}
	if r.Kind == CallRow && r.Times > 1 {
		all = append(all, strconv.Itoa(r.Times)+"x")
	}
	switch r.Outcome {
	case Running, Failed, Interrupted:
		all = append(all, "("+string(r.Outcome)+")")
	}
	return all
}

// Told is a pause in a sentence, at now.
func (p *Pause) Told(now time.Time) string {
	return fmt.Sprintf("Paused %s, until the user's next prompt: %s", ago(now.Sub(p.At)), line(p.Reason))
}
