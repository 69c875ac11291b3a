package file

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// Glance reads the log of the index, with the summary in it, and then only what
// it was asked about: records of the index by their place, and the files of the
// tasks that are held or named. It has no answer where there is more to find
// out: without an index, after a crash or a new start of the machine until
// somebody writes, where more is claimed or assigned than a summary holds, or
// where another program put one task in the place of a different one.
//
// A store that runs on has the board in memory, and a view is as quick.
func (s *Store) Glance(ctx context.Context, q pawl.GlanceQuery) (pawl.Glance, bool, error) {
	if s.watcher != nil {
		return pawl.Glance{}, false, nil
	}
	if err := s.enter(ctx); err != nil {
		return pawl.Glance{}, false, err
	}
	defer s.leave()
	defer s.fs.Hold()()
	l, err := s.readQuickIndex(ctx)
	if err != nil {
		return pawl.Glance{}, false, err
	}
	for n := 1; l != nil; n++ {
		g, ok := l.answer(&q)
		l.index.Close()
		if !ok || !l.strange {
			return g, ok, nil
		}
		// A file was not as the index has it: another program's doing, unless one of
		// ours has committed since.
		next, err := s.readQuickIndex(ctx)
		if err != nil {
			return pawl.Glance{}, false, err
		}
		switch {
		case next == nil:
		case next.mark == l.mark || n == attempts:
			next.index.Close()
			return g, next.mark == l.mark, nil
		}
		l = next
	}
	return pawl.Glance{}, false, nil
}

// A quickIndex holds the header, the log and the summary of the index: what can
// be read without going through all tasks.
type quickIndex struct {
	store   *Store
	now     time.Time
	index   storeFile
	head    *head
	mark    mark                // the last one
	tasks   map[pawl.ID]content // that are in the log or claimed; nil: gone
	summary summary
	strange bool // a file is not as the index has it
	failed  bool // something could not be read
}

// content is a record and the blob behind it.
type content []byte

func (c content) record() record { return record(c[:recordSize]) }
func (c content) entry() *entry  { return unpack(c.record(), c[recordSize:]) }

// readQuickIndex reads the quick index under the lock. It returns nil if the
// index alone does not tell how the board is.
func (s *Store) readQuickIndex(ctx context.Context) (*quickIndex, error) {
	unlock, err := s.share(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s.IsForeign() {
		return nil, nil
	}
	index, err := s.fs.Open(indexName, false)
	if err != nil {
		return nil, nil
	}
	l := &quickIndex{store: s, now: s.now(), index: index}
	if !l.readHead() || !l.readLog() || !l.settled() {
		index.Close()
		return nil, nil
	}
	return l, nil
}

func (l *quickIndex) readHead() bool {
	info, err := l.index.Stat()
	if err != nil || info.Size < headerSize {
		return false
	}
	text := make([]byte, headerSize)
	if n, _ := l.index.ReadAt(text, 0); n < headerSize {
		return false
	}
	l.head, err = parseHead(text, info.Size)
	return err == nil && l.head != nil
}

// glanceLog is how long a log may be. Its writers begin a new one much earlier,
// and put few summaries into one.
const glanceLog = 2 * logMost

func (l *quickIndex) readLog() bool {
	file, err := l.store.fs.Open(logName, false)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size < logHeader || info.Size > glanceLog {
		return false
	}
	text := make([]byte, info.Size)
	if n, _ := file.ReadAt(text, 0); n < len(text) {
		return false
	}
	generation, ok, err := logGeneration(text)
	if err != nil || !ok || generation != l.head.generation {
		return false
	}
	return l.readFrames(text[logHeader:])
}

// readFrames takes over the last that the log says of each task, and its last
// summary.
func (l *quickIndex) readFrames(text []byte) bool {
	type said struct {
		id   pawl.ID
		task content
	}
	all := make([]said, 0, len(text)/(2*recordSize))
	counts := 0 // so many of them: those before the last mark
	var sum, marked []byte
	eachFrame(text, func(kind byte, c []byte, _ int) {
		switch kind {
		case frameTask:
			if len(c) >= recordSize {
				all = append(all, said{record(c).id(), c})
			}
		case frameGone:
			r := unpacker{c}
			for _, id := range r.ids() {
				all = append(all, said{id, nil})
			}
		case frameSum:
			sum = c
		case frameMark:
			marked, counts = c, len(all)
		}
	})
	if sum == nil || marked == nil {
		return false
	}
	l.tasks = make(map[pawl.ID]content, counts)
	for _, s := range all[:counts] {
		l.tasks[s.id] = s.task
	}
	l.mark, l.summary = parseMark(marked), parseSummary(sum)
	for _, c := range l.summary.claims {
		if id := record(c).id(); !l.knows(id) {
			l.tasks[id] = c
		}
	}
	return l.summary.cut&cutClaims == 0
}

// knows reports whether the log has the last word on a task.
func (l *quickIndex) knows(id pawl.ID) bool {
	_, ok := l.tasks[id]
	return ok
}

// settled reports whether the journal ends where the index does, and the
// machine has run since: then nothing has to be done again.
func (l *quickIndex) settled() bool {
	end, fs := l.mark.applied, l.store.fs
	if end.segment == 0 || l.mark.boot != fs.Boot() {
		return false
	}
	info, err := fs.Stat(segmentName(end.segment))
	if err != nil || info.Size != end.offset {
		return false
	}
	_, err = fs.Stat(segmentName(end.segment + 1))
	return absent(err)
}

func (l *quickIndex) answer(q *pawl.GlanceQuery) (g pawl.Glance, ok bool) {
	g = pawl.Glance{Revision: l.mark.revision}
	if q.Session != "" {
		g.Claimed = l.held(q.Session)
	}
	for _, id := range q.IDs {
		if task := l.task(id); task != nil {
			g.Tasks = append(g.Tasks, *task)
		}
	}
	ok = true
	if q.Ready > 0 {
		g.Ready, g.Free, ok = l.ready(q)
	}
	return g, ok && !l.failed
}

// held returns what a session holds.
func (l *quickIndex) held(session string) []pawl.Task {
	var ids []pawl.ID
	for id, c := range l.tasks {
		if c != nil && c.record().status() == pawl.InProgress && c.entry().claim.Of(session) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	var tasks []pawl.Task
	for _, id := range ids {
		if len(tasks) == pawl.MaxGlance {
			break
		}
		t := l.task(id)
		if t != nil && t.Status == pawl.InProgress && t.Claim.Of(session) {
			tasks = append(tasks, *t)
		}
	}
	return tasks
}

// task returns a task as its file says, or nil when there is none.
func (l *quickIndex) task(id pawl.ID) *pawl.Task {
	e := l.entry(id)
	f, err := l.store.look(id)
	switch {
	case err != nil:
		l.failed = true
		return nil
	case f.gone:
		l.strange = l.strange || e != nil
		return nil
	case e == nil || f.hash != e.hash || f.damage != e.damage:
		l.strange = true
		if e = l.edited(e, &f); e == nil {
			l.failed = true
			return nil
		}
	}
	t := e.light()
	if f.damage == "" {
		t = f.file.Task
		e.deriveWhole(&t)
	}
	t = t.Settle(l.now)
	return &t
}

// glanceNear is how many tasks around one that another program edited are looked up.
const glanceNear = 64

// edited works out what an external edit makes of a task, as merge does, from
// the tasks that this one waits for. Its place in the order stays.
func (l *quickIndex) edited(was *entry, f *finding) *entry {
	if was == nil || f.damage == "" && was.createdAt != millis(f.file.Task.CreatedAt) {
		return nil // another task: everybody would have to be asked about it
	}
	if l.store.unproven(was, f, l.store.checks) && l.store.gitHas([][]byte{f.text})[0] {
		f.left = nil
	}
	around := map[pawl.ID]*entry{was.id: was}
	near := slices.Concat(was.blockers, was.children, was.said.blockedBy, f.file.Task.BlockedBy)
	slices.Sort(near)
	if near = slices.Compact(near); len(near) > glanceNear {
		return nil
	}
	for _, id := range near {
		if e := l.entry(id); e != nil {
			around[id] = e
		}
	}
	all := l.store.rules.merge(newTable(&snapshot{}).with(around), []finding{*f})
	l.store.giveBack(all, &l.mark)
	is := all[was.id]
	is.urgency, is.height = was.urgency, was.height
	return is
}

// ready returns the next tasks, and how many there are in all.
func (l *quickIndex) ready(q *pawl.GlanceQuery) (next []pawl.Task, free int, ok bool) {
	sum := &l.summary
	if l.mark.free == 0 || q.For != "" && sum.cut&cutTaken != 0 {
		return nil, 0, false
	}
	free = l.mark.free - 1
	var ranks []pawl.Rank
	for _, rank := range sum.ready {
		if !l.knows(rank.ID) {
			ranks = append(ranks, rank)
		}
	}
	for _, a := range sum.taken {
		if q.For == a.owner && !l.knows(a.rank.ID) {
			ranks = append(ranks, a.rank)
			free++
		}
	}
	for _, c := range l.tasks {
		if c == nil {
			continue
		}
		switch flags := c.record().flags(); {
		case flags&(flagFree|flagOwned) == flagFree:
			ranks = append(ranks, c.record().rank())
		case flags&(flagFree|flagLeased) != 0: // assigned, or with a lease that may have ended
			t := c.entry().light().Settle(l.now)
			if t.Ready(q.For) {
				ranks = append(ranks, t.Rank())
				free++
			}
		}
	}
	slices.SortFunc(ranks, pawl.ByUrgency.Compare)
	if n := len(sum.ready); sum.cut&cutReady != 0 && n > 0 { // after the last of them come others that are not known
		last, found := slices.BinarySearchFunc(ranks, sum.ready[n-1], pawl.ByUrgency.Compare)
		if found {
			last++
		}
		ranks = ranks[:last]
	} else if len(ranks) != free {
		return nil, 0, false // somebody miscounted
	}
	if len(ranks) < min(q.Ready, free) {
		return nil, 0, false
	}
	for _, rank := range ranks[:min(q.Ready, len(ranks))] {
		e := l.entry(rank.ID)
		if e == nil {
			return nil, 0, false
		}
		next = append(next, e.light().Settle(l.now).Brief())
	}
	return next, free, true
}

// entry returns what the index knows of a task, or nil.
func (l *quickIndex) entry(id pawl.ID) *entry {
	if c, ok := l.tasks[id]; ok {
		if c == nil {
			return nil
		}
		return c.entry()
	}
	// Ids differ, so the record of one is neither further from the first place
	// than the id from 1, nor further from the last than from the last id.
	n := l.head.records / recordSize
	if n == 0 {
		return nil
	}
	last := l.record(n - 1)
	if last == nil || id > last.id() {
		return nil
	}
	for low, high := max(0, n-1-int64(last.id()-id)), min(n-1, int64(id)-1); low <= high; {
		mid := (low + high) / 2
		rec := l.record(mid)
		switch {
		case rec == nil:
			return nil
		case rec.id() < id:
			low = mid + 1
		case rec.id() > id:
			high = mid - 1
		default:
			offset, length := rec.blob()
			blob := l.read(headerSize+l.head.records+l.head.ops+int64(offset), length)
			if blob == nil {
				return nil
			}
			return unpack(rec, blob)
		}
	}
	return nil
}

func (l *quickIndex) record(i int64) record {
	return record(l.read(headerSize+i*recordSize, recordSize))
}

// read reads a part of the index, or nil when it is not there.
func (l *quickIndex) read(at int64, length int) []byte {
	if length > pawl.MaxTask {
		l.failed = true
		return nil
	}
	text := make([]byte, length)
	if n, _ := l.index.ReadAt(text, at); n < length {
		l.failed = true
		return nil
	}
	return text
}
