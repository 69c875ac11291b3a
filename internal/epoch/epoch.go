// Package epoch says how far a board has come, so that after a restored backup no
// number is given twice.
//
// A restored backup, or a standby that had not got all, would give ids, revisions and
// claim tokens once more that somebody has already:
//
//	backup ──┬─→ revisions 901 … 1000, #41 … #57: given to clients, then lost
//	restored ┘─→ revision 3592866287514, #10740
//
// So the numbers of a board jump ahead as soon as a server sees that the board is behind
// what it has seen of it, or an administrator says that a backup was restored.
//
// How far they jump depends on the time, too: an administrator who restores the same
// backup once more cannot know of the numbers that were given after the first time.
package epoch

import (
	"time"

	"github.com/pawl-dev/pawl"
)

const (
	// lostIDs are more than were given in what was lost, with one for each second since
	// the last change that is left.
	lostIDs = 10_000
	// lostRevisions are the same; more are as many as the milliseconds since 1970.
	lostRevisions = 1_000_000_000
)

// High is how far a board has come: no later set or task has a number up to these.
type High struct {
	Revision pawl.Revision `json:"revision"`
	LastID   pawl.ID       `json:"lastId"`
	// Epoch is how often the numbers changed other than by one, by a jump.
	Epoch int64 `json:"epoch,omitempty"`
}

// Behind reports whether a board that has come so far has lost something that was seen.
func (h High) Behind(seen High) bool {
	return h.Epoch < seen.Epoch || h.Epoch == seen.Epoch && h.Below(seen)
}

// Below is Behind for one that does not know why an epoch began: a jump passes all numbers,
// and a copy need not.
func (h High) Below(seen High) bool { return h.Revision < seen.Revision || h.LastID < seen.LastID }

// And is the later of two.
func (h High) And(other High) High {
	switch {
	case h.Epoch < other.Epoch:
		return other
	case h.Epoch > other.Epoch:
		return h
	}
	return High{max(h.Revision, other.Revision), max(h.LastID, other.LastID), h.Epoch}
}

// Past is where a board goes on that lost what others have seen of it. last is when the
// last change was made that is left; zero: not known.
func (h High) Past(seen High, now, last time.Time) High {
	ids := lostIDs
	if !last.IsZero() {
		ids += int(max(0, now.Sub(last)) / time.Second)
	}
	return High{
		Revision: max(h.Revision, seen.Revision) + max(lostRevisions, pawl.Revision(now.UnixMilli())),
		LastID:   max(h.LastID, seen.LastID) + pawl.ID(ids),
		Epoch:    max(h.Epoch, seen.Epoch) + 1,
	}
}
