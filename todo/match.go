package todo

import (
	"slices"
	"strings"
	"time"
)

// A row is a todo on its way from a list to the next.
type row struct {
	Item             // as it will be
	was    *Item     // as it was; nil: it is new
	listed bool      // it was in the list
	past   int       // where it stands among what left the list, or -1
	given  int       // where it stands in the draft, or -1
	said   bool      // its id was given
	leave  Departure // not empty: it leaves the list
}

// match finds out which of the old todos each one of a draft is. The rows are in
// the order of the next list, with those that leave among or behind them.
func (l *List) match(old []Item, draft []DraftItem, how Writing) []row {
	from := pair(old, draft, how.Merge)
	past := l.among(draft, from)
	rows := make([]row, 0, len(draft)+len(old))
	given := func(i int) row {
		it := &draft[i]
		r := row{past: past[i], given: i, said: it.Said.ID, leave: it.Leave}
		switch {
		case from[i] >= 0:
			r.was, r.listed = &old[from[i]], true
		case past[i] >= 0:
			r.was = &l.Past[past[i]].Item
		}
		r.Item = it.following(r.was)
		return r
	}
	if how.Merge {
		for o := range old {
			if i := slices.Index(from, o); i >= 0 {
				rows = append(rows, given(i))
			} else {
				rows = append(rows, row{Item: old[o].clone(), was: &old[o], listed: true, past: -1, given: -1})
			}
		}
		for i := range draft {
			if from[i] < 0 {
				rows = append(rows, given(i))
			}
		}
		return rows
	}
	for i := range draft {
		rows = append(rows, given(i))
	}
	for o := range old {
		if slices.Contains(from, o) {
			continue
		}
		r := row{Item: old[o].clone(), was: &old[o], listed: true, past: -1, given: -1}
		switch {
		case how.Keep != nil && how.Keep(*l, old[o]):
			r.said = true // so that it keeps its id
		case old[o].Open():
			r.leave = Dropped
		default:
			r.leave = Finished
		}
		rows = append(rows, r)
	}
	return rows
}

// pair returns for each todo of a draft the position of the one that it was, or
// -1: by id, else by content, else by position where it is clear that the todo
// there was reworded. In a merge an id that is not there means a new todo, and a
// position means nothing.
func pair(old []Item, draft []DraftItem, merge bool) []int {
	from := make([]int, len(draft))
	taken := make([]bool, len(old))
	byID, byContent := map[string]int{}, map[string][]int{}
	for o := len(old) - 1; o >= 0; o-- {
		byID[old[o].ID] = o
		byContent[old[o].Content] = append(byContent[old[o].Content], o) // the first is the last
	}
	for i := range draft {
		from[i] = -1
		o, ok := byID[draft[i].ID]
		if draft[i].Said.ID && ok && !taken[o] && (merge || !draft[i].succeeds(&old[o])) {
			from[i], taken[o] = o, true
		}
	}
	for _, leaves := range []bool{false, true} { // what stays is more likely to be what was there
		for i := range draft {
			if from[i] >= 0 || draft[i].Leave != "" != leaves || merge && draft[i].Said.ID {
				continue
			}
			same := byContent[draft[i].Content]
			for len(same) > 0 && from[i] < 0 {
				o := same[len(same)-1]
				if same = same[:len(same)-1]; !taken[o] {
					from[i], taken[o] = o, true
				}
			}
			byContent[draft[i].Content] = same
		}
	}
	if merge {
		return from
	}
	unknown := 0
	for i := range draft {
		if from[i] < 0 {
			unknown++
		}
	}
	lone := unknown == 1 && len(draft) == len(old) && len(old) > 1 // all the others are where they were
	for i := range draft {
		if from[i] >= 0 || i >= len(old) || taken[i] {
			continue
		}
		it, was := &draft[i], &old[i]
		if !it.Said.ID && it.Leave == "" && !it.succeeds(was) && !was.Personal() && (lone || akin(it.Content, was.Content)) {
			from[i], taken[i] = i, true
		}
	}
	return from
}

// personal begins the ids of todos that a person added.
const personal = "user-"

// Personal reports whether a person added the todo: an agent that numbers its
// own cannot have meant it.
func (i *Item) Personal() bool { return strings.HasPrefix(i.ID, personal) }

// succeeds reports whether a todo can only be another one than was, in its
// place: what is completed does not come back open with another text.
func (it *DraftItem) succeeds(was *Item) bool {
	return !was.Open() && it.Status != Completed && it.Content != was.Content
}

// among returns for each todo of a draft that is not in the list its place among
// those that left it, or -1. Agents go on telling of what is over: of todos that
// were finished with a list, and of those that they gave up.
func (l *List) among(draft []DraftItem, from []int) []int {
	places := make([]int, len(draft))
	taken := map[int]bool{}
	for i := len(draft) - 1; i >= 0; i-- { // of the same text the last one left last
		it := &draft[i]
		places[i] = -1
		for p := len(l.Past) - 1; p >= 0 && from[i] < 0; p-- {
			past := &l.Past[p]
			told := past.How == Cancelled && it.Leave == Cancelled ||
				past.How == Finished && it.Leave == "" && it.Status == Completed
			if told && past.Item.Content == it.Content && !taken[p] {
				places[i], taken[p] = p, true
				break
			}
		}
	}
	return places
}

// following is the todo that a draft makes of the one that it was.
func (it *DraftItem) following(was *Item) Item {
	if was == nil {
		next := it.clone()
		next.Task, next.ToolCalls = 0, nil
		next.CreatedAt, next.StartedAt, next.CompletedAt = time.Time{}, time.Time{}, time.Time{}
		return next
	}
	next := was.clone()
	reworded := it.Content != "" && it.Content != was.Content
	if it.Said.ID {
		next.ID = it.ID
	}
	if it.Content != "" {
		next.Content = it.Content
	}
	if reworded && !it.Said.ID && !akin(it.Content, was.Content) {
		next.Task = 0 // a link to the wrong task is worse than none
	}
	if it.Said.ActiveForm || reworded {
		next.ActiveForm = it.ActiveForm
	}
	if it.Leave == "" && (it.Said.Status || reworded && !it.Said.ID) {
		next.Status, next.Blocked = it.Status, it.Blocked
	}
	if it.Said.Priority {
		next.Priority = it.Priority
	}
	if it.Said.Subtasks {
		next.Subtasks = followSubtasks(it.Subtasks, was.Subtasks)
	}
	return next
}

// followSubtasks gives subtasks the ids and tool calls of those that they were:
// by id, else by content, else by position.
func followSubtasks(given, was []Subtask) []Subtask {
	next := slices.Clone(given)
	matched, taken := make([]bool, len(next)), make([]bool, len(was))
	ids := map[string]bool{}
	for n := range next {
		ids[next[n].ID] = true
	}
	for _, same := range []func(n, o int) bool{
		func(n, o int) bool { return given[n].ID != "" && given[n].ID == was[o].ID },
		func(n, o int) bool { return given[n].Content == was[o].Content },
		func(n, o int) bool { return given[n].ID == "" && n == o },
	} {
		for n := range next {
			for o := 0; o < len(was) && !matched[n]; o++ {
				if taken[o] || !same(n, o) {
					continue
				}
				matched[n], taken[o] = true, true
				next[n].ToolCalls = cloneCalls(was[o].ToolCalls)
				if next[n].ID == "" && !ids[was[o].ID] {
					next[n].ID = was[o].ID
					ids[was[o].ID] = true
				}
			}
		}
	}
	return next
}

// stamp notes when things happened.
func (r *row) stamp(now time.Time) {
	var before Status
	if r.was != nil {
		before = r.was.Status
	} else {
		r.CreatedAt = now
	}
	if r.Status == before {
		return
	}
	r.CompletedAt = time.Time{}
	switch {
	case r.Status == Completed:
		r.CompletedAt = now
	case r.Status == InProgress && r.StartedAt.IsZero():
		r.StartedAt = now
	}
}
