package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// mostRead is how many tasks task_get reads at once.
const mostRead = 20

// taskGet reads tasks whole, the long ones a part at a time.
func (k *kit) taskGet(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	mentions := a.mentions("taskId")
	switch {
	case len(mentions) == 0:
		a.fault("taskId", "is missing: say which task")
		a.lost = true
	case len(mentions) > mostRead:
		a.fault("taskId", "names %d tasks; the most is %d", len(mentions), mostRead)
	}
	offset, _ := a.number("offset", 0)
	if offset > 0 && len(mentions) > 1 {
		a.fault("offset", "is that of one task: name only this one")
	}
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	p := lately
	if a.truth("history") {
		p = always
	}
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	board, note, err := k.Board(ctx, by, false)
	if err != nil {
		return Result{}, nil, err
	}
	got, err := a.whole(ctx, board, by, mentions, p)
	if err != nil {
		return Result{}, nil, err
	}
	printed, err := k.printed(ctx, got.Tasks)
	if err != nil {
		return Result{}, nil, err
	}
	return k.read(by, got, printed, int(offset), p), noted(note), nil
}

// whole asks for tasks with all that is known of them, each once, and for what
// waits for them. A mention that names no task becomes a fault.
func (a *arguments) whole(ctx context.Context, board query.Board, by Caller, mentions []mention, p past) (*query.Details, error) {
	q := query.TaskQuery{History: p.changes, Back: p.back}
	for i := range mentions {
		q.Names = append(q.Names, mentions[i].name())
	}
	answer, err := query.Of(ctx, board, query.Asker{By: by.Actor}, q)
	if err != nil {
		return nil, err
	}
	var missing error
	var got []query.Found
	seen := map[pawl.ID]bool{}
	for i, f := range answer.Tasks {
		switch _, numbered := mentions[i].id(); {
		case f.Fault != nil && numbered:
			missing = cmp.Or(missing, error(f.Fault))
		case f.Fault != nil:
			a.unknownTask(&mentions[i])
		case !seen[f.Detail.Task.ID]:
			seen[f.Detail.Task.ID] = true
			got = append(got, f)
		}
	}
	answer.Tasks = got
	return &answer, cmp.Or(a.err(), missing)
}

// gotJSON is what programs get of tasks.
type gotJSON struct {
	Task    *wire.Task  `json:"task,omitempty"`    // when one was asked for
	Tasks   []wire.Task `json:"tasks,omitempty"`   // when several were
	History []string    `json:"history,omitempty"` // of the one: what happened to it last, the newest first
	Next    int         `json:"next,omitempty"`    // the offset of the rest of its text
	Cut     bool        `json:"cut,omitempty"`     // long texts or lists are shortened here
}

// printed is what failed checks of tasks printed at their end, as far as that was seen
// where the caller works.
func (k *kit) printed(ctx context.Context, got []query.Found) ([]string, error) {
	all := make([]string, len(got))
	if k.Looked == nil {
		return all, nil
	}
	for i := range got {
		t := &got[i].Detail.Task
		if len(t.Evidence) == 0 {
			continue
		}
		ran, err := k.Looked(ctx, t)
		if err != nil {
			return nil, err
		}
		report := CheckReport{Ran: ran}
		var b strings.Builder
		for j, tail := range report.tails(mostTail / len(got)) {
			if tail != "" {
				fmt.Fprintf(&b, "%s printed at its end:\n  | %s\n", text.Line(clip(ran[j].Check, mostSubject)), strings.ReplaceAll(tail, "\n", "\n  | "))
			}
		}
		all[i] = b.String()
	}
	return all, nil
}

func (k *kit) read(by Caller, answer *query.Details, printed []string, offset int, p past) Result {
	got := answer.Tasks
	var data gotJSON
	var b strings.Builder
	room := mostText / len(got)
	for i := range got {
		t := got[i].Detail.Task
		text, notes, history := k.tell(&got[i], printed[i], p, &answer.Head)
		if i > 0 {
			b.WriteByte('\n')
		}
		var more []any
		if p == always {
			more = []any{"history", true}
		}
		part, next := k.part(t.ID, text, notes, offset, room, more...)
		b.WriteString(part)
		data.Tasks = append(data.Tasks, wire.TasksOf(by.Name, []pawl.Task{t}, answer.Waiting)...)
		data.History, data.Next = history, next
	}
	data.Cut = fit(data.Tasks, mostText-1000)
	if len(got) == 1 {
		data.Task, data.Tasks = &data.Tasks[0], nil
	} else {
		data.History, data.Next = nil, 0
	}
	return said(b.String(), data)
}

// part is the part of a task's text that has room, with the call for the next
// one and how many of the notes that has, and where that begins; zero: it was
// the last.
func (k *kit) part(id pawl.ID, text string, notes []int, offset, room int, more ...any) (part string, next int) {
	part, next = notePage(text, notes, offset, room)
	part = strings.TrimRight(part, "\n") + "\n"
	if offset > 0 {
		part = fmt.Sprintf("%v, from byte %d of %d:\n", id, min(offset, len(text)), len(text)) + part
	}
	if next > 0 {
		args := append([]any{"taskId", k.names.about([]pawl.ID{id}), "offset", next}, more...)
		part += fmt.Sprintf("… %d more bytes%s: %s\n", len(text)-next, older(notes, next), call(k.names.get, args...))
	}
	return part, next
}

// tell is a task with all that is known of it.
func (k *kit) tell(f *query.Found, printed string, p past, head *query.Head) (s string, notes []int, history []string) {
	t := &f.Detail.Task
	var b strings.Builder
	b.WriteString(show.WithoutNotes(f.Detail, head.Shared) + printed)
	notes = newest(&b, t, func(n pawl.Note) string { return show.Clock{}.Spell(n.At) + " " + text.Line(n.By) })
	b.WriteString(metadata(t))
	if len(f.Past.Sets) > 0 {
		b.WriteString("History:\n")
	}
	for i := range f.Past.Sets {
		set := &f.Past.Sets[i]
		telling := show.Telling{Names: f.Past.Names, Asked: t.ID, Most: mostRemark, Few: true, Origin: head.Origin}
		line := show.Clock{}.Spell(set.At) + " " + clip(telling.Line(set), 300)
		history = append(history, line)
		b.WriteString("  " + line + "\n")
	}
	if f.Past.More && p == lately {
		b.WriteString("Older history: " + call(k.names.get, "taskId", t.ID, "history", true) + "\n")
	}
	return b.String(), notes, history
}

// newest writes the notes of a task, the newest first: without room for
// all of them these are worth more. It returns where each begins.
func newest(b *strings.Builder, t *pawl.Task, heading func(pawl.Note) string) (starts []int) {
	switch len(t.Notes) {
	case 0:
		return nil
	case 1:
		b.WriteString("Notes:\n")
	default:
		b.WriteString("Notes, newest first:\n")
	}
	for _, note := range slices.Backward(t.Notes) {
		starts = append(starts, b.Len())
		fmt.Fprintf(b, "  %s:\n%s\n", heading(note), text.Indent(text.Indent(note.Text)))
	}
	return starts
}

// notePage is page that does not end with the heading of a note.
func notePage(text string, notes []int, offset, n int) (part string, next int) {
	part, next = page(text, offset, n)
	for _, start := range notes {
		if start > offset && start < next && strings.Count(text[start:next], "\n") <= 1 {
			return text[offset:start], start
		}
	}
	return part, next
}

// older counts, behind a comma, the notes that begin where a page ends or later.
func older(starts []int, end int) string {
	n := 0
	for _, start := range starts {
		if start >= end {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case len(starts):
		return ", with " + text.Count(n, "note", "notes")
	}
	return ", with " + text.Count(n, "older note", "older notes")
}

// metadata lists what programs keep with a task, and fields of its file that
// Pawl does not know, a key a line.
func metadata(t *pawl.Task) string {
	var b strings.Builder
	for _, part := range []struct {
		title  string
		values map[string]json.RawMessage
	}{{"Metadata", t.Metadata}, {"Other fields of its file", t.Extra}} {
		if len(part.values) == 0 {
			continue
		}
		b.WriteString(part.title + ":\n")
		for _, key := range slices.Sorted(maps.Keys(part.values)) {
			fmt.Fprintf(&b, "  %s: %s\n", text.Line(key), text.Line(string(part.values[key])))
		}
	}
	return b.String()
}

// A past is which part of a task's history task_get looks for: a store may have
// to read all of the board's for it.
type past struct {
	changes int           // to tell
	back    pawl.Revision // how many of the board's to look through; zero: all of them
}

var (
	lately = past{changes: 8, back: 2_000}
	always = past{changes: 50}
)
