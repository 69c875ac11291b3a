package imports

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// Lines that keep their tasks are known by more than their numbers: people
// insert a line, and all numbers below it move. The words of a line are kept
// with its task as a sum; see [Format.Boxes].
//
//	{"file": "specs/001-cart/tasks.md", "words": "8e2da8b11857", "box": true}
type place struct {
	File  string    `json:"file"`
	Words string    `json:"words"`
	Box   bool      `json:"box"`
	Under pawl.ID   `json:"under,omitempty"` // of a plan: the task that it splits
	After []pawl.ID `json:"after,omitempty"` // and the tasks of the board that a line names
	Order string    `json:"order,omitempty"` // and the order that the person gave it, which the text does not tell
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

// UnderOf is the task that the plan with the line of t splits.
func (f *Format) UnderOf(t *pawl.Task) pawl.ID { return placeOf(f, t.Metadata).Under }

// OrderOf is the order that a plan was given, if it is not that of its text.
func (f *Format) OrderOf(t *pawl.Task) string { return placeOf(f, t.Metadata).Order }

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
	type sign struct {
		id         pawl.ID
		ref, words string
		box        bool
	}
	lines := make([]string, len(r.Tasks)) // the name that each gets
	own, theirs := make([]sign, len(r.Tasks)), make([]sign, len(free))
	for i := range r.Tasks {
		p := placeOf(f, r.Tasks[i].Metadata)
		own[i] = sign{r.Tasks[i].Number, r.Tasks[i].Ref, p.Words, p.Box}
	}
	for n, b := range free {
		p := placeOf(f, b.Metadata)
		theirs[n] = sign{b.ID, b.Ref(), p.Words, p.Box}
	}
	pair := func(by func(sign) sign, may func(i, n int) bool) {
		at := map[sign][]int{}
		for n, b := range free {
			if b != nil {
				at[by(theirs[n])] = append(at[by(theirs[n])], n)
			}
		}
		for i := range r.Tasks {
			if of := at[by(own[i])]; lines[i] == "" && len(of) > 0 && (may == nil || may(i, of[0])) {
				lines[i], free[of[0]], at[by(own[i])] = theirs[of[0]].ref, nil, of[1:]
			}
		}
	}
	words := func(s sign) sign { return sign{words: s.words, box: s.box} }
	pair(func(s sign) sign { return sign{id: s.id} }, func(i, n int) bool { // a text follows a task that nobody has begun
		return words(own[i]) == words(theirs[n]) || free[n].Status == pawl.Pending
	})
	pair(func(s sign) sign { return sign{ref: s.ref, words: s.words, box: s.box} }, nil)
	pair(words, nil)
	pair(func(s sign) sign { return sign{ref: s.ref} }, nil)
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
				why := "new, because its number is another line's, or of no task of this file"
				if slices.ContainsFunc(free, func(b *pawl.Task) bool { return b != nil && b.ID == t.Number }) {
					why = "new, because a finished or claimed task keeps its text"
				}
				r.Change(t, "%s", why)
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
