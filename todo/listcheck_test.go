package todo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

var tests = pawl.Check{Name: "tests", Run: []string{"go", "test", "./..."}}

// A checkedList is a list with the check tests.
type checkedList struct {
	*testing.T
	*todo.Service
	key todo.Key
	now time.Time
}

func newCheckedList(t *testing.T) *checkedList {
	l := &checkedList{T: t, key: todo.Key{Session: "s1"}, now: time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)}
	l.Service = todo.New(todomem.New(), func() time.Time { return l.now })
	if e, err := l.SetCheck(t.Context(), l.key, todo.Editing{}, &tests, nil); err != nil || !e.Changed {
		t.Fatal(e, err)
	}
	return l
}

func (l *checkedList) write(text string, merge bool) todo.List {
	l.Helper()
	draft, err := todo.Decode([]byte(text), merge)
	must.Do(l, err)
	w, err := l.Write(l.Context(), l.key, draft, todo.Writing{Merge: merge})
	must.Do(l, err)
	return w.List
}

func (l *checkedList) list() *todo.List {
	l.Helper()
	list, err := l.Read(l.Context(), l.key)
	must.Do(l, err)
	return &list
}

// ran notes a run that began with a list.
func (l *checkedList) ran(seen *todo.List, passed bool) todo.Edited {
	l.Helper()
	e, err := l.CheckRan(l.Context(), l.key, todo.Editing{}, seen, todo.Checked{Sum: tests.Sum(), Passed: passed, Exit: map[bool]int{false: 1}[passed], At: l.now})
	must.Do(l, err)
	return e
}

func (l *checkedList) wants(standing pawl.Checked, items string) {
	l.Helper()
	list := l.list()
	var got []string
	for _, it := range list.Items {
		got = append(got, it.Content+" "+string(it.Status))
	}
	if all := strings.Join(got, ", "); list.Standing() != standing || all != items {
		l.Errorf("the list is %q with the check %q, want %q and %q", all, list.Standing(), items, standing)
	}
}

// A list with a check is finished by a pass with all todos completed, and by nothing else.
func TestCheckFinishesTheList(t *testing.T) {
	l := newCheckedList(t)
	l.write(`[{"content": "One", "status": "completed"}, {"content": "Two"}]`, false)
	// Who has passed before the work was done has shown nothing.
	if e := l.ran(l.list(), true); !e.Changed || e.Finished {
		t.Errorf("%+v", e)
	}
	l.wants(pawl.CheckedPassed, "One completed, Two pending")
	l.write(`[{"content": "One", "status": "completed"}, {"content": "Two", "status": "completed"}]`, false)
	l.wants(pawl.CheckedOpen, "One completed, Two completed")
	if !l.list().AwaitsCheck() {
		t.Error("it waits for nothing")
	}
	if e := l.ran(l.list(), false); e.Finished {
		t.Error("a failure finishes it")
	}
	l.wants(pawl.CheckedFailed, "One completed, Two completed")
	// Nor does an empty list, or one that leaves them out.
	l.write(`[]`, false)
	l.wants(pawl.CheckedFailed, "One completed, Two completed")
	e := l.ran(l.list(), true)
	list := l.list()
	if done, ok := list.LastFinished(); !e.Finished || !ok || len(done.Items) != 2 || list.AwaitsCheck() {
		t.Errorf("%+v", list)
	}
	// The check stays with the session, and its pass is not one of the next todos.
	l.write(`[{"content": "Three", "status": "completed"}]`, false)
	l.wants(pawl.CheckedOpen, "Three completed")
}

// A person's edits do not finish it either; a merge that gives up the last open todo does
// not; and an undo of the finish needs another pass.
func TestCheckHoldsForEveryChange(t *testing.T) {
	l := newCheckedList(t)
	l.write(`[{"content": "One"}, {"content": "Two"}]`, false)
	e, err := l.Edit(t.Context(), l.key, todo.Editing{}, todo.Set{At: []string{"all"}, Status: todo.Completed})
	if err != nil || e.Finished {
		t.Error(e, err)
	}
	l.wants(pawl.CheckedOpen, "One completed, Two completed")
	l.write(`[{"content": "Three"}]`, true)
	l.write(`[{"id": "3", "status": "cancelled"}]`, true)
	l.wants(pawl.CheckedOpen, "One completed, Two completed")
	l.ran(l.list(), true)
	l.wants(pawl.CheckedPassed, "")
	if _, err := l.Edit(t.Context(), l.key, todo.Editing{}, todo.Revert{}); err != nil {
		t.Error(err)
	}
	l.wants(pawl.CheckedOpen, "One completed, Two completed")
}

// A pass of other todos than those that are there when it ends is none.
func TestCheckOfTodosThatChange(t *testing.T) {
	l := newCheckedList(t)
	l.write(`[{"content": "One"}]`, false)
	seen := l.list()
	l.write(`[{"content": "One", "status": "completed"}]`, false)
	if e := l.ran(seen, true); e.Changed || e.Finished {
		t.Errorf("%+v", e)
	}
	l.wants(pawl.CheckedOpen, "One completed")
	if e := l.ran(seen, false); !e.Changed { // a failure is one, whatever is planned
		t.Errorf("%+v", e)
	}
	l.wants(pawl.CheckedFailed, "One completed")

	// And one of another check.
	other := pawl.Check{Name: "tests", Run: []string{"go", "vet"}}
	must.Do(t, errOf(l.SetCheck(t.Context(), l.key, todo.Editing{}, &other, nil)))
	l.wants(pawl.CheckedOpen, "One completed")
	_, err := l.CheckRan(t.Context(), l.key, todo.Editing{}, l.list(), todo.Checked{Sum: tests.Sum(), Passed: true, At: l.now})
	if pawl.KindOf(err) != pawl.Conflict {
		t.Error(err)
	}
	l.wants(pawl.CheckedOpen, "One completed")
}

// Without its check a list that waited for it is finished. Who may not take it away does
// not, and a person's doing is told.
func TestCheckTakenAway(t *testing.T) {
	l := newCheckedList(t)
	l.write(`[{"content": "One", "status": "completed"}]`, false)
	no := errors.New("no")
	if _, err := l.SetCheck(t.Context(), l.key, todo.Editing{}, nil, func(*todo.List) error { return no }); err != no {
		t.Error(err)
	}
	l.wants(pawl.CheckedOpen, "One completed")
	e, err := l.SetCheck(t.Context(), l.key, todo.Editing{By: "A person"}, nil, func(*todo.List) error { return nil })
	if err != nil || !e.Finished {
		t.Error(e, err)
	}
	l.wants(pawl.NotChecked, "")
	if news := l.list().News; len(news) != 1 || news[0] != "A person took the check away from the list." {
		t.Errorf("%q", news)
	}
	if e, err := l.SetCheck(t.Context(), l.key, todo.Editing{}, nil, func(*todo.List) error { return no }); err != nil || e.Changed {
		t.Error(e, err)
	}
	if _, err := l.SetCheck(t.Context(), l.key, todo.Editing{}, &pawl.Check{Name: "x"}, nil); pawl.KindOf(err) != pawl.Invalid {
		t.Error(err)
	}
}

// A session that resumed a list lost its check, and its end was shown by nothing.
func TestCheckFollowsTheList(t *testing.T) {
	l := newCheckedList(t)
	l.ran(l.list(), true)
	l.write(`[{"content":"A"},{"content":"B"}]`, false)
	next := todo.Key{Session: "s2"}
	for range 2 {
		list, err := l.Resume(t.Context(), next, todo.Editing{}, l.key)
		if err != nil || list.Check == nil || !list.Check.Equal(&tests) || list.Standing() != pawl.CheckedOpen {
			t.Fatalf("resumed with the check %v, %s: %v", list.Check, list.Standing(), err)
		}
	}
	other := tests.Clone()
	other.Run = []string{"true"}
	own := todo.Key{Session: "s3"}
	must.Do(t, errOf(l.SetCheck(t.Context(), own, todo.Editing{}, &other, nil)))
	if _, err := l.Resume(t.Context(), own, todo.Editing{}, l.key); !errors.Is(err, pawl.Conflict) {
		t.Errorf("beside another check: %v", err)
	}
	if list, err := l.Restore(t.Context(), own, todo.Editing{}, l.list().Items, "resumed"); err != nil || !list.Check.Equal(&other) {
		t.Errorf("without a list: %v, %v", list.Check, err)
	}
}

// A check that cannot be read passes never, and no todo is lost by it.
func TestBadCheck(t *testing.T) {
	store := todomem.New()
	l := &checkedList{T: t, Service: todo.New(store, time.Now), key: todo.Key{Session: "s1"}}
	must.Do(t, errOf(store.Update(t.Context(), l.key, func(list *todo.List) error {
		list.BadCheck = []byte(`{"of": "later"}`)
		return nil
	})))
	l.write(`[{"content": "One", "status": "completed"}]`, false)
	l.wants(pawl.CheckedOpen, "One completed")
	if told := l.list().CheckTold(time.Now()); !strings.Contains(told, "cannot be read") {
		t.Error(told)
	}
	if _, err := l.CheckRan(t.Context(), l.key, todo.Editing{}, l.list(), todo.Checked{Sum: tests.Sum(), Passed: true}); pawl.KindOf(err) != pawl.Conflict {
		t.Error(err)
	}
}

// What a list is told of its check stands in one line, whatever the command has.
func TestCheckTold(t *testing.T) {
	now := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	c := pawl.Check{Name: "tests", Run: []string{"go", "test\n\x1b[2J"}}
	list := todo.List{Check: &c}
	for want, ran := range map[string]*todo.Checked{
		`(has not run)`:                     nil,
		`(passed, 5m ago)`:                  {Sum: c.Sum(), Passed: true, At: now.Add(-5 * time.Minute)},
		`(failed with exit code 3, 5m ago)`: {Sum: c.Sum(), Exit: 3, At: now.Add(-5 * time.Minute)},
		`(failed, just now)`:                {Sum: c.Sum(), Exit: pawl.NoExit, At: now},
		`(has not run) `:                    {Sum: "another", Passed: true, At: now},
	} {
		list.Checked = ran
		told := list.CheckTold(now)
		if !strings.HasPrefix(told, "Check: tests: go 'test") || !strings.HasSuffix(told, strings.TrimSpace(want)) || strings.ContainsAny(told, "\n\x1b") {
			t.Errorf("%q", told)
		}
	}
	if told := todo.Structured(&list, now); !strings.Contains(told, "\nCheck: tests: ") {
		t.Error(told)
	}
}
