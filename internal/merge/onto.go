package merge

import (
	"bytes"
	"maps"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Beside is what a shared board says about a task beside its file.
type Beside struct {
	// Turn counts how often the task changed its status, its owner or its claim. So
	// a task that was completed, reopened and completed again is no longer what it
	// was, though its file may say the same.
	Turn    int   `json:"turn,omitempty"`
	Expired int   `json:"expired,omitempty"` // leases in a row that ran out; it goes with the status
	Held    *Held `json:"held,omitempty"`    // the claim; nil: none is known
	// Ended is where a completed task was completed: the name of a clone, and after a
	// slash the token of the claim, if it was completed under one. Of a task in progress
	// whose claim nobody knows: where that began.
	Ended string `json:"ended,omitempty"`
}

// Held is the claim of a task in progress, as all clones know it. The owner's name
// is in the task's file.
type Held struct {
	Clone   string        `json:"clone"`             // where it was made; with Token, the identity of the claim
	Token   pawl.Revision `json:"token"`             // in that clone
	Session string        `json:"session,omitempty"` // of the owner
	Agent   string        `json:"agent,omitempty"`
	Lease   pawl.Duration `json:"lease,omitempty"`   // zero: it does not end by itself
	Renewal int           `json:"renewal,omitempty"` // counts up with each renewal that is sent
}

// Gone is a task that was deleted from a shared board, as the remote had it last.
type Gone struct {
	ID     pawl.ID
	Text   []byte
	Beside Beside
}

func (a Beside) equal(b Beside) bool {
	return a.Turn == b.Turn && a.Expired == b.Expired && a.Ended == b.Ended && (a.Held == b.Held || a.Held != nil && b.Held != nil && *a.Held == *b.Held)
}

func (a Gone) equal(b Gone) bool {
	return a.ID == b.ID && bytes.Equal(a.Text, b.Text) && a.Beside.equal(b.Beside)
}

// EndedUnder is [Beside.Ended] of a task that was completed in a clone; nil: without a
// claim.
func EndedUnder(clone string, h *Held) string {
	if h == nil || h.Token == 0 {
		return clone
	}
	return h.Clone + "/" + strconv.FormatInt(int64(h.Token), 10)
}

// same reports whether two claims are the same one, however often it was renewed.
func (h *Held) same(other *Held) bool {
	return h != nil && other != nil && h.Clone == other.Clone && h.Token == other.Token
}

// Onto brings the changes of a clone onto the board that the remote has: theirs.
// The two are not equal here, as they are for [Boards]. The remote has one history,
// and what it says has been settled.
//
//	status     with owner, times, turn and claim it is one value. Where both sides
//	           changed it, theirs stands, and a completion of ours becomes a note
//	texts and  where both sides changed one, theirs stands, and a text of ours
//	values     becomes a note
//	numbers    what theirs has, or once had, keeps its number. A new task of ours keeps
//	           its own if that is above theirs' mark, else it gets another one
//	cycles     an edge that theirs has not is cut
//	deleted    what ours changed and theirs deleted goes on from its last state there
//
// Else it does what Boards does. A change of only one side stays byte for byte, and
// bringing the result onto itself changes nothing.
//
// Written back into a clone, ours is the board as it is now, the base what was
// synced, and theirs the result.
func Onto(bases []Board, ours, theirs Board) (Board, Report) {
	if sameBoard(ours, theirs) {
		return ours, Report{}
	}
	if merged, r, ok := plainly(bases, ours, theirs); ok {
		return merged, r
	}
	return wholly(bases, ours, theirs)
}

// wholly is [Onto] that reads every file, whatever has changed.
func wholly(bases []Board, ours, theirs Board) (Board, Report) {
	m := &merger{sided: true}
	merged := m.merge(bases, ours, theirs)
	if len(bases) == 1 && sameBoard(bases[0], ours) && !several(theirs) {
		theirs.Mark = max(ours.Mark, theirs.Mark)
		theirs.Beside = maps.Clone(theirs.Beside)
		maps.DeleteFunc(theirs.Beside, func(id pawl.ID, _ Beside) bool { return theirs.Tasks[id] == nil })
		return theirs, m.report.plain()
	}
	return merged, m.report
}

// several reports whether a file of a board has several tasks, so that [Apart] would
// take it apart.
func several(b Board) bool {
	for _, text := range b.Tasks {
		if !joined(text) {
			continue
		}
		if _, others, err := taskjson.Split(text); err == nil && len(others) > 0 {
			return true
		}
		if _, _, _, ok := taskjson.Sides(text); ok {
			return true
		}
	}
	return false
}

// otherPlace is what another board is called in a note.
func (m *merger) otherPlace() string {
	if m.sided {
		return "clone"
	}
	return "branch"
}

// besides is what is said of the tasks of the merged board.
func (m *merger) besides() map[pawl.ID]Beside {
	all := map[pawl.ID]Beside{}
	for _, k := range m.kinds {
		switch {
		case !k.lives:
			continue
		case k.opaque != nil:
			all[k.id] = k.opaque.beside
		default:
			all[k.id] = k.now.beside
		}
		if all[k.id] == (Beside{}) {
			delete(all, k.id)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
