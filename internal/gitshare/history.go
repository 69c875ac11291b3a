package gitshare

import (
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// historyOf tells what happened to the tasks of a board after a revision, from its
// change sets. Syncs are left out: what they wrote is the remote's, and where they
// gave a task another status, the count of what this clone did to it begins anew.
func historyOf(f *file.Files, since pawl.Revision) (share.History, error) {
	if since == 0 || since > f.Revision {
		return share.History{}, nil
	}
	h := happened{turns: map[pawl.ID]share.Turns{}, removed: map[pawl.ID]time.Time{}, left: map[pawl.ID]share.Left{}}
	for set, err := range f.Since(since) {
		switch {
		case pawl.KindOf(err) == pawl.Gone && err != nil:
			return share.History{}, nil
		case err != nil:
			return share.History{}, err
		}
		h.add(&set)
	}
	told := share.History{Known: true, Turns: h.turns, Removed: map[pawl.ID]bool{}, Left: h.left}
	for id := range h.removed {
		told.Removed[id] = true
	}
	return told, nil
}

// happened is what some change sets did to the tasks of a board.
type happened struct {
	turns   map[pawl.ID]share.Turns
	removed map[pawl.ID]time.Time // and when they were made, which tells who has the number again
	left    map[pawl.ID]share.Left
}

func (h *happened) add(set *file.Recorded) {
	moved := map[pawl.ID]bool{}
	came := map[pawl.ID]share.Turns{}
	for _, m := range set.Moved {
		moved[m.From] = true
		if turns, ok := h.turns[m.From]; ok {
			came[m.To] = turns
		}
	}
	for from := range moved {
		delete(h.turns, from)
	}
	for to, turns := range came {
		h.turns[to] = turns
	}
	external := set.Verb == pawl.ExternalName
	for i := range set.Changes {
		c := &set.Changes[i]
		switch {
		case external, set.Bulk:
		case c.After == nil, set.Verb == pawl.VerbSync: // a commit has what a sync wrote
			delete(h.left, c.ID)
		case c.Before == nil:
			h.left[c.ID] = share.Left{Task: *c.After, New: true}
		default:
			left := h.left[c.ID]
			pawl.CopyFields(&left.Task, c.After, c.Fields...)
			left.Fields = append(left.Fields, c.Fields...)
			h.left[c.ID] = left
		}
		switch {
		case c.After == nil:
			if !moved[c.ID] && set.Verb != pawl.VerbSync && !external {
				h.removed[c.ID] = c.CreatedAt
			}
		case c.Before == nil || slices.Contains(c.Fields, pawl.FieldCreatedAt): // a task that was not here under this number
			if _, ours := came[c.ID]; !ours {
				delete(h.turns, c.ID)
			}
			if made, ok := h.removed[c.ID]; ok && !external && made.Equal(c.CreatedAt) { // it is back; a file that is, is seen
				delete(h.removed, c.ID)
			}
		case !turned(c):
		case set.Verb == pawl.VerbSync:
			delete(h.turns, c.ID)
		default:
			turns := h.turns[c.ID]
			if turns.N == 0 {
				turns.Expiry = set.Verb == pawl.VerbExpire
			}
			turns.N++
			h.turns[c.ID] = turns
		}
	}
}

// turned reports whether a change gave the task another status, another owner or
// another claim. A renewal is none, nor that the work goes on in another session.
func turned(c *pawl.Change) bool {
	return slices.Contains(c.Fields, pawl.FieldStatus) || slices.Contains(c.Fields, pawl.FieldOwner) ||
		c.Before.Claim.Token != c.After.Claim.Token || c.Before.Claim.Clone != c.After.Claim.Clone
}
