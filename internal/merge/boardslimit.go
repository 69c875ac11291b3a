package merge

import (
	"encoding/json"
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// trim keeps a task within what its file can hold, unless a side was beyond that
// already: what is too much goes beside, the oldest notes first. So no limit stops
// a merge.
func (m *merger) trim(k *kind) {
	f := k.now
	m.trimShown(k)
	most, notes, labels := pawl.MaxTask-pawl.MaxState, pawl.MaxNotes, pawl.MaxLabels
	for _, it := range []*item{k.o, k.t} {
		if it != nil {
			most = max(most, len(it.text))
			notes = max(notes, len(it.task.Notes))
			labels = max(labels, len(it.task.Labels))
		}
	}
	if n := len(f.labels); n > labels {
		m.beside(k, fmt.Sprintf("a task has at most %d labels", pawl.MaxLabels), f.labels[labels:])
		f.labels = f.labels[:labels]
	}
	for n := len(f.notes) - notes; n > 0; n-- {
		m.dropNote(k, fmt.Sprintf("a task has at most %d notes", pawl.MaxNotes))
	}
	size := 0
	for _, it := range []*item{k.o, k.t} {
		if it != nil {
			size += len(it.text)
		}
	}
	if size < most { // both together would do
		return
	}
	const why = "the task's file would be too large"
	size = m.size(k)
	for size > most && len(f.notes) > 0 {
		n := f.notes[0]
		size -= len(n.text) + len(n.by) + 40
		m.dropNote(k, why)
		if size <= most {
			size = m.size(k)
		}
	}
	for _, values := range []*map[string]json.RawMessage{&f.extra, &f.metadata} {
		if size > most && len(*values) > 0 {
			m.beside(k, why, *values)
			*values = nil // and not cleared: they may be those of a side's file
			size = m.size(k)
		}
	}
	if size > most && len(f.description.text) > 0 {
		m.beside(k, why, f.description.text)
		f.description.text = ""
	}
}

func (m *merger) dropNote(k *kind, why string) {
	n := k.now.notes[0]
	k.now.notes = k.now.notes[1:]
	m.beside(k, why, pawl.Note{At: n.at, By: n.by, Text: n.text})
}

// size is that of the file as Pawl sets it.
func (m *merger) size(k *kind) int {
	it := k.o
	if it == nil {
		it = k.t
	}
	t := m.task(k, it)
	return len(taskjson.Encode(&t))
}

func (m *merger) beside(k *kind, why string, value any) {
	text, _ := json.Marshal(value)
	m.report.Beside = append(m.report.Beside, Leftover{ID: k.id, Why: why, Text: text})
}
