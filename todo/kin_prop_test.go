package todo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A wording is one of the forms in which an agent says what is to be done. What
// is to be done is known by its number; the texts share verbs, and a word here
// and there, as those of real plans do.
type wording struct {
	what int
	form int
	text string
}

// The forms.
const (
	plainForm  = iota
	shoutForm  // the same but for case, spaces and the sign at the end
	longerForm // with something behind it
	verbForm   // with another verb
)

func wordings() []wording {
	var all []wording
	for what, words := range [][2]string{
		{"Add", "login page"}, {"Add", "export button"}, {"Fix", "login redirect"}, {"Fix", "parser crash"},
		{"Write", "tests parser"}, {"Run", "tests nightly"}, {"Write", "docs export"}, {"Fix", "修复登录错误"}, {"Add", "C++ bindings"},
	} {
		text := words[0] + " the " + words[1]
		all = append(all,
			wording{what, plainForm, text}, wording{what, shoutForm, strings.ToUpper(strings.ReplaceAll(text, " ", "  ")) + "."},
			wording{what, longerForm, fmt.Sprint(text, " for team ", what)}, wording{what, verbForm, "Redo " + words[1]})
	}
	return all
}

// mark gives all todos of a list what an agent never says: a task, a call, and
// what it may leave unsaid: a priority and a subtask. Each names what it is for.
func mark(l *List, what map[string]int, marks map[string]int) {
	for i := range l.Items {
		it := &l.Items[i]
		if it.Task != 0 || len(it.ToolCalls) > 0 {
			continue
		}
		name := fmt.Sprint(len(marks) + 1)
		marks[name] = what[it.Content]
		it.Task, it.Priority = pawl.ID(len(marks)), High
		it.ToolCalls = []ToolCall{{ID: name, Name: "run"}}
		it.Subtasks = []Subtask{{ID: it.ID + ".1", Content: name, Status: Pending, ToolCalls: []ToolCall{{ID: name, Name: "run"}}}}
	}
}

// marksOf are the marks that a todo has, wherever.
func marksOf(it *Item) (names []string) {
	if it.Task != 0 {
		names = append(names, it.Task.String()[1:])
	}
	for _, call := range it.ToolCalls {
		names = append(names, call.ID)
	}
	for _, sub := range it.Subtasks {
		names = append(names, sub.Content)
		for _, call := range sub.ToolCalls {
			names = append(names, call.ID)
		}
	}
	return names
}

// Whatever is written, in whatever order and with whatever ids: nothing of a todo
// goes to one about something else, and nothing of a todo gets lost that is
// written in the same words.
func TestNothingIsInheritedByChance(t *testing.T) {
	all := wordings()
	what := map[string]int{}
	for _, w := range all {
		what[w.text] = w.what
	}
	rapid.Check(t, func(t *rapid.T) {
		store, now := &single{}, time.UnixMilli(0).UTC()
		service := New(store, func() time.Time { return now })
		marks := map[string]int{}
		for range rapid.IntRange(2, 6).Draw(t, "steps") {
			now = now.Add(time.Minute)
			mark(&store.list, what, marks)
			before := store.list.Clone()
			if before.Before != nil && rapid.IntRange(0, 4).Draw(t, "step") == 0 {
				must.Do(t, errOf(service.Edit(t.Context(), Key{}, Editing{}, Revert{})))
				unrelated(t, store.list.Items, what, marks)
				continue
			}
			how := Writing{Merge: rapid.Bool().Draw(t, "merge")}
			how.New = how.Merge && rapid.Bool().Draw(t, "new")
			picked := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 5, func(w wording) string { return w.text }).Draw(t, "texts")
			ids := rapid.Permutation([]string{"1", "2", "3", "native-1", "native-2"}).Draw(t, "ids")
			var given []map[string]any
			for i, w := range picked {
				it := map[string]any{"content": w.text}
				if rapid.Bool().Draw(t, "with an id") {
					it["id"] = ids[i]
				}
				if status := rapid.SampledFrom([]string{"", "pending", "in_progress", "completed", "cancelled"}).Draw(t, "status"); status != "" {
					it["status"] = status
				}
				given = append(given, it)
			}
			text, err := json.Marshal(given)
			must.Do(t, err)
			draft, err := Decode(text, how.Merge)
			must.Do(t, err)
			w, err := service.Write(t.Context(), Key{}, draft, how)
			must.Do(t, err)
			unrelated(t, w.New, what, marks)
			unrelated(t, store.list.Items, what, marks)
			if how.Merge {
				continue // where an id says more than a text
			}
			for i, p := range picked {
				old := slices.IndexFunc(before.Items, func(it Item) bool { return it.Content == p.text })
				now := slices.IndexFunc(w.New, func(it Item) bool { return it.Content == p.text })
				twins := 0
				for _, it := range before.Items {
					if normal(it.Content) == normal(p.text) {
						twins++
					}
				}
				if draft.Items[i].Leave != "" || old < 0 || twins > 1 {
					continue
				}
				was, is := &before.Items[old], &w.New[now]
				if is.Task != was.Task || is.Priority != was.Priority || !slices.Equal(marksOf(was), marksOf(is)) || !is.CreatedAt.Equal(was.CreatedAt) {
					t.Fatalf("of %+v there is left %+v", was, is)
				}
			}
		}
	})
}

// unrelated fails if a todo has something of another one.
func unrelated(t *rapid.T, items []Item, what, marks map[string]int) {
	for i := range items {
		for _, name := range marksOf(&items[i]) {
			if marks[name] != what[items[i].Content] {
				t.Fatalf("%q has %s, which is of %q", items[i].Content, name, wordings()[4*marks[name]].text)
			}
		}
	}
}

func TestKin(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want kinship
	}{
		{"Fix the login bug", "fix  the login bug.", equal},
		{"Fix C", "Fix C++", unlike},
		{"Fix the login bug", "Repair the login bug first", within},
		{"Write tests", "Write tests for the parser", within},
		{"A", "A renamed", akin},
		{"Update API docs for users", "Update API docs for orders", akin},
		{"Add tests", "Add a login", unlike},
		{"Fix bug", "Fix the crash", unlike},
		{"Write tests", "Run tests", unlike}, // one word is not what a text is about
		{"Tests schreiben", "Doku schreiben", unlike},
		{"Task A", "Task B", unlike},
		{"Migrate files (3/10)", "Migrate files (4/10)", akin},
		{"修复登录错误", "修复登录错误和测试", within},
		{"添加用户登录测试", "添加用户注册测试", unlike},
		{"", "x", unlike},
		{"!", "?", unlike},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := kin(pair[0], pair[1]); got != tt.want {
				t.Errorf("%q and %q: %d, want %d", pair[0], pair[1], got, tt.want)
			}
		}
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
