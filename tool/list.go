package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// How many tasks a page of task_list has: a page is also full when its text is.
const (
	pageLength = 60
	mostLength = 200 // when a call asks for more
	mostCall   = 300 // bytes of a call that is spelled for the next page
)

// taskList lists the tasks of the board, a page at a time.
func (k *kit) taskList(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	return k.listTasks(ctx, by, a, &listing{by: by.Actor, names: k.names, limit: pageLength, size: mostPage, line: listed(by.Name), tell: tellPage})
}

// listTasks reads what a call asks for into the listing, and lists that.
func (k *kit) listTasks(ctx context.Context, by Caller, a *arguments, l *listing) (Result, []string, error) {
	parents := a.filters(l)
	if n, ok := a.number("limit", 1); ok {
		l.limit, l.size = int(min(n, mostLength)), mostText*3/4
		l.call = append(l.call, "limit", l.limit)
	}
	if cursor := a.word("cursor"); cursor != "" {
		after, err := pawl.ParseCursor(cursor)
		if err != nil {
			a.fault("cursor", "%q is none: take it from the last line of a page", line(clip(cursor, mostRemark)))
		}
		l.query.After = after
	}
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	board, note, err := k.Board(ctx, by, false)
	if err != nil {
		return Result{}, nil, err
	}
	if err := a.inParent(ctx, board, parents, &l.query); err != nil {
		return Result{}, nil, err
	}
	l.archive = k.Settings(ctx, by.Session).Archive
	r, err := l.load(ctx, board)
	return r, noted(note), err
}

// A listing is what a call of task_list asks for.
type listing struct {
	by      pawl.Actor
	names   names
	query   pawl.Query
	status  string        // as the call said it; empty: nothing
	archive time.Duration // completed tasks are shown for so long
	limit   int           // tasks
	size    int           // bytes of text
	chosen  bool          // a filter beside the status was given
	call    []any         // the filters, to be repeated for the next page

	line func(*pawl.Task, *share.Status) string
	tell func(l *listing, p *pawl.Page, shown []string, t *totals) Result
}

// filters reads what chooses tasks. It returns the mention of a parent.
func (a *arguments) filters(l *listing) *mention {
	l.status = a.states(&l.query)
	if l.status != "" {
		l.call = append(l.call, "status", l.status)
	}
	if owner := a.word("owner"); owner != "" {
		l.chosen = true
		l.call = append(l.call, "owner", owner)
		switch fold(owner) {
		case "me", "mine", "self":
			if l.query.Mine = l.by; l.by.Name == "" {
				a.fault("owner", "nobody knows your name: say whose tasks")
			}
		default:
			l.query.Owner = owner
		}
	}
	parent := a.choice(&l.query)
	if len(l.query.Labels) > 0 {
		l.call = append(l.call, "label", l.query.Labels)
	}
	if parent != nil {
		l.call = append(l.call, "parent", parent.word)
	}
	if l.query.Priority != nil {
		l.call = append(l.call, "priority", l.query.Priority.String())
	}
	l.call = append(l.call, "text", l.query.Text)
	l.chosen = l.chosen || len(l.query.Labels) > 0 || parent != nil || l.query.Priority != nil || l.query.Text != ""
	l.query.For = l.by.Name
	return parent
}

// choice reads the filters that a list and a claim have in common.
func (a *arguments) choice(q *pawl.Query) *mention {
	q.Labels = append(q.Labels, a.labels("label")...)
	q.Priority = a.priority("priority")
	q.Text = a.word("text")
	if parent := a.one("parent"); parent != nil && !parent.none() {
		return parent
	}
	return nil
}

// inParent puts the parent that was mentioned into the query.
func (a *arguments) inParent(ctx context.Context, board query.Board, parent *mention, q *pawl.Query) error {
	if parent == nil {
		return nil
	}
	ids, err := a.resolve(ctx, board, []mention{*parent})
	if err != nil {
		return err
	}
	if len(ids) == 1 {
		q.Parent = ids[0]
	}
	if _, err := a.lookUp(ctx, board); err != nil {
		return err
	}
	return a.err()
}

// states reads which tasks are meant by where they stand, and returns it as a
// call would say it again.
func (a *arguments) states(q *pawl.Query) string {
	words := a.texts("status")
	for _, word := range []string{"ready", "blocked", "held"} {
		if a.truth(word) {
			words = append(words, word)
		}
	}
	var said []string
	for _, word := range words {
		for _, word := range strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == '|' }) {
			state := a.state(word)
			switch state {
			case "":
				continue
			case "ready":
				q.Ready = true
			case "blocked":
				q.Blocked = true
			case "held":
				q.Held = true
			case "archived": // see load
			case "open":
				q.Status = append(q.Status, pawl.Pending, pawl.InProgress)
			case "all":
				q.Status = append(q.Status, pawl.Pending, pawl.InProgress, pawl.Completed)
			default:
				q.Status = append(q.Status, pawl.Status(state))
			}
			said = append(said, state)
		}
	}
	if special := count(q.Ready, q.Blocked, q.Held); special > 1 || special == 1 && len(q.Status) > 0 {
		a.fault("status", "%s cannot be asked for together: use one call for each", strings.Join(said, " and "))
	}
	return strings.Join(said, ",")
}

func count(all ...bool) (n int) {
	for _, one := range all {
		if one {
			n++
		}
	}
	return n
}

// state reads one word for where tasks stand.
func (a *arguments) state(word string) string {
	word = strings.TrimSpace(word)
	switch folded := fold(word); folded {
	case "":
		return ""
	case "open", "ready", "blocked", "held", "all", "archived":
		return folded
	case "any", "*":
		return "all"
	case "available", "unblocked", "claimable":
		return "ready"
	case "waiting":
		return "blocked"
	case "onhold", "paused":
		return "held"
	default:
		if status := statusOf(folded); status != "" && status != deleted {
			return status
		}
	}
	all := []string{"open", "ready", "blocked", "held", "pending", "in_progress", "completed", "archived", "all"}
	a.fault("status", "%q is none of %s", line(clip(word, mostRemark)), strings.Join(all, ", "))
	return ""
}

// load reads a page and tells it.
func (l *listing) load(ctx context.Context, board query.Board) (Result, error) {
	q := query.TasksQuery{
		Query:  l.query,
		Totals: l.query.Text == "", // else a store may have to open each task
		Open:   l.status == "" && l.query.After == nil,
	}
	q.Query.Brief, q.Query.Limit = true, l.limit
	who := query.Asker{By: l.by, Archive: l.archive}
	if states := strings.Split(l.status, ","); slices.Contains(states, "all") {
		who.Archive = 0
	} else if q.Archived = l.status == "archived"; q.Archived {
		q.Query.Status = []pawl.Status{pawl.Completed}
	}
	answer, err := query.Of(ctx, board, who, q)
	if err != nil {
		return Result{}, err
	}
	page, shown := &answer.Page, l.lines(answer.Page.Tasks, answer.Shared)
	if q.Open && !answer.Open && len(shown) < len(page.Tasks) { // all are here, but not all have room
		answer.Open = true
		page.Tasks = slices.DeleteFunc(page.Tasks, func(t pawl.Task) bool { return t.Status == pawl.Completed })
		page.Total = len(page.Tasks)
		shown = l.lines(page.Tasks, answer.Shared)
	}
	if answer.Open { // what is done can wait
		l.call = append([]any{"status", "open"}, l.call...)
	}
	return l.tell(l, page, shown, totalsOf(&answer)), nil
}

// lines are those of the tasks that have room on the page.
func (l *listing) lines(tasks []pawl.Task, shared *share.Status) []string {
	const around = 600 // the lines above and below
	var lines []string
	room := l.size - around
	for i := range tasks {
		text := l.line(&tasks[i], shared)
		if room -= len(text) + 1; room < 0 && i > 0 {
			break
		}
		lines = append(lines, text)
	}
	return lines
}

// listed is a task's line for an agent of this name.
func listed(by string) func(*pawl.Task, *share.Status) string {
	return func(t *pawl.Task, shared *share.Status) string {
		if t.Ready(by) {
			return brief(t, shared) + " ready"
		}
		return brief(t, shared)
	}
}

// totals are how many tasks there are, whatever part of them a page shows.
type totals struct {
	Pending    int `json:"pending"`
	InProgress int `json:"inProgress"`
	Completed  int `json:"completed"`
	Ready      int `json:"ready"`              // of the pending ones
	Blocked    int `json:"blocked"`            // of the pending ones
	Damaged    int `json:"damaged,omitempty"`  // of the pending ones, as which they count
	Archived   int `json:"archived,omitempty"` // completed long ago, and in none of the others
}

// totalsOf are the totals of an answer; nil: it has none.
func totalsOf(answer *query.Tasks) *totals {
	n := answer.Totals
	if n == nil {
		return nil
	}
	return &totals{n.Pending, n.InProgress, n.Completed, n.Ready, n.Blocked, n.Damaged, answer.Archived}
}

func (t totals) all() int { return t.Pending + t.InProgress + t.Completed }

func (t totals) String() string { return text.Count(t.all(), "task", "tasks") + t.parts() }

// parts are where the tasks stand.
func (t totals) parts() string {
	s := ":"
	for _, part := range []struct {
		n    int
		what string
	}{{t.Ready, "ready"}, {t.InProgress, "in progress"}, {t.Blocked, "blocked"}, {t.Pending - t.Ready - t.Blocked - t.Damaged, "on hold or assigned"}, {t.Damaged, "damaged"}, {t.Completed, "completed"}, {t.Archived, "archived"}} {
		if part.n > 0 {
			s += fmt.Sprintf(" %d %s,", part.n, part.what)
		}
	}
	return s[:len(s)-1]
}

// listJSON is a page for programs.
type listJSON struct {
	Tasks  []listedJSON `json:"tasks"`
	Total  int          `json:"total"`            // of this query
	Counts *totals      `json:"counts,omitempty"` // of the other filters, whatever the state; absent if the call searches for a text
	Cursor string       `json:"cursor,omitempty"` // of the next page; not there: this is the last
	Moved  bool         `json:"moved,omitempty"`  // the board changed since the first page
}

// listedJSON is a task of a page.
type listedJSON struct {
	ID        pawl.ID     `json:"id"`
	Subject   string      `json:"subject"` // its beginning, where it is long
	Status    pawl.Status `json:"status,omitempty"`
	Owner     string      `json:"owner,omitempty"`
	BlockedBy []pawl.ID   `json:"blockedBy,omitempty"` // the first ten
	Parent    pawl.ID     `json:"parent,omitempty"`
	Priority  wire.Level  `json:"priority"`
	Ready     bool        `json:"ready"`
	Held      bool        `json:"held,omitempty"`
	Damaged   bool        `json:"damaged,omitempty"`
}

func tellPage(l *listing, p *pawl.Page, shown []string, t *totals) Result {
	data := listJSON{Tasks: []listedJSON{}, Total: p.Total, Counts: t, Moved: p.Moved}
	for i := range shown {
		t := &p.Tasks[i]
		data.Tasks = append(data.Tasks, listedJSON{
			ID: t.ID, Subject: clip(t.Subject, mostSubject), Status: t.Status, Owner: clip(t.Owner, mostRemark),
			BlockedBy: t.BlockedBy[:min(10, len(t.BlockedBy))], Parent: t.Parent, Priority: wire.Level(t.Priority.String()),
			Ready: t.Ready(l.by.Name), Held: t.Hold != nil, Damaged: t.Damage != "",
		})
	}
	var b strings.Builder
	switch {
	case t == nil && p.Total > 0, t != nil && t.all() > 0:
		b.WriteString(l.header(p, t) + "\n")
	case l.chosen || l.status != "":
		b.WriteString("No task fits.\n")
	default:
		return said("No tasks yet.\nNext: "+call(l.names.create, "subject", "…"), data)
	}
	switch {
	case p.Total == 0 && l.status != "" && t != nil && t.all() > 0:
		b.WriteString("None of them is " + l.inWords() + ".\n")
	case len(shown) == 0 && p.Total > 0:
		b.WriteString("There are no more.\n")
	}
	for _, line := range shown {
		b.WriteString(line + "\n")
	}
	if p.Moved {
		b.WriteString("The board changed since the first page.\n")
	}
	var next string
	data.Cursor, next = l.rest(p, len(shown))
	b.WriteString(next)
	return said(b.String(), data)
}

// inWords is the states that were asked for, as a sentence has them.
func (l *listing) inWords() string {
	return strings.NewReplacer("held", "on hold", "_", " ", ",", " or ").Replace(l.status)
}

// header says how many tasks there are: of all that there are without filters,
// else of those that fit.
func (l *listing) header(p *pawl.Page, t *totals) string {
	switch {
	case t == nil:
		return text.Count(p.Total, "task fits", "tasks fit")
	case l.status != "" && l.status != "all" && p.Total > 0:
		s := fmt.Sprintf("%d %s of %s", p.Total, l.inWords(), text.Count(t.all(), "task", "tasks"))
		if l.chosen {
			s += " that fit"
		}
		return s
	case l.chosen:
		return text.Count(t.all(), "task fits", "tasks fit") + t.parts()
	}
	return t.String()
}

// rest is the cursor of what follows a page, and the line that says so; both are
// empty after the last.
func (l *listing) rest(p *pawl.Page, shown int) (cursor, line string) {
	if shown == 0 || p.Next == nil && shown == len(p.Tasks) {
		return "", ""
	}
	cursor = l.after(&p.Tasks[shown-1], p.Revision)
	next := call(l.names.list, append(l.call, "cursor", cursor)...)
	if len(next) > mostCall {
		next = "the same call, and cursor " + cursor
	}
	return cursor, fmt.Sprintf("%d of %d. Next page: %s\n", shown, p.Total, next)
}

func (l *listing) after(t *pawl.Task, rev pawl.Revision) string {
	if l.query.After != nil {
		rev = l.query.After.Revision
	}
	return after(t, rev)
}

// after is the cursor of what follows a task in a list.
func after(t *pawl.Task, rev pawl.Revision) string {
	return pawl.Cursor{Rank: t.Rank(), Revision: rev}.String()
}
