package todo

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

func (Revert) apply(l *List, now time.Time) (string, error) {
	back := l.Before
	if back == nil {
		return "", pawl.Errorf(pawl.NotFound, "the list has no earlier change to undo")
	}
	items := CloneItems(back.Items)
	l.rejoin(items, back.At)
	unlinked := false
	for i, o := range returning(items, l.Items) {
		item := l.Items[i]
		if o >= 0 {
			unlinked = unlinked || item.Task != 0 && items[o].Task == 0
			continue
		}
		how := Cleared
		if !item.Open() {
			how = Finished
		}
		l.leave(item, how, now)
	}
	if len(items) == 0 {
		items = nil
	}
	l.Items = items
	if what, ok := strings.CutPrefix(back.What, tookBack); ok {
		return didAgain + strings.TrimSuffix(what, taskStays), nil
	}
	what := tookBack + clip(strings.TrimPrefix(back.What, didAgain), 200)
	if unlinked {
		what += taskStays
	}
	return what, nil
}

// The words of a revert around those of the change.
const (
	tookBack  = "took back what was done last: "
	didAgain  = "did again what was taken back: "
	taskStays = " (what is on the board stays there)"
)

// rejoin takes out of the past what left the list since then and is among the
// todos that it is to have: no todo is listed and remembered at once.
func (l *List) rejoin(items []Item, since time.Time) {
	var kept []Past
	var gone []Item
	for _, p := range l.Past {
		if p.At.Before(since) || !slices.ContainsFunc(items, p.Item.comesBackAs) {
			kept = append(kept, p)
		} else {
			gone = append(gone, p.Item)
		}
	}
	returning(items, gone)
	l.Past = kept
}

// comesBackAs reports whether a todo that left is one of a snapshot: it has its
// text, or is the same one in other words.
func (i *Item) comesBackAs(item Item) bool {
	return i.Content == item.Content || i.ID == item.ID && i.CreatedAt.Equal(item.CreatedAt)
}

// returning finds out which todos of a snapshot others are, and gives those what
// a snapshot leaves out: tool calls. It returns their positions there, or -1.
// Ids are positions and may have changed hands, so an id counts only with the
// text, or with the time when the todo was made, and last.
func returning(items, others []Item) []int {
	at := make([]int, len(others))
	for o := range at {
		at[o] = -1
	}
	taken := make([]bool, len(items))
	for _, same := range []func(a, b *Item) bool{
		func(a, b *Item) bool { return a.ID == b.ID && a.Content == b.Content },
		func(a, b *Item) bool { return a.Content == b.Content && a.CreatedAt.Equal(b.CreatedAt) },
		func(a, b *Item) bool { return a.CreatedAt.Equal(b.CreatedAt) && kin(a.Content, b.Content) != unlike },
		func(a, b *Item) bool { return a.ID == b.ID && a.CreatedAt.Equal(b.CreatedAt) }, // a person's words
	} {
		for o := range others {
			for i := 0; i < len(items) && at[o] < 0; i++ {
				if !taken[i] && same(&items[i], &others[o]) {
					at[o], taken[i] = i, true
					items[i].happened(&others[o])
				}
			}
		}
	}
	return at
}

// happened gives a todo the tool calls of another form of it, and its subtasks
// those of theirs: by text; else by id, if no other one of either form is left.
func (i *Item) happened(other *Item) {
	i.ToolCalls = cloneCalls(other.ToolCalls)
	var lost, left []int
	taken := make([]bool, len(other.Subtasks))
	for s := range i.Subtasks {
		o := slices.IndexFunc(other.Subtasks, func(sub Subtask) bool { return sub.ID == i.Subtasks[s].ID && sub.Content == i.Subtasks[s].Content })
		if o < 0 {
			o = slices.IndexFunc(other.Subtasks, func(sub Subtask) bool { return sub.Content == i.Subtasks[s].Content })
		}
		if o < 0 {
			lost = append(lost, s)
			continue
		}
		taken[o] = true
		i.Subtasks[s].ToolCalls = cloneCalls(other.Subtasks[o].ToolCalls)
	}
	for o := range taken {
		if !taken[o] {
			left = append(left, o)
		}
	}
	if len(lost) == 1 && len(left) == 1 && i.Subtasks[lost[0]].ID == other.Subtasks[left[0]].ID {
		i.Subtasks[lost[0]].ToolCalls = cloneCalls(other.Subtasks[left[0]].ToolCalls)
	}
}
