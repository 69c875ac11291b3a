package imports

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/pawl-dev/pawl"
)

// Seen is what one copy of a file said at its last exchange, by the names of the tasks.
// Clones and work trees that share a board have a copy each, and one of them may be older:
// what differs between its lines and the board's memory is no change that a person made.
type Seen struct {
	Lines map[string]json.RawMessage `json:"lines"`
	Git   map[string]bool            `json:"git,omitempty"` // the boxes that git had ticked
}

// Recall lets a file of boxes tell what a person changed in it: since this copy was last
// exchanged (seen; nil: the board remembers it, and goes with the file), and what git did
// not put there: git has the texts of the commit and of the index. An empty box that git
// has empty reopens nothing. A tick that git has counts if git did not have it before.
func (r *Result) Recall(f *Format, board []pawl.Task, seen *Seen, git ...*Result) {
	r.align(f, board)
	if seen != nil && seen.Lines == nil {
		seen.Lines = map[string]json.RawMessage{}
	}
	r.seen, r.was, r.Now.Git = seen, map[string]pawl.Status{}, map[string]bool{}
	first, empty, known := map[string]*Task{}, map[string]bool{}, map[string]*pawl.Task{}
	for _, text := range git {
		text.align(f, board)
		for i := range text.Tasks {
			t := &text.Tasks[i]
			if first[t.Ref] == nil {
				first[t.Ref] = t
			}
			if t.Status == pawl.Completed {
				r.Now.Git[t.Ref] = true
			} else {
				empty[t.Ref] = true
			}
		}
	}
	for i := range board {
		known[board[i].Ref()] = &board[i]
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		b, was, ticked := known[t.Ref], first[t.Ref], t.Status == pawl.Completed
		fresh := seen != nil && seen.Lines[t.Ref] == nil
		if fresh && was != nil {
			said := baseOf(f, was)
			if ticked {
				said.Status = "" // a person may have committed the tick
			}
			seen.Lines[t.Ref], _ = json.Marshal(said)
		}
		switch {
		case ticked && seen != nil && seen.Git[t.Ref] && r.Now.Git[t.Ref]:
			r.was[t.Ref] = pawl.Completed
		case !ticked && (empty[t.Ref] || fresh && was == nil):
			if b != nil && b.Status == pawl.Completed && !f.Lasting && placeOf(f, t.Metadata).Box {
				if last, _ := r.last(b); last.Status == pawl.Completed {
					r.Changed = append(r.Changed, Remark{What: "still completed: the box is empty in git's version, too; to reopen: pawl reopen ID", Ref: t.Ref, At: t.At, Stays: true})
				}
			}
			r.was[t.Ref] = pawl.Pending
		}
	}
}

// last is what the source of a task said last; false: nobody knows.
func (r *Result) last(t *pawl.Task) (was base, known bool) {
	known = json.Unmarshal(t.Metadata[BaseKey], &was) == nil
	if r.seen != nil && was.Once {
		was.Status = pawl.Completed // of a copy that nobody knows, a tick is no news
	}
	if said := (base{}); r.seen != nil && json.Unmarshal(r.seen.Lines[t.Ref()], &said) == nil {
		said.Status = cmp.Or(said.Status, was.Status)
		was, known = said, true
	}
	was.Status = cmp.Or(r.was[t.Ref()], was.Status)
	return was, known
}

// remember keeps what a line says now. A copy whose line has not changed takes nothing of
// the board's memory back, and none its state: that is of the file that the board goes with.
func (m *merging) remember(out *pawl.ImportTask, t *Task, known *pawl.Task, now base) {
	var kept base
	has := known != nil && json.Unmarshal(known.Metadata[BaseKey], &kept) == nil
	now.Once = kept.Once || m.format.Boxes && now.Status == pawl.Completed
	raw, _ := json.Marshal(now) // sums and states always encode
	m.Now.Lines[t.Ref] = raw
	if has && m.seen != nil {
		was, _ := m.last(known)
		was.Status, was.Once, kept.Once = now.Status, now.Once, now.Once
		same, _ := json.Marshal(was)
		now.Status = kept.Status
		if bytes.Equal(same, raw) && placeOf(m.format, t.Metadata).File == placeOf(m.format, known.Metadata).File {
			out.Metadata = map[string]json.RawMessage{pawl.RefKey: t.Metadata[pawl.RefKey]}
			now = kept
		}
		raw, _ = json.Marshal(now)
	}
	out.Metadata[BaseKey] = raw
}
