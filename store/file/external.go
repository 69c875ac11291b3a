package file

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// images returns what finds the texts that entries were read from.
func (s *Store) images() func(*entry) []byte { return (&images{fs: s.fs}).of }

func (s *Store) addUnlogged(changes map[pawl.ID]*entry) {
	if s.loaded.unlogged == nil {
		s.loaded.unlogged = map[pawl.ID]*entry{}
	}
	maps.Copy(s.loaded.unlogged, changes)
}

// external takes what a scan found into the index, and into the journal as one
// change set of somebody else's.
func (s *Store) external(sc *scan) error {
	h := &s.loaded
	changes := s.seen(sc)
	h.table = h.table.with(changes)
	s.addUnlogged(changes)
	if sc.listed {
		h.mark.folder, h.mark.folderRacy = sc.folder, sc.folderRacy
	}
	if len(sc.found) == 0 && !h.rebuilt {
		return nil
	}
	was := h.table
	merged := s.merged(was, sc.found)
	h.mark.acyclic = h.mark.acyclic && !addsEdges(was, merged)
	adopted := h.rebuilt
	set := s.externalSet(was, merged, sc.found, adopted || sc.bulk, s.images())
	if len(set.Changes) > 0 {
		if err := s.readClock(); err != nil {
			return unwritable(err)
		}
		rec := s.externalRecord(was, merged, sc, &set)
		if err := s.saveOverwritten(was, sc.found, set.Revision); err != nil {
			return unwritable(err)
		}
		at, err := s.append(rec)
		if err != nil {
			return err
		}
		defer s.tracker.hint()
		for _, f := range sc.found {
			if e := merged[f.id]; e != nil && !sc.bulk && rec.file(f.id).Text != nil {
				e.image = at.at
			}
		}
		h.mark.revision, h.mark.applied = rec.Rev, at.end
		h.mark.lastID = max(h.mark.lastID, rec.LastID)
		h.mark.since++
	}
	h.mark.boot = s.fs.Boot()
	h.rebuilt, h.claims, h.ours = false, nil, nil
	if err := s.log(merged, nil); err != nil {
		s.forget()
		return unwritable(err)
	}
	if adopted {
		return s.checkpoint()
	}
	return nil
}

// seen is what the index gains by the texts that a scan had to read and found
// as they were.
func (s *Store) seen(sc *scan) map[pawl.ID]*entry {
	changes := map[pawl.ID]*entry{}
	for id, l := range sc.looks {
		e := s.loaded.table.get(id)
		if e == nil || e.hash != l.hash {
			continue // logged again since
		}
		changes[id] = l.of(e)
	}
	return changes
}

// externalSet tells what has become of the tasks by what was found: in the
// files themselves, and by what follows from them in others. old finds the text
// that an entry was read from.
func (s *Store) externalSet(was *table, merged map[pawl.ID]*entry, found []finding, bulk bool, old func(*entry) []byte) pawl.ChangeSet {
	set := pawl.ChangeSet{
		Revision: s.loaded.mark.revision + 1, At: s.now(),
		By: pawl.Actor{Name: pawl.ExternalName}, Verb: pawl.ExternalName, Bulk: bulk,
	}
	var freed []pawl.Rank
	texts := map[pawl.ID]*finding{}
	for i := range found {
		texts[found[i].id] = &found[i]
	}
	for _, id := range slices.Sorted(maps.Keys(merged)) {
		before, after := was.get(id), merged[id]
		if w := s.loaded.ours[id]; after != nil && w.hash == hashText(after.hash) {
			after.image = w.at
			continue // only the index had lost it
		}
		if c, ok := s.externalChange(before, after, texts[id], bulk, old); ok {
			set.Changes = append(set.Changes, c)
		}
		if !bulk && after != nil && after.isFree() && (before == nil || !before.isFree()) {
			freed = append(freed, pawl.Rank{ID: id, Urgency: after.urgency, Height: after.height})
		}
	}
	slices.SortFunc(freed, pawl.ByUrgency.Compare)
	for _, rank := range freed {
		set.Ready = append(set.Ready, rank.ID)
	}
	return set
}

func (s *Store) externalChange(before, after *entry, f *finding, bulk bool, old func(*entry) []byte) (pawl.Change, bool) {
	c := pawl.Change{}
	var was, is *pawl.Task
	if before != nil {
		t := before.light()
		was, c.ID, c.CreatedAt = &t, t.ID, t.CreatedAt
	}
	if after != nil {
		t := after.light()
		is, c.ID, c.CreatedAt = &t, t.ID, t.CreatedAt
	}
	switch {
	case bulk && f != nil && f.damage == "":
		return c, true
	case was == nil && is == nil, is != nil && is.Damage != "":
		return c, false // what cannot be read has not changed yet
	}
	if bulk {
		return c, len(pawl.Diff(was, is)) > 0
	}
	if f != nil && !f.gone {
		full := f.file.Task
		after.deriveWhole(&full)
		if was == nil {
			is = &full
		} else if old, ok := decodeTask(old(before)); ok {
			before.deriveWhole(&old)
			was, is = &old, &full
		}
	} else if f != nil {
		if old, ok := decodeTask(old(before)); ok {
			before.deriveWhole(&old)
			was = &old
		}
	}
	c.Before, c.After = was, is
	if was != nil && is != nil {
		c.Fields = pawl.Diff(was, is)
		return c, len(c.Fields) > 0
	}
	return c, true
}

func (s *Store) externalRecord(was *table, merged map[pawl.ID]*entry, sc *scan, set *pawl.ChangeSet) *journalRecord {
	h := &s.loaded
	rec := &journalRecord{
		Kind: externalRecord, Boot: s.fs.Boot(), Clock: h.fsTime, Rev: set.Revision,
		LastID: h.mark.lastID, Sets: []journalSet{packSet(set)},
	}
	for i := range sc.found {
		f := &sc.found[i]
		file := journalFile{ID: f.id, Left: f.left}
		if e := was.get(f.id); e != nil {
			file.Before, file.CreatedAt = hashText(e.hash), e.createdAt
		}
		if !f.gone {
			rec.LastID = max(rec.LastID, counted(f.id))
			file.After = hashText(f.hash)
			if f.damage == "" {
				rec.LastID = max(rec.LastID, merged[f.id].named())
				file.CreatedAt = merged[f.id].createdAt
				// A text with conflict lines is none that comes back.
				if !sc.bulk && !f.conflicted && utf8.Valid(f.text) {
					text := string(f.text)
					file.Text = &text
				}
			}
		}
		rec.Files = append(rec.Files, file)
	}
	rec.compare(was, merged, nil)
	return rec
}

// saveOverwritten keeps aside tasks of ours that a program with an id counter
// of its own has written another task over. Such a program sets no creation
// time; git and an editor do not take one away.
func (s *Store) saveOverwritten(was *table, found []finding, rev pawl.Revision) error {
	image := s.images()
	for i := range found {
		f := &found[i]
		old := was.get(f.id)
		if f.gone || f.damage != "" || f.conflicted || old == nil || old.createdAt == 0 || !f.file.Task.CreatedAt.IsZero() {
			continue
		}
		text := image(old)
		if text == nil {
			continue
		}
		tmp := tmpName(rev, f.id)
		if _, err := s.createTmp(tmp, text); err != nil {
			return err
		}
		if err := s.setAside(tmp, f.id, tmp); err != nil {
			return err
		}
	}
	return nil
}
