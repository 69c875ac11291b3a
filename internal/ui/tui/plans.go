package tui

import (
	"context"
	"fmt"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/todo"
)

const (
	// listsEvery is how often it is asked whether a list changed: a look at a folder
	// from outside.
	listsEvery = 500 * time.Millisecond
	// listsAnyway is after how many rounds they are read even if nothing seems to
	// have changed: some file systems keep times in whole seconds, and a day passes.
	listsAnyway = 20
	// mostPlans is how many lists stand above the lanes, each in a row.
	mostPlans = 3
)

// plans are the lists as they were read last.
type plans struct {
	recent todo.Recent
	all    []show.Plan
}

// planWatch follows the lists of a project. One call of next runs at a time.
type planWatch struct {
	show.Live
	round int
	stamp string
	again bool // what changed in the same moment as the last change may show now only
	last  todo.Recent
}

// watchPlans waits until there are other lists to see.
func (w *planWatch) watchPlans(ctx context.Context) tea.Cmd {
	if w.Todos == nil {
		return nil
	}
	return func() tea.Msg {
		for ; ; w.round++ {
			if recent, ok := w.look(ctx); ok {
				w.round++
				return then(func(m *model) tea.Cmd {
					m.plans = plans{recent, show.Plans(&recent)}
					return w.watchPlans(m.ctx)
				})
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(listsEvery):
			}
		}
	}
}

// look reads the lists if they may have changed. Lists that cannot be read now
// are read later: the board is not about them.
func (w *planWatch) look(ctx context.Context) (todo.Recent, bool) {
	stamp, err := w.Todos.StampAll(ctx)
	if err != nil || w.round%listsAnyway > 0 && stamp == w.stamp && stamp != "" && !w.again {
		return todo.Recent{}, false
	}
	w.again, w.stamp = stamp != w.stamp, stamp
	recent, err := w.Todos.Recent(ctx, w.Ours, w.Keep)
	w.Todos.Problems() // which pawl todo tells
	if err != nil || ctx.Err() != nil {
		return todo.Recent{}, false
	}
	same := recent
	same.Now = w.last.Now
	if reflect.DeepEqual(same, w.last) {
		return todo.Recent{}, false
	}
	w.last = recent
	return recent, true
}

// rows is how many rows lists have above the lanes of a screen of this height.
func (p *plans) rows(height int) int {
	if height < low {
		return 0
	}
	const each = 4 // rows of the lanes for one of a list
	return min(len(p.all), mostPlans, max(1, (height-low)/each))
}

// strip is a row for each list, as many as there is room for:
//
//	session 0f0d7052: → Reading the ledger  0 of 2 done, changed 2 min ago
//
// The last one says how many are left out.
func (p *plans) strip(m *model, rows int) frame {
	var f frame
	for i := range rows {
		line := p.line(m, &p.all[i])
		if left := len(p.all) - rows + p.recent.More; i == rows-1 && left > 0 {
			line = append(line, term.Part{Text: fmt.Sprintf("  and %d more", left), Tone: term.Quiet})
		}
		f = append(f, []cell{{line: line, width: m.width, hit: hit{kind: hitKey, key: keyTodos.keys[0]}}})
	}
	return f
}

func (p *plans) line(m *model, plan *show.Plan) term.Line {
	lead := term.Part{Text: " " + plan.Who() + ": ", Tone: term.Quiet}
	how := term.Part{Text: "  " + plan.How(m.now), Tone: term.Quiet}
	step := m.sc(m.width).Step(plan.Current())
	room := max(12, m.width-term.Width(lead.Text+how.Text)-2)
	line := append(term.Line{lead}, m.sc(room).Cut(step)...)
	return append(line, how)
}

// lines are all lists with all of their todos.
func (p *plans) lines(m *model, width int) []term.Line {
	var lines []term.Line
	for i := range p.all {
		if i > 0 {
			lines = append(lines, nil)
		}
		for _, line := range m.sc(width-2).Plan(&p.all[i], todo.MaxItems, m.now) {
			lines = append(lines, append(term.Line{{Text: " "}}, line...))
		}
	}
	if p.recent.More > 0 {
		lines = append(lines, term.Line{{Text: fmt.Sprintf(" and %d more lists", p.recent.More), Tone: term.Quiet}})
	}
	return lines
}

// showPlans shows the lists in full.
func (m *model) showPlans() {
	if len(m.plans.all) == 0 {
		m.notice = notice{text: "No session of this project has a todo list now"}
		return
	}
	lines := func(m *model, width int) []term.Line { return m.plans.lines(m, width) }
	m.dialog = &reader{title: "Todo lists", lines: lines, keys: []binding{keyDown}, leaves: []binding{keyTodos, keyOpen}}
}
