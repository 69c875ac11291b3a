package file

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A remedy is what can be done about a file that cannot be read as a task.
type remedy struct {
	is      finding       // the file as it is
	known   position      // of the record with the last version that is known: it is put in its place
	rev     pawl.Revision // that it is from; or at which the task was deleted
	remove  bool          // the file goes: it is what is left of a task that was deleted
	why     string        // nothing can be done about it, and this is why
	hint    string        // what a person can do
	merging bool          // it is git's: two branches are not merged yet
}

// remedyFiles is how many files remedies are looked for at a time, since what
// they contain is in memory at that time.
const remedyFiles = 20

// remedies finds out what can be done about some files.
func (s *Store) remedies(ctx context.Context, ids []pawl.ID) (map[pawl.ID]*remedy, error) {
	all := map[pawl.ID]*remedy{}
	var merging []string
	if s.unmerged != nil && len(ids) > 0 {
		var err error
		if merging, err = s.unmerged(ctx); err != nil {
			return nil, err
		}
	}
	for chunk := range slices.Chunk(ids, remedyFiles) {
		known, err := s.versions(chunk)
		if err != nil {
			return nil, err
		}
		for _, id := range chunk {
			is, err := s.look(id)
			if err != nil {
				return nil, err
			}
			all[id] = remedyOf(is, known[id])
			if all[id].why == "" && slices.Contains(merging, taskName(id)) {
				all[id] = &remedy{is: is, merging: true, hint: "merge the board: pawl merge", why: "git is merging it, and knows what the other branch has"}
			}
			all[id].is.slim()
		}
	}
	return all, nil
}

func remedyOf(is finding, v version) *remedy {
	m := &remedy{is: is, rev: v.rev, hint: "put it right in an editor"}
	sides := leftByGit(is.text)
	switch {
	case is.text == nil:
		m.why = "what cannot be read as a whole is left alone"
		m.hint = "put it right, or move it away"
	case sides != nil:
		m.merging = true
		m.why = "git has left two versions in it, " + strings.Join(sides, " and ")
		m.hint = "merge the board, pawl merge, or put it right in an editor: keep one version, or parts of both, and remove git's lines"
	case v.deleted && torn(is.text, v.texts...):
		m.remove = true
	case v.deleted:
		m.why = fmt.Sprintf("%s was deleted at revision %d, so no version of it comes back", is.id, v.rev)
		m.hint = "put it right in an editor, or remove it"
	case v.at.segment == 0:
		m.why = "no version of it is known"
	default:
		m.known = v.at
	}
	return m
}

// does says what the remedy does.
func (m *remedy) does(kept string) string {
	name := taskName(m.is.id)
	if m.remove {
		return fmt.Sprintf("%s is removed again, since %s was deleted at revision %d; what stood there is in %s", name, m.is.id, m.rev, kept)
	}
	return fmt.Sprintf("%s is as it was at revision %d; what stood there is in %s", name, m.rev, kept)
}

// says is the sentence with which a check ends.
func (m *remedy) says() string {
	switch {
	case m.remove:
		return fmt.Sprintf("have it mended: it is removed again, since %s was deleted at revision %d, and its text is kept in %s", m.is.id, m.rev, lostDir)
	case m.known.segment != 0:
		return fmt.Sprintf("%s, or have it mended: it becomes what it was at revision %d, and its text is kept in %s", m.hint, m.rev, lostDir)
	}
	return m.hint + "; it is not mended, because " + m.why
}

// A version is the last that the journal knows of a task's file.
type version struct {
	at      position // of its record; zero: none is known
	rev     pawl.Revision
	deleted bool     // at that revision
	texts   []string // of a deleted task: those that it had
}

// versions finds the last versions of some files that can be read as tasks.
func (s *Store) versions(ids []pawl.ID) (map[pawl.ID]version, error) {
	h, err := s.loadedHistory()
	if err != nil {
		return nil, err
	}
	known := map[pawl.ID]version{}
	open := slices.Clone(ids)
	for i := len(h.segments) - 1; i >= 0 && len(open) > 0; i-- {
		lines, _, err := h.lines(i)
		if err != nil {
			return nil, err
		}
		for j := len(lines) - 1; j >= 0 && len(open) > 0; j-- {
			l := &lines[j]
			if !slices.ContainsFunc(open, l.names) {
				continue
			}
			var r journalRecord
			if !r.decode(l.body) {
				continue
			}
			open = slices.DeleteFunc(open, func(id pawl.ID) bool {
				v, done := known[id].before(&r, id, position{l.segment, l.start})
				known[id] = v
				return done
			})
		}
	}
	return known, nil
}

// before takes in what an older record says of a file, and reports whether that
// is all there is to know.
func (v version) before(r *journalRecord, id pawl.ID, at position) (version, bool) {
	f := r.file(id)
	switch {
	case f == nil:
		return v, false
	case v.deleted:
		if f.Text != nil {
			v.texts = append(v.texts, *f.Text)
		}
		return v, f.created()
	case f.After == "":
		return version{rev: r.Rev, deleted: true}, false
	case f.Text == nil:
		return v, false
	}
	file, err := taskjson.Decode([]byte(*f.Text))
	if err != nil || file.Task.ID != id || len(bytes.TrimSpace([]byte(file.Task.Subject))) == 0 {
		return v, false
	}
	return version{at: at, rev: r.Rev}, true
}
