package nudge

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// What moves the work, and what only looks like it.
func TestProgress(t *testing.T) {
	facts := func(change func(*Facts)) Facts {
		f := Facts{
			List: todo.List{Items: []todo.Item{
				{ID: "1", Content: "Read", Status: todo.Completed, Priority: todo.High},
				{ID: "2", Content: "Write", Status: todo.InProgress, Subtasks: []todo.Subtask{{ID: "1", Content: "Half", Status: todo.Pending}}},
				{ID: "3", Content: "Test", Status: todo.Pending},
			}},
			Owned: []pawl.Task{{ID: 12, Subject: "Ship", CreatedAt: time.Unix(1, 0), OpenChildren: 2}, {ID: 13, CreatedAt: time.Unix(2, 0)}},
		}
		change(&f)
		return f
	}
	before := sum(facts(func(*Facts) {}))
	for name, change := range map[string]func(*Facts){
		"a status":              func(f *Facts) { f.List.Items[2].Status = todo.InProgress },
		"a todo less":           func(f *Facts) { f.List.Items = f.List.Items[1:] },
		"a todo more":           func(f *Facts) { f.List.Items = append(f.List.Items, todo.Item{Content: "Test", Status: todo.Pending}) },
		"another todo":          func(f *Facts) { f.List.Items[2].Content = "Ship" },
		"a subtask":             func(f *Facts) { f.List.Items[1].Subtasks[0].Status = todo.Completed },
		"a todo that waits":     func(f *Facts) { f.List.Items[2].Blocked = true },
		"a task less":           func(f *Facts) { f.Owned = f.Owned[:1] },
		"a task more":           func(f *Facts) { f.Owned = append(f.Owned, pawl.Task{ID: 14}) },
		"another task, same id": func(f *Facts) { f.Owned[0].CreatedAt = time.Unix(3, 0) },
		"a child done":          func(f *Facts) { f.Owned[0].OpenChildren = 1 },
	} {
		if sum(facts(change)) == before {
			t.Errorf("%s is no progress", name)
		}
	}
	for name, change := range map[string]func(*Facts){
		"the order": func(f *Facts) {
			f.List.Items[0], f.List.Items[2] = f.List.Items[2], f.List.Items[0]
			f.Owned[0], f.Owned[1] = f.Owned[1], f.Owned[0]
		},
		"ids":          func(f *Facts) { f.List.Items[0].ID, f.List.Items[2].ID = "3", "1" },
		"a priority":   func(f *Facts) { f.List.Items[0].Priority = todo.Low },
		"a tool call":  func(f *Facts) { f.List.Items[1].ToolCalls = []todo.ToolCall{{Name: "bash"}} },
		"the form":     func(f *Facts) { f.List.Items[1].ActiveForm = "Writing" },
		"a note":       func(f *Facts) { f.Notes = []pawl.Note{{Text: "hm"}} },
		"a new lease":  func(f *Facts) { f.Owned[0].Claim.Until = time.Unix(9, 0) },
		"ready tasks":  func(f *Facts) { f.Ready = []pawl.Task{{ID: 20}} },
		"a later time": func(f *Facts) { f.List.UpdatedAt = time.Unix(9, 0) },
	} {
		if sum(facts(change)) != before {
			t.Errorf("%s is progress", name)
		}
	}
}

// What an agent goes on with, and in which words.
func TestCurrent(t *testing.T) {
	todos := func(items ...todo.Item) Facts { return Facts{List: todo.List{Items: items}} }
	pending, started := todo.Item{Content: "A", Status: todo.Pending}, todo.Item{Content: "B", Status: todo.InProgress}
	waits, done := todo.Item{Content: "C", Status: todo.Pending, Blocked: true}, todo.Item{Content: "D", Status: todo.Completed}
	linked := todo.Item{Content: "E", Status: todo.Pending, Task: 12}
	owned := []pawl.Task{{ID: 12, Subject: "Ship"}}
	with := func(f Facts, tasks []pawl.Task) Facts { f.Owned = tasks; return f }
	for _, c := range []struct {
		name         string
		facts        Facts
		want, counts string
	}{
		{"in progress first", todos(pending, started), "B", "2 todos"},
		{"then the first pending one", todos(done, waits, pending, linked), "A", "2 todos"},
		{"a task when there is no todo", with(todos(done, waits), owned), "#12 Ship", "1 task"},
		{"both", with(todos(pending), owned), "A", "1 todo and 1 task"},
		{"a task that is in the list counts once", with(todos(linked), owned), "E", "1 todo"},
		{"a task that waits", with(todos(), []pawl.Task{{ID: 12, BlockedBy: []pawl.ID{3}}, {ID: 13, Hold: &pawl.Hold{}}}), "", ""},
		{"nothing", todos(done, waits), "", ""},
	} {
		l := remaining(c.facts)
		if l.none() != (c.want == "") {
			t.Errorf("%s: none is %t", c.name, l.none())
		} else if !l.none() && (l.current() != c.want || l.counts() != c.counts) {
			t.Errorf("%s: %q, %q", c.name, l.current(), l.counts())
		}
	}
}
