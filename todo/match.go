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
	stated bool      // its status was given
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
		r := row{past: past[i], given: i, said: it.Said.ID, stated: it.Said.Status, leave: it.Leave}
		switch {
		case from[i] >= 0:
			r.was, r.listed = &old[from[i]], true
		case past[i] >= 0:
			r.was = &l.Past[past[i]].Item
		}
		r.Item = it.following(r.was)
		return r
	}
	kept := func(o int) row { return row{Item: old[o].clone(), was: &old[o], listed: true, past: -1, given: -1} }
	gone := func(o int) row {
		r := kept(o)
		if r.leave = Finished; old[o].Open() {
			r.leave = Dropped
		}
		return r
	}
	if how.Merge {
		added := make([]bool, len(draft))
		for o := range old {
			if i := slices.Index(from, o); i >= 0 {
				rows = append(rows, given(i))
				continue
			}
			i := slices.IndexFunc(draft, func(it DraftItem) bool { return it.Said.ID && it.ID == old[o].ID })
			switch {
			case i < 0:
				rows = append(rows, kept(o))
			case how.New:
				rows = append(rows, kept(o)) // under another id: see identify
			default: // another todo in its place
				rows = append(rows, given(i), gone(o))
				added[i] = true
			}
		}
		for i := range draft {
			if from[i] < 0 && !added[i] {
				rows = append(rows, given(i))
			}
		}
		return rows
	}
	for i := range draft {
		rows = append(rows, given(i))
	}
	for o := range old {
		switch {
		case slices.Contains(from, o):
		case how.Keep != nil && how.Keep(*l, old[o]):
			r := kept(o)
			r.said = true // so that it keeps its id
			rows = append(rows, r)
		default:
			rows = append(rows, gone(o))
		}
	}
	return rows
}

// pair returns for each todo of a draft the position of the one that it was, or
// -1. That one has the same text; or it has the same id, or where none is given
// the same position, and a text that is akin. An id alone is enough where no
// text is given, which only a merge may do. In a merge an id that is given is
// meant, so that there the same text makes no todo of one with another id; but an
// entry that is new in an agent's own list takes over the todo of its text that
// came from elsewhere.
func pair(old []Item, draft []DraftItem, merge bool) []int {
	from := make([]int, len(draft))
	taken := make([]bool, len(old))
	byID := map[string]int{}
	for o := range slices.Backward(old) {
		byID[old[o].ID] = o
	}
	named := func(i int) (o int, ok bool) { // the one with its id
		o, ok = byID[draft[i].ID]
		return o, ok && draft[i].Said.ID && !taken[o]
	}
	take := func(i, o int) { from[i], taken[o] = o, true }
	for i := range draft {
		from[i] = -1
		if o, ok := named(i); ok && merge && (draft[i].Content == "" || draft[i].Leave != "") {
			take(i, o)
		}
	}
	for _, form := range []func(string) string{exact, normal} { // the very same text first
		byText := map[string][]int{}
		for o := range old {
			text := form(old[o].Content)
			byText[text] = append(byText[text], o)
		}
		for i := range draft {
			if o, ok := named(i); from[i] < 0 && ok && form(draft[i].Content) == form(old[o].Content) {
				take(i, o)
			}
		}
		for _, leaves := range []bool{false, true} { // what stays is more likely to be what was there
			for i := range draft {
				it := &draft[i]
				_, known := byID[it.ID]
				if from[i] >= 0 || it.Content == "" || it.Leave != "" != leaves || merge && it.Said.ID && (known || !isNative(it.ID)) {
					continue
				}
				for _, o := range byText[form(it.Content)] {
					if !taken[o] && !(merge && it.Said.ID && isNative(old[o].ID)) {
						take(i, o)
						break
					}
				}
			}
		}
	}
	for i := range draft {
		it := &draft[i]
		o, ok := named(i)
		if from[i] < 0 && ok && kin(it.Content, old[o].Content) != unlike && (merge || !it.succeeds(&old[o])) {
			take(i, o)
		}
	}
	for i := range min(len(draft), len(old)) {
		it, was := &draft[i], &old[i]
		if from[i] >= 0 || taken[i] || merge || it.Said.ID || it.Leave != "" || was.Personal() || it.succeeds(was) {
			continue
		}
		if kin(it.Content, was.Content) != unlike {
			take(i, i)
		}
	}
	return from
}

func exact(text string) string { return text }

const (
	personal = "user-"   // begins the ids of todos that a person added
	native   = "native-" // begins those of the entries of an agent's own list
)

// NativeID is the id under which an entry of an agent's own list is kept. Those
// are often numbers, as the ids that Pawl gives.
func NativeID(id string) string { return native + id }

func isNative(id string) bool { return strings.HasPrefix(id, native) }

// Native reports whether the todo is an entry of the list that its agent's own
// tools keep.
func (i *Item) Native() bool { return isNative(i.ID) }

// Personal reports whether a person added the todo: an agent that numbers its
// own cannot have meant it.
func (i *Item) Personal() bool { return strings.HasPrefix(i.ID, personal) }

// succeeds reports whether a todo can only be another one than was, in its
// place: what is completed does not come back open with another text.
func (it *DraftItem) succeeds(was *Item) bool {
	return !was.Open() && it.Status != Completed && kin(it.Content, was.Content) != equal
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
			if !told || past.Item.Content != it.Content || taken[p] {
				continue
			}
			named := (past.Item.ID == it.ID || !it.Said.ID) && !past.Item.partsOpen() // else it would be open again
			if named || places[i] < 0 {
				places[i] = p
			}
			if named {
				break
			}
		}
		if places[i] >= 0 {
			taken[places[i]] = true
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
	if it.Said.ID {
		next.ID = it.ID
	}
	like := equal
	if it.Content != "" {
		like = kin(it.Content, was.Content)
	}
	if it.Content != "" && like != unlike { // else it only leaves, by its id
		next.Content = it.Content
	}
	reworded := like != equal
	if like < within {
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
// of those with the same text, else of those with the same id or, where none is
// given, the same position, and a text that is akin.
func followSubtasks(given, was []Subtask) []Subtask {
	next := slices.Clone(given)
	matched, taken := make([]bool, len(next)), make([]bool, len(was))
	ids := map[string]bool{}
	for n := range next {
		ids[next[n].ID] = true
	}
	for _, same := range []func(n, o int) bool{
		func(n, o int) bool {
			return given[n].ID != "" && given[n].ID == was[o].ID && given[n].Content == was[o].Content
		},
		func(n, o int) bool { return given[n].Content == was[o].Content },
		func(n, o int) bool {
			return (given[n].ID == was[o].ID || given[n].ID == "" && n == o) && kin(given[n].Content, was[o].Content) != unlike
		},
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
