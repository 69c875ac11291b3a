package merge

import (
	"bytes"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Boards merges two boards that have the bases in common: the boards of the
// commits that git calls their merge bases, in order of commit id. Without a base
// nothing is known to have been deleted, so nothing is.
//
// The same boards give the same result whichever is called ours, and merging what
// is merged already changes no byte.
func Boards(bases []Board, ours, theirs Board) (Board, Report) {
	if sameBoard(ours, theirs) {
		return ours, Report{}
	}
	// If only one side changed the board, that side is the result, as for git. Only
	// files that several tasks share are taken apart, and no mark goes down.
	if len(bases) == 1 && sameBoard(bases[0], theirs) && !shared(ours) {
		ours.Mark = max(ours.Mark, theirs.Mark)
		return ours, Report{}
	}
	m := &merger{}
	merged := m.merge(bases, ours, theirs)
	if len(bases) == 1 && sameBoard(bases[0], ours) && !shared(theirs) {
		theirs.Mark = max(ours.Mark, theirs.Mark)
		return theirs, m.report.plain()
	}
	return merged, m.report
}

// merge merges boards.
func (m *merger) merge(bases []Board, ours, theirs Board) Board {
	m.read(bases, ours, theirs)
	m.match()
	if m.sided {
		m.joinTwins()
		m.recall()
	}
	m.survive()
	m.number()
	m.fields()
	m.edges()
	m.cut()
	m.reopen()
	merged := m.write()
	m.tell()
	return merged
}

// plain is the report when one side is taken as it is.
func (r Report) plain() Report {
	return Report{Arrived: r.Arrived, Changed: r.Changed, Deleted: r.Deleted, Moved: r.Moved}
}

// shared reports whether several tasks may share a file of a board.
func shared(b Board) bool {
	for _, text := range b.Tasks {
		if joined(text) {
			return true
		}
	}
	return false
}

// merger is one merge of two boards.
type merger struct {
	sided  bool     // theirs is the remote's: see Onto
	all    []*layer // the bases, ours, theirs
	bases  []*layer
	ours   *layer
	theirs *layer
	kinds  []*kind          // the tasks, by identity
	ghosts map[pawl.ID]kref // numbers that a task mentions and no file has
	high   pawl.ID          // the highest number that is used or mentioned anywhere
	taken  map[pawl.ID]bool // numbers above the limit that others can count on from
	twins  bool             // a board has one identity twice
	shifty map[pawl.ID]bool // numbers that do not mean the same task everywhere
	links  []link           // who waits for whom, on the merged board
	byID   map[pawl.ID]kref // of the merged board
	waits  [][]kref         // by task: what it waits for, completed or not
	blocks [][]kref         // by task: what waits for it
	report Report
}

// kref is a task's place in merger.kinds.
type kref int32

// none stands for no task.
const none kref = -1

// A kind is one task, however many boards have it and under whatever number.
type kind struct {
	order          // its identity and age
	o, t     *item // its files; nil: that side has none
	ofOurs   bool  // ours has a file of it, though the other may have been taken for both
	ofTheirs bool
	b        []*item // its files on the bases
	ghost    pawl.ID // not zero: no task, but a number that no file has
	lives    bool    // it is on the merged board
	settled  *item   // theirs' file, whatever is taken; nil: theirs has none
	past     []*item // its files among what the bases had deleted, if no base has it
	gone     *item   // its file among what theirs had deleted
	graves   []*item // all that there seem to be
	revived  bool    // theirs had deleted it, and it goes on from there: t is gone
	damaged  bool    // a side's file cannot be read: one of them was taken whole
	before   *item   // of a damaged one, the file that ours had
	opaque   *item   // on the merged board it is a file that cannot be read
	id       pawl.ID
	was      []pawl.ID
	now      *fields // what the merged file says
	as       *item   // the file that says just that, if one does
}

func sameBoard(a, b Board) bool {
	return a.Mark == b.Mark && maps.EqualFunc(a.Tasks, b.Tasks, bytes.Equal) &&
		maps.EqualFunc(a.Beside, b.Beside, Beside.equal) && slices.EqualFunc(a.Gone, b.Gone, Gone.equal)
}
