package file

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A scan is how the files differ from a table.
type scan struct {
	found  []finding
	looks  map[pawl.ID]look // the same texts, but they look different now
	folder fileInfo
	tasks  int  // that were checked
	listed bool // the folder's names were read
	busy   bool // git was changing files, so what was found is not recorded

	folderRacy bool // names may have come and gone since, and the folder looks the same

	doubts []doubt                 // what git has to be asked about
	rules  func() []pawl.CheckRule // asked once

	bulk bool // there is so much that the texts are not kept
	size int  // of the texts in found
}

// bulkLimit is how many files another program may change before only their ids are
// kept: that many were changed by a tool, and git has them. bulkSize is how many
// bytes these files may have: a record of the journal is in memory several times.
const (
	bulkLimit = 100
	bulkSize  = 8 << 20
)

// add takes a finding. No more texts are in memory than a record may hold.
func (sc *scan) add(f finding) {
	if n := len(sc.found); sc.bulk && n == cap(sc.found) {
		sc.found = slices.Grow(sc.found, n/2) // append alone grows by a quarter, and findings are large
	}
	sc.found = append(sc.found, f)
	sc.size += len(f.text)
	if sc.bulk {
		sc.found[len(sc.found)-1].slim()
	} else if len(sc.found) > bulkLimit || sc.size > bulkSize {
		sc.bulk = true
		for i := range sc.found {
			sc.found[i].slim()
		}
	}
}

// slim forgets the text, and of the task what the index does not have.
func (f *finding) slim() {
	t := &f.file.Task
	ref := bytes.Clone(t.Metadata[pawl.RefKey])
	f.text, t.Description, t.ActiveForm, t.Notes, t.Metadata, t.Extra = nil, "", "", nil, nil, nil
	t.Checked = t.Standing()
	t.Checks, t.Accept, t.Evidence = nil, nil, nil
	t.Merging = pawl.BriefMerging(t.Merging)
	if ref != nil {
		t.Metadata = map[string]json.RawMessage{pawl.RefKey: ref}
	}
}

// A look is how a file looks whose text is known.
type look struct {
	info fileInfo
	hash uint64
	racy bool
}

// of gives an entry of the same text what was seen.
func (l *look) of(e *entry) *entry {
	e = e.clone()
	e.info, e.racy = l.info, l.racy
	return e
}

// maxSaid bounds the edges that are taken from one file. It is ten times what
// Pawl itself makes; more could only be meant to hold others up.
const maxSaid = 10 * pawl.MaxEdges

// maxIndexed bounds what the index keeps of one file's texts. It is ten times
// what Pawl itself makes.
const maxIndexed = 256 << 10

// scan checks every file against a table by a stat, and reads those that are
// not as they were.
func (s *Store) scan(t *table) (*scan, error) {
	h := &s.loaded
	return s.scanKnowing(t, h.mark.folder, h.mark.folderRacy || !h.marked || len(h.pending) > 0)
}

// scanKnowing is scan with the folder as it was when its names were last known.
// When unsure, the names are listed in any case.
func (s *Store) scanKnowing(t *table, known fileInfo, unsure bool) (*scan, error) {
	sc := &scan{looks: map[pawl.ID]look{}, rules: sync.OnceValue(s.checks)}
	folder, err := s.fs.Stat(".")
	if absent(err) {
		return sc, nil
	}
	if err != nil {
		return nil, s.unreadable(err)
	}
	if folder.Kind != kindFolder {
		return nil, s.unreadable(fail("open", ".", errIrregular))
	}
	sc.folder = folder
	if s.tracker.covers(folder) {
		return sc, s.scanSuspects(t, sc)
	}
	check := s.tracker.begin()
	sc.tasks = t.len()
	var suspects []pawl.ID
	var at row
	rows := t.cursor()
	err = s.fs.StatEach(sc.tasks,
		func(_ int, buf []byte) []byte { at, _ = rows.next(); return appendTaskName(buf, at.id()) },
		func(_ int, info fileInfo) {
			if !at.matches(&info) || at.racy() {
				suspects = append(suspects, at.id())
			}
		})
	if err != nil {
		return nil, s.unreadable(err)
	}
	sc.listed = known != folder || unsure
	timed := len(suspects) > saveFromFiles || sc.listed && sc.manyNames()
	if timed {
		s.clockFirst()
	}
	if sc.listed {
		sc.folderRacy = s.racy(folder)
		names := newSet(t)
		err := s.fs.List(".", func(name []byte) {
			if id, ok := parseTaskName(name); ok && !names.has(id) {
				suspects = append(suspects, id)
			}
		})
		if err != nil {
			return nil, s.unreadable(err)
		}
	}
	if !timed && len(suspects) > saveFromFiles {
		s.clockFirst()
	}
	if err := s.suspectAll(t, suspects, sc); err != nil {
		return nil, err
	}
	s.tracker.finish(check, sc.found)
	return sc, nil
}

// scanSuspects checks only the files that had an event. A changed one stays suspect
// until its change is recorded.
func (s *Store) scanSuspects(t *table, sc *scan) error {
	suspects := s.tracker.suspected()
	ids := slices.Sorted(maps.Keys(suspects))
	var differ []pawl.ID
	err := s.fs.StatEach(len(ids),
		func(i int, buf []byte) []byte { return appendTaskName(buf, ids[i]) },
		func(i int, info fileInfo) {
			switch e := t.get(ids[i]); {
			case e == nil && info.Kind == kindAbsent:
			case e == nil || e.racy || !(row{entry: e}).matches(&info):
				differ = append(differ, ids[i])
			}
		})
	if err != nil {
		return s.unreadable(err)
	}
	if err := s.suspectAll(t, differ, sc); err != nil {
		return err
	}
	for i := range sc.found {
		delete(suspects, sc.found[i].id)
	}
	for id, heard := range suspects {
		if s.loaded.unsettled[id] == nil {
			s.tracker.clearSuspect(id, heard)
		}
	}
	return nil
}

// suspectAll reads files, and those that a crash may have left as they were.
func (s *Store) suspectAll(t *table, suspects []pawl.ID, sc *scan) error {
	slices.Sort(suspects)
	for id, tr := range s.loaded.unsettled {
		if tr.file.After != "" && !slices.Contains(suspects, id) {
			suspects = append(suspects, id)
		}
	}
	for _, id := range suspects {
		if err := s.suspect(t, id, sc); err != nil {
			return err
		}
	}
	s.askGit(sc)
	return nil
}

// informed reports whether only suspects have to be looked at, so that an
// update can do that when it has the lock.
func (s *Store) informed() bool {
	if s.tracker == nil || !s.loaded.exists {
		return false
	}
	folder, err := s.fs.Stat(".")
	if err != nil || !s.tracker.covers(folder) {
		return false
	}
	state, err := s.fs.Stat(stateDir)
	return err == nil && state.Kind == kindFolder
}

// remember keeps how files look that are as they were, in a process that runs
// on; others leave it to the next writer.
func (s *Store) remember(sc *scan) {
	if s.tracker == nil || len(sc.looks) == 0 {
		return
	}
	changes := s.seen(sc)
	s.loaded.table = s.loaded.table.with(changes)
	s.addUnlogged(changes)
	clear(sc.looks)
}

// A set holds the ids of a table: as bits, which is quickest, but those that
// are out of all proportion.
type set struct {
	table *table
	bits  []uint64
}

func newSet(t *table) *set {
	k := &set{table: t, bits: make([]uint64, 1024+t.base.len()/8)}
	t.each(func(r row) bool {
		if id := r.id(); id/64 < pawl.ID(len(k.bits)) {
			k.bits[id/64] |= 1 << (id % 64)
		}
		return true
	})
	return k
}

func (k *set) has(id pawl.ID) bool {
	if id/64 < pawl.ID(len(k.bits)) {
		return k.bits[id/64]&(1<<(id%64)) != 0
	}
	return k.table.has(id)
}

// suspect reads a file and notes in what it differs from the table.
func (s *Store) suspect(t *table, id pawl.ID, sc *scan) error {
	was := t.get(id)
	if tr := s.loaded.unsettled[id]; tr != nil {
		e, _, _, err := s.examine(id, tr)
		if err != nil {
			return s.unreadable(err)
		}
		if s.rules.decide(e) == write {
			return nil // the journal has what counts
		}
	}
	f, err := s.look(id)
	if err != nil {
		return err
	}
	switch {
	case f.gone && was == nil:
	case was != nil && !f.gone && f.hash == was.hash && f.damage == was.damage:
		sc.looks[id] = look{f.info, f.hash, f.racy}
	default:
		judged := s.loaded.exists && !s.loaded.unwritten()
		if judged && !s.loaded.marked {
			was = s.recalled(id)
			if judged = was != nil && was.hash != f.hash; was != nil && !judged {
				f.left = was.left
			}
		}
		if judged && s.unproven(was, &f, sc.rules) {
			sc.doubts = append(sc.doubts, doubt{len(sc.found), f.text})
		}
		sc.add(f)
	}
	return nil
}

// unproven finds what no run has shown of a task, by what its file says newly, and reports whether
// there is anything. If git has that text, it is the word of a commit's author.
func (s *Store) unproven(was *entry, f *finding, rules func() []pawl.CheckRule) bool {
	t, before := &f.file.Task, pawl.Task{}
	if was != nil {
		before = was.light()
		before.Checked, before.Evidence = was.checked.state(), was.left
		if was.checked == 0 || before.Checked != pawl.NotChecked { // zero: recalled from the journal
			if text, ok := decodeTask(s.images()(was)); ok {
				before = text
				before.Record(was.left...)
			}
		}
	}
	nothing := len(before.Checks)+len(before.Evidence)+len(t.Evidence) == 0 && before.Checked == pawl.NotChecked
	if f.gone || f.damage != "" || nothing && slices.Equal(before.Labels, t.Labels) && (t.Open() || !before.Open()) {
		return false
	}
	f.left = t.Unproven(&before, rules())
	return f.left != nil
}

// recalled is what the journal says of a task, if the index was lost; nil: nothing.
func (s *Store) recalled(id pawl.ID) *entry {
	if s.loaded.ours == nil && s.recall() != nil {
		return nil
	}
	w := s.loaded.ours[id]
	hash, err := strconv.ParseUint(w.hash, 16, 64)
	if err != nil {
		return nil
	}
	return &entry{id: id, status: pawl.Pending, hash: hash, image: w.at, left: w.left}
}

// A doubt is an unproven text, and which finding has it.
type doubt struct {
	at   int
	text []byte
}

// askGit marks the findings whose text git does not have: another program wrote that here.
func (s *Store) askGit(sc *scan) {
	if len(sc.doubts) == 0 {
		return
	}
	texts := make([][]byte, len(sc.doubts))
	for i, d := range sc.doubts {
		texts[i] = d.text
	}
	has := s.gitHas(texts)
	for i, d := range sc.doubts {
		if has[i] {
			sc.found[d.at].left = nil
		}
	}
	sc.doubts = nil
}

// reconcile looks again at what a scan found, after what is loaded has moved on:
// what another process has logged since is not a finding.
func (s *Store) reconcile(t *table, sc *scan) error {
	found := sc.found
	sc.found, sc.doubts, sc.bulk, sc.size = nil, nil, false, 0
	for _, f := range found {
		if err := s.suspect(t, f.id, sc); err != nil {
			return err
		}
	}
	s.askGit(sc)
	return nil
}

const (
	youth     = 100 * time.Millisecond // a file this young may still be written
	readPause = 5 * time.Millisecond
)

// look reads a task's file. The finding has any damage of the file.
func (s *Store) look(id pawl.ID) (finding, error) {
	f, err := s.lookOnce(id)
	if err == nil && f.damage != "" && time.Now().UnixNano()-f.info.Mtime < int64(youth) {
		s.pause(readPause)
		return s.lookOnce(id)
	}
	return f, err
}

func (s *Store) lookOnce(id pawl.ID) (finding, error) {
	name := taskName(id)
	f := finding{id: id}
	var err error
	f.text, f.info, err = s.fs.Read(name, pawl.MaxTask)
	if err != nil {
		f.text = nil
		if f.info.Kind == kindAbsent {
			f.info, _ = s.fs.Stat(name)
		}
		switch {
		case absent(err):
			f.gone = true
		case errors.Is(err, fs.ErrPermission):
			f.damage = name + ": it cannot be read: permission denied"
		case errors.Is(err, errTooLarge), errors.Is(err, errIrregular), errors.Is(err, errMoved):
			f.damage = name + ": " + errors.Unwrap(err).Error()
		default:
			return f, s.unreadable(err) // says nothing about the file
		}
		f.racy = true
		return f, nil
	}
	f.racy = s.racy(f.info)
	f.understand()
	return f, nil
}

// understand reads the text of a file, and finds what is wrong with it as a task's.
func (f *finding) understand() {
	name := taskName(f.id)
	f.hash = hashOf(f.text)
	var err error
	f.file, f.conflicted, err = readTask(f.id, f.text)
	task := &f.file.Task
	switch fault, _ := errors.AsType[*taskjson.Fault](err); {
	case fault != nil:
		f.damage = fmt.Sprintf("%s:%d:%d: %s", name, fault.Line, fault.Column, fault.Problem)
	case task.ID != f.id:
		f.damage = fmt.Sprintf("%s:1:1: the task inside is %s", name, task.ID)
	case len(task.BlockedBy) > maxSaid || len(task.Blocks) > maxSaid:
		f.damage = fmt.Sprintf("%s:1:1: it names more than %d edges", name, maxSaid)
	case indexed(task) > maxIndexed:
		f.damage = fmt.Sprintf("%s:1:1: its subject, owner, labels, ref, hold and tasks of other branches have more than %d KiB", name, maxIndexed>>10)
	}
}

// indexed is how many bytes of a task's texts the index keeps.
func indexed(t *pawl.Task) int {
	n := len(t.Subject) + len(t.Owner) + len(t.Metadata[pawl.RefKey])
	for _, label := range t.Labels {
		n += len(label)
	}
	if t.Hold != nil {
		n += len(t.Hold.Reason) + len(t.Hold.By)
	}
	for i := range t.Merging {
		n += recordSize + len(t.Merging[i].Subject) + len(t.Merging[i].Owner)
	}
	return n
}

// racy reports whether a file was changed so shortly before it was looked at
// that another change could leave it with the same times.
func (s *Store) racy(info fileInfo) bool { return s.racyAt(info, s.loaded.fsTime) }

// racyAt is racy for a file that was looked at when the clock showed fsTime or
// later.
func (s *Store) racyAt(info fileInfo, fsTime int64) bool {
	within := slack
	if info.Mtime%int64(time.Second) == 0 && info.Ctime%int64(time.Second) == 0 || s.remote() != "" {
		within = coarseSlack
	}
	return info.Ctime >= fsTime-int64(within)
}

const (
	slack       = 10 * time.Millisecond // the longest tick of a kernel's clock
	coarseSlack = 2 * time.Second       // where a file system counts in seconds
)

func decodeTask(text []byte) (pawl.Task, bool) {
	file, err := taskjson.Decode(text)
	return file.Task, err == nil
}
