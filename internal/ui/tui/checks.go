package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// lookFor is how long a screen waits for what this clone knows of checks.
const lookFor = 5 * time.Second

// lookAt is what is known here of a task's checks; without a clone, or if it does not
// answer, what the task's file claims.
func lookAt(ctx context.Context, known show.Look, t *pawl.Task, files bool) []show.Looked {
	if known == nil {
		return show.Claimed(t)
	}
	ctx, stop := context.WithTimeout(ctx, lookFor)
	defer stop()
	all, err := known(ctx, t, files)
	if err != nil {
		return show.Claimed(t)
	}
	return show.AndOthers(all, t)
}

const (
	// mostPrinted is of how many cards it is found out what their failed check printed:
	// each takes reading a file or two.
	mostPrinted = 20
	// printedLines is how much of it a roomy card shows, fewPrinted another one.
	printedLines = 5
	fewPrinted   = 2
)

// printed finds out what the failed checks of the cards printed here. It runs no git.
func printed(ctx context.Context, known show.Look, l *query.Lanes) map[pawl.ID][]string {
	if known == nil {
		return nil
	}
	found := map[pawl.ID][]string{}
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			t := &l.Cards[lane][i].Task
			if show.Checked(t) != pawl.CheckedFailed || len(t.Evidence) == 0 || len(found) == mostPrinted {
				continue
			}
			found[t.ID] = show.LastPrinted(lookAt(ctx, known, t, false), printedLines)
		}
	}
	return found
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
