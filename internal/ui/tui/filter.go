package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A filter says which tasks are seen.
type filter struct{ query pawl.Query }

func (f *filter) on() bool { return f.words() != "" }

// words says what is seen: "@ada +core, high priority".
func (f *filter) words() string {
	q := &f.query
	var words []string
	for _, c := range choicesOf(q) {
		words = append(words, c.words())
	}
	return strings.Join(words, ", ")
}

// A choice is a part of a filter.
type choice struct {
	kind     choiceKind
	text     string        // an owner, a label, what is searched
	priority pawl.Priority // of priorities
	parent   pawl.ID       // of the parts of a task
	state    query.State
}

type choiceKind uint8

const (
	byOwner choiceKind = iota
	byLabel
	byPriority
	byParent
	byText
	byState
)

// choicesOf are the choices that a query is made of.
func choicesOf(q *pawl.Query) []choice {
	var all []choice
	if q.Owner != "" {
		all = append(all, choice{kind: byOwner, text: q.Owner})
	}
	for _, label := range q.Labels {
		all = append(all, choice{kind: byLabel, text: label})
	}
	if q.Priority != nil {
		all = append(all, choice{kind: byPriority, priority: *q.Priority})
	}
	if q.Parent != 0 {
		all = append(all, choice{kind: byParent, parent: q.Parent})
	}
	for _, state := range []query.State{query.Ready, query.Waiting, query.Held, query.Damaged} {
		if *flagOf(q, state) {
			all = append(all, choice{kind: byState, state: state})
		}
	}
	if q.Text != "" {
		all = append(all, choice{kind: byText, text: q.Text})
	}
	return all
}

func (c choice) words() string {
	switch c.kind {
	case byOwner:
		return "@" + text.Line(c.text)
	case byLabel:
		return "+" + text.Line(c.text)
	case byPriority:
		return c.priority.String() + " priority"
	case byParent:
		return "parts of " + c.parent.String()
	case byText:
		return `"` + text.Line(c.text) + `"`
	}
	if c.state == query.Held {
		return "on hold"
	}
	return c.state.String()
}

// flagOf is the flag of a query that chooses tasks of a state.
func flagOf(q *pawl.Query, s query.State) *bool {
	return map[query.State]*bool{query.Ready: &q.Ready, query.Waiting: &q.Blocked, query.Held: &q.Held, query.Damaged: &q.Damaged}[s]
}

// in reports whether a query has the choice.
func (c choice) in(q *pawl.Query) bool { return slices.Contains(choicesOf(q), c) }

// turn adds the choice to a query, or removes it. A choice such as an owner, of
// which a task has one only, replaces the one chosen before. me is the reader.
func (c choice) turn(q pawl.Query, me string) pawl.Query {
	on := !c.in(&q)
	switch c.kind {
	case byOwner:
		q.Owner = onlyIf(on, c.text)
	case byLabel:
		q.Labels = without(q.Labels, []string{c.text})
		if on {
			q.Labels = append(q.Labels, c.text)
		}
	case byPriority:
		q.Priority = onlyIf(on, &c.priority)
	case byParent:
		q.Parent = onlyIf(on, c.parent)
	case byText:
		q.Text = onlyIf(on, c.text)
	default:
		q.Ready, q.For, q.Blocked, q.Held, q.Damaged = false, "", false, false, false
		if *flagOf(&q, c.state) = on; q.Ready {
			q.For = me
		}
	}
	return q
}

func onlyIf[V any](on bool, v V) (none V) {
	if on {
		return v
	}
	return none
}

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
	d.keys = []binding{bind("show", "Enter", "enter")}
	d.own = []binding{keyMark}
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
	if matches(k, keyBack) {
		m.filter = d.before
		m.close()
		return m.reread()
	}
	return d.pick.key(m, k)
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
	selection, text := m.filter.query, d.sought()
	var items []item[choice]
	read := func(ctx context.Context, b query.Board, who query.Asker) (err error) {
		items, err = countChoices(ctx, b, who, selection, text)
		return err
	}
	return m.readFor(d, read, func(m *model) tea.Cmd {
		return d.offer(m, items)
	})
}

// countChoices returns the choices beside a query, each with the number of tasks
// that it leaves.
func countChoices(ctx context.Context, b query.Board, who query.Asker, q pawl.Query, s string) ([]item[choice], error) {
	texts := slices.DeleteFunc(slices.Compact([]string{q.Text, s}), func(text string) bool { return text == "" })
	f, err := query.Of(ctx, b, who, query.FacetsQuery{Tasks: q, Texts: texts, Most: mostChoices})
	if err != nil {
		return nil, err
	}
	var items []item[choice]
	offer := func(c choice, more string, with int) {
		items = append(items, item[choice]{value: c, text: c.words() + more, note: fmt.Sprint(with), on: c.in(&q)})
	}
	for _, owner := range f.Owners {
		more := ""
		if owner.Value == who.By.Name {
			more = " (you)"
		}
		offer(choice{kind: byOwner, text: owner.Value}, more, owner.With)
	}
	for _, state := range f.States {
		offer(choice{kind: byState, state: state.Value}, "", state.With)
	}
	if len(f.Priorities) > 1 {
		for _, p := range f.Priorities {
			offer(choice{kind: byPriority, priority: p.Value}, "", p.With)
		}
	}
	for _, label := range f.Labels {
		offer(choice{kind: byLabel, text: label.Value}, "", label.With)
	}
	for _, parent := range f.Parents {
		more := ""
		if parent.Value.Subject != "" {
			more = " " + text.Line(text.Clip(parent.Value.Subject, longestName))
		}
		offer(choice{kind: byParent, parent: parent.Value.ID}, more, parent.With)
	}
	for i, n := range f.Texts {
		it := textItem(texts[i])
		it.note, it.on = fmt.Sprint(n), texts[i] == q.Text
		items = append(items, it)
	}
	return items, nil
}
