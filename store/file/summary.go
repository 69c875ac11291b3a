package file

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// A summary is what a glance needs to know of all tasks at once: which are
// claimed, and which come next. The index log begins with one, and has another when
// most of the ready tasks in the last one are taken. A frame of a task overrides
// every summary in the log, even a later one.
//
//	which lists are cut short (bits) ·
//	number of claims · of each: length, record and blob ·
//	number of ready tasks that are assigned · of each: rank, owner ·
//	number of other ready tasks · of each: rank
//
// How many of the others there are in all is in each mark.
const (
	sumClaims = 256 // more than work at a time on a board that a machine can bear
	sumTaken  = 256
	sumReady  = 256
	// sumLeast is how many of the ready ones must be left before a new summary
	// is due: enough for a glance, and for what one commit takes away.
	sumLeast = 2 * pawl.MaxGlance
)

const (
	cutClaims uint64 = 1 << iota
	cutTaken
	cutReady
)

// A summary, read.
type summary struct {
	cut    uint64
	claims [][]byte // in progress and claimed: as in a frame
	taken  []assignment
	ready  []pawl.Rank // best first
}

// An assignment is a ready task that waits for its owner.
type assignment struct {
	rank  pawl.Rank
	owner string
}

func (w *packer) rank(rank pawl.Rank) {
	w.uint(uint64(rank.ID))
	w.uint(uint64(rank.Height)<<2 | uint64(rank.Urgency-pawl.Low))
}

func (r *unpacker) rank() pawl.Rank {
	id, place := r.uint(), r.uint()
	return pawl.Rank{ID: pawl.ID(id), Urgency: pawl.Low + pawl.Priority(place&3), Height: int(place >> 2)}
}

// count reads the length of a list whose parts take at least a byte each.
func (r *unpacker) count() int { return int(min(r.uint(), uint64(len(r.buf)))) }

func parseSummary(content []byte) summary {
	r := unpacker{content}
	sum := summary{cut: r.uint()}
	for range r.count() {
		if claim := r.bytes(); len(claim) >= recordSize {
			sum.claims = append(sum.claims, claim)
		}
	}
	for range r.count() {
		sum.taken = append(sum.taken, assignment{r.rank(), r.text()})
	}
	sum.ready = make([]pawl.Rank, r.count())
	for i := range sum.ready {
		sum.ready[i] = r.rank()
	}
	return sum
}

// summarise makes the summary of the table, and counts what the mark says.
func (h *loaded) summarise() {
	var claims, taken packer
	var claimed, assigned, free int
	var ready shortlist
	h.table.each(func(row row) bool {
		_, rank, busy, isFree, isOwned := row.standing()
		switch {
		case isFree && isOwned:
			if assigned++; assigned <= sumTaken {
				taken.rank(rank)
				taken.text(row.open().owner)
			}
		case isFree:
			free++
			ready.add(rank)
		case busy:
			e := row.open()
			if e.status != pawl.InProgress || !e.claim.Live() {
				break
			}
			if claimed++; claimed <= sumClaims {
				blob := appendBlob(nil, e)
				claims.uint(uint64(recordSize + len(blob)))
				claims.buf = append(appendRecord(claims.buf, e, 0, len(blob)), blob...)
			}
		}
		return true
	})
	ready.sort()

	var cut uint64
	for _, list := range []struct {
		bit       uint64
		len, most int
	}{{cutClaims, claimed, sumClaims}, {cutTaken, assigned, sumTaken}, {cutReady, free, sumReady}} {
		if list.len > list.most {
			cut |= list.bit
		}
	}
	var w packer
	w.uint(cut)
	w.uint(uint64(min(claimed, sumClaims)))
	w.buf = append(w.buf, claims.buf...)
	w.uint(uint64(min(assigned, sumTaken)))
	w.buf = append(w.buf, taken.buf...)
	w.uint(uint64(len(ready.ranks)))
	for _, rank := range ready.ranks {
		w.rank(rank)
	}
	h.summary, h.mark.free = w.buf, free+1
}

// A shortlist keeps the best of the ranks that it is shown. It sorts seldom:
// mostly the lowest ids come first and are the best.
type shortlist struct {
	ranks []pawl.Rank
	full  bool // what is worse than the last of them does not count
}

func (l *shortlist) add(rank pawl.Rank) {
	if l.full && pawl.ByUrgency.Compare(rank, l.ranks[sumReady-1]) > 0 {
		return
	}
	if l.ranks = append(l.ranks, rank); len(l.ranks) == 2*sumReady {
		l.sort()
		l.full = true
	}
}

func (l *shortlist) sort() {
	slices.SortFunc(l.ranks, pawl.ByUrgency.Compare)
	l.ranks = l.ranks[:min(len(l.ranks), sumReady)]
}

// count brings what the mark says of the ready tasks up to what is to be logged.
func (h *loaded) count() {
	if h.mark.free == 0 || h.logged == nil {
		h.mark.free = 0
		return
	}
	for id, e := range h.unlogged {
		if was := h.logged.get(id); was != nil && was.isFree() && was.owner == "" {
			h.mark.free--
		}
		if e != nil && e.isFree() && e.owner == "" {
			h.mark.free++
		}
	}
	h.mark.free = max(h.mark.free, 0)
}

// outdated reports whether the log needs a new summary: there is none, or too few are
// left of those that come next.
func (h *loaded) outdated() bool {
	if h.mark.free == 0 || h.summary == nil {
		return true
	}
	sum := parseSummary(h.summary)
	if sum.cut&cutReady == 0 {
		return false
	}
	left := 0
	for _, rank := range sum.ready {
		if e, changed := h.table.changed(rank.ID); !changed || e != nil && e.isFree() && e.owner == "" {
			left++
		}
	}
	return left < sumLeast
}
