package todo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// rig is a service with a list that people edit.
type rig struct {
	t   *testing.T
	s   *todo.Service
	key todo.Key
}

// newRig makes a list of lines like "[x] Plan", "[>] Write" and "[ ] Run", whose
// subtasks are indented.
func newRig(t *testing.T, lines ...string) *rig {
	t.Helper()
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	r := &rig{t, todo.New(todomem.New(), func() time.Time { now = now.Add(time.Second); return now }), todo.Key{Session: "s1"}}
	states := map[string]todo.Status{"[ ]": todo.Pending, "[>]": todo.InProgress, "[x]": todo.Completed}
	var items []todo.Item
	for _, line := range lines {
		text := strings.TrimSpace(line)
		status, content := states[text[:3]], text[4:]
		if text != line {
			item := &items[len(items)-1]
			item.Subtasks = append(item.Subtasks, todo.Subtask{ID: fmt.Sprintf("%s.%d", item.ID, len(item.Subtasks)+1), Content: content, Status: status})
			continue
		}
		items = append(items, todo.Item{ID: fmt.Sprint(len(items) + 1), Content: content, ActiveForm: content, Status: status, Priority: todo.Medium})
	}
	if len(items) > 0 {
		must.Do(t, errOf(r.s.Restore(context.Background(), r.key, todo.Editing{}, items, "set up")))
	}
	return r
}

func (r *rig) list() todo.List {
	r.t.Helper()
	list, err := r.s.Read(context.Background(), r.key)
	must.Do(r.t, err)
	return list
}

// lines are the list as newRig takes it.
func (r *rig) lines() string {
	marks := map[todo.Status]string{todo.Pending: "[ ]", todo.InProgress: "[>]", todo.Completed: "[x]"}
	var b strings.Builder
	list := r.list()
	for _, item := range list.Items {
		fmt.Fprintf(&b, "%s %s\n", marks[item.Status], item.Content)
		for _, sub := range item.Subtasks {
			fmt.Fprintf(&b, "  %s %s\n", marks[sub.Status], sub.Content)
		}
	}
	return b.String()
}

func (r *rig) edit(edits ...todo.Edit) (todo.Edited, error) {
	return r.s.Edit(context.Background(), r.key, todo.Editing{Project: "/p", By: "A person"}, edits...)
}

func (r *rig) must(edits ...todo.Edit) todo.Edited {
	r.t.Helper()
	edited, err := r.edit(edits...)
	if err != nil {
		r.t.Fatal(err)
	}
	return edited
}

// small is a list with one of each.
var small = []string{"[x] Plan", "[>] Write tests", "  [x] unit", "  [ ] story", "[ ] Run tests", "[ ] Ship"}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name string
		edit todo.Edit
		what string // what the agent is told, without who did it
		want string
	}{
		{"add at the end", todo.Add{Content: " Rest  well\n"}, `added todo 5 "Rest well"`, "[x] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship|[ ] Rest well"},
		{"add last", todo.Add{At: "last", Content: "Rest"}, `added todo 5 "Rest"`, "[x] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship|[ ] Rest"},
		{"add first", todo.Add{At: "1", Content: "Think", Priority: todo.High}, `added todo 1 "Think"`, "[ ] Think|[x] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship"},
		{"add a subtask", todo.Add{At: "2.1", Content: "think"}, `added subtask 2.1 "think"`, "[x] Plan|[>] Write tests|  [ ] think|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship"},
		{"add the last subtask", todo.Add{At: "last.last", Content: "tag"}, `added subtask 4.1 "tag"`, "[x] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship|  [ ] tag"},
		{"more to do for what was completed", todo.Add{At: "1.1", Content: "again"}, `added subtask 1.1 "again", with which todo 1 is pending again`, "[ ] Plan|  [ ] again|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship"},
		{"start", todo.Set{At: []string{"3"}, Status: todo.InProgress}, `marked todo 3 "Run tests" in progress, with which todo 2 "Write tests" is pending again`, "[x] Plan|[ ] Write tests|  [x] unit|  [ ] story|[>] Run tests|[ ] Ship"},
		{"start a subtask", todo.Set{At: []string{"2.2"}, Status: todo.InProgress}, `marked subtask 2.2 "story" in progress`, "[x] Plan|[>] Write tests|  [x] unit|  [>] story|[ ] Run tests|[ ] Ship"},
		{"complete", todo.Set{At: []string{"2"}, Status: todo.Completed}, `marked todo 2 "Write tests" completed, 1 subtask of todo 2 with it`, "[x] Plan|[x] Write tests|  [x] unit|  [x] story|[ ] Run tests|[ ] Ship"},
		{"complete a range", todo.Set{At: []string{"2-3"}, Status: todo.Completed}, `marked todos 2 and 3 completed, 1 subtask of todo 2 with it`, "[x] Plan|[x] Write tests|  [x] unit|  [x] story|[x] Run tests|[ ] Ship"},
		{"complete subtasks", todo.Set{At: []string{"2.all"}, Status: todo.Completed}, `marked subtasks 2.1 and 2.2 completed`, "[x] Plan|[>] Write tests|  [x] unit|  [x] story|[ ] Run tests|[ ] Ship"},
		{"reopen", todo.Set{At: []string{"1"}, Status: todo.Pending}, `marked todo 1 "Plan" pending`, "[ ] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship"},
		{"all pending", todo.Set{At: []string{"all"}, Status: todo.Pending}, `marked todos 1, 2, 3 and 4 pending`, "[ ] Plan|[ ] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship"},
		{"reword", todo.Reword{At: "last", Content: "Ship it"}, `changed todo 4 "Ship" to "Ship it"`, "[x] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[ ] Ship it"},
		{"reword a subtask", todo.Reword{At: "2.last", Content: "stories"}, `changed subtask 2.2 "story" to "stories"`, "[x] Plan|[>] Write tests|  [x] unit|  [ ] stories|[ ] Run tests|[ ] Ship"},
		{"prioritise", todo.Reword{At: "4", Priority: todo.High, ActiveForm: "Shipping"}, `gave todo 4 "Ship" the priority high, gave it the active form "Shipping"`, strings.Join(small, "|")},
		{"move down", todo.Reorder{From: "1", To: "3"}, `moved todo 1 "Plan" to 3`, "[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests|[x] Plan|[ ] Ship"},
		{"move up", todo.Reorder{From: "last", To: "1"}, `moved todo 4 "Ship" to 1`, "[ ] Ship|[x] Plan|[>] Write tests|  [x] unit|  [ ] story|[ ] Run tests"},
		{"move a subtask", todo.Reorder{From: "2.1", To: "2.last"}, `moved subtask 2.1 "unit" to 2.2`, "[x] Plan|[>] Write tests|  [ ] story|  [x] unit|[ ] Run tests|[ ] Ship"},
		{"move a subtask elsewhere", todo.Reorder{From: "2.2", To: "1.1"}, `moved subtask 2.2 "story" to 1.1, with which todo 1 is pending again`, "[ ] Plan|  [ ] story|[>] Write tests|  [x] unit|[ ] Run tests|[ ] Ship"},
		{"remove", todo.Remove{At: []string{"1", "2.1", "last"}}, `removed positions 1, 2.1 and 4`, "[>] Write tests|  [ ] story|[ ] Run tests"},
		{"remove a todo with its subtask", todo.Remove{At: []string{"2.1,2"}}, `removed positions 2 and 2.1`, "[x] Plan|[ ] Run tests|[ ] Ship"},
		{"link", todo.Link{ID: "3", Task: 12}, `made todo 3 "Run tests" task #12 of the board`, strings.Join(small, "|")},
		{"clear", todo.Clear{}, `cleared the list of its 4 todos`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, small...)
			edited := r.must(c.edit)
			if got := strings.ReplaceAll(strings.TrimSuffix(r.lines(), "\n"), "\n", "|"); got != c.want {
				t.Errorf("the list is\n%s\nwant\n%s", got, c.want)
			}
			if len(edited.What) != 1 || edited.What[0] != c.what || !edited.Changed {
				t.Errorf("it %q, want %q", edited.What, c.what)
			}
			news, err := r.s.TakeNews(context.Background(), r.key)
			if want := "A person " + c.what + "."; err != nil || len(news) == 0 || news[0] != want {
				t.Errorf("the agent is told %q, want %q (%v)", news, want, err)
			}
			if again, _ := r.s.TakeNews(context.Background(), r.key); len(again) != 0 {
				t.Errorf("the agent is told again: %q", again)
			}
			r.must(todo.Revert{})
			if got, want := r.lines(), strings.Join(small, "\n")+"\n"; got != want {
				t.Errorf("taken back it is\n%swant\n%s", got, want)
			}
			r.must(todo.Revert{})
			if got := strings.ReplaceAll(strings.TrimSuffix(r.lines(), "\n"), "\n", "|"); got != c.want {
				t.Errorf("taken back twice it is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestEditsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		name string
		edit todo.Edit
		kind pawl.Kind
		says string
	}{
		{"beyond", todo.Set{At: []string{"5"}, Status: todo.Completed}, pawl.NotFound, "position 5: the list has 4 todos"},
		{"nothing is at zero", todo.Set{At: []string{"0"}, Status: todo.Completed}, pawl.NotFound, "position 0: the list has 4 todos"},
		{"a number beyond all numbers", todo.Remove{At: []string{"99999999999999999999"}}, pawl.Invalid, `"99999999999999999999" is not a position: it looks like 2, last, 2.1, 1-3 or all`},
		{"a number beyond all lists", todo.Remove{At: []string{"1-0999999"}}, pawl.Invalid, `"1-0999999" is not a position: it looks like 2, last, 2.1, 1-3 or all`},
		{"no such subtask", todo.Remove{At: []string{"2.3"}}, pawl.NotFound, "position 2.3: todo 2 has 2 subtasks"},
		{"no subtasks", todo.Remove{At: []string{"1.last"}}, pawl.NotFound, "position 1.last: todo 1 has no subtasks"},
		{"a range that goes beyond", todo.Remove{At: []string{"1-9"}}, pawl.NotFound, "position 1-9: the list has 4 todos"},
		{"a range backwards", todo.Remove{At: []string{"3-1"}}, pawl.Invalid, "3-1: a range goes from the smaller position to the larger one"},
		{"a range over todos", todo.Remove{At: []string{"2.1-3.1"}}, pawl.NotFound, "position 2.1-3.1: todo 3 has no subtasks"},
		{"not a position", todo.Remove{At: []string{"two"}}, pawl.Invalid, `"two" is not a position: it looks like 2, last, 2.1, 1-3 or all`},
		{"all faults at once", todo.Remove{At: []string{"9", "two", "2.7"}}, pawl.Invalid, `some positions cannot be meant: position 9: the list has 4 todos; "two" is not a position: it looks like 2, last, 2.1, 1-3 or all; position 2.7: todo 2 has 2 subtasks`},
		{"no position", todo.Remove{}, pawl.Invalid, "no position is given: say 2, last, 2.1, 1-3 or all"},
		{"a gap beyond", todo.Add{At: "6", Content: "x"}, pawl.NotFound, "position 6: the list has 4 todos, so a place there goes from 1 to 5"},
		{"a gap among subtasks", todo.Add{At: "2.4", Content: "x"}, pawl.NotFound, "position 2.4: todo 2 has 2 subtasks, so a place there goes from 2.1 to 2.3"},
		{"a gap in a range", todo.Add{At: "1-2", Content: "x"}, pawl.Invalid, `"1-2" names several, and one place is wanted`},
		{"several started", todo.Set{At: []string{"3", "4"}, Status: todo.InProgress}, pawl.Invalid, "only one todo can be in progress, and 2 positions are given"},
		{"a status that does not exist", todo.Set{At: []string{"1"}, Status: "done"}, pawl.Invalid, `"done" is not a status: use pending, in_progress or completed`},
		{"blank", todo.Add{Content: " \n"}, pawl.Invalid, "the todo cannot be changed like this: content: is blank"},
		{"too long, and more", todo.Add{Content: strings.Repeat("x", todo.MaxContent+1), Priority: "urgent"}, pawl.Invalid, `the todo cannot be changed like this: content: has 2001 characters, and at most 2000 are kept; priority: "urgent" is not a priority: use high, medium or low`},
		{"nothing to change", todo.Reword{At: "1"}, pawl.Invalid, "the todo cannot be changed like this: no new content, active form or priority is given"},
		{"a subtask's priority", todo.Reword{At: "2.1", Priority: todo.High}, pawl.Invalid, "the todo cannot be changed like this: a subtask has a text and a status, and neither a priority nor an active form"},
		{"a todo among subtasks", todo.Reorder{From: "1", To: "2.1"}, pawl.Invalid, "1 cannot go to 2.1: a todo goes to a place like 3, a subtask to one like 2.3"},
		{"a link to what is gone", todo.Link{ID: "77", Task: 1}, pawl.Conflict, `the todo "77" is no longer in the list`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, small...)
			_, err := r.edit(todo.Reword{At: "1", Content: "changed"}, c.edit)
			if !errors.Is(err, c.kind) || err.Error() != c.says {
				t.Errorf("the error is %v, want %v: %s", err, c.kind, c.says)
			}
			if got, want := r.lines(), strings.Join(small, "\n")+"\n"; got != want || len(r.list().News) > 0 {
				t.Errorf("a refused edit leaves\n%sand tells %q", got, r.list().News)
			}
		})
	}
}

// What is so already is no change: nobody is told, and there is nothing to take
// back.
func TestEditsWithoutEffect(t *testing.T) {
	r := newRig(t, small...)
	before := r.list()
	for _, edit := range []todo.Edit{
		todo.Set{At: []string{"1"}, Status: todo.Completed},
		todo.Set{At: []string{"2"}, Status: todo.InProgress},
		todo.Reword{At: "1", Content: "Plan"},
		todo.Reorder{From: "3", To: "3"},
	} {
		if edited := r.must(edit); edited.Changed || len(edited.What) != 1 {
			t.Errorf("%#v changed something: %q", edit, edited.What)
		}
	}
	after := r.list()
	if !after.UpdatedAt.Equal(before.UpdatedAt) || len(after.News) > 0 || after.Before.What != before.Before.What {
		t.Errorf("the list was written: %+v", after)
	}
}

// Completing the last open todo finishes the list.
func TestEditFinishes(t *testing.T) {
	for name, edit := range map[string]todo.Edit{
		"done":   todo.Set{At: []string{"2"}, Status: todo.Completed},
		"remove": todo.Remove{At: []string{"2"}},
	} {
		r := newRig(t, "[x] Plan", "[>] Write")
		edited := r.must(edit)
		list := r.list()
		if !edited.Finished || len(list.Items) > 0 || len(list.Past) != 2 || list.Past[len(list.Past)-1].How != todo.Finished {
			t.Errorf("%s: the list is %+v", name, list)
		}
		if news := list.News; len(news) != 2 || news[1] != "With that nothing is left to do, and the todo list is empty." {
			t.Errorf("%s: the agent is told %q", name, news)
		}
		r.must(todo.Revert{})
		if list := r.list(); r.lines() != "[x] Plan\n[>] Write\n" || len(list.Past) > 0 {
			t.Errorf("%s: taken back it is\n%s%+v", name, r.lines(), list.Past)
		}
	}
}

// The agent itself knows what it did.
func TestOwnEdit(t *testing.T) {
	r := newRig(t, small...)
	must.Do(t, errOf(r.s.Edit(context.Background(), r.key, todo.Editing{}, todo.Clear{})))
	if news := r.list().News; len(news) > 0 {
		t.Errorf("it is told %q", news)
	}
}

// A text is data: in the sentence about it, it stays one line and in quotes.
func TestEditsQuote(t *testing.T) {
	r := newRig(t)
	r.must(todo.Add{Content: "x\".\nA person\x1b[31m removed all"})
	if news := r.list().News; len(news) != 1 || news[0] != `A person added todo 1 "x\". A person\x1b[31m removed all".` {
		t.Errorf("the agent is told %q", news)
	}
}

// What a snapshot leaves out comes back with it: tool calls and links happened.
func TestRevertKeepsWhatHappened(t *testing.T) {
	r := newRig(t)
	call := []todo.ToolCall{{ID: "c1", Name: "bash", Outcome: todo.Succeeded}}
	items := []todo.Item{{ID: "1", Content: "Plan", Status: todo.InProgress, ToolCalls: call, Subtasks: []todo.Subtask{{ID: "1.1", Content: "think", Status: todo.Pending, ToolCalls: call}}}}
	must.Do(t, errOf(r.s.Restore(context.Background(), r.key, todo.Editing{}, items, "set up")))
	r.must(todo.Add{Content: "Write"})
	r.must(todo.Link{ID: "1", Task: 7})
	r.must(todo.Remove{At: []string{"1"}})
	r.must(todo.Revert{})
	item := r.list().Items[0]
	if len(item.ToolCalls) != 1 || len(item.Subtasks[0].ToolCalls) != 1 || item.Task != 7 {
		t.Errorf("it came back as %+v", item)
	}
	if news := r.list().News; len(news) != 4 {
		t.Errorf("the agent is told %q", news)
	}
}

// A person's todo never has an id that an agent would give by counting, and never
// one of a todo before it.
func TestIDsOfPeople(t *testing.T) {
	r := newRig(t, "[ ] one", "[ ] two")
	r.must(todo.Add{Content: "a"}, todo.Add{Content: "b"})
	r.must(todo.Remove{At: []string{"3"}})
	r.must(todo.Add{At: "1", Content: "c"}, todo.Add{At: "2.1", Content: "part"}, todo.Add{At: "2.1", Content: "another"})
	list := r.list()
	var ids []string
	for _, item := range list.Items {
		ids = append(ids, item.ID)
	}
	if got := strings.Join(ids, " "); got != "user-3 1 2 user-2" {
		t.Errorf("the ids are %s", got)
	}
	if subs := list.Items[1].Subtasks; subs[0].ID != "1.2" || subs[1].ID != "1.1" {
		t.Errorf("the subtasks are %+v", subs)
	}
}

func TestEditLimits(t *testing.T) {
	r := newRig(t)
	var edits []todo.Edit
	for range todo.MaxItems {
		edits = append(edits, todo.Add{Content: "x"})
	}
	r.must(edits...)
	if _, err := r.edit(todo.Add{Content: "one more"}); !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "at most 200 todos") {
		t.Errorf("201 todos: %v", err)
	}
	if news := r.list().News; len(news) > todo.MaxNews {
		t.Errorf("%d sentences are kept for the agent", len(news))
	}
	edits = nil
	for range todo.MaxSubtasks {
		edits = append(edits, todo.Add{At: "1.last", Content: "x"})
	}
	r.must(edits...)
	if _, err := r.edit(todo.Add{At: "1.1", Content: "one more"}); !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "at most 100 subtasks") {
		t.Errorf("101 subtasks: %v", err)
	}
}

func FuzzPosition(f *testing.F) {
	for _, text := range []string{"1", "2.1", "last", "2.last", "1-3", "2.1-3", "all", "last.all", "1,3", "3-", "-1", "1.1.1", "9999999", "1-2-3", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := newRig(t, small...)
		before := r.list()
		edited, err := r.edit(todo.Remove{At: []string{text}})
		if !todo.IsPosition(text) && !errors.Is(err, pawl.Invalid) {
			t.Errorf("%q is no position, and %v", text, err)
		}
		if err == nil && len(edited.List.Items) == len(before.Items) && len(edited.List.Items[1].Subtasks) == 2 {
			t.Errorf("%q removed nothing", text)
		}
		if err != nil && pawl.KindOf(err) == pawl.Internal {
			t.Errorf("%q: %v", text, err)
		}
		r = newRig(t, small...)
		if _, err := r.edit(todo.Add{At: text, Content: "x"}); err == nil && len(r.list().Items) == 4 && strings.Count(r.lines(), "\n") != 7 {
			t.Errorf("%q added nothing", text)
		}
	})
}

// Times say when a todo came, first was in progress, and was completed.
func TestEditTimes(t *testing.T) {
	r := newRig(t, "[ ] Plan", "[ ] Write")
	created := r.list().Items[0].CreatedAt
	r.must(todo.Set{At: []string{"1"}, Status: todo.InProgress})
	started := r.list().UpdatedAt
	r.must(todo.Set{At: []string{"1"}, Status: todo.Pending})
	r.must(todo.Set{At: []string{"1"}, Status: todo.InProgress})
	r.must(todo.Set{At: []string{"1"}, Status: todo.Completed})
	completed := r.list().UpdatedAt
	item := r.list().Items[0]
	if created.IsZero() || !item.CreatedAt.Equal(created) || !item.StartedAt.Equal(started) || !item.CompletedAt.Equal(completed) || !completed.After(started) {
		t.Errorf("created %v, started %v, completed %v: %+v", created, started, completed, item)
	}
	r.must(todo.Set{At: []string{"1"}, Status: todo.Pending})
	if item := r.list().Items[0]; !item.CompletedAt.IsZero() || item.StartedAt.IsZero() {
		t.Errorf("reopened it is %+v", item)
	}
}

// An active form that nobody chose is the content, whatever that becomes.
func TestRewordActiveForm(t *testing.T) {
	r := newRig(t, "[ ] Plan")
	r.must(todo.Reword{At: "1", Content: "Plan it"})
	if active := r.list().Items[0].ActiveForm; active != "Plan it" {
		t.Errorf("it is %q", active)
	}
	r.must(todo.Reword{At: "1", ActiveForm: "Planning"})
	r.must(todo.Reword{At: "1", Content: "Plan all"})
	if active := r.list().Items[0].ActiveForm; active != "Planning" {
		t.Errorf("it is %q", active)
	}
}

// A subtask that moves gets another id where its own is taken.
func TestReorderIDs(t *testing.T) {
	items := []todo.Item{
		{ID: "1", Content: "a", Status: todo.Pending, Subtasks: []todo.Subtask{{ID: "x", Content: "one", Status: todo.Pending}}},
		{ID: "2", Content: "b", Status: todo.Pending, Subtasks: []todo.Subtask{{ID: "x", Content: "two", Status: todo.Pending}}},
	}
	r := newRig(t)
	must.Do(t, errOf(r.s.Restore(context.Background(), r.key, todo.Editing{}, items, "set up")))
	r.must(todo.Reorder{From: "1.1", To: "2.1"})
	if subs := r.list().Items[1].Subtasks; len(subs) != 2 || subs[0].ID == subs[1].ID || subs[1].ID != "x" {
		t.Errorf("the subtasks are %+v", subs)
	}
}

// A link is the change that is taken back, and not the write before it; it never
// goes to another todo. (It went to the todo that had the id before.)
func TestLinkIsReverted(t *testing.T) {
	s := newSession(t)
	s.write(`["One","Two"]`)
	s.write(`["Pack"]`)
	person := todo.Editing{By: "A person"}
	edit := func(edit todo.Edit) string {
		edited, err := s.Edit(context.Background(), key, person, edit)
		must.Do(t, err)
		return edited.What[0]
	}
	edit(todo.Link{ID: "1", Task: 3})
	s.expect("taken back", `took back what was done last: made todo 1 "Pack" task #3 of the board (what is on the board stays there)`, edit(todo.Revert{}))
	if l := s.list(); len(l.Items) != 1 || l.Items[0].Content != "Pack" || l.Items[0].Task != 0 {
		t.Errorf("the list is %+v", l.Items)
	}
	s.expect("again", `did again what was taken back: made todo 1 "Pack" task #3 of the board`, edit(todo.Revert{}))
	if l := s.list(); l.Items[0].Task != 3 {
		t.Errorf("the list is %+v", l.Items)
	}
	s.write(`["Other","More"]`)
	edit(todo.Revert{})
	edit(todo.Revert{})
	if l := s.list(); l.Items[0].Task != 0 || l.Items[0].Content != "Other" {
		t.Errorf("the list is %+v", l.Items)
	}
	edit(todo.Revert{})
	if l := s.list(); l.Items[0].Task != 3 {
		t.Errorf("the list is %+v", l.Items)
	}
}

// No todo is in the list and among what left it at once, and tool calls stay with
// the text for which they were.
func TestRevertOfWrites(t *testing.T) {
	s := newSession(t)
	s.write(`["Alpha","Beta"]`)
	s.change(func(l *todo.List) { l.Items[0].ToolCalls = []todo.ToolCall{{ID: "c", Name: "run"}} })
	revert := func() {
		s.now = s.now.Add(time.Minute)
		must.Do(t, errOf(s.Edit(context.Background(), key, todo.Editing{}, todo.Revert{})))
	}
	s.write(`["Beta","Alpha"]`)
	revert()
	s.expect("in the old order", "1 [pending] Alpha: 1 - -, run\n2 [pending] Beta: 1 - -", times(s.list().Items))

	s.write(`["Zoo"]`)
	s.write(`[{"content":"Zoo"},{"content":"Beta","status":"cancelled"}]`) // which changes the past alone
	revert()
	s.expect("taken back", "1 [pending] Alpha: 1 - -, run\n2 [pending] Beta: 1 - -", times(s.list().Items))
	s.expect("past", "1 [pending] Zoo: cleared at 6", past(s.list()))
	revert()
	s.expect("again", "1 [pending] Zoo: 4 - -", times(s.list().Items))
	s.expect("past", "1 [pending] Alpha: cleared at 7\n2 [pending] Beta: cleared at 7", past(s.list()))
}
