package file

import (
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A table is the entries of a board at one moment: a snapshot, and over it the
// changes since. It is never altered; with makes a new one.
type table struct {
	base  *snapshot
	over  map[pawl.ID]*entry // nil: the task is gone
	under *table             // looked at after over; nil: base is next
	last  pawl.ID            // the highest id in what lies over the base, or named there

	active *activeIndex // nil: nobody has asked for it
}

func newTable(base *snapshot) *table { return &table{base: base} }

// with returns the table with changes on top, which it keeps. Layers are put
// together so that each is more than twice as long as the one above it: a look-up
// passes few of them, and none is copied often.
func (t *table) with(changes map[pawl.ID]*entry) *table {
	if len(changes) == 0 {
		return t
	}
	next := &table{base: t.base, over: changes, under: t, last: t.last, active: t.active.with(t, changes)}
	for id, e := range changes {
		next.last = max(next.last, counted(id))
		if e != nil {
			next.last = max(next.last, e.named())
		}
	}
	for u := next.under; u != nil && len(u.over) <= 2*len(next.over); u = u.under {
		both := maps.Clone(u.over)
		if both == nil {
			break // under the lowest layer
		}
		maps.Copy(both, next.over)
		next.over, next.under = both, u.under
	}
	return next
}

// flat returns all that lies over the base, in a map of its own.
func (t *table) flat() map[pawl.ID]*entry {
	if t.under == nil {
		all := make(map[pawl.ID]*entry, len(t.over))
		maps.Copy(all, t.over)
		return all
	}
	all := t.under.flat()
	maps.Copy(all, t.over)
	return all
}

// get returns the entry of a task, or nil.
func (t *table) get(id pawl.ID) *entry {
	e, _ := t.look(id)
	return e
}

// look is get, and says whether the entry was made for the caller alone.
func (t *table) look(id pawl.ID) (e *entry, ours bool) {
	if e, ok := t.changed(id); ok {
		return e, false
	}
	if i, ok := t.base.find(id); ok {
		return t.base.entry(i), true
	}
	return nil, false
}

// changed is get for what lies over the base; ok says whether anything does.
func (t *table) changed(id pawl.ID) (e *entry, ok bool) {
	for u := t; u != nil; u = u.under {
		if e, ok := u.over[id]; ok {
			return e, true
		}
	}
	return nil, false
}

// has reports whether there is a task with this id.
func (t *table) has(id pawl.ID) bool {
	if e, ok := t.changed(id); ok {
		return e != nil
	}
	_, ok := t.base.find(id)
	return ok
}

// A row is a task while a table is gone through: its record where that lies in
// the snapshot, else its entry.
type row struct {
	record record
	entry  *entry
	base   *snapshot
}

func (r row) id() pawl.ID {
	if r.entry != nil {
		return r.entry.id
	}
	return r.record.id()
}

func (r row) matches(info *fileInfo) bool {
	if r.entry == nil {
		return r.record.matches(info)
	}
	e := &r.entry.info
	return info.Kind == kindRegular && info.Inode == e.Inode && info.Size == e.Size && info.Mtime == e.Mtime && info.Ctime == e.Ctime
}

func (r row) racy() bool {
	if r.entry == nil {
		return r.record.racy()
	}
	return r.entry.racy
}

// open returns the entry.
func (r row) open() *entry {
	if r.entry != nil {
		return r.entry
	}
	return unpack(r.record, r.base.blob(r.record))
}

// A cursor goes through the rows of a table by id.
type cursor struct {
	base *snapshot
	at   int // of the next record
	over map[pawl.ID]*entry
	ids  []pawl.ID // of over, those that are still to come
}

func (t *table) cursor() *cursor {
	c := &cursor{base: t.base, over: t.flat()}
	c.ids = slices.Sorted(maps.Keys(c.over))
	return c
}

// seek passes over the rows up to an id.
func (c *cursor) seek(after pawl.ID) {
	c.at, _ = c.base.find(after + 1)
	n, _ := slices.BinarySearch(c.ids, after+1)
	c.ids = c.ids[n:]
}

// next returns the next row, if there is one.
func (c *cursor) next() (row, bool) {
	for len(c.ids) > 0 {
		id := c.ids[0]
		if c.at < c.base.len() {
			switch first := c.base.record(c.at).id(); {
			case first < id:
				return c.record(), true
			case first == id:
				c.at++
			}
		}
		c.ids = c.ids[1:]
		if e := c.over[id]; e != nil {
			return row{entry: e}, true
		}
	}
	if c.at < c.base.len() {
		return c.record(), true
	}
	return row{}, false
}

func (c *cursor) record() row {
	c.at++
	return row{record: c.base.record(c.at - 1), base: c.base}
}

// len returns how many tasks there are.
func (t *table) len() int {
	n := t.base.len()
	for id, e := range t.flat() {
		_, found := t.base.find(id)
		switch {
		case e == nil && found:
			n--
		case e != nil && !found:
			n++
		}
	}
	return n
}

// each goes through the tasks by id until yield returns false.
func (t *table) each(yield func(row) bool) {
	for c := t.cursor(); ; {
		if r, ok := c.next(); !ok || !yield(r) {
			return
		}
	}
}
