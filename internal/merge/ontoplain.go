package merge

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// plainly brings ours onto theirs where only one of the two has changed anything, as
// most syncs find it. The files of that side are taken as they are, and only those
// that it changed are read. It is not ok where a number, a file or a deleted task
// needs a closer look.
func plainly(bases []Board, ours, theirs Board) (merged Board, r Report, ok bool) {
	if len(bases) != 1 {
		return merged, r, false
	}
	p := plain{base: bases[0]}
	switch {
	case sameBoard(p.base, ours):
		p.now = theirs
		return p.arrived()
	case sameBoard(p.base, theirs):
		p.now = ours
		merged, ok = p.sent()
		return merged, r, ok
	}
	return merged, r, false
}

// plain is a board and what one side has made of it.
type plain struct {
	base, now Board
	changed   []change
	deleted   []pawl.ID
}

// change is a task that is new, or has another text than before.
type change struct {
	was, now *pawl.Task // was nil: it is new
}

// read finds what has changed. It is not ok where a task may have got another number.
func (p *plain) read() bool {
	for id := range p.base.Tasks {
		if p.now.Tasks[id] == nil {
			p.deleted = append(p.deleted, id)
		}
	}
	slices.Sort(p.deleted)
	for id, text := range p.now.Tasks {
		old, there := p.base.Tasks[id]
		if there && bytes.Equal(text, old) {
			continue
		}
		c := change{now: taskOn(id, text)}
		if c.now == nil || joined(text) {
			return false
		}
		if there {
			if c.was = taskOn(id, old); c.was == nil || identityOf(c.was) != identityOf(c.now) {
				return false
			}
		} else if len(c.now.Was) > 0 || len(c.now.Metadata[pawl.RefKey]) > 0 && len(p.deleted) > 0 {
			return false
		}
		p.changed = append(p.changed, c)
	}
	for id, b := range p.now.Beside {
		if p.now.Tasks[id] == nil || b == (Beside{}) {
			return false
		}
	}
	slices.SortFunc(p.changed, func(a, b change) int { return cmp.Compare(a.now.ID, b.now.ID) })
	return !shared(p.base)
}

// high is the highest number that a change mentions.
func (c *change) high() pawl.ID {
	high := max(c.now.ID, c.now.Parent)
	for _, ids := range [][]pawl.ID{c.now.BlockedBy, c.now.Blocks, c.now.Was} {
		for _, id := range ids {
			high = max(high, id)
		}
	}
	return high
}

// arrived is the board that only the remote has changed, and what is new there.
func (p *plain) arrived() (merged Board, r Report, ok bool) {
	if !p.read() || p.now.Mark < p.base.Mark {
		return merged, r, false
	}
	gone := make(map[pawl.ID][]byte, len(p.now.Gone))
	for i := range p.now.Gone {
		gone[p.now.Gone[i].ID] = p.now.Gone[i].Text
	}
	for i := range p.base.Gone {
		if was := &p.base.Gone[i]; !bytes.Equal(gone[was.ID], was.Text) {
			return merged, r, false // it lives again, or the remote was taken back
		}
	}
	for id := range p.now.Tasks {
		if id > p.now.Mark {
			return merged, r, false
		}
	}
	for _, c := range p.changed {
		switch {
		case c.high() > p.now.Mark:
			return merged, r, false
		case c.was == nil:
			r.Arrived = append(r.Arrived, Named{c.now.ID, c.now.Subject})
		case c.was.Parent != c.now.Parent || !sameIDs(c.was.BlockedBy, c.now.BlockedBy) || !saysSame(c.was, c.now):
			r.Changed = append(r.Changed, c.now.ID)
		}
	}
	for _, id := range p.deleted {
		was, last := taskOn(id, p.base.Tasks[id]), taskOn(id, gone[id])
		if was == nil || last == nil || identityOf(was) != identityOf(last) {
			return merged, r, false
		}
		r.Deleted = append(r.Deleted, Named{id, was.Subject})
	}
	return p.now, r, true
}

// sent is the board that only this clone has changed.
func (p *plain) sent() (merged Board, ok bool) {
	if !p.read() || !slices.EqualFunc(p.base.Gone, p.now.Gone, Gone.equal) {
		return merged, false
	}
	high := p.base.Mark // what the remote has seen
	for i := range p.base.Gone {
		high = max(high, p.base.Gone[i].ID)
	}
	for id := range p.base.Tasks {
		high = max(high, id)
	}
	merged = p.now
	merged.Mark = max(high, p.now.Mark)
	for _, c := range p.changed {
		if c.was == nil && c.now.ID <= high || c.was != nil && p.oneSided(&c) {
			return merged, false
		}
		merged.Mark = max(merged.Mark, c.high())
	}
	if merged.Mark > pawl.MaxForeignID {
		return merged, false
	}
	if len(p.deleted) > 0 {
		merged.Gone = slices.Clone(p.base.Gone)
		for _, id := range p.deleted {
			merged.Gone = append(merged.Gone, Gone{ID: id, Text: p.base.Tasks[id], Beside: p.base.Beside[id]})
		}
		sortGone(merged.Gone)
	}
	return merged, true
}

// oneSided reports whether a task names one that waits for it, whose file does not say
// so: it was completed when that was written, and the completion yielded. Or it no longer
// names one whose file has not changed: it was deleted, and is back.
func (p *plain) oneSided(c *change) bool {
	if c.now.Open() && slices.ContainsFunc(c.now.Blocks, func(id pawl.ID) bool {
		waits := taskOn(id, p.now.Tasks[id])
		return waits != nil && waits.Open() && !slices.Contains(waits.BlockedBy, c.now.ID)
	}) {
		return true
	}
	return slices.ContainsFunc(c.was.Blocks, func(id pawl.ID) bool {
		text, there := p.now.Tasks[id]
		return there && !slices.Contains(c.now.Blocks, id) && bytes.Equal(text, p.base.Tasks[id])
	})
}

// taskOn reads the file of a number; nil: it cannot be read as that.
func taskOn(id pawl.ID, text []byte) *pawl.Task {
	f, err := taskjson.Decode(text)
	if err != nil || f.Task.ID != id {
		return nil
	}
	return &f.Task
}
