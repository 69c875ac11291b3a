package todofile

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// slack is how much older a file may look than the change that it holds: clocks
// of file systems are coarse, and those of other machines differ.
const slack = time.Hour

// Lists implements [todo.Store]. Files with names that no list can have are
// somebody else's; one that it may not read is told, and the others are shown.
// A list that has not been written since then is not read.
func (s *Store) Lists(ctx context.Context, after time.Time) ([]todo.Head, error) {
	names, err := s.names(".")
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	before := s.heads
	s.mu.Unlock()
	now, heads := map[string]seen{}, []todo.Head{}
	for _, name := range names {
		if !ours(name) {
			continue
		}
		looks, settled, err := s.looks(name)
		head, known := before[name]
		if err == nil && !after.IsZero() && time.Unix(0, looks.list.written).Before(after.Add(-slack)) {
			if known {
				now[name] = head
			}
			continue
		}
		if err != nil || !known || head.looks != looks {
			doc, key, err := s.known(ctx, name)
			if err != nil {
				return nil, err
			}
			if doc == nil || doc.kept.Blank() {
				continue
			}
			doc.kept.Key = key
			head = seen{looks, doc.kept.Head()}
		}
		if err == nil && settled {
			now[name] = head
		}
		heads = append(heads, head.Head)
	}
	s.mu.Lock()
	s.heads = now
	s.mu.Unlock()
	slices.SortFunc(heads, todo.Newest)
	return heads, nil
}

// known reads the file at a name, and tells whose it is: nobody's when the name
// is not a list's, or the file cannot be read.
func (s *Store) known(ctx context.Context, name string) (*document, todo.Key, error) {
	key, byName := keyOf(name)
	if !ours(name) {
		return nil, key, nil
	}
	doc, err := s.read(ctx, name, nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil, key, err
		}
		s.tell("the todo list %s cannot be read: %v", s.path(name), errors.Unwrap(err))
		return nil, key, nil
	}
	if !byName && doc.text != nil {
		if key = doc.kept.Key.Normal(); fileName(key) != name {
			s.tell("the file %s is not a list of the session that it names", s.path(name))
			return nil, key, nil
		}
	}
	return doc, key, nil
}

func (s *Store) names(dir string) ([]string, error) {
	names, err := s.disk.list(dir)
	if absent(err) {
		return nil, nil
	}
	slices.Sort(names)
	return names, storageError(err)
}

// Sweep implements [todo.Sweeper]. It also removes the lock files of panels that
// were killed.
func (s *Store) Sweep(ctx context.Context, done, open time.Time) (int, error) {
	names, err := s.names(".")
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, name := range names {
		doc, _, err := s.known(ctx, name)
		if err != nil {
			return removed, err
		}
		if doc == nil || !doc.old(done, open) {
			continue
		}
		gone, err := s.sweep(ctx, name, done, open)
		if err != nil {
			return removed, err
		}
		if gone {
			removed++
		}
	}
	s.sweepLogs(ctx, names, done)
	if err := s.sweepPanels(ctx); err != nil {
		return removed, err
	}
	return removed, s.sweepLost(done)
}

// old reports whether nobody came back to a list. One that a person made may not
// say when it changed, and is as old as its file.
func (d *document) old(done, open time.Time) bool {
	limit, changed := done, d.kept.UpdatedAt
	if d.kept.Open() > 0 {
		limit = open
	}
	if changed.IsZero() {
		changed = d.written
	}
	return d.text != nil && changed.Before(limit)
}

func (s *Store) sweep(ctx context.Context, name string, done, open time.Time) (gone bool, err error) {
	unlock, err := s.lock(ctx, name)
	if err != nil {
		return false, err
	}
	defer unlock()
	doc, err := s.readLocked(name, nil)
	if err != nil || !doc.old(done, open) { // somebody came back just now
		return false, err
	}
	return true, s.remove(ctx, name)
}

// sweepLost removes what was set aside before a time. A folder that stood in a
// list's place stays while there is something in it.
func (s *Store) sweepLost(before time.Time) error {
	names, err := s.names(lostDir)
	for _, base := range names {
		if at, ok := lostAt(base); ok && at.Before(before) {
			s.disk.remove(lostDir + "/" + base)
		}
	}
	return err
}
