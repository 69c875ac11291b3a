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
