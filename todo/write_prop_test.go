package todo

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// wrong tells what of a list no todo list may be.
func wrong(items []Item) error {
	ids, current := map[string]bool{}, 0
	for _, it := range items {
		if it.ID == "" || ids[it.ID] {
			return fmt.Errorf("the id %q is empty or given twice", it.ID)
		}
		ids[it.ID] = true
		if it.Status == InProgress {
			current++
		}
		c := checker{}
		c.item(0, &DraftItem{Item: it})
		c.subtasks("todos.0.subtasks", it.Subtasks)
		if err := c.err(); err != nil || it.Status == "" || it.Priority == "" || it.ActiveForm == "" {
			return fmt.Errorf("%+v: %w", it, err)
		}
		subs := map[string]bool{}
		for _, sub := range it.Subtasks {
			if sub.ID == "" || subs[sub.ID] || sub.Status == "" {
				return fmt.Errorf("the subtask id %q is empty or given twice, or its status %q", sub.ID, sub.Status)
			}
			subs[sub.ID] = true
		}
	}
	if current > 1 {
		return fmt.Errorf("%d todos are in progress", current)
	}
	return nil
}

// drawTodo is a todo as an agent might give it; few texts and ids, so that they
// meet again.
func drawTodo(t *rapid.T) map[string]any {
	todo := map[string]any{"content": rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"}).Draw(t, "content")}
	for _, field := range []struct {
		key    string
		values []string
	}{
		{"id", []string{"", "", "1", "2", "3", "x"}},
		{"status", []string{"", "pending", "in_progress", "in_progress", "completed", "completed", "cancelled", "deleted", "blocked"}},
		{"priority", []string{"", "", "high", "low"}},
		{"subtasks", []string{"", "", "- S\n- [x] T", "- T\n- U\n- S"}},
	} {
		if value := rapid.SampledFrom(field.values).Draw(t, field.key); value != "" {
			todo[field.key] = value
		}
	}
	return todo
}

// Whatever is written: one in progress, no id twice, nothing lost, and the same
// again changes nothing.
func TestWriteHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, now := &single{}, time.UnixMilli(0).UTC()
		service := New(store, func() time.Time { return now })
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			now = now.Add(time.Minute)
			given := rapid.SliceOfN(rapid.Custom(drawTodo), 0, 6).Draw(t, "todos")
			merge := rapid.Bool().Draw(t, "merge")
			text, err := json.Marshal(given)
			must.Do(t, err)
			draft, err := Decode(text, merge)
			if err != nil {
				if !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "already") {
					t.Fatal(err)
				}
				continue // an id twice
			}
			before := store.list.Clone()
			w, err := service.Write(t.Context(), Key{}, draft, Writing{Merge: merge})
			must.Do(t, err)
			if same, _ := Decode(text, merge); !cmp.Equal(same, draft) {
				t.Fatalf("the draft was changed:\n%s", cmp.Diff(same, draft))
			}
			after := store.list.Clone()
			for _, err := range []error{wrong(w.New), wrong(after.Items)} {
				must.Do(t, err)
			}
			if done := !slices.ContainsFunc(w.New, func(it Item) bool { return it.Open() }); done != (len(after.Items) == 0) {
				t.Fatalf("of the new list\n%s this is stored:\n%s", brief(w.New), brief(after.Items))
			}
			nothingLost(t, &before, &after, w, draft)

			if merge && slices.ContainsFunc(draft.Items, func(it DraftItem) bool { return it.Leave != "" }) {
				continue // the next todo of that text leaves
			}
			if len(after.Items) == 0 && slices.ContainsFunc(draft.Items, func(it DraftItem) bool { return !it.Said.Status }) {
				continue // what followed a completed todo begins again
			}
			must.Do(t, errOf(service.Write(t.Context(), Key{}, draft, Writing{Merge: merge})))
			if diff := cmp.Diff(after, store.list); diff != "" {
				t.Fatalf("the same again (merge %v) changed the list:\n%s", merge, diff)
			}
		}
	})
}

// What Write returns is the caller's, each part on its own.
func TestWriteReturnsCopies(t *testing.T) {
	store := &single{}
	service := New(store, func() time.Time { return time.UnixMilli(0) })
	for i, todos := range []string{
		`[{"content":"A","subtasks":["S"]},{"content":"B","subtasks":["S"]},{"content":"C","subtasks":["S"]}]`,
		`[{"content":"A"},{"content":"B","status":"cancelled"},{"content":"N","subtasks":["S"]}]`,
		`[{"content":"A","status":"doing"}]`,
		`["A","N"]`,
		`[{"content":"A","status":"done"},{"content":"N","status":"done"}]`,
	} {
		merge := i == 2
		draft, err := Decode([]byte(todos), merge)
		must.Do(t, err)
		w, err := service.Write(t.Context(), Key{}, draft, Writing{Merge: merge})
		must.Do(t, err)
		var past []Item
		for _, p := range w.List.Past {
			past = append(past, p.Item)
		}
		before, all := store.list.Clone(), [][]Item{w.Old, w.New, w.List.Items, past, w.Diff.Added, w.Diff.Removed}
		for i, items := range all {
			for _, it := range items {
				for s := range it.Subtasks {
					if it.Subtasks[s].Content != "S" {
						t.Errorf("part %d of what became of %s shares memory with one before", i, todos)
					}
					it.Subtasks[s].Content = fmt.Sprint("changed by ", i)
				}
			}
		}
		if diff := cmp.Diff(before, store.list); diff != "" {
			t.Errorf("the stored list changed:\n%s", diff)
		}
	}
}

// nothingLost looks for every todo of the old list, and for its creation.
func nothingLost(t *rapid.T, before, after *List, w Written, draft Draft) {
	if len(w.Old)-len(w.Diff.Removed)+len(w.Diff.Added) != len(w.New) {
		t.Fatalf("of %d todos %d were removed and %d added, and now there are %d", len(w.Old), len(w.Diff.Removed), len(w.Diff.Added), len(w.New))
	}
	created := func(items []Item) map[time.Time]int {
		n := map[time.Time]int{}
		for _, it := range items {
			n[it.CreatedAt]++
		}
		return n
	}
	removed, is := created(w.Diff.Removed), created(w.New)
	for at, n := range created(before.Items) {
		if is[at] < n-removed[at] {
			t.Fatalf("of %d todos of %v %d were removed, and %d are there", n, at, removed[at], is[at])
		}
	}
	deleted := 0
	for _, it := range draft.Items {
		if it.Leave == Deleted {
			deleted++
		}
	}
	past := slices.Clone(after.Past)
	for _, it := range w.Diff.Removed {
		if i := slices.IndexFunc(past, func(p Past) bool { return p.Item.CreatedAt.Equal(it.CreatedAt) }); i >= 0 {
			past = slices.Delete(past, i, i+1)
		} else {
			deleted--
		}
	}
	if deleted < 0 {
		t.Fatalf("todos were lost: of\n%s\nthere are\n%s\nand %d are remembered", brief(w.Old), brief(w.New), len(after.Past))
	}
}

// A list that was written as JSON is read as it was, but for what only Pawl sets.
func TestDecodeOfItems(t *testing.T) {
	texts := rapid.OneOf(rapid.SampledFrom([]string{"A", "- [ ] a", "[1]", "{}", "in_progress", "<b>&\u2028", "two\nlines", "\"'\\"}), rapid.StringOfN(rapid.Rune(), 1, 20, -1)).
		Filter(func(s string) bool { return strings.TrimSpace(s) == s && !strings.ContainsRune(s, 0) })
	status := rapid.SampledFrom([]Status{Pending, InProgress, Completed})
	rapid.Check(t, func(t *rapid.T) {
		want := []Item{}
		for i := range rapid.IntRange(0, 6).Draw(t, "n") {
			it := Item{
				ID: fmt.Sprint(rapid.SampledFrom([]string{"", "x-", "#"}).Draw(t, "id"), i), Content: texts.Draw(t, "content"), Status: status.Draw(t, "status"),
				Priority: rapid.SampledFrom([]Priority{High, Medium, Low}).Draw(t, "priority"), ActiveForm: texts.Draw(t, "active form"),
			}
			it.Blocked = it.Status == Pending && rapid.Bool().Draw(t, "blocked")
			for s := range rapid.IntRange(0, 3).Draw(t, "subtasks") {
				it.Subtasks = append(it.Subtasks, Subtask{ID: fmt.Sprint("s", s), Content: texts.Draw(t, "subtask"), Status: status.Draw(t, "its status")})
			}
			want = append(want, it)
		}
		given := CloneItems(want)
		for i := range given {
			given[i].Task, given[i].CreatedAt = 12, time.UnixMilli(1)
			given[i].ToolCalls = []ToolCall{{ID: "t", Name: "x"}}
		}
		text, err := json.Marshal(given)
		must.Do(t, err)
		for _, text := range [][]byte{text, []byte(inJSON(string(text))), fmt.Appendf(nil, `{"todos":%s}`, text)} {
			draft, err := Decode(text, false)
			must.Do(t, err)
			got := []Item{}
			for _, it := range draft.Items {
				got = append(got, it.Item)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, todos := range []string{
		`[{"id":1,"content":"A","status":"done","subtasks":[{"content":"S","children":["T"]}]},"- [x] B",{"status":"x"}]`,
		`{"todos":"[{'content': 'A\\'s', 'status': None, 'x': (1,)}]"}`,
		"# Plan\n- [x] A\n  - [ ] S\n    goes on\nnoise\n1. [→] ← current B\n",
		`[{"content":"A","status":"cancelled","priority":"P0","blocked":true,"done":false}]`,
		inJSON("```json\n[\"A\"]\n```"), `"\u0000"`, "null", "[[[[", `{"plan":{"items":{"list":[]}}}`,
	} {
		f.Add([]byte(todos), false)
		f.Add([]byte(todos), true)
	}
	f.Fuzz(func(t *testing.T, todos []byte, merge bool) {
		draft, err := Decode(todos, merge)
		if err != nil {
			if fault, ok := errors.AsType[*pawl.Error](err); !ok || fault.Kind != pawl.Invalid || len(fault.Faults) > maxFaults+1 {
				t.Fatalf("the error is %#v", err)
			}
			return
		}
		service := New(&single{}, func() time.Time { return time.UnixMilli(0) })
		w, err := service.Write(t.Context(), Key{}, draft, Writing{Merge: merge})
		if err != nil {
			if merge {
				return // it may change what is not there
			}
			t.Fatalf("what Decode accepts, Write refuses: %v", err)
		}
		must.Do(t, wrong(w.New))
		again, err := json.Marshal(w.New)
		must.Do(t, err)
		if len(again) > MaxInput {
			return
		}
		draft, err = Decode(again, false)
		if err != nil {
			t.Fatalf("%s\n%v", again, err)
		}
		var items []Item
		for _, it := range draft.Items {
			items = append(items, it.Item)
		}
		if got, want := brief(items), brief(w.New); got != want {
			t.Fatalf("read again it is\n%s\nand was\n%s", got, want)
		}
	})
}

// A merge that says again which todo is done, while subtasks are not, changes nothing: the
// first one set both todos back, and the second completed this one.
func TestMergeAgainWithOpenSubtasks(t *testing.T) {
	store := &single{}
	service := New(store, func() time.Time { return time.UnixMilli(0) })
	write := func(text string, merge bool) {
		t.Helper()
		draft, err := Decode([]byte(text), merge)
		if err == nil {
			_, err = service.Write(t.Context(), Key{}, draft, Writing{Merge: merge})
		}
		must.Do(t, err)
	}
	write(`[{"content":"A","status":"completed","subtasks":"- S"},{"content":"B"}]`, false)
	for range 2 {
		write(`[{"content":"B","status":"completed","subtasks":"- S"}]`, true)
		if a, b := store.list.Items[0].Status, store.list.Items[1].Status; a != Pending || b != Completed {
			t.Errorf("A is %s, B is %s", a, b)
		}
	}
}
