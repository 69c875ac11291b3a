package todofile

import (
	"context"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// A sight is how something looks from outside. A list's file that was replaced
// looks different however coarse the file system's clock is; so does a log that
// something was appended to.
type sight struct {
	id      uint64
	size    int64
	written int64 // in nanoseconds
}

// looks are those of a list: its file and its log.
type looks struct{ list, log sight }

// seen is a list's head, and how the list looked before it was read.
type seen struct {
	looks
	todo.Head
}

// settling is how long what was written may look the same after another change:
// the coarsest clock of a file system that is in use counts in two seconds.
const settling = 2 * time.Second

// looks tells how a list looks now, and whether every later change will make it
// look different.
func (s *Store) looks(name string) (l looks, settled bool, err error) {
	for _, part := range []struct {
		name string
		is   *sight
	}{{name, &l.list}, {logName(name), &l.log}} {
		if *part.is, err = s.disk.sight(part.name); err != nil && !absent(err) {
			return looks{}, false, storageError(err)
		}
	}
	last := time.Unix(0, max(l.list.written, l.log.written))
	return l, s.now().Sub(last) > settling, nil
}

// Stamp implements [todo.Stamper].
func (s *Store) Stamp(_ context.Context, key todo.Key) (string, error) {
	l, _, err := s.looks(fileName(key.Normal()))
	return fmt.Sprint(l), err
}

// StampAll implements [todo.Stamper]: a writer of a list replaces its file,
// and that changes the folder.
func (s *Store) StampAll(context.Context) (string, error) {
	folder, err := s.disk.sight(".")
	if err != nil && !absent(err) {
		return "", storageError(err)
	}
	return fmt.Sprint(folder), nil
}
