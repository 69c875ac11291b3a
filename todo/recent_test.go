package todo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A hall is todo lists under a clock that a test moves.
type hall struct {
	*testing.T
	*todo.Service
	now time.Time
}

func newHall(t *testing.T) *hall {
	d := &hall{T: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	d.Service = todo.New(todomem.New(), func() time.Time { return d.now })
	return d
}

// write replaces the list of a session in a project a minute later: "x" is
// completed, "x?" pending, "x!" in progress.
func (d *hall) write(project, session string, todos ...string) {
	d.Helper()
	d.now = d.now.Add(time.Minute)
	var draft todo.Draft
	for _, text := range todos {
		it := todo.DraftItem{Item: todo.Item{Status: todo.Completed}, Said: todo.Said{Content: true, Status: true}}
		switch {
		case strings.HasSuffix(text, "?"):
			it.Status = todo.Pending
		case strings.HasSuffix(text, "!"):
			it.Status = todo.InProgress
		}
		it.Content = strings.TrimRight(text, "?!")
		draft.Items = append(draft.Items, it)
	}
	must.Do(d, errOf(d.Write(d.Context(), todo.Key{Session: session}, draft, todo.Writing{Project: project})))
}

// shows is what stands beside the tasks of the project p: lists that run as
// "session: todo, todo", and the finished one as "session done: todo, todo".
func (d *hall) shows(keep time.Duration) []string {
	d.Helper()
	recent, err := d.Recent(d.Context(), func(h todo.Head) bool { return h.Project == "/p" }, keep)
	must.Do(d, err)
	shown := []string{}
	add := func(who string, items []todo.Item) {
		var texts []string
		for _, it := range items {
			texts = append(texts, it.Content+map[todo.Status]string{todo.Pending: "?", todo.InProgress: "!"}[it.Status])
		}
		shown = append(shown, who+": "+strings.Join(texts, ", "))
	}
	for _, l := range recent.Running {
		add(l.Session, l.Items)
		if len(l.Past) > 0 {
			d.Errorf("the list of %s comes with its past", l.Session)
		}
	}
	if recent.More > 0 {
		shown = append(shown, fmt.Sprintf("%d more", recent.More))
	}
	if f := recent.Finished; f != nil {
		add(f.Session+" done", f.Items)
	}
	return shown
}

const month = 30 * 24 * time.Hour

func (d *hall) expect(when string, keep time.Duration, want ...string) {
	d.Helper()
	if got := d.shows(keep); !slices.Equal(got, append([]string{}, want...)) {
		d.Errorf("%s it shows %q, want %q", when, got, want)
	}
}

func TestRecent(t *testing.T) {
	d := newHall(t)
	d.expect("before anything", month)
	d.write("/p", "s", "A?", "B?")
	d.write("/elsewhere", "other", "X?")
	d.expect("with a plan", month, "s: A?, B?")
	d.write("/p", "s", "A", "B!")
	d.write("/p", "t", "C!")
	d.expect("with two", month, "t: C!", "s: A, B!")
	d.write("/p", "s", "B!", "D?")
	d.expect("when a completed one was left out, which finishes nothing", month, "s: B!, D?", "t: C!")
	d.write("/p", "s", "B", "D")
	d.expect("when one is finished", month, "t: C!", "s done: B, D")
	d.write("/p", "s", "B", "D")
	d.expect("when that is told again", month, "t: C!", "s done: B, D")
	d.write("/p", "s", "E?")
	d.expect("when its session plans anew", month, "s: E?", "t: C!", "s done: B, D")
	d.write("/p", "s", "D", "E?")
	d.expect("when a finished one is listed again", month, "s: D, E?", "t: C!", "s done: B")
	d.write("/p", "t", "C")
	d.expect("when another one is finished", month, "s: D, E?", "t done: C")

	finished := d.now
	d.now = finished.Add(todo.Lately)
	d.expect("half a day later", month, "t done: C")
	d.expect("where lists are kept for an hour", time.Hour)
	d.now = finished.Add(todo.KeepFinished - time.Millisecond)
	d.expect("just before a day is over", month, "t done: C")
	d.now = finished.Add(todo.KeepFinished)
	d.expect("a day later", month)
}

// What was finished comes back only if somebody wants it back.
func TestRecentTakenBack(t *testing.T) {
	d := newHall(t)
	d.write("/p", "s", "A?", "B?")
	d.write("/p", "s", "A", "B")
	d.expect("finished", month, "s done: A, B")
	d.now = d.now.Add(time.Minute)
	must.Do(t, errOf(d.Edit(t.Context(), todo.Key{Session: "s"}, todo.Editing{}, todo.Revert{})))
	d.expect("taken back", month, "s: A?, B?")
	d.write("/p", "s", "A", "B")

	d.write("/p", "s", "C?")
	must.Do(t, errOf(d.Edit(t.Context(), todo.Key{Session: "s"}, todo.Editing{}, todo.Clear{})))
	d.expect("when a later list was emptied", month, "s done: A, B")
}

func TestRecentIsBounded(t *testing.T) {
	d := newHall(t)
	for n := range todo.MaxRunning + 3 {
		d.write("/p", fmt.Sprintf("s%02d", n), "A?")
	}
	got := d.shows(month)
	if len(got) != todo.MaxRunning+1 || got[0] != "s18: A?" || got[todo.MaxRunning] != "3 more" {
		t.Errorf("it shows %q", got)
	}
}
