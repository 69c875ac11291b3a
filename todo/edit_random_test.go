package todo_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// TestRandomEdits holds whatever people do to what a list always is, and sees to
// it that each change can be taken back, and done again.
func TestRandomEdits(t *testing.T) {
	position := rapid.OneOf(
		rapid.SampledFrom([]string{"last", "all", "last.last", "1.all", "1-last", "0", "", "x"}),
		rapid.Map(rapid.IntRange(1, 6), func(n int) string { return fmt.Sprint(n) }),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%d.%d", rapid.IntRange(1, 4).Draw(t, "item"), rapid.IntRange(1, 3).Draw(t, "subtask"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%d-%d", rapid.IntRange(1, 4).Draw(t, "from"), rapid.IntRange(1, 5).Draw(t, "to"))
		}),
	)
	positions := rapid.SliceOfN(position, 1, 3)
	status := rapid.SampledFrom([]todo.Status{todo.Pending, todo.InProgress, todo.Completed})
	content := rapid.SampledFrom([]string{"Plan", "Write tests", "Run", " ", "a\nb"})
	edit := rapid.Custom(func(t *rapid.T) todo.Edit {
		switch rapid.IntRange(0, 11).Draw(t, "edit") {
		case 0, 1, 2, 3:
			return todo.Add{At: position.Draw(t, "at"), Content: content.Draw(t, "content")}
		case 4, 5, 6:
			return todo.Set{At: positions.Draw(t, "at"), Status: status.Draw(t, "status")}
		case 7:
			return todo.Reword{At: position.Draw(t, "at"), Content: content.Draw(t, "content")}
		case 8:
			return todo.Reorder{From: position.Draw(t, "from"), To: position.Draw(t, "to")}
		case 9:
			return todo.Remove{At: positions.Draw(t, "at")}
		case 10:
			return todo.Revert{}
		default:
			return todo.Clear{}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
		s := todo.New(todomem.New(), func() time.Time { now = now.Add(time.Second); return now })
		key, ctx := todo.Key{Session: "s1"}, context.Background()
		read := func() todo.List {
			list, err := s.Read(ctx, key)
			must.Do(t, err)
			return list
		}
		do := func(edits ...todo.Edit) (todo.Edited, error) {
			return s.Edit(ctx, key, todo.Editing{By: "A person"}, edits...)
		}
		t.Repeat(map[string]func(*rapid.T){
			"edit": func(t *rapid.T) {
				before := read()
				edits := rapid.SliceOfN(edit, 1, 3).Draw(t, "edits")
				edited, err := do(edits...)
				after := read()
				if err != nil || !edited.Changed {
					if diff := cmp.Diff(before, after); diff != "" {
						t.Fatalf("%v changed nothing (%v), and yet (-before +after):\n%s", edits, err, diff)
					}
					return
				}
				if len(after.News) == 0 {
					t.Fatalf("%v: the agent is told nothing", edits)
				}
				must.Do(t, errOf(do(todo.Revert{})))
				if diff := cmp.Diff(before.Items, read().Items); diff != "" {
					t.Fatalf("%v, taken back (-before +after):\n%s", edits, diff)
				}
				must.Do(t, errOf(do(todo.Revert{})))
				if diff := cmp.Diff(after.Items, read().Items); diff != "" {
					t.Fatalf("%v, done again (-first +then):\n%s", edits, diff)
				}
			},
			"": func(t *rapid.T) {
				list := read()
				running, ids := 0, map[string]bool{}
				for _, item := range list.Items {
					if item.Status == todo.InProgress {
						running++
					}
					if ids[item.ID] || item.Content == "" {
						t.Fatalf("there is a second %q, or a blank one", item.ID)
					}
					ids[item.ID] = true
					inside := map[string]bool{}
					for _, sub := range item.Subtasks {
						if inside[sub.ID] || sub.Status == todo.InProgress && item.Status != todo.InProgress || sub.Status != todo.Completed && !item.Open() {
							t.Fatalf("%s does not go with %+v", sub.ID, item)
						}
						inside[sub.ID] = true
					}
				}
				if running > 1 || len(list.Items) > 0 && list.Open() == 0 {
					t.Fatalf("%d are in progress, %d open", running, list.Open())
				}
			},
		})
	})
}
