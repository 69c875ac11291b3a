package gitmerge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
)

// Limits of the memory of moved numbers: how long, how many, and how many callers who know
// of one.
const (
	staleFor  = 24 * time.Hour
	mostMoved = 500
	mostTold  = 2000
)

// told is whose knowledge of which number it is about. A person's is the same in every terminal.
func told(by pawl.Actor, moved merge.Moved) string {
	if pawl.Personal(by.Session) {
		by.Session = ""
	}
	return strconv.FormatInt(int64(moved.From), 10) + "\n" + by.Session + "\n" + by.Name
}

// Stale returns which of the numbers may mean another task than by expects. No history has
// what by only read, so it counts every move that by was not told of and that came after by
// began.
func (m *Merger) Stale(by pawl.Actor, numbers []pawl.ID) []merge.Moved {
	return slices.DeleteFunc(m.untold(by), func(moved merge.Moved) bool { return !slices.Contains(numbers, moved.From) })
}

// untold are the moves of which by does not know. They were noted before they were made.
func (m *Merger) untold(by pawl.Actor) []merge.Moved {
	if !bytes.Contains(m.memoryText(), []byte(`"moved":[`)) {
		return nil
	}
	tree, ok := gitdir.Find(m.dir)
	was := m.remember(tree)
	if !ok || time.Since(time.Unix(was.MovedAt, 0)) > staleFor {
		return nil
	}
	return slices.DeleteFunc(was.Moved, func(moved merge.Moved) bool { return slices.Contains(was.Told, told(by, moved)) })
}

// Begins notes that a session begins: it knows no number from before.
func (m *Merger) Begins(by pawl.Actor) { m.Tell(by, m.untold(by)) }

// Tell notes that by knows of moves.
func (m *Merger) Tell(by pawl.Actor, moved []merge.Moved) {
	moved = ours(moved)
	m.change(moved, func(was *memory) { was.tell(by, moved) })
}

// Synced remembers numbers that a sync of a shared board is about to move, and notes that by
// knows of them; by is zero if nobody will see the sync's output.
func (m *Merger) Synced(by pawl.Actor, moved []merge.Moved) {
	moved = ours(moved)
	m.change(moved, func(was *memory) {
		if was.move(moved); by != (pawl.Actor{}) {
			was.tell(by, moved)
		}
	})
}

// change changes what is remembered of moves, if there are any.
func (m *Merger) change(moved []merge.Moved, fn func(*memory)) {
	tree, ok := gitdir.Find(m.dir)
	if len(moved) == 0 || !ok {
		return
	}
	m.note(tree, fn)
}

func (w *memory) tell(by pawl.Actor, moved []merge.Moved) {
	for _, m := range moved {
		w.Told = append(w.Told, told(by, m))
	}
	w.Told = w.Told[max(0, len(w.Told)-mostTold):]
}

// move remembers that numbers have other tasks: nobody knows of it.
func (w *memory) move(moved []merge.Moved) {
	if len(moved) == 0 {
		return
	}
	if time.Since(time.Unix(w.MovedAt, 0)) > staleFor {
		w.Moved, w.Told = nil, nil
	}
	for _, m := range moved {
		is := strconv.FormatInt(int64(m.From), 10) + "\n"
		w.Moved = slices.DeleteFunc(w.Moved, func(old merge.Moved) bool { return old.From == m.From })
		for i := range w.Moved {
			if old := &w.Moved[i]; old.ID == m.From && old.CreatedAt.Equal(m.CreatedAt) {
				old.ID = m.ID
			}
		}
		w.Told = slices.DeleteFunc(w.Told, func(old string) bool { return strings.HasPrefix(old, is) })
	}
	w.Moved = slices.DeleteFunc(append(w.Moved, moved...), func(m merge.Moved) bool { return m.From == m.ID }) // moved back
	w.Moved = w.Moved[max(0, len(w.Moved)-mostMoved):]
	w.MovedAt = time.Now().Unix()
}
