package wire

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// Merged is what a merge of boards did. Ours is the board as it was in the work tree,
// theirs the other one; numbers are those of the merged board, except from.
type Merged struct {
	Said     string         `json:"said"`               // all of it in a line
	Sources  []MergeSource  `json:"sources"`            // what was merged, in order
	Arrived  []MergeTask    `json:"arrived"`            // new tasks of theirs
	Changed  []pawl.ID      `json:"changed"`            // tasks of ours that are other than before
	Deleted  []MergeTask    `json:"deleted"`            // tasks of ours that theirs had deleted, with the number they had
	Moved    []MergeMoved   `json:"moved"`              // tasks with another number than on one of the sides
	Kept     []MergeKept    `json:"kept,omitempty"`     // tasks that one side deleted and the other changed
	Both     []MergeBoth    `json:"both,omitempty"`     // tasks that two people worked on
	Cut      []MergeEdge    `json:"cut,omitempty"`      // edges that closed a cycle, and are gone
	Reopened []MergeTask    `json:"reopened,omitempty"` // completed parents that an open child reopened
	Waiting  []MergeEdge    `json:"waiting,omitempty"`  // tasks in progress that depend on an open one
	Noted    []MergeNoted   `json:"noted,omitempty"`    // values that both sides changed, and that yielded
	Unclear  []MergeUnclear `json:"unclear,omitempty"`  // numbers that could mean two tasks
	Beside   []MergeBeside  `json:"beside,omitempty"`   // texts that have no place in a task's file
}

// MergeTask is a task of a merge by name.
type MergeTask struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line
}

// MergeSource is one merge that was taken into the board.
type MergeSource struct {
	How    merge.Kind `json:"how"`              // merge, rebase, cherry-pick, revert, stages, apart or ref
	Name   string     `json:"name,omitempty"`   // what git calls the other side, if it says
	Ours   string     `json:"ours,omitempty"`   // the commit of our side
	Theirs string     `json:"theirs,omitempty"` // the commit of the other one
	Commit string     `json:"commit,omitempty"` // the merge commit, if git has made one
}

// MergeMoved is a task that one side knew under another number.
type MergeMoved struct {
	ID        pawl.ID    `json:"id"`                  // its number now
	Subject   string     `json:"subject"`             // one line
	From      pawl.ID    `json:"from"`                // its number on that side
	Side      merge.Side `json:"side"`                // the side: ours or theirs
	CreatedAt Moment     `json:"createdAt,omitempty"` // when it was created, if known
	Elder     string     `json:"elder,omitempty"`     // the subject of the older task, which keeps the number
	ElderBy   string     `json:"elderBy,omitempty"`   // the owner of the older task
}

// MergeKept is a task that one side deleted, and that stays because the other changed it.
type MergeKept struct {
	ID      pawl.ID    `json:"id"`      // its number
	Subject string     `json:"subject"` // one line
	Deleted merge.Side `json:"deleted"` // the side that deleted it: ours or theirs
}

// MergeBoth is a task that both sides started or completed, under two names.
type MergeBoth struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line
	Ours    string  `json:"ours"`    // who had it here
	Theirs  string  `json:"theirs"`  // who had it there
}

// MergeEdge is a dependency, or with parent a child and its parent.
type MergeEdge struct {
	Task   pawl.ID `json:"task"`             // the task that depends, or the child
	For    pawl.ID `json:"for"`              // the task that it depends on, or its parent
	Parent bool    `json:"parent,omitempty"` // it is a child and its parent
}

// MergeNoted is a value that both sides changed, and where the other side's stands now.
type MergeNoted struct {
	ID    pawl.ID    `json:"id"`              // the task
	Field pawl.Field `json:"field"`           // the field
	Key   string     `json:"key,omitempty"`   // of metadata, or of a field that Pawl does not know
	Side  merge.Side `json:"side"`            // whose value yielded: ours or theirs
	Note  bool       `json:"note,omitempty"`  // it is a note of the task now
	Value string     `json:"value,omitempty"` // the value, or its beginning: a text, or JSON
}

// MergeUnclear is a number that could mean two tasks, and that nothing decides.
type MergeUnclear struct {
	ID    pawl.ID    `json:"id"`    // the task that names it
	Field pawl.Field `json:"field"` // the field that names it
	Took  pawl.ID    `json:"took"`  // the task that it was taken for
}

// MergeBeside is a text that is kept outside the task's file.
type MergeBeside struct {
	ID   pawl.ID `json:"id"`             // the task
	Why  string  `json:"why"`            // one sentence
	Text string  `json:"text,omitempty"` // the text, or its beginning
}

// NewMerged is what a merge did, told to one called name.
func NewMerged(o *merge.Outcome, name string) Merged {
	r := &o.Report
	m := Merged{
		Said: show.Merged(r, name), Arrived: mergeTasks(r.Arrived), Deleted: mergeTasks(r.Deleted),
		Changed: append([]pawl.ID{}, r.Changed...), Moved: []MergeMoved{}, Sources: []MergeSource{},
	}
	if len(r.Reopened) > 0 {
		m.Reopened = mergeTasks(r.Reopened)
	}
	for _, s := range o.Sources {
		m.Sources = append(m.Sources, MergeSource{s.Kind, s.Name, s.Ours, s.Theirs, s.Commit})
	}
	for _, x := range r.Moved {
		m.Moved = append(m.Moved, MergeMoved{x.ID, x.Subject, x.From, x.Side, Time(x.CreatedAt), x.Elder, x.ElderBy})
	}
	for _, x := range r.Kept {
		m.Kept = append(m.Kept, MergeKept{x.ID, x.Subject, x.Deleted})
	}
	for _, x := range r.Both {
		m.Both = append(m.Both, MergeBoth{x.ID, x.Subject, x.Ours, x.Theirs})
	}
	for _, x := range r.Cut {
		m.Cut = append(m.Cut, MergeEdge(x))
	}
	for _, x := range r.Waiting {
		m.Waiting = append(m.Waiting, MergeEdge(x))
	}
	for _, x := range r.Noted {
		m.Noted = append(m.Noted, MergeNoted{x.ID, x.Field, x.Key, x.Side, x.Note, text.Clip(x.Value, mostBeside)})
	}
	for _, x := range r.Unclear {
		m.Unclear = append(m.Unclear, MergeUnclear(x))
	}
	for _, x := range r.Beside {
		m.Beside = append(m.Beside, MergeBeside{x.ID, x.Why, text.Clip(string(x.Text), mostBeside)})
	}
	return m
}

// mostBeside is how much of a text that yielded an answer has: it is kept elsewhere.
const mostBeside = 4 << 10

func mergeTasks(list []merge.Named) []MergeTask {
	tasks := make([]MergeTask, len(list))
	for i, n := range list {
		tasks[i] = MergeTask{n.ID, n.Subject}
	}
	return tasks
}
