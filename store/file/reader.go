package file

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A reader reads a table, and the files for what the table does not have.
type reader struct {
	store    *Store
	table    *table
	revision pawl.Revision
	origin   pawl.Revision // zero: not looked up yet
	lastID   pawl.ID
	epoch    int64
	now      time.Time
	ops      []opRef
	// locked: nobody of ours can write now, so a file that is not as the
	// table has it means that another program was at it, and moved says so.
	locked  bool
	moved   bool
	newer   error             // what is kept beside the tasks is of a newer version, and was not read
	acyclic bool              // there is no cycle
	edited  bool              // files are other than the revision has them
	texts   map[pawl.ID]*text // that were read and are needed again
	images  images
}

// A text is a task's file as it was read.
type text struct {
	bytes []byte
	info  fileInfo
	racy  bool // it may be another one by now that looks the same
	task  pawl.Task
}

func (s *Store) reader(t *table) *reader {
	if s.watcher != nil {
		s.loaded.table.buildActive()
		t.buildActive()
	}
	ops := s.loaded.logOps
	for i := range s.loaded.pending {
		ops = append(slices.Clip(ops), opsOf(&s.loaded.pending[i], s.now())...)
	}
	return &reader{
		acyclic: s.loaded.mark.acyclic && t == s.loaded.table,
		store:   s, table: t, revision: s.loaded.mark.revision, origin: s.loaded.mark.origin, lastID: s.lastID(t), epoch: s.loaded.mark.epoch, now: s.now(),
		ops: ops, texts: map[pawl.ID]*text{}, images: images{fs: s.fs},
	}
}

func (r *reader) Revision() pawl.Revision { return r.revision }
func (r *reader) LastID() pawl.ID         { return r.lastID }
func (r *reader) Epoch() int64            { return r.epoch }
func (r *reader) Now() time.Time          { return r.now }

func (r *reader) Get(ids ...pawl.ID) ([]pawl.Task, error) { return r.get(ids, r.task) }

func (r *reader) Briefs(ids ...pawl.ID) ([]pawl.Task, error) { return r.get(ids, brief) }

func (r *reader) get(ids []pawl.ID, task func(*entry) (pawl.Task, error)) ([]pawl.Task, error) {
	tasks := make([]pawl.Task, 0, len(ids))
	var missing []pawl.ID
	for _, id := range ids {
		e := r.table.get(id)
		if e == nil {
			missing = append(missing, id)
			continue
		}
		t, err := task(e)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	if missing != nil {
		return nil, pawl.NotFoundError(missing...)
	}
	return tasks, nil
}

// brief returns the task of an entry as far as the index has it.
func brief(e *entry) (pawl.Task, error) { return e.light().Clone(), nil }

// task returns the whole task of an entry.
func (r *reader) task(e *entry) (pawl.Task, error) {
	if e.damage != "" {
		return e.light().Clone(), nil
	}
	txt, err := r.text(e)
	if err != nil {
		return pawl.Task{}, err
	}
	t := txt.task
	e.deriveWhole(&t)
	return t.Clone(), nil
}

// text returns the file of an entry as the table has it. If the file was replaced
// since, the journal has the text, unless another program wrote it.
func (r *reader) text(e *entry) (*text, error) {
	if txt := r.texts[e.id]; txt != nil {
		return txt, nil
	}
	s := r.store
	txt := &text{}
	var err error
	read := errors.ErrUnsupported
	if e.info.Kind != kindAbsent {
		txt.bytes, txt.info, read = s.fs.Read(taskName(e.id), pawl.MaxTask)
		txt.racy = !r.locked || s.racy(txt.info) // without the lock the clock of the store is not ours to read
	}
	again := r.locked // it will be asked for again; or what was found may be gone by then
	if read != nil || hashOf(txt.bytes) != e.hash {
		again = true
		if r.locked && (read == nil || absent(read) || errors.Is(read, errMoved) || errors.Is(read, errIrregular) || errors.Is(read, errTooLarge)) {
			r.moved = true
			s.tracker.doubt(e.id)
			return nil, errAgain
		}
		if image := r.images.of(e); image != nil {
			txt.bytes, again = image, r.locked
		} else if read != nil {
			if absent(read) {
				return nil, pawl.NotFoundError(e.id)
			}
			return nil, s.unreadable(read)
		}
	}
	file, _, err := readTask(e.id, txt.bytes)
	if err != nil { // torn by another program at this moment
		txt.task = e.light()
	} else {
		txt.task = file.Task
	}
	if again {
		r.texts[e.id] = txt
	}
	return txt, nil
}

func (r *reader) Nodes(ids ...pawl.ID) ([]pawl.Node, error) {
	nodes := make([]pawl.Node, len(ids))
	for i, id := range ids {
		nodes[i] = r.node(id)
	}
	return nodes, nil
}

func (r *reader) node(id pawl.ID) pawl.Node {
	e, ours := r.table.look(id)
	if e == nil {
		return pawl.Node{ID: id, Missing: true}
	}
	n := e.node()
	if !ours {
		n.Children, n.Blocks = slices.Clone(n.Children), slices.Clone(n.Blocks)
		n.Blockers, n.BlockedBy = slices.Clone(n.Blockers), slices.Clone(n.BlockedBy)
	}
	return n
}

func (r *reader) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	return pawl.Walk(dir, from, r.node), nil
}

// answer is what a record alone says to a query.
type answer uint8

const (
	no answer = iota
	yes
	unsure
)

// glance answers a query by a record's flags where that is possible. It must
// never contradict Query.Match.
func glance(q *pawl.Query, rec record) answer {
	flags := rec.flags()
	if flags&flagLeased != 0 || !q.LeaseBefore.IsZero() {
		if flags&flagLeased == 0 {
			return no
		}
		return unsure // the lease may have ended
	}
	status := rec.status()
	switch {
	case len(q.Status) > 0 && !slices.Contains(q.Status, status),
		q.Ready && flags&flagFree == 0,
		q.Blocked && !(status == pawl.Pending && flags&flagDamaged == 0 && (rec.waits() > 0 || flags&flagOpenChild != 0)),
		q.Held && flags&flagHeld == 0,
		q.Damaged && flags&flagDamaged == 0,
		q.Unshown && !rec.unshown(),
		q.Merging && flags&flagMerging == 0,
		q.Was != 0 && flags&flagWas == 0,
		(q.Owner != "" || q.Mine.Name != "" || q.Owned) && flags&flagOwned == 0,
		q.Priority != nil && pawl.Priority(int8(rec[59])) != *q.Priority:
		return no
	case q.Ready && flags&flagOwned != 0,
		q.Owner != "", q.Mine.Name != "", q.Session != "", len(q.Labels) > 0, q.Parent != 0, q.Text != "", len(q.Refs) > 0, len(q.IDs) > 0, q.Was != 0, !q.QuietBefore.IsZero():
		return unsure
	}
	return yes
}

// rows goes through the tasks that a query can mean, by id.
func (r *reader) rows(q *pawl.Query, yield func(row) bool) {
	ids, ok := r.few(q)
	if !ok {
		c := r.table.cursor()
		if q.Uncounted && q.Order == pawl.ByID && q.After != nil { // what is before the page is not counted either
			c.seek(q.After.Rank.ID)
		}
		for {
			if row, more := c.next(); !more || !yield(row) {
				return
			}
		}
	}
	for _, id := range ids {
		if e := r.table.get(id); e != nil && !yield(row{entry: e}) {
			return
		}
	}
}

func (r *reader) Select(q pawl.Query) (pawl.Page, error) {
	if page, ok, err := r.ready(&q); ok {
		return page, err
	}
	matches := gathered{q: &q}
	var failed error
	light := q // what an entry can answer without its file
	light.Text = ""
	aged := !q.DoneSince.IsZero() || !q.DoneBefore.IsZero()
	visit := func(row row) bool {
		if row.entry == nil {
			switch glance(&q, row.record) {
			case no:
				return true
			case yes:
				at := pawl.Cursor{Rank: row.record.rank()}
				if (aged || q.Order == pawl.ByCompletion) && row.record.status() == pawl.Completed {
					at.Done = completed(row.base.blob(row.record))
				}
				switch {
				case !aged:
					matches.add(at)
					return true
				case row.record.status() != pawl.Completed || row.record.flags()&flagDamaged != 0: // and so was not done before any time
					if q.DoneBefore.IsZero() {
						matches.add(at)
					}
					return true
				case at.Done != 0: // else the entry may know more
					done := fromMillis(at.Done)
					if !done.Before(q.DoneSince) && (q.DoneBefore.IsZero() || done.Before(q.DoneBefore)) {
						matches.add(at)
					}
					return true
				}
			}
		}
		e := row.open()
		t := e.light()
		if !light.Match(&t, r.now) {
			return true
		}
		if q.Text != "" && !q.Match(&t, r.now) {
			if t, failed = r.task(e); failed != nil {
				return false
			}
			if !q.Match(&t, r.now) {
				return true
			}
		}
		matches.add(t.Cursor())
		return true
	}
	r.rows(&q, func(row row) bool { return visit(row) && !matches.full() })
	if failed != nil {
		return pawl.Page{}, failed
	}
	return r.page(&matches)
}

// gathered are the places of the tasks that match a query, as they come by id.
// In that order all that a page does not have is only counted: a board is read
// page by page, and would else be gathered as often.
type gathered struct {
	q     *pawl.Query
	all   []pawl.Cursor
	total int
}

// full reports whether nothing that follows matters.
func (g *gathered) full() bool {
	return g.q.Uncounted && g.q.Order == pawl.ByID && len(g.all) > g.q.PageSize()
}

func (g *gathered) add(at pawl.Cursor) {
	g.total++
	if g.q.Order == pawl.ByID && (len(g.all) > g.q.PageSize() || g.q.After != nil && at.Rank.ID <= g.q.After.Rank.ID) {
		return
	}
	g.all = append(g.all, at)
}

// page makes the page of a query from the places of all that match.
func (r *reader) page(g *gathered) (pawl.Page, error) {
	q, matches := g.q, g.all
	if q.Order != pawl.ByID {
		slices.SortFunc(matches, func(a, b pawl.Cursor) int { return a.Compare(q.Order, b) })
	}
	if q.After != nil && q.Order != pawl.ByID {
		n, _ := slices.BinarySearchFunc(matches, *q.After, func(m, at pawl.Cursor) int {
			if m.Compare(q.Order, at) <= 0 {
				return -1
			}
			return 1
		})
		matches = matches[n:]
	}
	next := make([]pawl.Rank, min(len(matches), q.PageSize()+1)) // one more tells that there is more
	for i := range next {
		next[i] = matches[i].Rank
	}
	return r.fill(q, g.total, next)
}

// fill makes the page of a query for which there are total tasks, from the ranks
// of those that come next.
func (r *reader) fill(q *pawl.Query, total int, matches []pawl.Rank) (pawl.Page, error) {
	page := pawl.Page{Revision: r.revision}
	if !q.Uncounted {
		page.Total = total
	}
	first := r.revision
	if q.After != nil {
		first = q.After.Revision
		page.Moved = r.revision != first
	}
	if limit := q.PageSize(); len(matches) > limit {
		matches = matches[:limit]
		page.Next = &pawl.Cursor{Rank: matches[limit-1], Revision: first}
	}
	task := r.task
	if q.Brief {
		task = brief
	}
	page.Tasks = make([]pawl.Task, 0, len(matches))
	for _, m := range matches {
		t, err := task(r.table.get(m.ID))
		if err != nil {
			return pawl.Page{}, err
		}
		page.Tasks = append(page.Tasks, t)
	}
	if page.Next != nil {
		page.Next.Done = page.Tasks[len(page.Tasks)-1].Cursor().Done
	}
	return page, nil
}

// Result finds the set of an op id by the hash of it, which the index keeps
// with the set's place in the journal. If that cannot be read, the request
// was still carried out, and must not run a second time.
func (r *reader) Result(op pawl.OpID) ([]byte, bool, error) {
	hash := hashOf(string(op))
	unread := ""
	look := func(ref opRef) ([]byte, bool) {
		if ref.hash != hash {
			return nil, false
		}
		rec, err := readRecord(r.store.fs, ref.in)
		if err != nil {
			if !absent(err) { // it was not trimmed
				unread = segmentName(ref.in.segment)
			}
			return nil, false
		}
		return rec.result(op)
	}
	for i := len(r.ops) - 1; i >= 0; i-- {
		if result, ok := look(r.ops[i]); ok {
			return result, true, nil
		}
	}
	base := r.table.base.ops
	for at := len(base) - opSize; at >= 0; at -= opSize {
		if result, ok := look(parseOp(base[at:])); ok {
			return result, true, nil
		}
	}
	if unread != "" {
		return nil, false, pawl.Errorf(pawl.Gone, "a request with this op id was carried out, but what came of it cannot be read: %s is damaged", unread)
	}
	return nil, false, nil
}

func (r *journalRecord) result(op pawl.OpID) ([]byte, bool) {
	for _, set := range r.Sets {
		if set.Op == op {
			return slices.Clone(set.Result), true
		}
	}
	return nil, false
}

// lastID returns the highest id that was ever given, as far as anything tells.
func (s *Store) lastID(t *table) pawl.ID {
	water, _ := s.water()
	return max(s.loaded.mark.lastID, t.last, water)
}

// maxWater bounds the file that keeps the highest id. Git may have left several
// versions in it, with lines of its own.
const maxWater = 4 << 10

// water returns the id in the file that keeps the highest one, and what is
// wrong with that file; then it counts for nothing. Of the versions that git has
// left in it, each counts.
func (s *Store) water() (id pawl.ID, wrong string) {
	text, _, err := s.fs.Read(waterName, maxWater)
	switch {
	case absent(err):
		return 0, ""
	case err != nil:
		return 0, fmt.Sprintf("it cannot be read: %v", errors.Unwrap(err))
	}
	return waterOf(text)
}

func waterOf(text []byte) (id pawl.ID, wrong string) {
	switch {
	case conflictedWater(text):
		return taskjson.Mark(text), ""
	case json.Unmarshal(text, &id) != nil || id < 0 || id > pawl.MaxForeignID:
		return 0, fmt.Sprintf("it does not hold a whole number up to %d", pawl.MaxForeignID)
	}
	return id, ""
}

func conflictedWater(text []byte) bool { return bytes.HasPrefix(text, []byte("<<<<<<<")) }

// counted is an id that stands in a file, if new ids count on from it. Others
// write files, too, and from the largest one nobody could count on.
func counted(id pawl.ID) pawl.ID {
	if id > pawl.MaxForeignID {
		return 0
	}
	return id
}

// named returns the highest id that a task refers to, or had, and that counts.
func (e *entry) named() pawl.ID {
	last := counted(e.parent)
	for _, ids := range [][]pawl.ID{e.said.blockedBy, e.said.blocks, e.was} {
		for _, id := range ids {
			last = max(last, counted(id))
		}
	}
	return last
}
