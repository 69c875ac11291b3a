package gitshare

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/file"
)

// historyOf tells what happened to the tasks of a board after a revision, from its
// change sets. Syncs are left out: what they wrote is the remote's, and where they
// gave a task another status, the count of what this clone did to it begins anew.
// known reports which texts git has; nil: that is not asked.
func historyOf(f *file.Files, since pawl.Revision, known func([][]byte) ([]bool, error)) (share.History, error) {
	if since == 0 || since > f.Revision {
		return share.History{}, nil
	}
	h := happened{turns: map[pawl.ID]share.Turns{}, removed: map[pawl.ID]time.Time{}, past: map[pawl.ID][]event{}}
	for set, err := range f.Since(since) {
		switch {
		case pawl.KindOf(err) == pawl.Gone && err != nil:
			return share.History{}, nil
		case err != nil:
			return share.History{}, err
		}
		h.add(&set)
	}
	told := share.History{Known: true, Turns: h.turns, Removed: map[pawl.ID]bool{}, Steps: map[pawl.ID][]pawl.Change{}, Put: map[pawl.ID]bool{}}
	for id := range h.removed {
		told.Removed[id] = true
	}
	if known != nil {
		if err := h.ask(f.Tasks, known); err != nil {
			return share.History{}, err
		}
	}
	for id, past := range h.past {
		for _, e := range past {
			switch {
			case e.git:
				told.Put[id] = true
			case e.Verb == pawl.VerbSync: // a commit has what a sync wrote
				delete(told.Steps, id)
			case e.Verb != pawl.ExternalName, e.own && e.Before != nil:
				told.Steps[id] = append(told.Steps[id], e.Change)
			}
		}
	}
	return told, nil
}

// happened is what some change sets did to the tasks of a board.
type happened struct {
	turns   map[pawl.ID]share.Turns
	removed map[pawl.ID]time.Time // and when they were made, which tells who has the number again
	past    map[pawl.ID][]event
}

// An event is a change of a file. One from outside of Pawl is git's or somebody's own,
// where that is known.
type event struct {
	pawl.Change
	Verb     string
	git, own bool
}

// ask finds out which of the changes from outside were git's: those that left a text
// which git has. Going back from the text that is there gives the earlier ones.
func (h *happened) ask(tasks map[pawl.ID][]byte, known func([][]byte) ([]bool, error)) error {
	var texts [][]byte
	var of []*event
	for id, past := range h.past {
		text := tasks[id]
		for i := len(past) - 1; i >= 0 && text != nil; i-- {
			e := &past[i]
			if e.Verb == pawl.ExternalName {
				texts, of = append(texts, text), append(of, e)
			}
			if e.Before == nil || e.After == nil {
				break
			}
			text = share.With(text, e.Before, e.Fields)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	has, err := known(texts)
	if err != nil {
		return err
	}
	for i, e := range of {
		e.git, e.own = has[i], !has[i]
	}
	return nil
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
		case c.After == nil && !external && !set.Bulk, set.Verb == pawl.VerbSync && strings.HasPrefix(string(set.OpID), share.BackOp):
			delete(h.past, c.ID)
		case c.Before == nil && !external && !set.Bulk:
			h.past[c.ID] = []event{{Change: *c, Verb: set.Verb}}
		case external, set.Verb == pawl.VerbSync, !set.Bulk:
			h.past[c.ID] = append(h.past[c.ID], event{Change: *c, Verb: set.Verb})
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
				turns.Forced = !turns.Expiry && c.Before.Claim.Clone != ""
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
