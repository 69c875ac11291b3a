// Package imports reads the tasks of other programs into the tasks of one
// [pawl.Import]. A [Format] is one such program; each has a package of its own
// below this one, and package known is their table.
//
// A reader is lenient: it leaves out text that it cannot read, with the line and the
// reason, and reads on. Values that a task cannot hold go to the metadata under the
// format's name. [Read] then does what is alike in all formats ([Result.settle]): it
// settles states and edges for which a board would refuse the whole import.
//
// Nothing here runs anything, writes anything, or reads outside the folder or
// file that it was given.
package imports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A Format is a way in which another program keeps tasks.
type Format struct {
	Name  string // as --from has it, and the key of its metadata: "taskmaster"
	Title string // as people call it: "Task Master"
	// Find returns where a project's folder has such tasks, as slash paths
	// below it. It costs a few calls of stat, and reads at most the beginning
	// of a file, since pawl alone asks it.
	Find func(root string) []string
	// Recognises reports whether a file is of this format, by its name and
	// its first bytes.
	Recognises func(name string, head []byte) bool
	// Read reads the tasks. It fails only when it can read none of them.
	Read func(in *Input) (*Result, error)
	// Count finds where the source should have tasks, in a simpler way than Read, which
	// is compared with it. Nil: Read does so itself.
	Count func(in *Input, found Found)
	// Homes are where it keeps its tasks, below a project's folder. Tasks kept so in a
	// folder of the board's project have that folder in their names, because ids begin
	// at 1 in each project of a repository.
	Homes []string
	// Boxes: its tasks are check boxes of one Markdown file, which pawl sync
	// ticks. Its numbers are moved about by hand, so that Merge knows a task by
	// its words as well.
	Boxes bool
	// Lasting: completed and claimed tasks stay as they are, whatever the file says:
	// people write their next plan into the same file.
	Lasting bool
	// Asked: only --from leads to it; it is outside of the project, or any
	// file could be of this format.
	Asked bool
	// Folder: any folder with a file that it recognises is a source.
	Folder bool
	// Lists returns a folder of the user that has sources as its folders; only
	// for a format that is Asked.
	Lists func(getenv func(string) string, home string) string
	// Shape says in a line what Read takes, for help.
	Shape string
}

// A Position is where something stands in the source.
type Position struct {
	File   string `json:"file,omitempty"` // as a person would write it; empty: stdin
	Line   int    `json:"line,omitempty"` // from 1; zero: the file as a whole
	offset int    // in a JSON document, from 1; zero: the line as a whole
}

func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Remark is something that a person should know about an import.
type Remark struct {
	// What holds for all remarks that are told together: "pending: nobody is
	// at it", "references to absent tasks, kept in metadata".
	What string `json:"what"`
	// Ref is the task that it is about, if there is one (see [pawl.Task.Ref]).
	Ref    string   `json:"ref,omitempty"`
	Detail string   `json:"detail,omitempty"` // what is particular here: "BACK-200 waits for task-24.1"
	At     Position `json:"at,omitzero"`
	N      int      `json:"n,omitempty"` // how many things it tells of; zero: one
	Stays  bool     `json:"-"`           // it says why the task has not changed
}

// String is the remark alone: "tasks.json:212: no title".
func (r Remark) String() string {
	var parts []string
	if at := r.At.String(); at != "" {
		parts = append(parts, at)
	}
	if r.Detail != "" {
		parts = append(parts, r.Detail)
	}
	return strings.Join(append(parts, r.What), ": ")
}

// A Result is what a source has.
type Result struct {
	Format   string // its name; set by [Read]
	Tasks    []Task
	Subtasks int      // how many of them have a parent in the source
	Edges    int      // dependencies between them, as the source counts them
	Criteria int      // acceptance criteria and the like: words, which nothing runs
	Changed  []Remark // what was altered on the way in, and why
	LeftOut  []Remark // what did not come, and why
	Closed   bool     // with Boxes: nothing is ticked there any longer
	Told     string   // with Boxes: the whole in words, "2 phases in a row, 4 tasks, 1 done"
	Note     string   // what a reader wants to add to the line of counts, such as "2 phases in a row"
	Now      Seen     // what it says by now; set by [Result.Merge]

	seen Seen                   // what this copy of the file said last; nil: the board remembers it, and goes with the file
	was  map[string]pawl.Status // of lines whose boxes are as git has them, what they are compared with
}

// Change notes that a task was altered on the way in.
func (r *Result) Change(t *Task, what string, args ...any) {
	if len(r.Changed) < maxRemarks {
		r.Changed = append(r.Changed, Remark{What: fmt.Sprintf(what, args...), Ref: t.Ref, At: t.At})
	}
}

// Leave notes that something did not come. The detail is optional.
func (r *Result) Leave(at Position, what, detail string) {
	if len(r.LeftOut) < maxRemarks {
		r.LeftOut = append(r.LeftOut, Remark{What: what, Detail: detail, At: at})
	}
}

// maxRemarks bounds what one source can say: a file may be wrong in each line.
const maxRemarks = 100_000

// Read reads a source with a format and makes of it what a board takes. It
// fails with [pawl.Invalid] when there is nothing to be read.
func Read(f *Format, in *Input) (*Result, error) {
	in.format, in.at = f, Position{File: in.Path}
	var r *Result
	err := in.Guard(func() (err error) {
		if r, err = f.Read(in); err == nil {
			r.account(f, in)
			r.Format = f.Name
			r.apart(f, in.Place)
			r.settle(f, in.Lead)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range r.Tasks {
		r.Tasks[i].At.lead(in.Lead)
	}
	for _, remarks := range [][]Remark{r.Changed, r.LeftOut} {
		for i := range remarks {
			remarks[i].At.lead(in.Lead)
		}
	}
	return r, nil
}

// Guard makes an error of a panic of a reader, with the place that it read last. The
// fault is one of Pawl, and it must not keep the other files of an import out.
func (in *Input) Guard(read func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = pawl.Errorf(pawl.Invalid, "%s cannot be read: a fault in Pawl: %s", in.at.named(), OneLine(fmt.Sprint(fault), 200))
		}
	}()
	return read()
}

// Reading notes which place of the source a reader reads now.
func (in *Input) Reading(at Position) { in.at = at }

func (p *Position) lead(with string) {
	if p.File != "" {
		p.File = with + p.File
	}
}

// Counts are how many tasks of a source are in each state.
type Counts struct {
	Completed  int `json:"completed,omitempty"`  // done
	InProgress int `json:"inProgress,omitempty"` // somebody works on them
	Ready      int `json:"ready,omitempty"`      // free to be claimed
	Blocked    int `json:"blocked,omitempty"`    // wait for another task or a subtask
	OnHold     int `json:"onHold,omitempty"`     // on hold
	Assigned   int `json:"assigned,omitempty"`   // free, but for somebody only
}

// Counts counts as a board would that has these tasks alone.
func (r *Result) Counts() Counts {
	var c Counts
	open := map[string]bool{}
	waits := map[string]bool{} // for a child
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Status != pawl.Completed {
			open[t.Ref] = true
			waits[t.Parent.Name] = true
		}
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		blocked := waits[t.Ref] || slices.ContainsFunc(t.BlockedBy, func(on pawl.Ref) bool { return open[on.Name] })
		switch {
		case t.Status == pawl.Completed:
			c.Completed++
		case t.Status == pawl.InProgress:
			c.InProgress++
		case t.Hold != nil:
			c.OnHold++
		case blocked:
			c.Blocked++
		case t.Owner != "":
			c.Assigned++
		default:
			c.Ready++
		}
	}
	return c
}

// Unreadable notes that a file of a folder cannot be read, and why.
func (r *Result) Unreadable(name string, err error) {
	at := Position{File: name}
	why := strings.TrimPrefix(err.Error(), name)
	if line, rest, ok := strings.Cut(strings.TrimPrefix(why, ":"), " "); ok && strings.HasPrefix(why, ":") {
		at.Line, _ = strconv.Atoi(line) // as ParseJSON tells it
		why = rest
	}
	r.Leave(at, strings.TrimSpace(why), "")
}
