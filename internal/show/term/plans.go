package term

import (
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// Plan lays out the todo list of a session, at now, with at most so many of its
// todos:
//
//	session 712164bd: 1 of 3 done, changed 2 min ago
//	  ✔ Write the parser
//	  → Adding tests
//	  ○ Write the docs
func (sc Screen) Plan(p *show.Plan, most int, now time.Time) []Line {
	lines := []Line{sc.Cut(Line{{p.Who(), Title}, {": " + p.How(now), Quiet}})}
	items, above, below := p.Window(most)
	for i := range items {
		lines = append(lines, sc.Cut(append(Line{{gap, Normal}}, sc.Step(&items[i])...)))
	}
	if more := above + below; more > 0 {
		lines = append(lines, sc.Cut(Line{{fmt.Sprintf("%sand %d more", gap, more), Quiet}}))
	}
	return lines
}

// Step is a todo behind its glyph.
func (sc Screen) Step(i *todo.Item) Line {
	state := show.StepState(i.Status)
	mark, text := Quiet, Normal // a pending one does not wait for anything but its turn
	if state != query.Waiting {
		mark, text, _ = tones(state)
	}
	return Line{{state.Glyph(sc.Unicode) + " ", mark}, {show.Step(i), text}}
}
