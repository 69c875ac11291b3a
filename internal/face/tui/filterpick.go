package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/text"
)

// A filtering picks what is seen. Each choice has the number of tasks that are
// seen with it, beside what is chosen already. The screen follows at once.
type filtering struct {
	pick[choice]
	before filter // to come back to
	turned bool   // something was turned on or off
}

// mostChoices is how many owners, labels and parents are offered, of each: the
// most frequent ones.
const mostChoices = 100

// keyMark chooses one of several.
var keyMark = bind("mark", "Tab", "tab")

func (m *model) pickFilter() tea.Cmd {
	d := &filtering{before: m.filter}
	d.title = "Show only"
	d.empty = "No tasks yet"
	d.marks = true
	d.keys = []key.Binding{bind("show", "Enter", "enter")}
	d.own = []key.Binding{keyMark}
	d.other = func(m *model, _ tea.KeyPressMsg, c *choice) tea.Cmd {
		if c == nil {
			return nil
		}
		d.turned = true
		return d.turn(m, *c)
	}
	d.choose = func(m *model, c choice) tea.Cmd {
		if d.turned {
			return nil
		}
		return d.turn(m, c)
	}
	d.typed = func(m *model) tea.Cmd {
		d.items = slices.DeleteFunc(d.items, func(it item[choice]) bool { return it.stays && !it.on })
		if text := d.sought(); text != "" {
			d.items = append(d.items, textItem(text))
		}
		d.narrow()
		return d.list(m)
	}
	d.leave = bind("cancel", "Esc", "esc")
	d.begin()
	return m.listing(d)
}

// key lets Esc bring back what was seen before.
func (d *filtering) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	if key.Matches(k, keyBack) {
		m.filter = d.before
		m.close()
		return m.reread()
	}
	return d.pick.key(m, k)
}

func (d *filtering) click(m *model, h hit) tea.Cmd {
	if h.kind == hitKey {
		return clickKey(m, d, h)
	}
	return d.pick.click(m, h)
}

// sought is the text that is written.
func (d *filtering) sought() string { return strings.TrimSpace(d.field.text()) }

// textItem chooses what has a text in it.
func textItem(text string) item[choice] {
	c := choice{kind: byText, text: text}
	return item[choice]{value: c, text: c.words() + " in the text", stays: true}
}

// turn turns a choice on or off, and counts the choices again.
func (d *filtering) turn(m *model, c choice) tea.Cmd {
	m.filter.query = c.turn(m.filter.query, m.By.Name)
	return tea.Batch(m.reread(), d.list(m))
}

// list reads the choices and counts their tasks.
func (d *filtering) list(m *model) tea.Cmd {
	query, now, text := m.filter.query, m.boardNow(), d.sought()
	var items []item[choice]
	read := func(ctx context.Context, b ask.Board, who ask.Asker) (err error) {
		items, err = countChoices(ctx, b, who, query, now, text)
		return err
	}
	return m.readFor(d, read, func(m *model) tea.Cmd {
		return d.offer(m, items)
	})
}

// countChoices returns the choices beside a query, each with the number of tasks
// that it leaves. A text needs the descriptions, so what it chooses is
// counted by the board; all else by the tasks in brief.
func countChoices(ctx context.Context, b ask.Board, who ask.Asker, q pawl.Query, now time.Time, s string) ([]item[choice], error) {
	me := who.By.Name
	all, err := readAll(ctx, b, who, pawl.Query{})
	if err != nil {
		return nil, err
	}
	some := all
	if q.Text != "" {
		if some, err = readAll(ctx, b, who, pawl.Query{Text: q.Text}); err != nil {
			return nil, err
		}
	}
	subjects := ask.Subjects{}
	for i := range all {
		subjects[all[i].ID] = all[i].Subject
	}
	var items []item[choice]
	for _, c := range offered(all, me) {
		on := c.in(&q)
		with := q
		if !on {
			with = c.turn(q, me)
		}
		with.Text = ""
		n := 0
		for i := range some {
			if with.Match(&some[i], now) {
				n++
			}
		}
		it := item[choice]{value: c, text: c.words(), note: fmt.Sprint(n), on: on}
		switch {
		case c.kind == byOwner && c.text == me:
			it.text += " (you)"
		case c.kind == byParent && subjects[c.parent] != "":
			it.text += " " + text.Line(text.Clip(subjects[c.parent], longestName))
		}
		items = append(items, it)
	}
	texts := slices.DeleteFunc(slices.Compact([]string{q.Text, s}), func(text string) bool { return text == "" })
	for _, text := range texts {
		with := q
		with.Text, with.Brief, with.Limit = text, true, 1
		found, err := ask.Of(ctx, b, who, ask.TasksQuery{Query: with})
		if err != nil {
			return nil, err
		}
		it := textItem(text)
		it.note, it.on = fmt.Sprint(found.Page.Total), text == q.Text
		items = append(items, it)
	}
	return items, nil
}

// offered returns the choices: the reader first, then by the number of tasks.
func offered(tasks []pawl.Task, me string) []choice {
	owners, labels, parents := map[choice]int{}, map[choice]int{}, map[choice]int{}
	priorities, states := map[choice]int{}, map[choice]int{}
	for i := range tasks {
		t := &tasks[i]
		if t.Owner != "" && t.Owner != me {
			owners[choice{kind: byOwner, text: t.Owner}]++
		}
		for _, label := range t.Labels {
			labels[choice{kind: byLabel, text: label}]++
		}
		if t.Parent != 0 {
			parents[choice{kind: byParent, parent: t.Parent}]++
		}
		priorities[choice{kind: byPriority, priority: t.Priority}]++
		switch ask.StateOf(t, me) {
		case ask.Damaged:
			states[choice{kind: onlyDamaged}]++
		case ask.Waiting:
			states[choice{kind: onlyBlocked}]++
		case ask.Ready:
			states[choice{kind: onlyReady}]++
		}
		if t.Hold != nil {
			states[choice{kind: onlyOnHold}]++
		}
	}
	all := []choice{}
	if me != "" {
		all = append(all, choice{kind: byOwner, text: me})
	}
	all = append(all, frequent(owners)...)
	all = append(all, slices.SortedFunc(maps.Keys(states), func(a, b choice) int { return cmp.Compare(a.kind, b.kind) })...)
	if len(priorities) > 1 {
		all = append(all, slices.SortedFunc(maps.Keys(priorities), func(a, b choice) int { return cmp.Compare(b.priority, a.priority) })...)
	}
	all = append(all, frequent(labels)...)
	return append(all, frequent(parents)...)
}

// frequent returns the choices with the most tasks.
func frequent(counts map[choice]int) []choice {
	all := slices.SortedFunc(maps.Keys(counts), func(a, b choice) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.text, b.text), cmp.Compare(a.parent, b.parent))
	})
	return all[:min(len(all), mostChoices)]
}
