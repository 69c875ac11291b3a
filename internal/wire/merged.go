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
	Said     string          `json:"said"`               // all of it in a line
	Sources  []MergeSource   `json:"sources"`            // what was merged, in order
	Arrived  []merge.Named   `json:"arrived"`            // new tasks of theirs
	Changed  []pawl.ID       `json:"changed"`            // tasks of ours that are other than before
	Deleted  []merge.Named   `json:"deleted"`            // tasks of ours that theirs had deleted, with the number they had
	Moved    []MergeMoved    `json:"moved"`              // tasks with another number than on one of the sides
	Kept     []merge.Kept    `json:"kept,omitempty"`     // tasks that one side deleted and the other changed
	Both     []merge.Both    `json:"both,omitempty"`     // tasks that two people worked on
	Cut      []merge.Edge    `json:"cut,omitempty"`      // edges that closed a cycle, and are gone
	Reopened []merge.Named   `json:"reopened,omitempty"` // completed parents that an open child reopened
	Waiting  []merge.Edge    `json:"waiting,omitempty"`  // tasks in progress that depend on an open one
	Noted    []MergeNoted    `json:"noted,omitempty"`    // values that both sides changed, and that yielded
	Unclear  []merge.Unclear `json:"unclear,omitempty"`  // numbers that could mean two tasks
	Beside   []MergeBeside   `json:"beside,omitempty"`   // texts that have no place in a task's file
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

// MergeNoted is a value that both sides changed, and where the other side's stands now.
type MergeNoted struct {
	ID    pawl.ID    `json:"id"`              // the task
	Field pawl.Field `json:"field"`           // the field
	Key   string     `json:"key,omitempty"`   // of metadata, or of a field that Pawl does not know
	Side  merge.Side `json:"side"`            // whose value yielded: ours or theirs
	Note  bool       `json:"note,omitempty"`  // it is a note of the task now
	Value string     `json:"value,omitempty"` // the value, or its beginning: a text, or JSON
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
		Said: show.Merged(r, name), Sources: []MergeSource{}, Arrived: some(r.Arrived),
		Changed: some(r.Changed), Deleted: some(r.Deleted), Moved: []MergeMoved{},
		Kept: r.Kept, Both: r.Both, Cut: r.Cut, Reopened: r.Reopened, Waiting: r.Waiting, Unclear: r.Unclear,
	}
	for _, s := range o.Sources {
		m.Sources = append(m.Sources, MergeSource{s.Kind, s.Name, s.Ours, s.Theirs, s.Commit})
	}
	for _, x := range r.Moved {
		m.Moved = append(m.Moved, MergeMoved{x.ID, x.Subject, x.From, x.Side, Time(x.CreatedAt), x.Elder, x.ElderBy})
	}
	for _, x := range r.Noted {
		m.Noted = append(m.Noted, MergeNoted{x.ID, x.Field, x.Key, x.Side, x.Note, text.Clip(x.Value, mostBeside)})
	}
	for _, x := range r.Beside {
		m.Beside = append(m.Beside, MergeBeside{x.ID, x.Why, text.Clip(string(x.Text), mostBeside)})
	}
	return m
}

// mostBeside is how much of a text that yielded an answer has: it is kept elsewhere.
const mostBeside = 4 << 10

// some is a list that JSON has, though there is nothing in it.
func some[T any](list []T) []T { return append([]T{}, list...) }
