package file

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A Rewritten is what a call of Rewrite did to the files, as the journal has it.
type Rewritten struct {
	Set        pawl.ChangeSet
	Before     map[pawl.ID][]byte // of the files that got a new text; nil: there was none
	After      map[pawl.ID][]byte // nil: the file went
	MarkBefore []byte             // of .highwatermark, where that was written
	MarkAfter  []byte
	Marked     bool
	Moved      []Move
}

// Rewritten returns what the change set with this revision did to the files. It
// fails with NotFound where a Rewrite did not make that set.
func (s *Store) Rewritten(ctx context.Context, rev pawl.Revision) (*Rewritten, error) {
	h, err := s.history(ctx)
	if err != nil {
		return nil, err
	}
	for i := len(h.segments) - 1; i >= 0; i-- {
		lines, _, err := h.lines(i)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			if l.from >= rev || rev > l.rev {
				continue
			}
			var r journalRecord
			if !r.decode(l.body) || r.Kind != rewriteRecord {
				return nil, pawl.Errorf(pawl.NotFound, "revision %d is not one that rewrote files", rev)
			}
			return rewrittenOf(&r)
		}
	}
	return nil, pawl.Errorf(pawl.NotFound, "revision %d is not in what the journal keeps", rev)
}

func rewrittenOf(r *journalRecord) (*Rewritten, error) {
	w := &Rewritten{Before: map[pawl.ID][]byte{}, After: map[pawl.ID][]byte{}}
	var err error
	if w.Set, err = r.Sets[0].unpack(); err != nil {
		return nil, pawl.Errorf(pawl.Internal, "revision %d cannot be read: %w", r.Rev, err)
	}
	for i := range r.Files {
		f := &r.Files[i]
		if f.Was == nil && f.Before != "" || f.Stays {
			continue
		}
		w.Before[f.ID], w.After[f.ID] = bytesOf(f.Was), bytesOf(f.Text)
	}
	if m := r.Mark; m != nil {
		w.Marked, w.MarkBefore, w.MarkAfter = true, m.Was, m.Text
	}
	w.Moved = movesOf(r.Moved)
	return w, nil
}

func movesOf(packed []journalMove) (moved []Move) {
	for _, m := range packed {
		moved = append(moved, Move{m.From, m.To, fromMillis(m.CreatedAt)})
	}
	return moved
}

func bytesOf(text *string) []byte {
	if text == nil {
		return nil
	}
	return []byte(*text)
}

// Back is the rewriting that makes every file what it was before, to the byte, or
// a refusal that names the tasks that have changed since.
func (w *Rewritten) Back(f Files) (Rewriting, error) {
	back := Rewriting{Tasks: w.Before, Exact: w.Marked, MarkText: w.MarkBefore}
	var changed []pawl.ID
	for _, id := range slices.Sorted(maps.Keys(w.After)) {
		now, there := f.Tasks[id]
		if there != (w.After[id] != nil) || !bytes.Equal(now, w.After[id]) {
			changed = append(changed, id)
		}
	}
	if len(changed) > 0 {
		return Rewriting{}, pawl.Errorf(pawl.Conflict, "%s has changed since %s", changed[0], w.Set.Revision.Short(f.Origin)).
			About(changed...).Next(pawl.HintHistory, changed[:1]...)
	}
	if w.Marked && !bytes.Equal(f.MarkText, w.MarkAfter) { // raised since, which nothing takes back
		back.Exact, back.MarkText = false, nil
	}
	back.Safe = map[pawl.ID]bool{}
	for id := range w.After {
		back.Safe[id] = true // the journal has it
	}
	for _, m := range w.Moved {
		back.Moved = append(back.Moved, Move{m.To, m.From, m.CreatedAt})
	}
	return back, nil
}
