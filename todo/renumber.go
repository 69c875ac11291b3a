package todo

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
)

// Renumber lets todos that were promoted to tasks name these by other numbers, in the
// lists whose projects are chosen. That does not count as a change: the times of a list
// stay, and an undo of its last change does not bring the old numbers back. It goes on
// after a failure, and returns how many lists it changed.
func (s *Service) Renumber(ctx context.Context, chosen func(project string) bool, to map[pawl.ID]pawl.ID) (int, error) {
	heads, err := s.Sessions(ctx, "")
	if err != nil {
		return 0, err
	}
	n := 0
	known := map[string]bool{}
	var errs []error
	for _, h := range heads {
		is, asked := known[h.Project]
		if !asked {
			is = h.Project != "" && chosen(h.Project)
			known[h.Project] = is
		}
		if !is {
			continue
		}
		changed := false
		_, err := s.store.Update(ctx, h.Key, func(l *List) error {
			changed = l.renumber(to)
			return nil
		})
		if err != nil {
			errs = append(errs, err)
		} else if changed {
			n++
		}
	}
	return n, errors.Join(errs...)
}

func (l *List) renumber(to map[pawl.ID]pawl.ID) (changed bool) {
	rename := func(i *Item) {
		if id, ok := to[i.Task]; ok && i.Task != 0 {
			i.Task, changed = id, true
		}
	}
	for i := range l.Items {
		rename(&l.Items[i])
	}
	for i := range l.Past {
		rename(&l.Past[i].Item)
	}
	if l.Before != nil {
		for i := range l.Before.Items {
			rename(&l.Before.Items[i])
		}
	}
	return changed
}
