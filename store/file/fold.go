package file

import (
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// An infoFunc returns the file info of a task's file that a record has put in
// place. kindAbsent: nobody has looked yet, and the journal has the text.
type infoFunc func(id pawl.ID) fileInfo

func notLookedAt(pawl.ID) fileInfo { return fileInfo{} }

// fold works out what a table becomes by a record of our own.
func fold(t *table, r *located, look infoFunc) (map[pawl.ID]*entry, error) {
	w := newWork(t)
	touched := map[pawl.ID]bool{}
	var texts []finding
	var links []func() // once all the files are there that an edge may name
	for i := range r.Files {
		f := &r.Files[i]
		switch {
		case f.After == "" && r.Kind == rewriteRecord: // it is not deleted: what others say of it stays
			texts = append(texts, finding{id: f.ID, gone: true})
		case f.After == "":
			w.delete(f.ID, touched)
		case f.Text == nil: // of another program's: found again in the file
		case r.Kind == rewriteRecord:
			found := finding{id: f.ID, info: look(f.ID), racy: true, text: []byte(*f.Text), left: f.Left}
			found.understand() // it may be damage that is put back
			texts = append(texts, found)
		default:
			file, err := taskjson.Decode([]byte(*f.Text))
			if err != nil {
				return nil, err
			}
			if r.Kind == externalRecord || r.Kind == mendRecord {
				texts = append(texts, finding{id: f.ID, info: look(f.ID), racy: true, file: file, hash: hashOf(*f.Text), left: f.Left})
				continue
			}
			links = append(links, w.write(f, &file, r.at, look(f.ID), touched))
		}
	}
	for _, link := range links {
		link()
	}
	w.derive(touched)
	for _, rank := range r.Ranks {
		if e := w.edit(pawl.ID(rank[0])); e != nil {
			e.urgency, e.height = pawl.Priority(rank[1]), int(rank[2])
		}
	}
	if len(texts) > 0 {
		under := t.with(w.done())
		for id, e := range merge(under, texts) {
			w.changes[id] = e
		}
		for _, f := range texts {
			if e := w.edit(f.id); e != nil {
				e.image = r.at
			}
		}
	}
	w.claim(r)
	return w.done(), nil
}

// claim gives tasks the claims of a record.
func (w *work) claim(r *located) {
	for i := range r.Claims {
		if e := w.edit(r.Claims[i].ID); e != nil {
			r.Claims[i].restore(e)
		}
	}
}

// delete takes a task away. The same commit altered the tasks that referred to it;
// if it could not, the edge goes anyway.
func (w *work) delete(id pawl.ID, touched map[pawl.ID]bool) {
	was := w.get(id)
	if was == nil {
		return
	}
	for _, later := range was.blocks {
		w.unlink(id, later)
		touched[later] = true
	}
	for _, earlier := range was.blockers {
		w.unlink(earlier, id)
	}
	w.adopt(id, was.parent, 0)
	touched[was.parent] = true
	w.remove(id)
}

// write takes over a file as a commit left it: it says what holds. The function
// that it returns ties the task to the others.
func (w *work) write(f *journalFile, file *taskjson.File, at position, info fileInfo, touched map[pawl.ID]bool) func() {
	was := w.get(f.ID)
	e := &entry{id: f.ID, urgency: file.Task.Priority}
	before := entry{status: pawl.Completed}
	if was != nil {
		e, before = was.clone(), *was
	}
	e.read(file)
	e.info, e.racy, e.hash, e.image = info, true, hashOf(*f.Text), at
	e.blocks = slices.Clone(e.said.blocks)
	w.put(e)
	return func() { w.tie(e, &before, touched) }
}

func (w *work) tie(e, before *entry, touched map[pawl.ID]bool) {
	touched[e.id] = true
	for _, later := range before.blocks {
		if !slices.Contains(e.blocks, later) {
			if l := w.edit(later); l != nil {
				l.blockers = without(l.blockers, e.id)
			}
			touched[later] = true
		}
	}
	for _, later := range e.blocks {
		w.link(e.id, later)
		touched[later] = true
	}
	for _, earlier := range before.blockedBy {
		// Only its own file could have told of an edge to a task that is not
		// there, or cannot be read.
		blocker := w.get(earlier)
		if !slices.Contains(e.said.blockedBy, earlier) && (blocker == nil || blocker.damage != "") && e.isOpen() {
			w.unlink(earlier, e.id)
		}
	}
	for _, earlier := range e.said.blockedBy {
		w.link(earlier, e.id)
	}
	w.adopt(e.id, before.parent, e.parent)
	touched[before.parent], touched[e.parent] = true, true
}

// foresee works out what the pending records make of the table. How the files
// look is left open: it is decided when they are looked at.
func (s *Store) foresee() (map[pawl.ID]*entry, error) {
	h := &s.loaded
	t := h.table
	all := map[pawl.ID]*entry{}
	for i := range h.pending {
		if s.indexed(&h.pending[i]) {
			continue
		}
		changes, err := fold(t, &h.pending[i], notLookedAt)
		if err != nil {
			return nil, err
		}
		t = t.with(changes)
		for id, e := range changes {
			all[id] = e
		}
	}
	return all, nil
}

// indexed reports whether the index has what a record did. Later changes may be
// missing from the journal, and the record must not take them back.
func (s *Store) indexed(rec *located) bool {
	return s.loaded.marked && rec.Rev <= s.loaded.sure
}
