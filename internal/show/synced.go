package show

import (
	"cmp"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
)

// Synced tells in a line what a sync did, for one called name:
//
//	2 arrived, 1 changed, 3 sent, #12 is now #15 (bob's was sent first)
func Synced(r *share.Report, name string) string {
	return orNothing(append(syncedCounts(r), movedNumbers(r.Merge.Moved, name, wasFirst)...))
}

func orNothing(parts []string) string { return cmp.Or(strings.Join(parts, ", "), "nothing new") }

// SyncedCounts is Synced without the numbers that have changed, before a list of them:
//
//	2 arrived, 3 sent, 1 moved
func SyncedCounts(r *share.Report) string {
	return orNothing(append(syncedCounts(r), text.Counts([]string{"moved"}, len(r.Merge.Moved))...))
}

func syncedCounts(r *share.Report) []string {
	return text.Counts([]string{"arrived", "changed", "removed there", "sent", "restored", "lost"},
		len(r.Arrived), len(r.Changed), len(r.Deleted), len(r.Sent), len(r.Restored), len(r.Lost))
}

// The words of a sync, besides those of a merge.
const (
	SyncedLost     = "lost"
	SyncedArrived  = "arrived"
	SyncedChanged  = "changed"
	SyncedSent     = "sent"
	SyncedRestored = "restored"
)

// SyncedLines tell what a sync did, those of one word together and what matters most
// first. Each word has at most so many lines, and the last one counts the rest.
//
//	lost     #12 Retry hooks: bob has claimed it, on mac-mini
//	arrived  #7 Rotate the key
func SyncedLines(r *share.Report, name string, most int) (lines []MergedLine) {
	add := adding(&lines, most)
	list := func(word string, tasks []merge.Named, remark string) {
		add(word, len(tasks), func(i int) string { return named(tasks[i]) + remark })
	}
	clones := ClonesOf(r)
	add(SyncedLost, len(r.Lost), func(i int) string { return Lost(&r.Lost[i], name, clones...) })
	list(SyncedArrived, r.Arrived, "")
	list(SyncedChanged, r.Changed, "")
	list(MergedRemoved, r.Deleted, ": removed there")
	list(SyncedSent, r.Sent, "")
	list(SyncedRestored, r.Restored, ": its file was missing, and Pawl had not deleted it")
	add(MergedMoved, len(r.Merge.Moved), func(i int) string { return movedLine(&r.Merge.Moved[i], name, "their", wasFirst) })
	rest := r.Merge
	rest.Deleted, rest.Both, rest.Moved = nil, nil, nil // told above
	return append(lines, MergedLines(&rest, name, "their", most)...)
}

// ClonesOf are the clones that a report names.
func ClonesOf(r *share.Report) (ids []string) {
	for i := range r.Lost {
		for _, h := range []*merge.Held{r.Lost[i].Held, r.Lost[i].Winner} {
			if h != nil && h.Clone != "" {
				ids = append(ids, h.Clone)
			}
		}
	}
	return ids
}

// Lost says which claim or completion yielded, and to whom, for one called name:
//
//	#12 Retry hooks: bob has claimed it, on mac-mini
//	#9 Linting: bob completed it, on mac-mini; your completion is a note of it now
//
// Clones are those that are known, so that the name of each is its own.
func Lost(y *merge.Yielded, name string, clones ...string) string {
	who, on := personOr(y.By, ""), ""
	if y.Winner != nil && y.Winner.Clone != "" {
		on = ", on " + Clone(y.Winner.Clone, clones...)
	}
	now := ""
	switch y.Now {
	case pawl.Completed:
		now = who + " completed it" + on
	case pawl.InProgress:
		now = who + " has claimed it" + on
	default:
		now = "it is open again, and nobody has claimed it"
	}
	whose := "your"
	if y.Owner != "" && y.Owner != name {
		whose = text.Line(text.Clip(y.Owner, 40)) + "'s"
	}
	switch y.Was {
	case pawl.Completed:
		now += "; " + whose + " completion is a note of it now"
	case pawl.InProgress:
		if whose != "your" {
			now += "; " + whose + " claim has ended"
		}
	}
	return named(y.Named) + ": " + now
}
