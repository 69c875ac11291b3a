package merge

import (
	"bytes"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A file is the text of a task's file. Boards that have the same text share it.
type file struct {
	text []byte
	task *pawl.Task // nil: it cannot be read as a task of its number
}

// An item is a file of a board.
type item struct {
	*file
	id     pawl.ID
	kind   kref
	on     int    // the board's place among all
	beside Beside // what the board says of it
}

// A layer is a board as it was read.
type layer struct {
	items []item // in order of number
	byID  map[pawl.ID]*item
	mark  pawl.ID
	side  Side // "": a base
	board Board
	gone  []Gone
	back  []*item // deleted tasks that a side has again
	on    int     // its place among all
}

// read reads all boards.
func (m *merger) read(bases []Board, ours, theirs Board) {
	m.taken = map[pawl.ID]bool{}
	all, _ := apart(slices.Concat(bases, []Board{ours, theirs}))
	m.layers(all)
}

// layers reads boards with one task in each file: the bases, ours, theirs.
func (m *merger) layers(boards []Board) {
	n := len(boards) - 2
	for _, b := range boards[:n] {
		m.all = append(m.all, m.layer(b, ""))
	}
	m.bases = m.all
	m.ours = m.layer(boards[n], Ours)
	m.all = append(m.all, m.ours)
	m.theirs = m.layer(boards[n+1], Theirs)
	m.all = append(m.all, m.theirs)
}

func (m *merger) layer(b Board, side Side) *layer {
	l := &layer{items: make([]item, 0, len(b.Tasks)), byID: make(map[pawl.ID]*item, len(b.Tasks)), side: side, board: b, gone: b.Gone, on: len(m.all)}
	if b.Mark <= pawl.MaxForeignID {
		l.mark = b.Mark
		m.mention(b.Mark)
	}
	for i := range b.Gone {
		m.mention(b.Gone[i].ID)
	}
	for _, id := range slices.Sorted(maps.Keys(b.Tasks)) {
		l.items = append(l.items, item{file: m.file(id, b.Tasks[id]), id: id, kind: none, on: l.on, beside: b.Beside[id]})
		it := &l.items[len(l.items)-1]
		l.byID[id] = it
		m.mention(id)
	}
	return l
}

// file reads a text, unless a board before had the same one.
func (m *merger) file(id pawl.ID, text []byte) *file {
	for _, l := range m.all {
		if known := l.byID[id]; known != nil && bytes.Equal(known.text, text) {
			return known.file
		}
	}
	f := &file{text: text}
	read, err := taskjson.Decode(text)
	if err != nil || read.Task.ID != id {
		return f
	}
	f.task = &read.Task
	m.mention(f.task.Parent)
	m.mention(f.task.BlockedBy...)
	m.mention(f.task.Blocks...)
	m.mention(f.task.Was...)
	return f
}

// mention records numbers that no new task may get. Numbers too high to count on
// from do not raise the count, as on a board.
func (m *merger) mention(ids ...pawl.ID) {
	for _, id := range ids {
		if id <= pawl.MaxForeignID {
			m.high = max(m.high, id)
		} else {
			m.taken[id] = true
		}
	}
}
