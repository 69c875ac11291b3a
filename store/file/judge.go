package file

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
)

// evidence is what there is to judge a file by that a record of the journal
// names, after a crash.
type evidence struct {
	// The record: the last one that names the file.
	external bool // it tells of somebody else's doing
	creates  bool // it made the file, or one before it since the checkpoint did
	removes  bool
	text     bool // its text is kept
	sameBoot bool // the machine has run since, and the index log with it
	// What is there now.
	present bool
	after   bool // as the record left it
	before  bool // as the record found it
	younger bool // its ctime is later than the record
	torn    bool // empty, nothing but zeros, or a beginning of the record's text
}

// verdict is what becomes of the file.
type verdict uint8

const (
	keep  verdict = iota // somebody else's: it stays, and counts as an edit over the record
	done                 // as it should be
	write                // the record's doing was lost: it is done again
)

// judge tells a lost rename from a stranger's edit. Hashes cannot: git brings
// back old texts, and those are meant. A file that was changed after the commit
// is younger than it; one that a power cut threw back is not.
func judge(e evidence) verdict {
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

// A trial is a file under judgement.
type trial struct {
	record  *located
	file    *journalFile
	creates bool
	hashes  map[string]bool // every text that the pending records know of it
	texts   []string        // those that they hold
}

// knows reports whether a text that stands where the file should, or came from
// there, is one of ours or what a power cut has left of one.
func (t *trial) knows(text []byte) bool {
	return t.hashes[hashText(hashOf(text))] || torn(text, t.texts...)
}

// trials finds for each file the last pending record that names it.
func trials(pending []located) map[pawl.ID]*trial {
	all := map[pawl.ID]*trial{}
	for i := range pending {
		r := &pending[i]
		for j := range r.Files {
			f := &r.Files[j]
			t := all[f.ID]
			if t == nil {
				t = &trial{hashes: map[string]bool{}}
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

// examine looks at the file of a trial.
func (s *Store) examine(id pawl.ID, t *trial) (evidence, []byte, fileInfo, error) {
	e := evidence{
		external: t.record.Kind == externalRecord,
		creates:  t.creates,
		removes:  t.file.After == "",
		text:     t.file.Text != nil,
		sameBoot: t.record.Boot == s.fs.Boot() && (!s.held.marked || s.held.mark.boot == s.fs.Boot()),
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
