package todo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

var key = todo.Key{Session: "s"}

// A session is a list with a clock that counts minutes.
type session struct {
	testing.TB
	*todo.Service
	store *todomem.Store
	now   time.Time
}

func newSession(t testing.TB) *session {
	s := &session{TB: t, store: todomem.New(), now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	s.Service = todo.New(s.store, func() time.Time { return s.now })
	return s
}

func (s *session) try(todos string, merge bool) (todo.Written, error) {
	s.Helper()
	s.now = s.now.Add(time.Minute)
	draft, err := todo.Decode(json.RawMessage(todos), merge)
	if err != nil {
		return todo.Written{}, err
	}
	return s.Write(context.Background(), key, draft, todo.Writing{Merge: merge})
}

func (s *session) write(todos string) todo.Written {
	s.Helper()
	w, err := s.try(todos, false)
	must.Do(s, err)
	return w
}

func (s *session) merge(todos string) todo.Written {
	s.Helper()
	w, err := s.try(todos, true)
	must.Do(s, err)
	return w
}

func (s *session) list() todo.List {
	s.Helper()
	list, err := s.Read(context.Background(), key)
	must.Do(s, err)
	return list
}

// change alters the list as another part of Pawl would.
func (s *session) change(fn func(*todo.List)) {
	s.Helper()
	must.Do(s, errOf(s.store.Update(context.Background(), key, func(l *todo.List) error { fn(l); return nil })))
}

func (s *session) expect(what, want, got string) {
	s.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		s.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// at is a time as minutes after the start.
func at(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return fmt.Sprint(int(t.Sub(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)).Minutes()))
}

// times shows todos with when they were created, started and completed.
func times(items []todo.Item) string {
	var b strings.Builder
	for _, it := range items {
		fmt.Fprintf(&b, "%s [%s] %s: %s %s %s", it.ID, it.Status, it.Content, at(it.CreatedAt), at(it.StartedAt), at(it.CompletedAt))
		if it.Priority != todo.Medium {
			fmt.Fprintf(&b, ", %s", it.Priority)
		}
		for _, call := range it.ToolCalls {
			fmt.Fprintf(&b, ", %s", call.Name)
		}
		for _, sub := range it.Subtasks {
			fmt.Fprintf(&b, " < %s [%s] %s", sub.ID, sub.Status, sub.Content)
			for _, call := range sub.ToolCalls {
				fmt.Fprintf(&b, ", %s", call.Name)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func past(l todo.List) string {
	var b strings.Builder
	for _, p := range l.Past {
		fmt.Fprintf(&b, "%s [%s] %s: %s at %s\n", p.Item.ID, p.Item.Status, p.Item.Content, p.How, at(p.At))
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	s := newSession(t)
	w := s.write(`[{"content":"Plan","status":"in_progress"},{"content":"Write tests","status":"pending","priority":"high"}]`)
	const first = "1 [in_progress] Plan: 1 1 -\n2 [pending] Write tests: 1 - -, high\n"
	s.expect("new", first, times(w.New))
	s.expect("stored", first, times(s.list().Items))
	s.expect("diff", "2 added", w.Diff.String())
	if len(w.Old) != 0 || len(w.Notes) != 0 {
		t.Errorf("old %v, notes %v: want none", w.Old, w.Notes)
	}

	w = s.write(`[{"content":"Plan","status":"completed"},{"content":"Write tests","status":"in_progress"},{"content":"Run tests","status":"pending"}]`)
	s.expect("old", first, times(w.Old))
	s.expect("new", "1 [completed] Plan: 1 1 2\n2 [in_progress] Write tests: 1 2 -, high\n3 [pending] Run tests: 2 - -", times(w.New))
	s.expect("diff", "1 added, 1 started, 1 completed", w.Diff.String())
	s.expect("what may be taken back", first, times(s.list().Before.Items))
	s.expect("what it was", "wrote the list (1 added, 1 started, 1 completed)", s.list().Before.What)
}

// The list goes when all of it is done, and what was given is still told.
func TestWriteAllCompleted(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","status":"in_progress"},{"content":"B","status":"pending"}]`)
	const all = `[{"content":"A","status":"completed"},{"content":"B","status":"completed"}]`
	w := s.write(all)
	s.expect("new", "1 [completed] A: 1 1 2\n2 [completed] B: 1 - 2", times(w.New))
	s.expect("stored", "", times(s.list().Items))
	s.expect("past", "1 [completed] A: finished at 2\n2 [completed] B: finished at 2", past(s.list()))
	s.expect("diff", "2 completed", w.Diff.String())

	before := s.list()
	w = s.write(all) // agents tell of it again
	s.expect("new", "1 [completed] A: 1 1 2\n2 [completed] B: 1 - 2", times(w.New))
	if diff := cmp.Diff(before, s.list()); diff != "" {
		t.Errorf("telling it again changed the list:\n%s", diff)
	}

	w = s.write(`[{"content":"A","status":"completed"},{"content":"B","status":"completed"},{"content":"C","status":"pending"}]`)
	s.expect("new", "1 [completed] A: 1 1 2\n2 [completed] B: 1 - 2\n3 [pending] C: 4 - -", times(w.New))
	s.expect("past", "", past(s.list()))
	s.expect("diff", "3 added", w.Diff.String())

	s.write(`[{"content":"A","status":"completed"},{"content":"B","status":"completed"},{"content":"C","status":"completed"}]`)
	w = s.write(`[{"content":"A","status":"pending"}]`) // another round
	s.expect("new", "1 [pending] A: 6 - -", times(w.New))
	if got := len(s.list().Past); got != 3 {
		t.Errorf("%d todos are remembered, want 3", got)
	}
}

// Two todos may say the same.
func TestWriteSameText(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","status":"completed"},{"content":"A","status":"completed"}]`)
	w := s.write(`[{"content":"A","status":"completed"},{"content":"A","status":"completed"},{"content":"C","status":"pending"}]`)
	s.expect("new", "1 [completed] A: 1 - 1\n2 [completed] A: 1 - 1\n3 [pending] C: 2 - -", times(w.New))
	s.expect("past", "", past(s.list()))
}

func TestWriteStartsOnce(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","status":"in_progress"}]`)
	s.write(`[{"content":"A","status":"pending"}]`)
	w := s.write(`[{"content":"A","status":"in_progress"}]`)
	s.expect("new", "1 [in_progress] A: 1 1 -", times(w.New))
}

// Whatever a store has kept, ids are given once from the next write on.
func TestWriteMendsIDs(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","subtasks":["S","T"]},"B"]`)
	s.change(func(l *todo.List) {
		l.Items[1].ID, l.Items[0].Subtasks[1].ID = "1", "1.1"
	})
	w := s.write(`[{"content":"A","subtasks":["S","T"]},"B"]`)
	s.expect("new", "1 [pending] A: 1 - - < 1.1 [pending] S < 1.2 [pending] T\n2 [pending] B: 1 - -", times(w.New))
}

func TestDiff(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","status":"pending"},{"id":"b","content":"B","status":"in_progress","subtasks":["S"]},"C","D"]`)
	w := s.write(`[{"id":"1","content":"A too","status":"blocked"},{"id":"x","content":"B","status":"completed","subtasks":[{"content":"S","status":"done"}],"priority":"low"},{"content":"C","activeForm":"Doing C"},"D twice"]`)
	text, err := json.Marshal(w.Diff.Changed)
	must.Do(t, err)
	s.expect("changes", `[{"id":"1","content":"A too","fields":["content","blocked"]},{"id":"x","content":"B","fields":["id","status","priority","subtasks"],"from":"in_progress","to":"completed"},{"id":"3","content":"C","fields":["activeForm"]},{"id":"4","content":"D twice","fields":["content"]}]`, string(text))
	s.expect("text", "1 completed, 3 changed", w.Diff.String())

	s.change(func(l *todo.List) {
		call := []todo.ToolCall{{ID: "t", Name: "run"}}
		l.Items[0].ToolCalls, l.Items[1].Subtasks[0].ToolCalls = call, call
	})
	s.expect("removed, without what was done", "1 [pending] A too: 1 - -\nx [completed] B: 1 1 2, low < b.1 [completed] S\n3 [pending] C: 1 - -\n4 [pending] D twice: 1 - -",
		times(s.write(`[]`).Diff.Removed))
}

func TestWriteEmpty(t *testing.T) {
	s := newSession(t)
	if s.write(`[]`); !cmp.Equal(todo.List{Key: key}, s.list()) {
		t.Errorf("writing nothing to nothing left %+v", s.list())
	}
	s.write(`[{"content":"A","status":"completed"},{"content":"B","status":"in_progress"}]`)
	w := s.write(`[]`)
	s.expect("stored", "", times(s.list().Items))
	s.expect("past", "1 [completed] A: finished at 3\n2 [in_progress] B: dropped at 3", past(s.list()))
	s.expect("diff", "2 removed", w.Diff.String())
}

func TestWriteKeepsIdentity(t *testing.T) {
	begin := func(t *testing.T) *session {
		s := newSession(t)
		s.write(`[{"id":"a","content":"A","status":"completed","subtasks":["S","T"]},{"id":"b","content":"B","status":"in_progress","priority":"low"},{"id":"c","content":"C","status":"pending"}]`)
		s.change(func(l *todo.List) {
			l.Items[1].ToolCalls = []todo.ToolCall{{ID: "t1", Name: "read_file"}}
			l.Items[0].Subtasks[1].ToolCalls = []todo.ToolCall{{ID: "t2", Name: "run"}}
			l.Items[2].Task = 12
		})
		return s
	}
	const a, b, c = "a [completed] A: 1 - 1 < a.1 [pending] S < a.2 [pending] T, run\n", "b [in_progress] B: 1 1 -, low, read_file\n", "c [pending] C: 1 - -\n"
	for _, tt := range []struct{ name, todos, want, past string }{
		{"by id, reworded", `[{"id":"a","content":"A","status":"completed"},{"id":"b","content":"B again","status":"in_progress"},{"id":"c","content":"C","status":"pending"}]`,
			a + "b [in_progress] B again: 1 1 -, low, read_file\n" + c, ""},
		{"by id, in another order", `[{"id":"c","content":"C","status":"pending"},{"id":"b","content":"B","status":"in_progress"},{"id":"a","content":"A","status":"completed"}]`, c + b + a, ""},
		{"by content", `[{"content":"C","status":"pending"},{"content":"A","status":"completed"},{"content":"B","status":"in_progress"}]`, c + a + b, ""},
		{"by content, with another id", `[{"id":"x","content":"A","status":"completed"},{"id":"b","content":"B","status":"in_progress"},{"id":"c","content":"C","status":"pending"}]`,
			"x [completed] A: 1 - 1 < a.1 [pending] S < a.2 [pending] T, run\n" + b + c, ""},
		{"by position", `[{"content":"A","status":"completed"},{"content":"B reworded","status":"in_progress"},{"content":"C","status":"pending"}]`,
			a + "b [in_progress] B reworded: 1 1 -, low, read_file\n" + c, ""},
		{"what was not said", `["A","B","C"]`, a + b + c, ""},
		{"new before old", `[{"content":"N","status":"pending"},{"content":"A","status":"completed"},{"content":"B","status":"in_progress"},{"content":"C","status":"pending"}]`,
			"1 [pending] N: 2 - -\n" + a + b + c, ""},
		{"an id that is not there is another todo", `[{"content":"A","status":"completed"},{"id":"n","content":"N","status":"in_progress"},{"content":"C","status":"pending"}]`,
			a + "n [in_progress] N: 2 2 -\n" + c, "b [in_progress] B: dropped at 2"},
		{"what is completed comes back under no other name", `[{"id":"a","content":"N","status":"pending"},{"content":"B","status":"in_progress"},{"content":"C","status":"pending"}]`,
			"a [pending] N: 2 - -\n" + b + c, "a [completed] A: finished at 2"},
		{"nor without an id", `[{"content":"N","status":"pending"},{"content":"B"},{"content":"C"}]`,
			"1 [pending] N: 2 - -\n" + b + c, "a [completed] A: finished at 2"},
		{"by position, with a status that was not said", `["A","B again","C"]`, a + "b [pending] B again: 1 1 -, low, read_file\n" + c, ""},
		{"by position, about something else", `["A","N","C"]`, a + "2 [pending] N: 2 - -\n" + c, "b [in_progress] B: dropped at 2"},
		{"by id, about something else", `[{"id":"a","content":"A","status":"completed"},{"id":"b","content":"N"},{"id":"c","content":"C"}]`,
			a + "b [pending] N: 2 - -\n" + c, "b [in_progress] B: dropped at 2"},
		{"by text before the id", `[{"id":"b","content":"A","status":"completed"},{"id":"a","content":"B"},{"id":"c","content":"C"}]`,
			"b [completed] A: 1 - 1 < a.1 [pending] S < a.2 [pending] T, run\na [in_progress] B: 1 1 -, low, read_file\n" + c, ""},
		{"the same but for case and spaces", `["a.", " b ", "C!"]`,
			"a [completed] a.: 1 - 1 < a.1 [pending] S < a.2 [pending] T, run\nb [in_progress] b: 1 1 -, low, read_file\nc [pending] C!: 1 - -", ""},
		{"what leaves is not known by position", `[{"content":"A"},{"content":"N","status":"deleted"},{"content":"C"}]`, a + c, "b [in_progress] B: dropped at 2"},
		{"left out", `[{"content":"C","status":"in_progress"}]`, "c [in_progress] C: 1 2 -\n", "a [completed] A: finished at 2\nb [in_progress] B: dropped at 2"},
		{"cancelled", `[{"content":"A","status":"completed"},{"content":"B","status":"cancelled"},{"content":"C","status":"pending"}]`, a + c, "b [in_progress] B: cancelled at 2"},
		{"deleted", `[{"content":"A","status":"completed"},{"content":"B","status":"deleted"},{"content":"C","status":"pending"}]`, a + c, ""},
		{"reopened", `[{"content":"A","status":"in_progress"},{"content":"B","status":"pending"},{"content":"C","status":"pending"}]`,
			"a [in_progress] A: 1 2 - < a.1 [pending] S < a.2 [pending] T, run\nb [pending] B: 1 1 -, low, read_file\n" + c, ""},
		{"subtasks", `[{"content":"A","status":"completed","subtasks":[{"content":"T","status":"completed"},"N","S"]},{"content":"B"},{"content":"C"}]`,
			"a [completed] A: 1 - 1 < a.2 [completed] T, run < a.3 [pending] N < a.1 [pending] S\n" + b + c, ""},
		{"no subtasks", `[{"content":"A","status":"completed","subtasks":[]},{"content":"B"},{"content":"C"}]`, "a [completed] A: 1 - 1\n" + b + c, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := begin(t)
			w := s.write(tt.todos)
			s.expect("stored", tt.want, times(s.list().Items))
			s.expect("past", tt.past, past(s.list()))
			s.expect("new", tt.want, times(w.New))
			for _, it := range s.list().Items {
				if it.Content == "C" && it.Task != 12 {
					t.Errorf("C lost its task")
				}
			}
		})
	}
}

func TestWriteOneInProgress(t *testing.T) {
	s := newSession(t)
	w := s.write(`[{"content":"A","status":"in_progress"},{"content":"B","status":"in_progress"},{"content":"C","status":"in_progress","subtasks":[{"content":"S","status":"doing"},{"content":"T","status":"doing"}]}]`)
	s.expect("new", "1 [pending] A: 1 - -\n2 [pending] B: 1 - -\n3 [in_progress] C: 1 1 - < 3.1 [pending] S < 3.2 [in_progress] T", times(w.New))
	s.expect("notes", `Only one todo can be in progress: "A" and "B" became pending.`, strings.Join(w.Notes, "\n"))

	w = s.merge(`[{"id":"1","status":"in_progress"}]`)
	s.expect("merged", "1 [in_progress] A: 1 2 -\n2 [pending] B: 1 - -\n3 [pending] C: 1 1 - < 3.1 [pending] S < 3.2 [in_progress] T", times(w.New))
	s.expect("notes", `Only one todo can be in progress: "C" became pending.`, strings.Join(w.Notes, "\n"))
	s.expect("diff", "1 started, 1 set back", w.Diff.String())

	w = s.merge(`[{"id":"3","status":"in_progress"},{"id":"2","status":"in_progress"}]`)
	s.expect("notes", `Only one todo can be in progress: "A" and "C" became pending.`, strings.Join(w.Notes, "\n"))
}

func TestMerge(t *testing.T) {
	s := newSession(t)
	s.write(`[{"id":"a","content":"A","status":"in_progress","activeForm":"Doing A","priority":"high"},{"id":"b","content":"B","status":"pending"}]`)
	w := s.merge(`[{"id":"b","status":"blocked"},{"id":"n","content":"N"},{"content":"M","status":"pending"},{"content":"A","status":"completed"}]`)
	s.expect("new", "a [completed] A: 1 1 2, high\nb [pending] B: 1 - -\nn [pending] N: 2 - -\n4 [pending] M: 2 - -", times(w.New))
	if it := w.New[0]; it.ActiveForm != "Doing A" {
		t.Errorf("the active form became %q", it.ActiveForm)
	}
	if !w.New[1].Blocked {
		t.Error("B is not blocked")
	}
	other := newSession(t)
	other.write(`["A"]`)
	s.expect("same text, another id", "1 added", other.merge(`[{"id":"2","content":"A"}]`).Diff.String())
	if s.merge(`[{"id":"b","priority":"low"}]`); !s.list().Items[1].Blocked {
		t.Error("B lost its mark by a merge that says nothing about its status")
	}
	w = s.merge(`[{"id":"b","content":"B again","status":"in_progress"},{"id":"n","status":"cancelled"},{"id":"4","status":"deleted"}]`)
	s.expect("new", "a [completed] A: 1 1 2, high\nb [in_progress] B again: 1 4 -, low", times(w.New))
	if it := w.New[1]; it.ActiveForm != "B again" || it.Blocked {
		t.Errorf("B is %+v", it)
	}
	s.expect("past", "n [pending] N: cancelled at 4", past(s.list()))
	s.expect("diff", "1 started, 2 removed", w.Diff.String())
	s.expect("nothing", "", s.merge(`[]`).Diff.String())
	w = s.merge(`[{"id":"b","status":"done"}]`)
	s.expect("stored", "", times(s.list().Items))
	s.expect("new", "a [completed] A: 1 1 2, high\nb [completed] B again: 1 4 6, low", times(w.New))
}

func TestWriteFaultsChangeNothing(t *testing.T) {
	s := newSession(t)
	s.write(`[{"id":"a","content":"A","status":"in_progress"},{"content":"B","status":"pending"}]`)
	before := s.list()
	var full strings.Builder
	for i := range todo.MaxItems {
		fmt.Fprintf(&full, "- N%d\n", i)
	}
	fullJSON, _ := json.Marshal(full.String())
	for _, tt := range []struct {
		name, todos string
		merge       bool
		want        string
	}{
		{"a fault in a rewrite", `[{"content":"N"},{"content":""}]`, false, "todos.1.content: must not be blank"},
		{"an unknown id", `[{"id":"a","status":"done"},{"id":"x","status":"done"}]`, true, `todos.1.content: is required, because there is no todo "x": there is "a" and "2"`},
		{"too many", string(fullJSON), true, `todos: has 202 todos, and a list holds at most 200: plan the next steps, and keep the rest as tasks`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.try(tt.todos, tt.merge)
			if err == nil || err.Error() != "Invalid todo data: "+tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if !errors.Is(err, pawl.Invalid) {
				t.Errorf("%v is not of kind Invalid", err)
			}
			if diff := cmp.Diff(before, s.list()); diff != "" {
				t.Errorf("the list changed:\n%s", diff)
			}
		})
	}
}

// A draft need not come from Decode.
func TestWriteChecksDrafts(t *testing.T) {
	s := newSession(t)
	ctx := context.Background()
	ours := todo.Item{Content: "A", Task: 12, ToolCalls: []todo.ToolCall{{ID: "t", Name: "run"}}, CreatedAt: s.now.Add(-time.Hour), StartedAt: s.now}
	w, err := s.Write(ctx, key, todo.Draft{Items: []todo.DraftItem{{Item: ours}}}, todo.Writing{Project: "/p"})
	must.Do(t, err)
	s.expect("new", "1 [pending] A: 0 - -", times(w.New))
	if w.New[0].Task != 0 {
		t.Error("the draft gave the todo a task")
	}
	if got := s.list().Project; got != "/p" {
		t.Errorf("the project is %q", got)
	}
	_, err = s.Write(ctx, key, todo.Draft{Items: []todo.DraftItem{
		{Item: todo.Item{Status: "x", Priority: "y", Subtasks: []todo.Subtask{{Content: "\x00"}}}},
	}}, todo.Writing{})
	s.expect("error", `Invalid todo data: todos.0.content: is required; todos.0.status: "x" is not a status: use pending, in_progress or completed; `+
		`todos.0.priority: "y" is not a priority: use high, medium or low; todos.0.subtasks.0.content: is not text: it holds a NUL or bytes that are not UTF-8`, fmt.Sprint(err))
}

func TestWriteSameAgain(t *testing.T) {
	s := newSession(t)
	const todos = `[{"content":"A","status":"completed"},{"content":"B","status":"in_progress"},{"content":"C","status":"cancelled"},{"content":"D","status":"blocked","subtasks":["S"]}]`
	s.write(todos)
	before := s.list()
	w := s.write(todos)
	if diff := cmp.Diff(before, s.list()); diff != "" {
		t.Errorf("the same again changed the list:\n%s", diff)
	}
	if w.Diff.String() != "" {
		t.Errorf("the diff says %s", w.Diff)
	}
}

// A pause ends with the list, however that ends.
func TestPauseEndsWithList(t *testing.T) {
	for name, todos := range map[string]string{"done": `[{"content":"A","status":"completed"}]`, "cleared": `[]`} {
		s := newSession(t)
		s.write(`["A"]`)
		must.Do(t, errOf(s.Pause(context.Background(), key, "", "no access")))
		s.write(todos)
		if l := s.list(); l.Pause != nil {
			t.Errorf("%s: paused: %s", name, l.Pause.Reason)
		}
	}
}

// A pause ends with the user's prompt, and the next answer tells of edits.
func TestWriteLeavesTheRest(t *testing.T) {
	s := newSession(t)
	s.write(`["A"]`)
	must.Do(t, errOf(s.Pause(context.Background(), key, "", "no access")))
	s.change(func(l *todo.List) { l.News = []string{"A person did something."} })
	s.write(`["A","B"]`)
	if l := s.list(); l.Pause == nil || len(l.News) != 1 {
		t.Errorf("pause %v, news %v", l.Pause, l.News)
	}
}

// An agent that does not know what a person added cannot mean it.
func TestWriteOverPersonsTodo(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","status":"in_progress"}]`)
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{By: "A person"}, todo.Add{Content: "Tell the others"})))
	w := s.write(`["A","B"]`)
	s.expect("new", "1 [in_progress] A: 1 1 -\n2 [pending] B: 2 - -", times(w.New))
	s.expect("past", "user-1 [pending] Tell the others: dropped at 2", past(s.list()))
	s.expect("notes", `Left out of this list, and added by a person: "Tell the others". Add what is still wanted again.`, strings.Join(w.Notes, "\n"))

	s.write(`["A"]`)
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{By: "A person"}, todo.Add{Content: "Again"})))
	must.Do(t, errOf(s.TakeNews(context.Background(), key)))
	if w := s.write(`["A"]`); len(w.Notes) > 0 {
		t.Errorf("an agent that was told gets the notes %q", w.Notes)
	}
}

// A position alone makes no todo of another one.
func TestWriteByPosition(t *testing.T) {
	const same, other = true, false
	for _, tt := range []struct {
		name, was, is string
		same          bool // the first todo is the one that it was
	}{
		{"most words", `["Fix the login bug"]`, `["Repair the LOGIN bug"]`, same},
		{"a shared word", `["Fix the login bug"]`, `["LOGIN: repair"]`, other},
		{"a shared verb", `["Add tests"]`, `["Add a login"]`, other},
		{"a shared thing", `["Write tests"]`, `["Run tests"]`, other},
		{"no shared word", `["Fix bug"]`, `["Quite another thing","Z"]`, other},
		{"words that all texts share", `["Fix the bug"]`, `["Write the docs","Z"]`, other},
		{"short words", `["Go on to it"]`, `["Go to bed","Z"]`, other},
		{"one thing for another", `["Fix bug"]`, `["Deploy"]`, other},
		{"the others are known", `["Fix bug","Deploy"]`, `["Repair it","Deploy"]`, other},
		{"the others are known by id", `[{"content":"Fix bug"},{"id":"d","content":"Deploy"}]`, `[{"content":"Repair it"},{"id":"d","content":"Ship"}]`, other},
		{"there are more", `["Fix bug","Deploy"]`, `["Repair it","Deploy","Rest"]`, other},
		{"no spaces", `["修复登录错误"]`, `["修正登录错误"]`, same},
		{"no spaces, and little shared", `["修复登录错误"]`, `["登录问题"]`, other},
		{"one character", `["修复登录错误"]`, `["修车"]`, other},
		{"syllables", `["로그인 오류 고치기"]`, `["로그인 오류 고침"]`, same},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t)
			s.write(tt.was)
			s.change(func(l *todo.List) {
				l.Items[0].Priority, l.Items[0].Task = todo.High, 1
				l.Items[0].Subtasks = []todo.Subtask{{ID: "1.1", Content: "S", Status: todo.Pending}}
			})
			it := s.write(tt.is).New[0]
			if got := it.Priority == todo.High && len(it.Subtasks) == 1 && at(it.CreatedAt) == "1"; got != tt.same {
				t.Errorf("it became %+v", it)
			}
			if (it.Task != 0 || len(it.Subtasks) > 0) != tt.same {
				t.Errorf("%s of %s is %+v", it.Content, tt.was, it)
			}
		})
	}
}

// An agent is shown no ids, so it counts.
func TestWriteCountsIDs(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"Alpha","subtasks":["S"]},"Beta"]`)
	w := s.write(`["Beta","Alpha"]`)
	s.expect("swapped", "1 [pending] Beta: 1 - -\n2 [pending] Alpha: 1 - - < 2.1 [pending] S", times(w.New))
	s.expect("diff", "", w.Diff.String())
	w = s.merge(`[{"id":"1","status":"completed"}]`)
	s.expect("merged", "1 [completed] Beta: 1 - 3\n2 [pending] Alpha: 1 - - < 2.1 [pending] S", times(w.New))
	s.expect("cancelled ones do not count", "1 [pending] Alpha: 1 - - < 1.1 [pending] S",
		times(s.write(`[{"content":"Beta","status":"cancelled"},"Alpha"]`).New))

	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{By: "A person"}, todo.Add{At: "1", Content: "Ask"})))
	s.expect("a person's", "1 [pending] Ask: 4 - -\n2 [pending] Alpha: 1 - - < 2.1 [pending] S", times(s.write(`["Ask","Alpha"]`).New))
	s.expect("a new one", "1 [pending] Ask: 4 - -\n2 [pending] Alpha: 1 - - < 2.1 [pending] S\n3 [pending] New: 6 - -", times(s.merge(`["New"]`).New))
	s.write(`[{"id":"n","content":"New"},"Ask"]`)
	s.expect("a name stays", "n [pending] New: 6 - -\n2 [pending] Ask: 4 - -", times(s.write(`["New","Ask"]`).New))
	s.expect("a number that another was given", "2 [pending] Ask: 4 - -\n1 [pending] First: 9 - -", times(s.write(`["Ask",{"id":"1","content":"First"}]`).New))
}

// What a person did, and an agent that does not know of it undoes, is said.
func TestWriteOverPersonsMark(t *testing.T) {
	s := newSession(t)
	s.write(`["Zero","Ask","Build","Clean","Dust"]`)
	s.write(`[{"content":"Zero","status":"completed"},"Ask","Build","Clean","Dust"]`)
	s.now = s.now.Add(time.Minute)
	for _, edit := range []todo.Edit{todo.Set{At: []string{"2", "3"}, Status: todo.Completed}, todo.Remove{At: []string{"4"}}} {
		must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{By: "A person"}, edit)))
	}
	w := s.write(`[{"content":"Zero","status":"pending"},{"content":"Ask","status":"pending"},{"content":"Build","status":"completed"},{"content":"Clean","status":"in_progress"},"Dust"]`)
	s.expect("the write wins", "1 [pending] Zero: 1 - -\n2 [pending] Ask: 1 - -\n3 [completed] Build: 1 - 3\n4 [in_progress] Clean: 4 4 -\n5 [pending] Dust: 1 - -", times(w.New))
	s.expect("notes", `"Ask", which a person marked completed, is open again in your list.`+"\n"+`"Clean", which a person removed, is in your list again.`, strings.Join(w.Notes, "\n"))

	s.now = s.now.Add(time.Minute)
	must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{By: "A person"}, todo.Set{At: []string{"all"}, Status: todo.Completed})))
	w = s.write(`[{"content":"Ask","status":"pending"}]`)
	s.expect("a list that a person finished", `"Ask", which a person marked completed, is open again in your list.`, strings.Join(w.Notes, "\n"))
	must.Do(t, errOf(s.TakeNews(context.Background(), key)))
	s.write(`[{"content":"Ask","status":"completed"},"Rest"]`)
	if w := s.write(`[{"content":"Ask","status":"pending"},"Rest"]`); len(w.Notes) > 0 {
		t.Errorf("an agent that was told gets the notes %q", w.Notes)
	}
}

// The lists that Claude Code and Codex really wrote (captured payloads of their
// hooks).
func TestWriteOfRealAgents(t *testing.T) {
	text, err := os.ReadFile("testdata/agents.jsonl")
	must.Do(t, err)
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		var session struct {
			Agent  string            `json:"agent"`
			Writes []json.RawMessage `json:"writes"`
			Last   string            `json:"last"`
			Past   int               `json:"past"`
		}
		must.Do(t, json.Unmarshal([]byte(line), &session))
		t.Run(session.Agent, func(t *testing.T) {
			s := newSession(t)
			var w todo.Written
			for _, todos := range session.Writes {
				w = s.write(string(todos))
			}
			s.expect("new", session.Last, times(w.New))
			if got := len(s.list().Past); got != session.Past {
				t.Errorf("%d todos are remembered, want %d", got, session.Past)
			}
		})
	}
	if n == 0 {
		t.Error("no session was found")
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
