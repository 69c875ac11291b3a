package imports

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
)

// Lines that keep their tasks are known by more than their numbers: people
// insert a line, and all numbers below it move. What a line says is kept with
// its task as a sum; see [Format.Boxes].
//
//	{"file": "specs/001-cart/tasks.md", "words": "8e2da8b11857", "box": true}
type place struct {
	File  string    `json:"file"`
	Words string    `json:"words"`
	Box   bool      `json:"box"`
	Under pawl.ID   `json:"under,omitempty"` // of a plan: the task that it splits
	After []pawl.ID `json:"after,omitempty"` // and the tasks of the board that a line names
}

func placeOf(f *Format, metadata map[string]json.RawMessage) (p place) {
	_ = json.Unmarshal(metadata[f.Name], &p) // what is not there is of no file
	return p
}

// base is what the names of a file's tasks begin with.
func (r *Result) base() string {
	if len(r.Tasks) == 0 {
		return ""
	}
	return r.Tasks[0].Ref[:strings.LastIndexByte(r.Tasks[0].Ref, '/')+1]
}

// Gone are the open tasks of a board that came from a file whose tasks have been
// aligned, and are no longer in it.
func (r *Result) Gone(f *Format, board []pawl.Task, file string) (gone []*pawl.Task) {
	here, base := map[string]bool{}, r.base()
	for i := range r.Tasks {
		here[r.Tasks[i].Ref] = true
	}
	for i := range board {
		b := &board[i]
		from := f.FileOf(b) == file && (!f.Lasting || strings.HasPrefix(b.Ref(), base))
		if b.Open() && from && !here[b.Ref()] {
			gone = append(gone, b)
		}
	}
	return gone
}

// UnderOf is the task that the plan splits which a task is a line of.
func (f *Format) UnderOf(t *pawl.Task) pawl.ID { return placeOf(f, t.Metadata).Under }

// FileOf is the file, below the project, that a task of a board is a line of.
func (f *Format) FileOf(t *pawl.Task) string {
	if !strings.HasPrefix(t.Ref(), f.Name+":") {
		return ""
	}
	return placeOf(f, t.Metadata).File
}

// align gives the tasks of a file the names that their lines have on the board:
// the same number and words, else the same words, else the same number.
func (r *Result) align(f *Format, board []pawl.Task) {
	if !f.Boxes || len(r.Tasks) == 0 {
		return
	}
	base := r.base()
	var free []*pawl.Task // on the board, without a line so far
	used := map[string]bool{}
	for i := range board {
		if ref := board[i].Ref(); strings.HasPrefix(ref, base) && !strings.Contains(ref[len(base):], "/") {
			free = append(free, &board[i])
			used[ref] = true
		}
	}
	if len(free) == 0 {
		return
	}
	lines := make([]string, len(r.Tasks)) // the name that each gets
	pair := func(same func(i int, b *pawl.Task) bool) {
		for i := range r.Tasks {
			for n, b := range free {
				if lines[i] == "" && b != nil && same(i, b) {
					lines[i], free[n] = b.Ref(), nil
				}
			}
		}
	}
	own, theirs := make([]place, len(r.Tasks)), map[*pawl.Task]place{}
	for i := range r.Tasks {
		own[i] = placeOf(f, r.Tasks[i].Metadata)
	}
	for _, b := range free {
		theirs[b] = placeOf(f, b.Metadata)
	}
	words := func(i int, b *pawl.Task) bool {
		return own[i].Words == theirs[b].Words && own[i].Box == theirs[b].Box
	}
	number := func(i int, b *pawl.Task) bool { return r.Tasks[i].Ref == b.Ref() }
	pair(func(i int, b *pawl.Task) bool { // a text follows a task that nobody has begun
		return r.Tasks[i].Number == b.ID && (words(i, b) || b.Status == pawl.Pending)
	})
	pair(func(i int, b *pawl.Task) bool { return number(i, b) && words(i, b) })
	pair(words)
	pair(number)
	renamed := map[string]string{}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		name := lines[i]
		if name == "" {
			name = t.Ref
			for n := 2; used[name]; n++ { // the name is another line's, which has moved
				name = fmt.Sprintf("%s'%d", t.Ref, n)
			}
			used[name] = true
			if t.Number != 0 {
				r.Change(t, "new, because a finished or claimed task keeps its text")
			}
		}
		renamed[t.Ref] = name
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		t.Ref = renamed[t.Ref]
		t.Metadata[pawl.RefKey], _ = json.Marshal(t.Ref)
		if t.Parent.Name != "" {
			t.Parent.Name = renamed[t.Parent.Name]
		}
		for j := range t.BlockedBy {
			t.BlockedBy[j].Name = renamed[t.BlockedBy[j].Name]
		}
	}
	for _, remarks := range [][]Remark{r.Changed, r.LeftOut} {
		for i := range remarks {
			if name := renamed[remarks[i].Ref]; name != "" {
				remarks[i].Ref = name
			}
		}
	}
}
