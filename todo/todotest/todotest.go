// Package todotest is the contract of [todo.Store] as executable checks. A type
// that passes [Run] is a store of todo lists.
//
//	func TestContract(t *testing.T) {
//		todotest.Run(t, func(todotest.TB) todo.Store { return todomem.New() })
//	}
//
// Checks on lists made by hand hold a store to the numbered promises; random
// sequences of calls are compared, step by step, with todo/todomem. Stores test
// faults of their own, such as damaged files, themselves. The number of random
// sequences and their length are rapid's own flags, -rapid.checks and -rapid.steps.
package todotest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// TB is what a check needs of a test: *testing.T and *rapid.T have it, and so
// has a recorder that wants to see a check fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Cleanup(func())
	Context() context.Context
}

// An Option tells Run what else a store can do.
type Option func(*world)

// Reopen lets the suite close a store and open the same lists again.
func Reopen(again func(TB, todo.Store) todo.Store) Option {
	return func(w *world) { w.again = again }
}

// Run holds the stores that open makes, each without lists, to the contract.
func Run(t *testing.T, open func(TB) todo.Store, opts ...Option) {
	for _, c := range allChecks() {
		t.Run(c.name, func(t *testing.T) { c.run(newWorld(t, open, opts...)) })
	}
	runModel(t, open, opts...)
}

// A check is one thing that a store promises. Its name begins with the number
// of the promise in the comment of [todo.Store].
type check struct {
	name string
	run  func(w *world)
}

func allChecks() []check {
	return slices.Concat(updateChecks(), keyChecks(), powerChecks(), callChecks())
}

// A world is a store under test.
type world struct {
	TB
	store todo.Store
	again func(TB, todo.Store) todo.Store // nil: it cannot be opened again
}

func newWorld(t TB, open func(TB) todo.Store, opts ...Option) *world {
	w := &world{TB: t, store: open(t)}
	for _, opt := range opts {
		opt(w)
	}
	return w
}

// reopen goes on with what the store kept, where that can be.
func (w *world) reopen() {
	if w.again != nil {
		w.store = w.again(w.TB, w.store)
	}
}

func (w *world) load(key todo.Key) todo.List {
	w.Helper()
	list, err := w.store.Load(w.Context(), key)
	if err != nil {
		w.Fatalf("load %q: %v", key, err)
	}
	return list
}

// look wants of a store that can look the same list as load, without its past.
func (w *world) look(key todo.Key) {
	w.Helper()
	looker, ok := w.store.(todo.Looker)
	if !ok {
		return
	}
	want := w.load(key)
	want.Past = nil
	got, err := looker.Look(w.Context(), key)
	if err != nil {
		w.Fatalf("look at %q: %v", key, err)
	}
	w.expect(fmt.Sprintf("a look at %q", key), got, want)
}

func (w *world) update(key todo.Key, fn func(*todo.List)) todo.List {
	w.Helper()
	list, err := w.store.Update(w.Context(), key, func(l *todo.List) error { fn(l); return nil })
	if err != nil {
		w.Fatalf("update %q: %v", key, err)
	}
	return list
}

func (w *world) lists() []todo.Head {
	w.Helper()
	heads, err := w.store.Lists(w.Context(), time.Time{})
	if err != nil {
		w.Fatalf("lists: %v", err)
	}
	return heads
}

func (w *world) remove(key todo.Key) {
	w.Helper()
	if err := w.store.Remove(w.Context(), key); err != nil {
		w.Errorf("remove: %v", err)
	}
}

// put gives a key a list of one todo.
func (w *world) put(key todo.Key, content string, at time.Time) {
	w.Helper()
	w.update(key, func(l *todo.List) {
		l.Items = []todo.Item{item(content)}
		l.UpdatedAt = at
	})
}

// expect compares two lists, whatever empty slices they have.
func (w *world) expect(what string, got, want todo.List) {
	w.Helper()
	if g, h := show(got), show(want); g != h {
		w.Errorf("%s:\n got %s\nwant %s", what, g, h)
	}
}

// show is all of a list as text. Its key is quoted, since it may have any bytes.
func show(l todo.List) string {
	if len(l.Items) == 0 {
		l.Items = nil
	}
	if len(l.Past) == 0 {
		l.Past = nil
	}
	if len(l.News) == 0 {
		l.News = nil
	}
	if b := l.Before; b != nil && len(b.Items) == 0 {
		l.Before = &todo.Snapshot{What: b.What, At: b.At}
	}
	text, err := json.Marshal(struct {
		Session, Agent []byte
		List           todo.List
	}{[]byte(l.Session), []byte(l.Agent), l})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func item(content string) todo.Item {
	return todo.Item{ID: "1", Content: content, Status: todo.Pending, Priority: todo.Medium, ActiveForm: content}
}

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)

func at(minutes int) time.Time { return epoch.Add(time.Duration(minutes) * time.Minute) }
