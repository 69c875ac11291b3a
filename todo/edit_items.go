package todo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// problems collects the faults of an edit.
type problems []pawl.Fault

func (f *problems) add(path, format string, args ...any) {
	*f = append(*f, pawl.Fault{Path: path, Problem: fmt.Sprintf(format, args...)})
}

func (f problems) err() error {
	if len(f) == 0 {
		return nil
	}
	return &pawl.Error{Kind: pawl.Invalid, Message: "the todo cannot be changed like this", Faults: f}
}

// line checks a text from a person and returns it as one line.
func (f *problems) line(path, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		f.add(path, "is not valid UTF-8 text")
	case utf8.RuneCountInString(text) > MaxContent:
		f.add(path, "has %d characters, and at most %d are kept", utf8.RuneCountInString(text), MaxContent)
	}
	return text
}

func (f *problems) priority(p Priority) {
	if p != "" && p != High && p != Medium && p != Low {
		f.add("priority", "%q is not a priority: use high, medium or low", clip(string(p), 40))
	}
}

// name says which todos or subtasks places are: `todo 2 "Run tests"`, or
// `todos 1, 2 and 5` for several.
func (l *List) name(places ...position) string {
	todos, subtasks := 0, 0
	var numbers []string
	for _, p := range places {
		if p.sub == itself {
			todos++
		} else {
			subtasks++
		}
		numbers = append(numbers, p.String())
	}
	noun := "todo"
	switch {
	case todos == 0:
		noun = "subtask"
	case subtasks > 0:
		noun = "position"
	}
	if len(places) == 1 {
		return fmt.Sprintf("%s %s %s", noun, numbers[0], quoted(l.content(places[0])))
	}
	const most = 12 // a sentence, not a list
	if len(numbers) > most {
		return fmt.Sprintf("%d %ss", len(numbers), noun)
	}
	return noun + "s " + text.And(numbers)
}

func (l *List) content(p position) string {
	if p.sub == itself {
		return l.Items[p.item].Content
	}
	return l.Items[p.item].Subtasks[p.sub].Content
}

func (e Add) apply(l *List, now time.Time) (string, error) {
	at, err := l.findGap(e.At)
	if err != nil {
		return "", err
	}
	var f problems
	content := f.line("content", e.Content)
	if content == "" {
		f.add("content", "is blank")
	}
	f.priority(e.Priority)
	if at.sub == itself {
		if len(l.Items) >= MaxItems {
			f.add("", "a list has at most %d todos", MaxItems)
		}
		if err := f.err(); err != nil {
			return "", err
		}
		item := Item{ID: l.freeID(), Content: content, ActiveForm: content, Status: Pending, Priority: e.Priority, CreatedAt: now}
		if item.Priority == "" {
			item.Priority = Medium
		}
		l.Items = slices.Insert(l.Items, at.item, item)
		return "added " + l.name(at), nil
	}
	item := &l.Items[at.item]
	if e.Priority != "" {
		f.add("priority", "belongs to a todo, and not to a subtask")
	}
	if len(item.Subtasks) >= MaxSubtasks {
		f.add("", "a todo has at most %d subtasks", MaxSubtasks)
	}
	if err := f.err(); err != nil {
		return "", err
	}
	item.Subtasks = slices.Insert(item.Subtasks, at.sub, Subtask{ID: item.freeID(), Content: content, Status: Pending})
	return "added " + l.name(at) + l.reopen(at.item), nil
}

// freeID returns an id for a todo that a person adds. It is not a number, because
// the next list of an agent could use that number for another todo.
func (l *List) freeID() string {
	taken := map[string]bool{}
	for i := range l.Items {
		taken[l.Items[i].ID] = true
	}
	if l.Before != nil {
		for i := range l.Before.Items {
			taken[l.Before.Items[i].ID] = true
		}
	}
	for i := range l.Past {
		taken[l.Past[i].Item.ID] = true
	}
	for n := 1; ; n++ {
		if id := personal + strconv.Itoa(n); !taken[id] {
			return id
		}
	}
}

func (i *Item) freeID() string {
	for n := len(i.Subtasks) + 1; ; n++ {
		id := fmt.Sprintf("%s.%d", i.ID, n)
		if !slices.ContainsFunc(i.Subtasks, func(s Subtask) bool { return s.ID == id }) {
			return id
		}
	}
}

// reopen makes a completed todo with an open subtask pending again, and says so.
func (l *List) reopen(i int) string {
	item := &l.Items[i]
	if item.Open() || !item.partsOpen() {
		return ""
	}
	item.Status, item.CompletedAt = Pending, time.Time{}
	return fmt.Sprintf(", with which todo %d is pending again", i+1)
}

func (e Reword) apply(l *List, _ time.Time) (string, error) {
	at, err := l.findOne(e.At)
	if err != nil {
		return "", err
	}
	var f problems
	content, active := f.line("content", e.Content), f.line("activeForm", e.ActiveForm)
	f.priority(e.Priority)
	switch {
	case content == "" && e.Content != "":
		f.add("content", "is blank")
	case content == "" && active == "" && e.Priority == "":
		f.add("", "no new content, active form or priority is given")
	}
	if at.sub != itself && (active != "" || e.Priority != "") {
		f.add("", "a subtask has a text and a status, and neither a priority nor an active form")
	}
	if err := f.err(); err != nil {
		return "", err
	}
	name := l.name(at)
	if at.sub != itself {
		sub := &l.Items[at.item].Subtasks[at.sub]
		if sub.Content == content {
			return "left " + name + " as it was", nil
		}
		sub.Content = content
		return "changed " + name + " to " + quoted(content), nil
	}
	item := &l.Items[at.item]
	if (content == "" || content == item.Content) && (active == "" || active == item.ActiveForm) && (e.Priority == "" || e.Priority == item.Priority) {
		return "left " + name + " as it was", nil
	}
	var did []string
	if content != "" {
		if item.ActiveForm == item.Content && active == "" {
			item.ActiveForm = content // nobody said another
		}
		did = append(did, "changed "+name+" to "+quoted(content))
		if item.Task != 0 && kin(item.Content, content) < within {
			did = append(did, fmt.Sprintf("ended its link to task %v", item.Task)) // which is about something else now
			item.Task = 0
		}
		item.Content = content
		name = "it"
	}
	if e.Priority != "" {
		item.Priority = e.Priority
		did = append(did, "gave "+name+" the priority "+string(e.Priority))
		name = "it"
	}
	if active != "" {
		item.ActiveForm = active
		did = append(did, "gave "+name+" the active form "+quoted(active))
	}
	return strings.Join(did, ", "), nil
}

func (e Remove) apply(l *List, now time.Time) (string, error) {
	places, err := l.find(e.At)
	if err != nil {
		return "", err
	}
	name := l.name(places...)
	gone := map[int]bool{}
	for _, p := range places {
		if p.sub == itself {
			gone[p.item] = true
			l.leave(l.Items[p.item], Cleared, now)
		}
	}
	for _, p := range slices.Backward(places) {
		switch subs := &l.Items[p.item].Subtasks; {
		case p.sub == itself:
			l.Items = slices.Delete(l.Items, p.item, p.item+1)
		case !gone[p.item]:
			if *subs = slices.Delete(*subs, p.sub, p.sub+1); len(*subs) == 0 {
				*subs = nil
			}
		}
	}
	if len(l.Items) == 0 {
		l.Items = nil
	}
	return "removed " + name, nil
}

func (Clear) apply(l *List, now time.Time) (string, error) {
	if len(l.Items) == 0 {
		return "left the list empty, as it was", nil
	}
	n := len(l.Items)
	for _, item := range l.Items {
		l.leave(item, Cleared, now)
	}
	l.Items = nil
	return fmt.Sprintf("cleared the list of its %s", count(n, "todo")), nil
}

func (e Link) apply(l *List, _ time.Time) (string, error) {
	i := slices.IndexFunc(l.Items, func(i Item) bool { return i.ID == e.ID && (e.Content == "" || i.Content == e.Content) })
	if i < 0 && e.Content != "" { // a rewrite may have renumbered it
		i = slices.IndexFunc(l.Items, func(i Item) bool { return i.Content == e.Content && i.Task == 0 })
	}
	if i < 0 {
		return "", pawl.Errorf(pawl.Conflict, "the todo %s is no longer in the list", quoted(e.ID))
	}
	l.Items[i].Task = e.Task
	return fmt.Sprintf("made %s task %v of the board", l.name(position{i, itself}), e.Task), nil
}
