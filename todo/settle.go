package todo

import (
	"slices"
	"time"
)

// settle finishes a list without a check in which nothing is left to do. It reports
// whether it did.
func (l *List) settle(now time.Time) bool { return !l.HasCheck() && l.finish(now) }

// finish empties a list in which nothing is left to do, and remembers what was
// done. It reports whether it did.
func (l *List) finish(now time.Time) bool {
	if len(l.Items) == 0 || slices.ContainsFunc(l.Items, func(it Item) bool { return it.Open() || it.partsOpen() }) {
		return false
	}
	for _, item := range l.Items {
		l.leave(item, Finished, now)
	}
	l.Items = nil
	return true
}
