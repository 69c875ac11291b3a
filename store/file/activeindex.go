package file

import (
	"maps"
	"reflect"
	"slices"

	"github.com/pawl-dev/pawl"
)

// An activeIndex lists the tasks of a table that a process that runs on asks for with
// each request, so that it need not go through all of them. Like the table it is
// never altered: with makes a new one that shares most of it.
type activeIndex struct {
	busy  []pawl.ID // in progress, or claimed, or with leases that ran out
	free  ranks     // nothing keeps them from being started
	taken ranks     // nothing but an owner does
}

// activeLimit is how many changes at once an active index is kept up with; after more
// it is made again.
const activeLimit = 1_000

// buildActive makes the active index of a table, once.
func (t *table) buildActive() {
	if t.active != nil {
		return
	}
	r := &activeIndex{}
	var free, taken []pawl.Rank
	t.each(func(row row) bool {
		id, rank, isBusy, isFree, isOwned := row.standing()
		if isBusy {
			r.busy = append(r.busy, id)
		}
		switch {
		case isFree && isOwned:
			taken = append(taken, rank)
		case isFree:
			free = append(free, rank)
		}
		return true
	})
	r.free, r.taken = newRanks(free), newRanks(taken)
	t.active = r
}

// eachBusy goes through the tasks that are busy, by id.
func (t *table) eachBusy(do func(*entry)) {
	if t.active != nil {
		for _, id := range t.active.busy {
			do(t.get(id))
		}
		return
	}
	t.each(func(row row) bool {
		if _, _, busy, _, _ := row.standing(); busy {
			do(row.open())
		}
		return true
	})
}

// standing is what the active index needs to know of a row.
func (r row) standing() (id pawl.ID, rank pawl.Rank, busy, free, owned bool) {
	if r.entry != nil {
		e := r.entry
		return e.id, e.rank(), e.isBusy(), e.isFree(), e.owner != ""
	}
	flags := r.record.flags()
	return r.record.id(), r.record.rank(), flags&flagBusy != 0, flags&flagFree != 0, flags&flagOwned != 0
}

func (e *entry) rank() pawl.Rank {
	return pawl.Rank{ID: e.id, Urgency: e.urgency, Height: e.height}
}

func (e *entry) isBusy() bool {
	return e.status == pawl.InProgress || e.claim.Live() || e.expired > 0
}

// with returns the active index after changes of the table t; nil where it is easier
// to make it again.
func (r *activeIndex) with(t *table, changes map[pawl.ID]*entry) *activeIndex {
	if r == nil || len(changes) > activeLimit {
		return nil
	}
	next := *r
	busy := false // next.busy is a copy
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		was, is := t.get(id), changes[id]
		wasBusy, isBusy := was != nil && was.isBusy(), is != nil && is.isBusy()
		if wasBusy != isBusy && !busy {
			next.busy, busy = slices.Clone(r.busy), true
		}
		switch at, _ := slices.BinarySearch(next.busy, id); {
		case wasBusy && !isBusy:
			next.busy = slices.Delete(next.busy, at, at+1)
		case isBusy && !wasBusy:
			next.busy = slices.Insert(next.busy, at, id)
		}
		if list := next.listOf(was); list != nil {
			*list = list.without(was.rank())
		}
		if list := next.listOf(is); list != nil {
			*list = list.with(is.rank())
		}
	}
	return &next
}

// listOf returns the list on which a free task is, or nil.
func (r *activeIndex) listOf(e *entry) *ranks {
	switch {
	case e == nil || !e.isFree():
		return nil
	case e.owner != "":
		return &r.taken
	}
	return &r.free
}

// few returns the only tasks that a query can mean, if the active index knows them.
func (r *reader) few(q *pawl.Query) ([]pawl.ID, bool) {
	if len(q.IDs) > 0 {
		return q.IDs, true
	}
	worked := len(q.Status) > 0 && !slices.Contains(q.Status, pawl.Pending) && !slices.Contains(q.Status, pawl.Completed)
	if r.table.active != nil && (worked || q.Session != "" || !q.LeaseBefore.IsZero()) {
		return r.table.active.busy, true
	}
	return nil, false
}

// ready answers a query for what is ready, or ready and assigned to somebody, and
// nothing else, in the order of urgency, from the active index: as far as it was
// asked for.
func (r *reader) ready(q *pawl.Query) (page pawl.Page, ok bool, err error) {
	rest := *q
	rest.Ready, rest.For, rest.Owner, rest.After, rest.Limit, rest.Brief, rest.Uncounted, rest.Order = false, "", "", nil, 0, false, false, pawl.ByID
	active := r.table.active
	if active == nil || !q.Ready || q.Order != pawl.ByUrgency || !reflect.DeepEqual(rest, pawl.Query{}) {
		return page, false, nil
	}
	var others []pawl.Rank // assigned, or with a lease that has ended
	consider := func(e *entry) {
		t := e.light()
		if q.Match(&t, r.now) {
			others = append(others, t.Rank())
		}
	}
	for _, id := range active.busy {
		if e := r.table.get(id); !e.isFree() { // else it is on one of the lists
			consider(e)
		}
	}
	if q.For != "" {
		active.taken.after(nil, func(rank pawl.Rank) bool { consider(r.table.get(rank.ID)); return true })
	}
	slices.SortFunc(others, pawl.ByUrgency.Compare)
	free := active.free
	if q.Owner != "" {
		free = ranks{}
	}
	total := free.n + len(others)
	var last *pawl.Rank
	if q.After != nil {
		last = &q.After.Rank
		others = slices.DeleteFunc(others, func(rank pawl.Rank) bool { return pawl.ByUrgency.Compare(rank, *last) <= 0 })
	}
	var matches []pawl.Rank
	most := q.PageSize() + 1 // one more tells that there is more
	free.after(last, func(rank pawl.Rank) bool {
		for len(others) > 0 && pawl.ByUrgency.Compare(others[0], rank) < 0 {
			matches, others = append(matches, others[0]), others[1:]
		}
		matches = append(matches, rank)
		return len(matches) < most
	})
	matches = append(matches, others...)
	page, err = r.fill(q, total, matches)
	return page, true, err
}

// ranks is a long list in the order of urgency. Little of it is copied when
// it changes: it is kept in pieces, none of them empty.
type ranks struct {
	pieces [][]pawl.Rank
	n      int
}

const pieceSize = 512

func newRanks(all []pawl.Rank) ranks {
	slices.SortFunc(all, pawl.ByUrgency.Compare)
	return ranks{slices.Collect(slices.Chunk(all, pieceSize/2)), len(all)}
}

// find returns the piece that a rank belongs into, and its place there.
func (l ranks) find(rank pawl.Rank) (piece, at int, found bool) {
	piece, _ = slices.BinarySearchFunc(l.pieces, rank, func(p []pawl.Rank, rank pawl.Rank) int {
		return pawl.ByUrgency.Compare(p[len(p)-1], rank)
	})
	if piece == len(l.pieces) {
		return piece, 0, false
	}
	at, found = slices.BinarySearchFunc(l.pieces[piece], rank, pawl.ByUrgency.Compare)
	return piece, at, found
}

func (l ranks) with(rank pawl.Rank) ranks {
	piece, at, found := l.find(rank)
	if found {
		return l
	}
	if piece == len(l.pieces) { // after all others
		if piece == 0 {
			return ranks{[][]pawl.Rank{{rank}}, 1}
		}
		piece--
		at = len(l.pieces[piece])
	}
	longer := slices.Insert(slices.Clone(l.pieces[piece]), at, rank)
	pieces := slices.Clone(l.pieces)
	pieces[piece] = longer
	if len(longer) > pieceSize {
		pieces[piece] = longer[: pieceSize/2 : pieceSize/2]
		pieces = slices.Insert(pieces, piece+1, longer[pieceSize/2:])
	}
	return ranks{pieces, l.n + 1}
}

func (l ranks) without(rank pawl.Rank) ranks {
	piece, at, found := l.find(rank)
	if !found {
		return l
	}
	pieces := slices.Clone(l.pieces)
	if len(pieces[piece]) == 1 {
		return ranks{slices.Delete(pieces, piece, piece+1), l.n - 1}
	}
	pieces[piece] = slices.Delete(slices.Clone(pieces[piece]), at, at+1)
	return ranks{pieces, l.n - 1}
}

// after goes through the ranks that follow one, or all of them.
func (l ranks) after(last *pawl.Rank, yield func(pawl.Rank) bool) {
	piece, at := 0, 0
	if last != nil {
		found := false
		if piece, at, found = l.find(*last); found {
			at++
		}
	}
	for ; piece < len(l.pieces); piece, at = piece+1, 0 {
		for _, rank := range l.pieces[piece][at:] {
			if !yield(rank) {
				return
			}
		}
	}
}
