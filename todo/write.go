package todo

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Writing says how a draft replaces a list.
type Writing struct {
	Merge   bool   // todos are changed by id, new ones added, others stay
	New     bool   // the todos of a merge are new: one that takes the id of another text gets another id
	Project string // the project's folder
	// Keep decides whether a todo that the draft leaves out stays, at the end of the
	// list. A client that keeps its own list cannot have meant todos that only Pawl
	// has. nil: none stays.
	Keep func(List, Item) bool
}

// Written is the result of a draft. It shares no memory with a store.
type Written struct {
	Old   []Item   // before
	New   []Item   // the list as given and repaired, also when all of it is completed
	List  List     // as it is stored: without todos when all of them are completed
	Diff  Diff     // from Old to New
	Notes []string // what was repaired in a way that the agent should know
}

// Write replaces a list, or merges into it, whole or not at all.
//
// Write finds the earlier todo of each todo in the draft. It compares texts without
// case, spaces and final punctuation. Without an equal text it takes the todo with
// the given id or, without an id, the one at the same position, but only if the
// two texts share most of their words and at least two. The first word, and words
// in every text, do not count. Any other todo is new, whatever its id.
//
// A todo that was found keeps its times and tool calls, and the fields that the
// draft leaves out: subtasks, priority, and the status if it was found by id or
// content. It keeps its task if one of the two texts has all words of the other.
// If several todos are in progress, only the last one in the draft stays so.
//
// A todo without an id gets its position as id, again at each rewrite, because
// agents count; if another todo has that id, it gets the first free number. Only
// ids that an agent chose as names stay. In a merge, ids stay and new todos get
// the following numbers.
//
// A completed todo does not reopen under another text. That is another todo,
// whatever its position or, except in a merge, its id.
//
// A list that is all completed is stored as empty, unless it has a check: that alone
// finishes it ([Service.CheckRan]), and no list without todos stands for it. Todos that
// leave the list are remembered in its Past, unless they were deleted. An unchanged list
// is not written.
func (s *Service) Write(ctx context.Context, key Key, draft Draft, how Writing) (Written, error) {
	var w Written
	list, err := s.change(ctx, key, how.Project, func(l *List, now time.Time) error {
		var err error
		w, err = l.write(draft, how, now)
		return err
	})
	if err != nil {
		return Written{}, err
	}
	w.List = list
	return w, nil
}

func (l *List) write(draft Draft, how Writing, now time.Time) (Written, error) {
	merge := how.Merge
	w := Written{Old: CloneItems(l.Items)}
	items, err := l.prepare(draft.Items, merge)
	if err != nil {
		return w, err
	}
	rows := l.match(w.Old, items, how)
	if l.HasCheck() {
		keepDone(rows)
	}
	if n := len(listed(rows)); n > MaxItems {
		var c checker
		c.tooMany(n)
		return w, c.err()
	}
	w.Notes = append(slices.Clone(draft.Notes), repair(rows, merge)...)
	if len(l.News) > 0 {
		w.Notes = append(w.Notes, overlooked(rows)...)
		w.Notes = append(w.Notes, l.overruled(rows)...)
	}
	for i := range rows {
		rows[i].stamp(now)
	}
	w.New, w.Diff = listed(rows), diffOf(rows)

	next := CloneItems(w.New)
	if !l.HasCheck() && !slices.ContainsFunc(next, func(it Item) bool { return it.Open() }) {
		finish(rows)
		next = nil
	}
	l.recall(rows, now)
	if !slices.EqualFunc(l.Items, next, func(a, b Item) bool { return reflect.DeepEqual(a, b) }) {
		l.remember(w.Diff.what(), now)
		l.Items = next
	}
	return w, nil
}

// prepare returns a copy of the todos of a draft, in which an id that nobody gave
// is empty, or all their faults.
func (l *List) prepare(draft []DraftItem, merge bool) ([]DraftItem, error) {
	c := checker{merge: merge}
	items := slices.Clone(draft)
	if len(items) > MaxItems {
		c.tooMany(len(items))
		items = items[:MaxItems]
	}
	for i := range items {
		it := &items[i]
		it.Item = it.clone()
		c.item(i, it)
		c.subtasks(place(i)+".subtasks", it.Subtasks)
		if it.Content == "" && merge && it.Said.ID && l.index(it.ID) < 0 {
			c.add(place(i)+".content", "is required, because there is no todo %s%s", quoted(it.ID), l.known())
		}
		it.defaults()
		for s := range it.Subtasks {
			if sub := &it.Subtasks[s]; sub.ID == subtaskID(it.ID, s) {
				sub.ID = ""
			}
		}
		if !it.Said.ID {
			it.ID = ""
		}
	}
	return items, c.err()
}

func (l *List) index(id string) int {
	return slices.IndexFunc(l.Items, func(it Item) bool { return it.ID == id })
}

// known lists the ids of the list, for a sentence.
func (l *List) known() string {
	if len(l.Items) == 0 {
		return ": the list is empty"
	}
	var ids []string
	for i := range l.Items {
		ids = append(ids, quoted(l.Items[i].ID))
	}
	return ": there is " + enumerate(ids)
}

// listed returns the todos that stay.
func listed(rows []row) []Item {
	items := make([]Item, 0, len(rows))
	for i := range rows {
		if rows[i].leave == "" {
			items = append(items, rows[i].Item)
		}
	}
	return items
}

// repair leaves at most one todo in progress, and one subtask of each, and fills in
// missing ids. It returns the todos that it set back to pending.
func repair(rows []row, merge bool) (notes []string) {
	current := -1 // the last that the draft names, else the last
	for i := range rows {
		if rows[i].leave == "" && rows[i].Status == InProgress && (current < 0 || rows[i].given >= rows[current].given) {
			current = i
		}
	}
	var back []string
	for i := range rows {
		if r := &rows[i]; r.leave == "" && r.Status == InProgress && i != current {
			r.Status = Pending
			back = append(back, quoted(r.Content))
		}
	}
	var undone []string
	if !slices.ContainsFunc(rows, func(r row) bool { return r.leave == "" && r.Open() }) {
		kept := slices.ContainsFunc(rows, func(r row) bool { return r.leave == "" && !r.stated && r.partsOpen() })
		for i := range rows { // or the list would be finished; first those whose status only follows, so that the same draft again changes nothing
			if r := &rows[i]; r.leave == "" && r.partsOpen() && (!r.stated || !kept) {
				r.Status = Pending
				undone = append(undone, quoted(r.Content))
			}
		}
	}
	identify(rows, merge)
	for i := range rows {
		oneInProgress(rows[i].Subtasks)
		numberSubtasks(rows[i].ID, rows[i].Subtasks)
	}
	if len(back) > 0 {
		notes = append(notes, "Only one todo can be in progress: "+enumerate(back)+" became pending.")
	}
	if len(undone) > 0 {
		notes = append(notes, "The list is finished when all subtasks are completed, too: "+enumerate(undone)+" became pending.")
	}
	return notes
}

func identify(rows []row, merge bool) {
	seen := map[string]bool{}
	for i := range rows {
		if rows[i].said {
			seen[rows[i].ID] = true
		}
	}
	var ids []*string
	for i := range rows {
		r := &rows[i]
		switch {
		case r.said:
		case r.leave != "":
			if r.ID == "" {
				r.ID = strconv.Itoa(r.given + 1) // it is only remembered
			}
			continue
		case seen[r.ID] || !merge && !named(r.ID):
			r.ID = ""
		default:
			seen[r.ID] = true
		}
		if r.leave == "" {
			ids = append(ids, &r.ID)
		}
	}
	for i := range rows {
		if r := &rows[i]; r.leave != "" && r.said {
			ids = append(ids, &r.ID) // which no other gets
		}
	}
	number(ids, "")
	for i := range rows {
		if r := &rows[i]; r.was != nil && !r.said && r.ID != r.was.ID {
			r.renumberSubtasks()
		}
	}
}

// renumberSubtasks makes the ids of subtasks begin with the todo's new id. A taken
// id is replaced by a free one.
func (r *row) renumberSubtasks() {
	seen := map[string]bool{}
	for s := range r.Subtasks {
		seen[r.Subtasks[s].ID] = true
	}
	for s := range r.Subtasks {
		sub := &r.Subtasks[s]
		n, ok := strings.CutPrefix(sub.ID, r.was.ID+".")
		if !ok {
			continue
		}
		if sub.ID = r.ID + "." + n; seen[sub.ID] {
			sub.ID = ""
		}
		seen[sub.ID] = true
	}
	numberSubtasks(r.ID, r.Subtasks)
}

// named reports whether an id is a name that an agent gave: no number, and none
// that a person's todo got.
func named(id string) bool {
	return strings.Trim(id, "0123456789") != "" && !strings.HasPrefix(id, personal)
}

// overlooked names the open todos of people that a rewrite drops; its agent may
// not have been told of them.
func overlooked(rows []row) []string {
	var texts []string
	for i := range rows {
		if rows[i].leave == Dropped && rows[i].was.Personal() {
			texts = append(texts, quoted(rows[i].Content))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []string{"Left out of this list, and added by a person: " + enumerate(texts) + ". Add what is still wanted again."}
}

// overruled names the todos that people completed or removed, and that a write
// has again; its agent may not have been told.
func (l *List) overruled(rows []row) (notes []string) {
	if l.NewsAt.IsZero() {
		return nil
	}
	var opened, back []string
	for i := range rows {
		r := &rows[i]
		if r.leave != "" || !r.Open() {
			continue
		}
		was, how := r.was, Finished
		if was == nil {
			for p := range l.Past {
				if past := &l.Past[p]; past.Item.Content == r.Content && !past.At.Before(l.NewsAt) {
					was, how = &past.Item, past.How
				}
			}
		}
		switch {
		case was == nil:
		case how == Cleared:
			back = append(back, quoted(r.Content))
		case !was.Open() && !was.CompletedAt.Before(l.NewsAt):
			opened = append(opened, quoted(r.Content))
		}
	}
	verb := func(texts []string) string {
		if len(texts) == 1 {
			return "is"
		}
		return "are"
	}
	if len(opened) > 0 {
		notes = append(notes, enumerate(opened)+", which a person marked completed, "+verb(opened)+" open again in your list.")
	}
	if len(back) > 0 {
		notes = append(notes, enumerate(back)+", which a person removed, "+verb(back)+" in your list again.")
	}
	return notes
}

// oneInProgress sets back all subtasks in progress but the last.
func oneInProgress(subtasks []Subtask) {
	seen := false
	for s := len(subtasks) - 1; s >= 0; s-- {
		if subtasks[s].Status == InProgress && seen {
			subtasks[s].Status = Pending
		}
		seen = seen || subtasks[s].Status == InProgress
	}
}

// keepDone keeps what was completed in a list that would have no todo: its check has
// not passed.
func keepDone(rows []row) {
	if slices.ContainsFunc(rows, func(r row) bool { return r.leave == "" }) {
		return
	}
	for i := range rows {
		if r := &rows[i]; r.leave == Finished && r.listed {
			r.leave, r.said = "", true
		}
	}
}

func finish(rows []row) {
	for i := range rows {
		if rows[i].leave == "" {
			rows[i].leave = Finished
		}
	}
}

// recall updates the past: it adds todos that leave the list, removes those that
// came back, and keeps each only once.
func (l *List) recall(rows []row, now time.Time) {
	var gone []row
	back := map[int]bool{}
	for _, r := range rows {
		again := r.past >= 0 && l.Past[r.past].How == r.leave
		if r.past >= 0 && !again {
			back[r.past] = true
		}
		if r.leave != "" && r.leave != Deleted && !again {
			gone = append(gone, r)
		}
	}
	if len(back) > 0 {
		kept := make([]Past, 0, len(l.Past))
		for i, p := range l.Past {
			if !back[i] {
				kept = append(kept, p)
			}
		}
		l.Past = kept
	}
	for _, r := range gone {
		l.leave(r.Item.clone(), r.leave, now)
	}
}
