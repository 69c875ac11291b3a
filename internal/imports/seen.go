package imports

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/pawl-dev/pawl"
)

// Seen is what the lines of one copy of a file said last, by the names of their tasks.
// Clones and work trees that share a board have a copy each, and one of them may be older:
// a difference there from the board's memory is nobody's change.
type Seen map[string]json.RawMessage

// Recall finds the changes of a person in a file of boxes: those since this copy was last
// exchanged (seen; nil: the board remembers it, and goes with the file) that git, with the
// texts of a commit and an index, did not make. A box that git has so, too, reopens nothing,
// and completes only a task that was never ticked before.
func (r *Result) Recall(f *Format, board []pawl.Task, seen Seen, git ...*Result) {
	r.align(f, board)
	r.seen, r.was = seen, map[string]pawl.Status{}
	said := map[string][]*Task{}
	for _, text := range git {
		text.align(f, board)
		for i := range text.Tasks {
			said[text.Tasks[i].Ref] = append(said[text.Tasks[i].Ref], &text.Tasks[i])
		}
	}
	was := map[string]pawl.Status{}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		for _, there := range said[t.Ref] {
			if there.Status == t.Status {
				was[t.Ref] = t.Status
			}
		}
		switch first := said[t.Ref]; {
		case seen == nil || seen[t.Ref] != nil:
		case len(first) > 0:
			now := baseOf(f, first[0])
			if t.Status == pawl.Completed {
				now.Status = "" // a person may have committed the tick
			}
			seen[t.Ref], _ = json.Marshal(now)
		case t.Status != pawl.Completed:
			was[t.Ref] = t.Status
		}
	}
	for i := range board {
		if b := &board[i]; was[b.Ref()] == pawl.Pending && b.Status == pawl.Completed && !f.Lasting && placeOf(f, b.Metadata).Box {
			if last, _ := r.last(b); last.Status == pawl.Completed {
				r.Changed = append(r.Changed, Remark{What: "still completed: the box is empty in git's version, too; to reopen: pawl reopen ID", Ref: b.Ref(), Stays: true})
			}
		}
	}
	r.was = was
}

// last is what the source of a task said last; false: nobody knows.
func (r *Result) last(t *pawl.Task) (was base, known bool) {
	known = json.Unmarshal(t.Metadata[BaseKey], &was) == nil
	once := was.Once
	if r.seen != nil && once {
		was.Status = pawl.Completed // an unknown copy may be older: its tick completes nothing
	}
	if said := (base{}); json.Unmarshal(r.seen[t.Ref()], &said) == nil {
		said.Status = cmp.Or(said.Status, was.Status)
		was, known = said, true
	}
	if status := r.was[t.Ref()]; status == pawl.Pending || status == pawl.Completed && once {
		was.Status = status
	}
	return was, known
}

// remember keeps what a line says now. A copy whose line has not changed takes nothing of
// the board's memory back, and none its state: that is of the file that the board goes with.
func (m *merging) remember(out *pawl.ImportTask, t *Task, known *pawl.Task, now base) {
	var kept base
	has := known != nil && json.Unmarshal(known.Metadata[BaseKey], &kept) == nil
	now.Once = kept.Once || m.format.Boxes && now.Status == pawl.Completed
	raw, _ := json.Marshal(now) // sums and states always encode
	m.Now[t.Ref] = raw
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
