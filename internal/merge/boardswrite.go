package merge

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// write makes the files of the merged board.
func (m *merger) write() Board {
	merged := Board{Tasks: make(map[pawl.ID][]byte, len(m.byID)), Mark: m.mark()}
	if m.sided {
		merged.Beside, merged.Gone = m.besides(), m.graves()
	}
	for _, k := range m.kinds {
		switch {
		case !k.lives:
		case k.opaque != nil:
			k.as = k.opaque
			merged.Tasks[k.id] = k.opaque.text
		default:
			merged.Tasks[k.id] = m.text(k)
		}
	}
	return merged
}

// text is the file of a task: that of a side which says just the same, else that
// of one side, changed. Between two it chooses as between other values: not the one
// that no side changed, and else the same one whichever side is ours.
func (m *merger) text(k *kind) []byte {
	first, second := k.o, k.t
	if first == nil || second != nil && m.overtakes(k, second, first) {
		first, second = second, first
	}
	for _, it := range []*item{first, second} {
		if it != nil && k.now.unchanged == it && m.says(k, it) {
			k.as = it
			return it.text
		}
	}
	m.trim(k)
	var text []byte
	for _, it := range []*item{first, second} {
		if it == nil {
			continue
		}
		patched, err := m.patch(k, it)
		if err == nil && bytes.Equal(patched, it.text) {
			k.as = it
			return it.text
		}
		if text == nil && err == nil {
			text = patched
		}
	}
	if text == nil { // set in another way than Pawl's, it is too large
		t := m.task(k, first)
		text = taskjson.Encode(&t)
	}
	return text
}

// overtakes reports whether the text of a is to be taken before that of b.
func (m *merger) overtakes(k *kind, a, b *item) bool {
	based := func(it *item) bool {
		return slices.ContainsFunc(k.b, func(b *item) bool { return b.file == it.file })
	}
	if x, y := based(a), based(b); x != y {
		return y
	}
	return bytes.Compare(a.text, b.text) > 0
}

// says reports whether a file, whose fields stand, has the numbers and edges of
// the merged task too.
func (m *merger) says(k *kind, it *item) bool {
	t := it.task
	if t.ID != k.id || !slices.Equal(t.Was, k.was) || t.Parent != m.parent(k) {
		return false
	}
	if t.Subject != k.now.subject.text || t.Description != k.now.description.text || t.ActiveForm != k.now.active.text ||
		k.now.hold != nil && k.now.hold.text != t.Hold.Reason || len(t.Notes) != len(k.now.notes) {
		return false
	}
	for i := range t.Notes {
		if t.Notes[i].Text != k.now.notes[i].text {
			return false
		}
	}
	return sameIDs(t.BlockedBy, m.blockedBy(it.kind)) && sameIDs(t.Blocks, m.numbers(m.blocks[it.kind]))
}

func (m *merger) parent(k *kind) pawl.ID {
	if k.now.parent == none {
		return 0
	}
	p := m.kinds[k.now.parent]
	if !p.lives && p.ghost == 0 {
		return 0
	}
	return p.id
}

// blockedBy is what a task waits for: of what it ever waited for, what is not
// completed. A completed task waits for nothing.
func (m *merger) blockedBy(i kref) []pawl.ID {
	if m.kinds[i].now.status == pawl.Completed {
		return nil
	}
	var ids []pawl.ID
	for _, b := range m.waits[i] {
		if k := m.kinds[b]; k.now == nil || k.now.status != pawl.Completed {
			ids = append(ids, k.id)
		}
	}
	return ids
}

func (m *merger) numbers(kinds []kref) []pawl.ID {
	ids := make([]pawl.ID, 0, len(kinds))
	for _, k := range kinds {
		ids = append(ids, m.kinds[k].id)
	}
	return ids
}

// patch changes a side's file into the merged task's.
func (m *merger) patch(k *kind, it *item) ([]byte, error) {
	want := m.task(k, it)
	return taskjson.Patch(it.text, &want)
}

// task is the merged task. Its lists have the order of the file that is changed.
func (m *merger) task(k *kind, it *item) pawl.Task {
	t, f := *it.task, k.now
	t.ID, t.Was, t.Parent = k.id, k.was, m.parent(k)
	t.BlockedBy = inOrder(it.task.BlockedBy, m.blockedBy(it.kind))
	t.Blocks = inOrder(it.task.Blocks, m.numbers(m.blocks[it.kind]))
	t.Subject, t.Description, t.ActiveForm = f.subject.text, f.description.text, f.active.text
	t.Status, t.Owner, t.StartedAt, t.CompletedAt = f.status, f.owner, f.started, f.completed
	for i := range higher {
		higher[i].set(&t, f.ranked[i])
	}
	t.Metadata, t.Extra = f.metadata, f.extra
	t.CreatedAt, t.UpdatedAt = f.created, f.updated
	t.Labels = f.labels
	if sameSet(f.labels, it.task.Labels) {
		t.Labels = it.task.Labels
	}
	t.Checks, t.Accept, t.Evidence = f.checks, f.accept, f.evidence
	t.Notes = nil
	for _, n := range f.notes {
		t.Notes = append(t.Notes, pawl.Note{At: n.at, By: n.by, Text: n.text})
	}
	t.Hold = nil
	if f.hold != nil {
		t.Hold = &pawl.Hold{Reason: f.hold.text, By: f.hold.by, At: f.hold.at}
	}
	return t
}

// inOrder sets ids as a list has them already, those that it has not behind.
func inOrder(list, ids []pawl.ID) []pawl.ID {
	if sameIDs(list, ids) {
		return list
	}
	left := make(map[pawl.ID]bool, len(ids))
	for _, id := range ids {
		left[id] = true
	}
	ordered := make([]pawl.ID, 0, len(ids))
	for _, id := range list {
		if left[id] {
			ordered = append(ordered, id)
			delete(left, id)
		}
	}
	from := len(ordered)
	for id := range left {
		ordered = append(ordered, id)
	}
	slices.Sort(ordered[from:])
	return ordered
}
