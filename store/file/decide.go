package file

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
)

// fileState describes, after a crash, a file that a record of the journal names.
type fileState struct {
	// The record: the last one that names the file.
	external bool // it tells of somebody else's doing
	creates  bool // it made the file, or one before it since the checkpoint did
	removes  bool
	text     bool // its text is kept
	sameBoot bool // the machine has run since, and the index log with it
	// The file now.
	present bool
	after   bool // as the record left it
	before  bool // as the record found it
	younger bool // its ctime is later than the record
	torn    bool // empty, nothing but zeros, or a beginning of the record's text
}

// action is what becomes of the file.
type action uint8

const (
	keep  action = iota // somebody else's: it stays, and counts as an edit over the record
	done                // as it should be
	write               // the record's doing was lost: it is done again
)

// decide returns what to do with a file after a crash: redo a logged write, or
// keep an external edit. Hashes cannot tell, because git restores old content on
// purpose. A file that was changed after the commit is younger than the record; one
// that a power cut set back is not.
func decide(e fileState) action {
	switch {
	case e.present == !e.removes && (e.removes || e.after):
		return done
	case e.external && (e.sameBoot || e.removes || !e.text):
		return keep // it was in place before the record was written
	case e.sameBoot:
		switch {
		case e.present && e.before:
			return write
		case !e.present && e.creates:
			return write
		}
		return keep
	case !e.present:
		if e.creates && !e.removes {
			return write
		}
		return keep
	case e.torn && !e.removes:
		return write
	case !e.younger:
		return write
	}
	return keep
}

// A pendingFile is a file that a pending journal record names.
type pendingFile struct {
	record  *located
	file    *journalFile
	creates bool
	hashes  map[string]bool // every text that the pending records know of it
	texts   []string        // those that they hold
}

// knows reports whether a text that stands where the file should, or came from
// there, is one of ours or what a power cut has left of one.
func (t *pendingFile) knows(text []byte) bool {
	return t.hashes[hashText(hashOf(text))] || torn(text, t.texts...)
}

// pendingFiles finds for each file the last pending record that names it.
func pendingFiles(pending []located) map[pawl.ID]*pendingFile {
	all := map[pawl.ID]*pendingFile{}
	for i := range pending {
		r := &pending[i]
		for j := range r.Files {
			f := &r.Files[j]
			t := all[f.ID]
			if t == nil {
				t = &pendingFile{hashes: map[string]bool{}}
				all[f.ID] = t
			}
			t.record, t.file = r, f
			t.creates = (t.creates || f.created()) && f.After != ""
			t.hashes[f.Before], t.hashes[f.After] = true, true
			if f.Text != nil {
				t.texts = append(t.texts, *f.Text)
			}
		}
	}
	return all
}

// examine looks at a pending file.
func (s *Store) examine(id pawl.ID, t *pendingFile) (fileState, []byte, fileInfo, error) {
	e := fileState{
		external: t.record.Kind == externalRecord,
		creates:  t.creates,
		removes:  t.file.After == "",
		text:     t.file.Text != nil,
		sameBoot: t.record.Boot == s.fs.Boot() && (!s.loaded.marked || s.loaded.mark.boot == s.fs.Boot()),
	}
	text, info, err := s.fs.Read(taskName(id), pawl.MaxTask)
	switch {
	case absent(err):
		return e, nil, fileInfo{}, nil
	case err != nil && info.Kind == kindAbsent:
		info, _ = s.fs.Stat(taskName(id))
	}
	e.present = true
	e.younger = info.Ctime > t.record.Clock
	if err == nil {
		hash := hashText(hashOf(text))
		e.after = hash == t.file.After
		e.before = hash == t.file.Before
		e.torn = t.file.Text != nil && torn(text, *t.file.Text)
	}
	return e, text, info, nil
}

// torn reports whether text is what a power cut leaves of a whole one: nothing,
// zeros, or the beginning of it.
func torn(text []byte, wholes ...string) bool {
	return len(bytes.Trim(text, "\x00")) == 0 || slices.ContainsFunc(wholes, func(whole string) bool {
		return len(text) < len(whole) && string(text) == whole[:len(text)]
	})
}
