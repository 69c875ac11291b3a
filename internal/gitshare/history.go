package gitshare

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/file"
)

// historyOf tells what happened to the tasks of a board after a revision, from its
// change sets. Syncs are left out: what they wrote is the remote's, and where they gave a
// task another status, the count of what this clone did to it starts again. base has the
// texts of that revision. known reports which texts git or this clone's commits have had;
// nil: that is not asked.
func historyOf(f *file.Files, since pawl.Revision, base map[pawl.ID][]byte, known func([][]byte) ([]bool, error)) (share.History, error) {
	if since == 0 {
		return share.History{}, nil
	}
	h, whole, err := happenedIn(f, since)
	if err != nil || known == nil && !whole {
		return share.History{}, err
	}
	told := share.History{Known: whole, Left: map[pawl.ID][]byte{}, Put: map[pawl.ID][]byte{}}
	if whole {
		told.Turns, told.Removed = h.turns, map[pawl.ID]bool{}
		for id := range h.removed {
			told.Removed[id] = true
		}
	}
	if known != nil {
		if err := h.ask(f, base, whole, known); err != nil {
			return share.History{}, err
		}
	}
	for id, past := range h.past {
		var left, put []byte
		is, there := base[id], f.Tasks[id] != nil
		for n, e := range past {
			switch {
			case e.put != nil:
				left, put, is = share.Again(id, put, is, left), e.put, e.put
			case e.Verb == pawl.ExternalName && (!there || e.Before == nil || slices.ContainsFunc(past[n:], func(e event) bool { return e.put != nil })):
				// the file went or came, or an edit of it went with it
			case e.After == nil:
				is, put, left = nil, nil, nil
			case e.Before == nil:
				is, put, left = taskjson.Encode(e.After), nil, nil
			default:
				is = share.Again(id, share.With(is, e.Before, e.Fields), share.With(is, e.After, e.Fields), is)
			}
		}
		if !there {
			left = share.Again(id, put, is, left)
		} else if put != nil {
			told.Put[id] = put
		}
		if left != nil {
			told.Left[id] = left
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

// happenedIn reads what is kept of what happened after a revision, and reports whether that
// is all. A journal that came back from a backup is behind the revision: all of it is read.
func happenedIn(f *file.Files, since pawl.Revision) (h *happened, whole bool, err error) {
	if whole = since <= f.Revision; !whole {
		since = 0
	}
	for {
		h = &happened{turns: map[pawl.ID]share.Turns{}, removed: map[pawl.ID]time.Time{}, past: map[pawl.ID][]event{}}
		var gone *pawl.Error
		for set, err := range f.Since(since) {
			if pawl.KindOf(err) == pawl.Gone && errors.As(err, &gone) && gone.Revision > since {
				break
			}
			if err != nil {
				return nil, false, err
			}
			h.add(&set)
		}
		if gone == nil {
			return h, whole, nil
		}
		since, whole = gone.Revision, false
	}
}

// An event is a change of a file. One from outside of Pawl may have put an earlier text back.
type event struct {
	pawl.Change
	Verb string
	put  []byte
}

// texts are those that a task has had, the newest first, each with how many of the events
// came before it.
func texts(is []byte, past []event) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for n := len(past); is != nil && yield(n, is) && n > 0; n-- {
			e := &past[n-1]
			if e.Before == nil || e.After == nil {
				return
			}
			is = share.With(is, e.Before, e.Fields)
		}
	}
}

// explained reports whether the events made a task's text of that which the clone's commit has.
func explained(is []byte, past []event, base []byte) bool {
	for n, text := range texts(is, past) {
		if n == 0 && bytes.Equal(text, base) || n > 0 && past[n-1].Before == nil && past[n-1].After != nil {
			return true
		}
	}
	return false
}

// ask finds out where an earlier text of a task came back: by a change from outside, or,
// where the journal does not lead from the commit to the file, with the journal. Only what
// was done after that was done here. A sync left what it knew, and nothing is looked for
// before one.
func (h *happened) ask(f *file.Files, base map[pawl.ID][]byte, whole bool, known func([][]byte) ([]bool, error)) error {
	var all *happened
	type asked struct {
		id    pawl.ID
		past  []event
		n     int
		stray bool
	}
	var of []asked
	var look [][]byte
	for id, text := range f.Tasks {
		past := h.past[id]
		stray := base != nil && !bytes.Equal(text, base[id]) && !(whole && explained(text, past, base[id]))
		if stray && whole {
			if all == nil {
				var err error
				if all, _, err = happenedIn(f, 0); err != nil {
					return err
				}
			}
			past = all.past[id]
		}
		for n, text := range texts(text, past) {
			if stray || n > 0 && past[n-1].Verb == pawl.ExternalName {
				look, of = append(look, text), append(of, asked{id, past, n, stray})
			}
			if stray && n > 0 && past[n-1].Verb == pawl.VerbSync {
				break
			}
		}
	}
	if len(look) == 0 {
		return nil
	}
	has, err := known(look)
	if err != nil {
		return err
	}
	back := map[pawl.ID][]event{}
	for i, a := range of {
		switch {
		case !has[i]:
		case a.stray && back[a.id] == nil:
			back[a.id] = append([]event{{put: look[i]}}, a.past[a.n:]...)
		case a.n > 0:
			a.past[a.n-1].put = look[i]
		}
	}
	if !whole {
		h.past = back
	}
	maps.Copy(h.past, back)
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
	maps.Copy(h.turns, came)
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
				turns.Doubtful = external || set.Verb == pawl.VerbExpire
				turns.Forced = !turns.Doubtful && c.Before.Claim.Clone != ""
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
