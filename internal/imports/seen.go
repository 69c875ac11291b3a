package imports

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/pawl-dev/pawl"
)

// Seen is what the lines of one copy of a file said last, by the names of their tasks.
// Clones that share a board have a copy each, and one of them may be older: what differs
// between its lines and the board's memory is then no change that a person made.
type Seen map[string]json.RawMessage

// Recall lets a file of boxes tell what was changed in this copy of it: since it was last
// exchanged (seen), and since git put another text in its place (committed; nil: it did
// not). What neither of them has, the board remembers.
func (r *Result) Recall(f *Format, board []pawl.Task, seen Seen, committed *Result) {
	r.align(f, board)
	if r.Seen = maps.Clone(seen); r.Seen == nil {
		r.Seen = Seen{}
	}
	if committed == nil {
		return
	}
	committed.align(f, board)
	ticked := map[string]bool{}
	for i := range r.Tasks {
		ticked[r.Tasks[i].Ref] = r.Tasks[i].Status == pawl.Completed
	}
	for i := range committed.Tasks {
		t := &committed.Tasks[i]
		var was base
		switch known := json.Unmarshal(r.Seen[t.Ref], &was) == nil; {
		case !known:
			if was = baseOf(f, t); ticked[t.Ref] {
				was.Status = "" // a person may have committed the tick
			}
		case t.Status == pawl.Completed && !ticked[t.Ref]:
			was.Status = pawl.Completed
		default:
			continue
		}
		r.Seen[t.Ref], _ = json.Marshal(was)
	}
}

// last is what the source of a task said last; false: nobody knows.
func (r *Result) last(t *pawl.Task) (was base, known bool) {
	var kept base
	known = json.Unmarshal(t.Metadata[BaseKey], &kept) == nil
	if json.Unmarshal(r.Seen[t.Ref()], &was) != nil {
		return kept, known
	}
	if was.Status == "" {
		was.Status = kept.Status
	}
	return was, true
}

// remember keeps what a line says now. A copy whose line has not changed takes nothing of
// the board's memory back, beside the status.
func (m *merging) remember(out *pawl.ImportTask, t *Task, known *pawl.Task, now base) {
	raw, _ := json.Marshal(now) // sums and states always encode
	m.Now[t.Ref] = raw
	var kept base
	if known != nil && m.Seen != nil && json.Unmarshal(known.Metadata[BaseKey], &kept) == nil {
		was, _ := m.last(known)
		was.Status, kept.Status = now.Status, now.Status
		if same, _ := json.Marshal(was); bytes.Equal(same, raw) && placeOf(m.format, t.Metadata).File == placeOf(m.format, known.Metadata).File {
			out.Metadata = map[string]json.RawMessage{pawl.RefKey: t.Metadata[pawl.RefKey]}
			raw, _ = json.Marshal(kept)
		}
	}
	out.Metadata[BaseKey] = raw
}
