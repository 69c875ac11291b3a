// Package todomem keeps todo lists in memory, for one process: no file is made,
// and they are gone when it ends. It is the model that other stores are
// compared with.
package todomem

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// A Store is safe for concurrent use.
type Store struct {
	mu     sync.Mutex
	lists  map[todo.Key]todo.List
	panels map[string]int // how many are open on a session
	stamp  int            // counts changes
}

var (
	_ todo.Store   = (*Store)(nil)
	_ todo.Panels  = (*Store)(nil)
	_ todo.Sweeper = (*Store)(nil)
	_ todo.Stamper = (*Store)(nil)
)

// New returns a store without lists.
func New() *Store { return &Store{lists: map[todo.Key]todo.List{}, panels: map[string]int{}} }

func (s *Store) list(key todo.Key) todo.List {
	list := s.lists[key]
	list.Key = key
	return list.Clone()
}

// Load implements [todo.Store].
func (s *Store) Load(_ context.Context, key todo.Key) (todo.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list(key.Normal()), nil
}

// Update implements [todo.Store].
func (s *Store) Update(_ context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key = key.Normal()
	list := s.list(key)
	if err := fn(&list); err != nil {
		return todo.List{}, err
	}
	list.Key = key
	switch {
	case list.Blank():
		s.stamp++
		delete(s.lists, key)
		return todo.List{Key: key}, nil
	case !reflect.DeepEqual(list, s.list(key)):
		s.stamp++
		s.lists[key] = list.Clone()
	}
	return list.Clone(), nil
}

// Lists implements [todo.Store].
func (s *Store) Lists(_ context.Context, after time.Time) ([]todo.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	heads := make([]todo.Head, 0, len(s.lists))
	for _, list := range s.lists {
		if list.UpdatedAt.After(after) || after.IsZero() {
			heads = append(heads, list.Head())
		}
	}
	slices.SortFunc(heads, todo.Newest)
	return heads, nil
}

// Remove implements [todo.Store].
func (s *Store) Remove(_ context.Context, key todo.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stamp++
	delete(s.lists, key.Normal())
	return nil
}

// Problems implements [todo.Store]: memory has none.
func (*Store) Problems() []string { return nil }

// Stamp implements [todo.Stamper].
func (s *Store) Stamp(ctx context.Context, _ todo.Key) (string, error) { return s.StampAll(ctx) }

// StampAll implements [todo.Stamper].
func (s *Store) StampAll(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strconv.Itoa(s.stamp), nil
}

// OpenPanel implements [todo.Panels].
func (s *Store) OpenPanel(_ context.Context, session string) (func() error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.panels[session]++
	return sync.OnceValue(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.panels[session]--
		return nil
	}), nil
}

// PanelOpen implements [todo.Panels].
func (s *Store) PanelOpen(_ context.Context, session string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.panels[session] > 0, nil
}

// Sweep implements [todo.Sweeper].
func (s *Store) Sweep(_ context.Context, done, open time.Time) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for key, list := range s.lists {
		limit := done
		if list.Open() > 0 {
			limit = open
		}
		if list.UpdatedAt.Before(limit) {
			s.stamp++
			delete(s.lists, key)
			n++
		}
	}
	return n, nil
}
