package file

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
)

// Files are the texts of a board's files at one moment, whatever is in them.
type Files struct {
	Tasks    map[pawl.ID][]byte
	Claims   map[pawl.ID]Held   // of the tasks that have a claim, or leases that ran out
	Damaged  map[pawl.ID]string // what is wrong with those of Tasks that cannot be read as a task
	Closed   []pawl.ID          // tasks whose file cannot be read at all, and so not be rewritten
	Mark     pawl.ID            // the number in .highwatermark; zero: none
	MarkText []byte             // the text of that file; nil: it does not exist
	LastID   pawl.ID            // the highest number that was ever given here
	Revision pawl.Revision
	Origin   pawl.Revision
	Now      time.Time
	// Edited says that another program has edited files since the revision. A Rewrite
	// records that with its own change set, or before it: see [Why].
	Edited bool

	past *history
}

// Held is what is kept beside a task's file.
type Held struct {
	Claim   pawl.Claim
	Expired int
}

// A Why says who rewrites and why, for the change set.
type Why struct {
	By     pawl.Actor
	Verb   string
	Undoes pawl.Revision
	// OpID makes the rewriting run once: a second one with it changes nothing, and
	// [Store.Ran] finds it.
	OpID pawl.OpID
	// Apart makes what other programs did to the files before a change set of its own.
	Apart bool
}

// A Rewriting says how a board's files change.
type Rewriting struct {
	Tasks map[pawl.ID][]byte // the new texts; nil: the file goes; other files stay
	Mark  pawl.ID            // .highwatermark gets at least this number
	Moved []Move             // tasks that have another number from now on: claims follow them
	// Claims replace those of tasks that stay. A claim of a task that is not in
	// progress under a name counts as none.
	Claims map[pawl.ID]Held
	// Beside are texts to be kept in lost+found, by the names of their files.
	Beside map[string][]byte
	// Safe are the damaged files whose text is kept elsewhere, as in git. The text
	// of any other one that is replaced goes to lost+found.
	Safe map[pawl.ID]bool
	// Exact makes MarkText, nil too, the text of .highwatermark, instead of Mark.
	Exact    bool
	MarkText []byte
}

// A Move says that a task has another number from now on.
type Move struct {
	From      pawl.ID   `json:"from"`
	To        pawl.ID   `json:"to"`
	CreatedAt time.Time `json:"createdAt,omitzero"` // with From, the identity of the task
}

// Rewrite gives many files whole new texts, as one record of the journal and one
// change set by an actor: all of them or none, whatever happens. It checks only that a
// file can hold each text, so that it can put back damaged ones, too. Earlier edits by
// other programs are part of the change set. A claim stays with its task, also if
// Moved gives that another number, unless Claims says otherwise.
//
// fn is pure, and may run again. It must not call the store. Rewrite returns the
// revision of the set; where fn changes nothing, that of the board.
func (s *Store) Rewrite(ctx context.Context, why Why, fn func(Files) (Rewriting, error)) (pawl.Revision, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.leave()
	defer s.fs.Hold()()
	s.use()
	if err := s.refresh(ctx); err != nil {
		return 0, err
	}
	if !s.loaded.exists || s.loaded.unwritten() {
		// Nothing may come into being where there is nothing to do.
		sc, err := s.scan(s.shown())
		if err != nil {
			return 0, err
		}
		t := s.shown()
		f, _, err := s.allFiles(s.reader(t.with(s.merged(t, sc.found))))
		if err != nil {
			return 0, err
		}
		f.Edited = len(sc.found) > 0
		w, err := fn(*f)
		if err != nil || w.empty(f) {
			return f.Revision, err
		}
		if err := s.found(); err != nil {
			return 0, err
		}
	}
	unlock, err := s.lock(ctx, true)
	if err != nil {
		return 0, err
	}
	defer unlock()
	for n := 1; ; n++ {
		rev, err := s.rewrite(ctx, why, fn)
		if err != errAgain || n == attempts {
			return rev, err
		}
	}
}

// empty reports whether the rewriting leaves everything as it is.
func (w *Rewriting) empty(f *Files) bool {
	for id, text := range w.Tasks {
		now, there := f.Tasks[id]
		if there != (text != nil) || !bytes.Equal(now, text) {
			return false
		}
	}
	for id, is := range w.Claims {
		if _, there := f.Tasks[id]; there && is.plain() != f.Claims[id] {
			return false
		}
	}
	return len(w.Beside) == 0 && w.mark(f) == nil
}

// plain is what the store keeps of it.
func (h Held) plain() Held {
	h.Claim.Until, h.Claim.Confirmed = fromMillis(millis(h.Claim.Until)), fromMillis(millis(h.Claim.Confirmed))
	return h
}

// mark is what has to be done to .highwatermark; nil: nothing.
func (w *Rewriting) mark(f *Files) *journalMark {
	m := &journalMark{Was: f.MarkText}
	switch {
	case w.Exact:
		m.Text = w.MarkText
	case w.Mark == 0 || w.Mark > pawl.MaxForeignID || f.Mark >= w.Mark && len(bytes.TrimSpace(f.MarkText)) == len(strconv.FormatInt(int64(f.Mark), 10)):
		return nil
	default:
		m.Text = strconv.AppendInt(nil, int64(max(w.Mark, f.Mark)), 10)
	}
	if (m.Was == nil) == (m.Text == nil) && bytes.Equal(m.Was, m.Text) {
		return nil
	}
	return m
}

// rewrite decides once under the lock.
func (s *Store) rewrite(ctx context.Context, why Why, fn func(Files) (Rewriting, error)) (pawl.Revision, error) {
	sc, err := s.ready(ctx, nil)
	if err != nil {
		return 0, err
	}
	if sc.busy || s.fs.GitBusy() {
		return 0, pawl.Errorf(pawl.Unavailable, "git is changing files: repeat this when it is done")
	}
	if s.loaded.rebuilt || why.Apart { // what was there before is adopted first, as always
		if err := s.external(sc); err != nil {
			return 0, err
		}
		sc.found = nil
	}
	was := s.loaded.table
	r := s.reader(was.with(s.merged(was, sc.found)))
	r.locked = true
	if why.OpID != "" {
		if result, ran, err := r.Result(why.OpID); ran || err != nil {
			return rewroteAt(result), err
		}
	}
	files, texts, err := s.allFiles(r)
	if err != nil {
		return 0, err
	}
	files.Edited = len(sc.found) > 0
	if files.past, err = s.loadedHistory(); err != nil {
		return 0, err
	}
	w, err := fn(*files)
	if err != nil || w.empty(files) {
		return r.revision, err
	}
	for _, name := range slices.Sorted(maps.Keys(w.Beside)) {
		if !filepath.IsLocal(name) || filepath.Base(name) != name {
			return 0, pawl.Errorf(pawl.Internal, "%q is no name for a text in %s", name, lostDir)
		}
		if _, err := s.keepText(lostDir+"/"+name, w.Beside[name]); err != nil {
			return 0, unwritable(err)
		}
	}
	p, err := s.rewriting(r, was, sc, files, texts, &w, why)
	if err != nil {
		return 0, err
	}
	if p == nil { // there was only something to keep
		return r.revision, nil
	}
	changes := s.seen(sc)
	s.loaded.table = s.loaded.table.with(changes)
	s.addUnlogged(changes)
	return s.commit(p, sc)
}

// allFiles reads every file of a board as the reader has it.
func (s *Store) allFiles(r *reader) (*Files, map[pawl.ID]*text, error) {
	f := &Files{
		Tasks: map[pawl.ID][]byte{}, Damaged: map[pawl.ID]string{}, Claims: map[pawl.ID]Held{},
		LastID: r.lastID, Revision: r.revision, Origin: r.Origin(), Now: r.now,
	}
	texts := map[pawl.ID]*text{}
	var failed error
	r.table.each(func(row row) bool {
		e := row.open()
		if e.damage != "" && e.hash == 0 {
			f.Closed = append(f.Closed, e.id)
			return true
		}
		if e.claim.Live() || e.expired > 0 {
			f.Claims[e.id] = Held{e.claim, e.expired}
		}
		txt := &text{}
		txt.bytes, txt.info, failed = s.fs.Read(taskName(e.id), pawl.MaxTask)
		if failed != nil || hashOf(txt.bytes) != e.hash {
			image := r.images.of(e)
			if image == nil || r.locked {
				s.tracker.doubt(e.id)
				failed = errAgain
				return false
			}
			txt.bytes, failed = image, nil // as it will be, or was a moment ago
		}
		txt.racy = s.racy(txt.info)
		texts[e.id], f.Tasks[e.id] = txt, e.shownText(txt.bytes)
		switch {
		case e.damage != "":
			f.Damaged[e.id] = e.damage
		case e.conflicted:
			f.Damaged[e.id] = "git's conflict lines are in it"
		}
		return true
	})
	if failed != nil {
		return nil, nil, failed
	}
	if text, _, err := s.fs.Read(waterName, maxWater); err == nil {
		f.MarkText = append([]byte{}, text...)
		f.Mark, _ = waterOf(text)
	}
	return f, texts, nil
}

// rewriting is the plan of a rewriting, or nil where no file is other than before.
func (s *Store) rewriting(r *reader, was *table, sc *scan, files *Files, texts map[pawl.ID]*text, w *Rewriting, why Why) (*plan, error) {
	p := &plan{reader: r, kind: rewriteRecord, targets: map[pawl.ID]*target{}}
	rec := &journalRecord{
		Kind: rewriteRecord, Boot: s.fs.Boot(), Clock: s.loaded.fsTime, Rev: r.revision + 1,
		LastID: max(r.lastID, counted(w.Mark)), Mark: w.mark(files),
	}
	var found []finding
	size := 0
	for _, id := range slices.Sorted(maps.Keys(w.Tasks)) {
		next, old := w.Tasks[id], texts[id]
		if (old == nil) == (next == nil) && (old == nil || bytes.Equal(old.bytes, next)) {
			continue
		}
		if err := mayRewrite(id, next, files); err != nil {
			return nil, err
		}
		f := finding{id: id, gone: next == nil, text: next}
		jf := journalFile{ID: id}
		tg := &target{was: r.table.get(id), text: old, file: true, next: next}
		if old != nil {
			size += len(old.bytes)
			jf.CreatedAt, jf.Before = tg.was.createdAt, hashText(tg.was.hash)
			jf.Was = ptrTo(string(files.Tasks[id]))
			if files.Damaged[id] != "" && !w.Safe[id] {
				if _, err := s.keepText(lostName(id, strconv.FormatInt(int64(rec.Rev), 10)), old.bytes); err != nil {
					return nil, unwritable(err)
				}
			}
		}
		if next != nil {
			f.understand()
			size += len(next)
			jf.After, jf.Text = hashText(f.hash), ptrTo(string(next))
			if f.damage == "" {
				jf.CreatedAt = millis(f.file.Task.CreatedAt)
			}
			rec.LastID = max(rec.LastID, counted(id))
		}
		found, rec.Files, p.targets[id] = append(found, f), append(rec.Files, jf), tg
	}
	claimed, err := w.claimed(files)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && rec.Mark == nil && len(claimed) == 0 {
		return nil, nil
	}
	if w.Exact && rec.Mark == nil { // and it is not raised because a file goes
		rec.Mark = &journalMark{Was: files.MarkText, Text: files.MarkText}
	}
	kept := 0
	for i := range sc.found { // what others did, and stays
		f := sc.found[i]
		old, now := was.get(f.id), texts[f.id]
		if p.targets[f.id] != nil || f.damage != "" || !f.gone && now == nil {
			continue // it is replaced; or nothing is known of it yet
		}
		jf := journalFile{ID: f.id, Stays: true, Left: f.left}
		if old != nil {
			jf.CreatedAt, jf.Before = old.createdAt, hashText(old.hash)
		}
		tg := &target{was: r.table.get(f.id), text: now, stays: true}
		if !f.gone {
			if kept += len(now.bytes); kept > bulkSize {
				break // the next writer records it
			}
			f.text = now.bytes
			f.understand()
			size += len(f.text)
			jf.CreatedAt, jf.After, jf.Text = millis(f.file.Task.CreatedAt), hashText(f.hash), ptrTo(string(f.text))
		}
		found, rec.Files, p.targets[f.id] = append(found, f), append(rec.Files, jf), tg
	}
	slices.SortFunc(rec.Files, func(a, b journalFile) int { return int(a.ID - b.ID) })
	merged := s.merged(was, found)
	for _, m := range w.Moved {
		s.follow(was, merged, m)
		rec.Moved = append(rec.Moved, journalMove{m.From, m.To, millis(m.CreatedAt)})
	}
	for _, id := range claimed {
		e, changed := merged[id]
		if !changed {
			e = r.table.get(id)
		}
		if e != nil && e.damage == "" {
			merged[id] = e.holding(w.Claims[id])
		}
	}
	for _, e := range merged {
		if e != nil {
			rec.LastID = max(rec.LastID, e.named())
		}
	}
	rec.compare(was, merged, w.Claims)
	image := s.images()
	before := func(e *entry) []byte {
		if txt := texts[e.id]; txt != nil && hashOf(txt.bytes) == e.hash {
			return txt.bytes
		}
		return image(e)
	}
	set := s.externalSet(was, merged, found, size > bulkSize, before)
	set.By, set.Verb, set.Undoes = why.By, why.Verb, why.Undoes
	if set.OpID = why.OpID; set.OpID != "" {
		set.Result = rewroteAs(rec.Rev)
	}
	rec.Sets = []journalSet{packSet(&set)}
	p.made = rec
	return p, nil
}

// claimed are the tasks whose claims a rewriting replaces.
func (w *Rewriting) claimed(files *Files) ([]pawl.ID, error) {
	var ids []pawl.ID
	for _, id := range slices.Sorted(maps.Keys(w.Claims)) {
		text, changed := w.Tasks[id]
		if _, stays := files.Tasks[id]; !changed && !stays || changed && text == nil {
			continue
		}
		if err := w.Claims[id].check(id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// check refuses what no claim can be: it may come from elsewhere.
func (h Held) check(id pawl.ID) error {
	if err := h.Claim.Check(); err != nil {
		return pawl.Errorf(pawl.Invalid, "%s cannot have that claim: %w", id, err)
	}
	if h.Expired < 0 || h.Expired > maxExpired {
		return pawl.Errorf(pawl.Invalid, "%s cannot have had %d leases that ran out", id, h.Expired)
	}
	return nil
}

// maxExpired is far more leases than can run out: the task is on hold long before.
const maxExpired = 1 << 20

// holding is the entry with another claim.
func (e *entry) holding(h Held) *entry {
	e, h = e.clone(), h.plain()
	if e.expired = h.Expired; e.status != pawl.InProgress || e.owner == "" {
		h.Claim = pawl.Claim{}
	}
	e.claim = h.Claim
	return e
}

// mayRewrite says why a file cannot have a text.
func mayRewrite(id pawl.ID, next []byte, files *Files) error {
	switch {
	case id < 1 || id > pawl.MaxID:
		return pawl.Errorf(pawl.Internal, "%d is no number for a task", int64(id))
	case slices.Contains(files.Closed, id):
		return pawl.Errorf(pawl.Internal, "%s cannot be written, because it cannot be read", taskName(id))
	case len(next) > pawl.MaxTask:
		return pawl.Errorf(pawl.Invalid, "%s would take more than 1 MiB as a file", id)
	}
	return nil
}

func ptrTo[T any](v T) *T { return &v }

// follow lets the claim of a task that has moved, and how often its lease has
// ended, go with it. Another task may have taken its number since.
func (s *Store) follow(was *table, merged map[pawl.ID]*entry, m Move) {
	e := merged[m.To]
	if e == nil || e.damage != "" || e.createdAt != millis(m.CreatedAt) || e.claim.Live() {
		return
	}
	old := was.get(m.From)
	if old == nil || old.damage != "" || old.createdAt != e.createdAt || m.CreatedAt.IsZero() && old.subject != e.subject {
		c, ended := s.ended(&s.loaded.mark)[endedKey{m.From, e.createdAt}]
		if !ended || e.createdAt == 0 { // two tasks may have had the number
			return
		}
		old = c.entry()
	}
	e.inherit(old)
}
