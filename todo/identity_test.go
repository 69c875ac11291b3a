package todo_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// rich gives the todo at a position what an agent never says.
func (s *session) rich(i int) {
	s.Helper()
	s.change(func(l *todo.List) {
		it := &l.Items[i]
		it.Priority, it.Task = todo.High, 12
		it.ToolCalls = []todo.ToolCall{{ID: "t", Name: "run"}}
		it.Subtasks = []todo.Subtask{{ID: it.ID + ".1", Content: "S", Status: todo.Pending, ToolCalls: []todo.ToolCall{{ID: "u", Name: "read"}}}}
	})
}

// A merge that gives an id other words makes another todo in its place. What was
// there is remembered, and comes back whole.
func TestMergeOfOtherWords(t *testing.T) {
	s := newSession(t)
	s.write(`["Write the parser","Ship"]`)
	s.rich(0)
	was := times(s.list().Items)
	s.merge(`[{"id":"1","content":"Water the plants"}]`)
	s.expect("list", "1 [pending] Water the plants: 2 - -\n2 [pending] Ship: 1 - -", times(s.list().Items))
	s.expect("past", "1 [pending] Write the parser: dropped at 2", past(s.list()))
	if s.list().Items[0].Task != 0 {
		t.Error("the plants have the task of the parser")
	}
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{}, todo.Revert{})))
	s.expect("taken back", was, times(s.list().Items))

	s.merge(`[{"id":"1","content":"Write the parser in Go"}]`)
	s.expect("most words", strings.Replace(was, "parser:", "parser in Go:", 1), times(s.list().Items))
	if s.list().Items[0].Task != 12 {
		t.Error("the parser lost its task")
	}
	s.merge(`[{"id":"1","content":"Quite done for","status":"cancelled"}]`)
	s.expect("what leaves is known by its id", "1 [pending] Water the plants: cleared at 2\n1 [pending] Write the parser in Go: cancelled at 4", past(s.list()))
}

// Entries of an agent's own list are numbered from 1 again in its next
// conversation. Restored ones are not meant by that.
func TestRestoredTodosAreNobodys(t *testing.T) {
	s := newSession(t)
	s.merge(`[{"id":"native-1","content":"Read the ledger","status":"in_progress"},{"id":"native-2","content":"Add tests"},{"id":"x","content":"Named"}]`)
	s.rich(0)
	next := todo.Key{Session: "next"}
	list, err := s.Resume(context.Background(), next, todo.Editing{}, key)
	must.Do(t, err)
	const restored = "1 [in_progress] Read the ledger: 1 1 -, high, run < 1.1 [pending] S, read\n2 [pending] Add tests: 1 - -\nx [pending] Named: 1 - -\n"
	s.expect("restored", restored, times(list.Items))
	if list.Items[0].Task != 12 {
		t.Error("the link to the board is gone")
	}
	write := func(todos string, fresh bool) {
		t.Helper()
		draft, err := todo.Decode([]byte(todos), true)
		must.Do(t, err)
		w, err := s.Write(context.Background(), next, draft, todo.Writing{Merge: true, New: fresh})
		must.Do(t, err)
		list = w.List
	}
	write(`[{"id":"native-1","content":"Ship it"}]`, true)
	s.expect("a first entry", restored+"native-1 [pending] Ship it: 1 - -", times(list.Items))
	write(`[{"id":"native-1","status":"completed"}]`, false)
	if len(list.Items) != 4 || list.Open() != 3 {
		t.Errorf("finished: %s", times(list.Items))
	}
	// One that says the same is the same, and is the agent's own from then on.
	write(`[{"id":"native-2","content":"add tests."}]`, true)
	s.expect("the same again", strings.Replace(restored, "2 [pending] Add tests", "native-2 [pending] add tests.", 1)+"native-1 [completed] Ship it: 1 - 1", times(list.Items))
}

// A list that an older Pawl restored has such ids still: what is new has the id,
// and what was there stays.
func TestNewEntryMeetsOldID(t *testing.T) {
	s := newSession(t)
	s.merge(`[{"id":"native-1","content":"Read the ledger"},{"id":"native-2","content":"Add tests"}]`)
	s.rich(0)
	draft, err := todo.Decode([]byte(`[{"id":"native-1","content":"Ship it"}]`), true)
	must.Do(t, err)
	s.now = s.now.Add(time.Minute)
	w, err := s.Write(context.Background(), key, draft, todo.Writing{Merge: true, New: true})
	must.Do(t, err)
	s.expect("list", "1 [pending] Read the ledger: 1 - -, high, run < 1.1 [pending] S, read\nnative-2 [pending] Add tests: 1 - -\nnative-1 [pending] Ship it: 2 - -", times(w.List.Items))
}

// The calls of subtasks stay with their texts, and are not handed on by number.
func TestSubtasksInheritByText(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","subtasks":["Read the ledger","Add tests"]}]`)
	s.change(func(l *todo.List) {
		l.Items[0].Subtasks[0].ToolCalls = []todo.ToolCall{{ID: "t", Name: "run"}}
	})
	s.write(`[{"content":"A","subtasks":[{"id":"1.1","content":"Water the plants"},"Call home"]}]`)
	s.expect("by number", "1 [pending] A: 1 - - < 1.1 [pending] Water the plants < 1.2 [pending] Call home", times(s.list().Items))
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{}, todo.Revert{})))
	s.change(func(l *todo.List) {
		l.Items[0].Subtasks[0].ToolCalls = []todo.ToolCall{{ID: "t", Name: "run"}}
	})
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{}, todo.Revert{})))
	s.expect("done again", "1 [pending] A: 1 - - < 1.1 [pending] Water the plants < 1.2 [pending] Call home", times(s.list().Items))
}

// What is taken back finds its calls also where the ids have moved up.
func TestRevertFindsCallsByText(t *testing.T) {
	s := newSession(t)
	s.write(`["Alpha one two","Beta three four"]`)
	s.change(func(l *todo.List) { l.Items[1].ToolCalls = []todo.ToolCall{{ID: "t", Name: "run"}} })
	s.write(`[{"content":"Alpha one two","status":"cancelled"},"Beta three four five"]`)
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{}, todo.Revert{})))
	s.expect("taken back", "1 [pending] Alpha one two: 1 - -\n2 [pending] Beta three four: 1 - -, run", times(s.list().Items))
}

// A link meets the todo that was promoted, or none.
func TestLinkMeetsItsTodo(t *testing.T) {
	s := newSession(t)
	s.write(`["Pack","Ship it home"]`)
	s.write(`["Ship it home","Pack"]`)
	link := func(content string, task pawl.ID) error {
		_, err := s.Edit(context.Background(), key, todo.Editing{By: "A person"}, todo.Link{ID: "1", Content: content, Task: task})
		return err
	}
	if err := link("Pack", 3); err != nil || s.list().Items[0].Task != 0 || s.list().Items[1].Task != 3 {
		t.Errorf("%v: the list is %+v", err, s.list().Items)
	}
	if err := link("Gone", 4); !errors.Is(err, pawl.Conflict) {
		t.Errorf("a link to what is gone: %v", err)
	}
	for text, kept := range map[string]bool{"Pack all of it": true, "Water the plants": false} {
		s.change(func(l *todo.List) { l.Items[1].Content, l.Items[1].Task = "Pack all", 3 })
		must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{By: "A person"}, todo.Reword{At: "2", Content: text})))
		if got := s.list().Items[1].Task == 3; got != kept {
			t.Errorf("with %q it has the task: %v", text, got)
		}
	}
}

// A todo that changes its id twice has subtasks of its own ids still.
func TestSubtasksKeepApart(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","subtasks":"- S\n- [x] T"}]`)
	s.write(`[{"content":"A","id":"2","subtasks":"- T\n- U\n- S"}]`)
	s.write(`[{"content":"A"}]`)
	ids := map[string]bool{}
	for _, sub := range s.list().Items[0].Subtasks {
		if ids[sub.ID] || sub.ID == "" {
			t.Errorf("the subtasks are %+v", s.list().Items[0].Subtasks)
		}
		ids[sub.ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("%d ids of 3", len(ids))
	}
}
