package tui

import (
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// A mark is a character that stands for something.
type mark struct {
	drawn term.Part
	means string
}

// legend explains the glyphs of tasks, and then the other marks, in as many lines
// as it takes.
func legend(width int, unicode bool) []term.Line {
	var states []mark
	for _, s := range []struct {
		state query.State
		means string
		tone  term.Tone
	}{
		{query.Ready, "ready", term.Good},
		{query.Waiting, "blocked", term.Quiet},
		{query.Working, "in progress", term.Busy},
		{query.Done, "done", term.Quiet},
		{query.Held, "on hold", term.Bad},
		{query.Damaged, "damaged", term.Bad},
	} {
		states = append(states, mark{term.Part{Text: s.state.Glyph(unicode), Tone: s.tone}, s.means})
	}
	var others []mark
	for _, o := range []struct{ modern, plain, means string }{
		{"▌ ▸", ">", "selected"},
		{"▲ ▼", "^ v", "more"},
		{"▎", "|", "somebody works on it"},
	} {
		others = append(others, mark{term.Part{Text: more(unicode, o.modern, o.plain), Tone: term.Title}, o.means})
	}
	others = append(others,
		mark{term.Part{Text: kinMark(show.Before, unicode), Tone: term.Title}, "in the graph: the selected task waits for it"},
		mark{term.Part{Text: kinMark(show.Behind, unicode), Tone: term.Title}, "it waits for the selected task"},
		mark{term.Part{Text: chainMark(unicode), Tone: term.Title}, "on the longest chain"},
		mark{term.Part{Text: more(unicode, "╌ ╎", ". :"), Tone: term.Title}, "a dependency that is done"},
	)
	return append(flow(states, width), flow(others, width)...)
}

// flow puts marks into lines, as many into each as there is room for.
func flow(marks []mark, width int) []term.Line {
	lines := []term.Line{nil}
	for _, m := range marks {
		last := len(lines) - 1
		entry := term.Line{{Text: " " + m.drawn.Text, Tone: m.drawn.Tone}, {Text: " " + m.means + " "}}
		if len(lines[last]) > 0 && term.Width(lines[last].String()+entry.String()) > width {
			lines, last = append(lines, nil), last+1
		}
		lines[last] = append(lines[last], entry...)
	}
	return lines
}
