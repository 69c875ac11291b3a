package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// fewPrinted is how many of the last lines that a failed check printed a card shows that
// is not roomy.
const fewPrinted = 2

// printed finds out what the failed checks of the cards printed here. It runs no git.
func printed(ctx context.Context, known show.Look, l *query.Lanes) map[pawl.ID][]string {
	if known == nil {
		return nil
	}
	return show.Printed(l, func(t *pawl.Task) []show.Looked {
		all, _ := known.Known(ctx, t, false)
		return all
	})
}

// checked says on a card how far it is shown that its task is done: a failed check in a
// line of its own, with its last output here.
func (b *cardBuilder) checked(t *pawl.Task) {
	is := show.Checked(t)
	if is == pawl.NotChecked || t.Damage != "" {
		return
	}
	mark := show.CheckMark(is, b.m.Unicode) + " "
	words := show.CardChecked(t)
	if words == "" {
		if b.density == roomy {
			b.add(term.Part{Text: mark + show.CheckedWords(t), Tone: term.Quiet})
		}
		return
	}
	if t.Unshown() {
		mark = "" // its glyph says it
	}
	b.wrap(mark+words, term.Bad, mostReason)
	if b.density == tight {
		return
	}
	lines := b.m.printed[t.ID]
	if b.density != roomy {
		lines = lines[max(0, len(lines)-fewPrinted):]
	}
	for _, line := range lines {
		b.add(term.Part{Text: more(b.m.Unicode, "│ ", "| "), Tone: term.Bad}, term.Part{Text: line, Tone: term.Quiet})
	}
}

// tick ticks the criterion that is selected, or takes the tick back.
func (s *detailScreen) tick(m *model) tea.Cmd {
	d := s.seen()
	if d == nil || s.found.gone || s.link.criterion > len(d.Task.Accept) {
		return nil
	}
	c := &d.Task.Accept[s.link.criterion-1]
	op := pawl.Update{ID: s.at, Tick: []string{c.Text}}
	if c.Ticked() {
		op.Tick, op.Untick = nil, op.Tick
	}
	return m.do(s.at, op)
}
