package file

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/taskjson"
)

// lastSeen finds in the journal the owner and the claim that a task had under a
// number, after another task has taken that: the claim was dropped then, because
// nothing said where the task went. It is nil where the journal does not know.
func (s *Store) lastSeen(m Move) (*entry, error) {
	at := millis(m.CreatedAt)
	if at == 0 {
		return nil, nil // a number alone is no identity
	}
	h, err := s.loadedHistory()
	if err != nil {
		return nil, err
	}
	seen := &entry{id: m.From}
	var claim *journalClaim // the last one, and
	known := false          // the last text says who has the task
	for i := len(h.segments) - 1; i >= 0; i-- {
		lines, _, err := h.lines(i)
		if err != nil {
			return nil, err
		}
		for _, l := range slices.Backward(lines) {
			var r journalRecord
			if !l.names(m.From) || !r.decode(l.body) {
				continue
			}
			if c := slices.IndexFunc(r.Claims, func(c journalClaim) bool { return c.ID == m.From && c.CreatedAt == at }); c >= 0 && claim == nil {
				claim = &r.Claims[c]
			}
			f := r.file(m.From)
			if f == nil || f.CreatedAt != at || f.Text == nil {
				continue
			}
			if !known {
				file, err := taskjson.Decode([]byte(*f.Text))
				if err != nil {
					continue
				}
				seen.read(&file)
				known = true
			}
			if claim != nil {
				claim.restore(seen)
				return seen, nil
			}
			if f.created() {
				return nil, nil // nobody has ever claimed it
			}
		}
	}
	return nil, nil
}
