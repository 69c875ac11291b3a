package todo

import (
	"context"
	"slices"
	"time"
)

const (
	// Lately is how long after its last change an agent may still work on an
	// unfinished list.
	Lately = 12 * time.Hour
	// KeepFinished is how long the list that was finished last shows as such, unless
	// lists are kept for a shorter time.
	KeepFinished = 24 * time.Hour
	// MaxRunning is how many of the lists that run are read: more have no room
	// anywhere.
	MaxRunning = 16
)

// Running reports whether an agent seems to work on a list.
func (h *Head) Running(now time.Time) bool {
	return h.Pending+h.InProgress > 0 && now.Sub(h.UpdatedAt) < Lately
}

// Recent has the running lists of a project's sessions and the one finished last,
// to show beside its tasks.
type Recent struct {
	Now      time.Time
	Running  []List        // with something left to do, the one that changed last first; without their past
	More     int           // how many lists run beyond [MaxRunning]
	Finished *FinishedList // the list that was finished last; nil: none within [KeepFinished]
}

// Empty reports whether there is nothing to show.
func (r *Recent) Empty() bool { return len(r.Running) == 0 && r.Finished == nil }

// A FinishedList is a list at the moment when all of it was done.
type FinishedList struct {
	Key
	Project string
	At      time.Time
	Items   []Item
}

// Recent returns what shows beside the tasks of a project: ours chooses its
// lists, and keep is how long finished lists are kept.
func (s *Service) Recent(ctx context.Context, ours func(Head) bool, keep time.Duration) (Recent, error) {
	recent := Recent{Now: s.now()}
	since := recent.Now.Add(-min(keep, KeepFinished))
	heads, err := s.store.Lists(ctx, recent.Now.Add(-max(Lately, KeepFinished)))
	if err != nil {
		return recent, err
	}
	heads = slices.DeleteFunc(heads, func(h Head) bool {
		return !h.Running(recent.Now) && !h.FinishedAt.After(since) || !ours(h)
	})
	var last *Head
	for i := range heads {
		h := &heads[i]
		if h.FinishedAt.After(since) && (last == nil || h.FinishedAt.After(last.FinishedAt)) {
			last = h
		}
		switch {
		case !h.Running(recent.Now):
		case len(recent.Running) == MaxRunning:
			recent.More++
		default:
			list, err := s.Look(ctx, h.Key)
			if err != nil {
				return recent, err
			}
			if list.Open() > 0 { // it may just have been finished
				recent.Running = append(recent.Running, list)
			}
		}
	}
	if last != nil {
		list, err := s.Read(ctx, last.Key)
		if err != nil {
			return recent, err
		}
		if done, ok := list.LastFinished(); ok {
			recent.Finished = &done
		}
	}
	return recent, nil
}

// finished notes in a list that a change at now has left empty that all of it
// was done.
func (l *List) finished(now time.Time) {
	if len(l.Items) == 0 && slices.ContainsFunc(l.Past, func(p Past) bool { return p.How == Finished && p.At.Equal(now) }) {
		l.FinishedAt = now
	}
}

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

// LastFinished returns the list at the moment when all of it was last done,
// without todos that are listed again. It returns false if none is left.
func (l *List) LastFinished() (FinishedList, bool) {
	done := FinishedList{Key: l.Key, Project: l.Project, At: l.FinishedAt}
	for i := range l.Past {
		if p := &l.Past[i]; p.How == Finished && p.At.Equal(l.FinishedAt) {
			done.Items = append(done.Items, p.Item)
		}
	}
	return done, len(done.Items) > 0 && !done.At.IsZero()
}
