package file

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A leftover is a file in the folder of temporary files that a commit put there.
type leftover struct {
	name string
	rev  pawl.Revision
	id   pawl.ID
}

func parseLeftover(base string) (leftover, bool) {
	of, number, ok := strings.Cut(base, ".")
	rev, err1 := strconv.ParseInt(of, 10, 64)
	id, err2 := strconv.ParseInt(number, 10, 64)
	return leftover{tmpDir + "/" + base, pawl.Revision(rev), pawl.ID(id)}, ok && err1 == nil && err2 == nil
}

// tidy empties the folder of temporary files. A text that came out of an
// exchange may be among them, and nowhere else: it is kept unless the journal knows
// it. Texts prepared for a record that was never committed are removed.
func (s *Store) tidy() error {
	names, err := s.list(tmpDir)
	if err != nil {
		return err
	}
	var asked []leftover // about which the journal is asked
	for _, base := range names {
		if l, ok := parseLeftover(base); ok && l.rev <= s.loaded.mark.revision {
			asked = append(asked, l)
		} else if err := s.fs.Remove(tmpDir + "/" + base); err != nil && !absent(err) {
			return err
		}
	}
	displaced, err := s.displaced(asked)
	if err != nil {
		return err
	}
	for _, l := range asked {
		if slices.Contains(displaced, l) {
			err = s.setAside(l.name, l.id, l.name)
		} else {
			err = s.fs.Remove(l.name)
		}
		if err != nil && !absent(err) {
			return err
		}
	}
	return nil
}

// displaced returns those of the leftovers that came out of an exchange with a
// text that the journal does not know. Only what a record was committed for can
// have been exchanged; where the record cannot be read, it may have been.
func (s *Store) displaced(all []leftover) ([]leftover, error) {
	var displaced, older []leftover
	look := func(l leftover, t *pendingFile) {
		text, _, err := s.fs.Read(l.name, pawl.MaxTask)
		if !absent(err) && (err != nil || !t.knows(text)) {
			displaced = append(displaced, l)
		}
	}
	pending := pendingFiles(s.loaded.pending)
	for _, l := range all {
		i := slices.IndexFunc(s.loaded.pending, func(r located) bool { return r.from() < l.rev && l.rev <= r.Rev })
		switch {
		case i < 0:
			older = append(older, l)
		case s.loaded.pending[i].file(l.id) != nil:
			look(l, pending[l.id])
		}
	}
	if len(older) == 0 {
		return displaced, nil
	}
	known, litter, err := s.recorded(older)
	if err != nil {
		return nil, err
	}
	for _, l := range older {
		t := known[l.id]
		if t == nil {
			t = &pendingFile{}
		}
		if !slices.Contains(litter, l) {
			look(l, t)
		}
	}
	return displaced, nil
}

// recorded goes through the journal for what it knows of the files of leftovers,
// and for those leftovers that no record was committed for.
func (s *Store) recorded(all []leftover) (known map[pawl.ID]*pendingFile, litter []leftover, err error) {
	h, err := s.loadedHistory()
	if err != nil {
		return nil, nil, s.unreadable(err)
	}
	var records []located
	for i := range h.segments {
		lines, _, err := h.lines(i)
		if err != nil {
			return nil, nil, err
		}
		for j := range lines {
			l := &lines[j]
			made := slices.ContainsFunc(all, func(o leftover) bool { return l.from < o.rev && o.rev <= l.rev })
			if !made && !slices.ContainsFunc(all, func(o leftover) bool { return l.names(o.id) }) {
				continue
			}
			var r journalRecord
			if !r.decode(l.body) {
				continue
			}
			records = append(records, located{journalRecord: &r})
			for _, o := range all {
				if l.from < o.rev && o.rev <= l.rev && r.file(o.id) == nil {
					litter = append(litter, o)
				}
			}
		}
	}
	return pendingFiles(records), litter, nil
}
