package tui

import (
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/show"
)

// A mark is a character that stands for something.
type mark struct {
	drawn draw.Part
	means string
}

// legend explains the glyphs of tasks, and then the other marks, in as many lines
// as it takes.
func legend(width int, unicode bool) []draw.Line {
	var states []mark
	for _, s := range []struct {
		state ask.State
		means string
		tone  draw.Tone
	}{
		{ask.Ready, "ready", draw.Good},
		{ask.Waiting, "blocked", draw.Quiet},
		{ask.Working, "in progress", draw.Busy},
		{ask.Done, "done", draw.Quiet},
		{ask.Held, "on hold", draw.Bad},
		{ask.Damaged, "damaged", draw.Bad},
	} {
		states = append(states, mark{draw.Part{Text: s.state.Glyph(unicode), Tone: s.tone}, s.means})
	}
	var others []mark
	for _, o := range []struct{ modern, plain, means string }{
		{"▌ ▸", ">", "selected"},
		{"▲ ▼", "^ v", "more"},
		{"▎", "|", "somebody works on it"},
	} {
		others = append(others, mark{draw.Part{Text: more(unicode, o.modern, o.plain), Tone: draw.Title}, o.means})
	}
	others = append(others,
		mark{draw.Part{Text: kinMark(show.Before, unicode), Tone: draw.Title}, "in the graph: the selected task waits for it"},
		mark{draw.Part{Text: kinMark(show.Behind, unicode), Tone: draw.Title}, "it waits for the selected task"},
		mark{draw.Part{Text: chainMark(unicode), Tone: draw.Title}, "on the longest chain"},
		mark{draw.Part{Text: more(unicode, "╌ ╎", ". :"), Tone: draw.Title}, "a dependency that is done"},
	)
	return append(flow(states, width), flow(others, width)...)
}

// flow puts marks into lines, as many into each as there is room for.
func flow(marks []mark, width int) []draw.Line {
	lines := []draw.Line{nil}
	for _, m := range marks {
		last := len(lines) - 1
		entry := draw.Line{{Text: " " + m.drawn.Text, Tone: m.drawn.Tone}, {Text: " " + m.means + " "}}
		if len(lines[last]) > 0 && draw.Width(lines[last].String()+entry.String()) > width {
			lines, last = append(lines, nil), last+1
		}
		lines[last] = append(lines[last], entry...)
	}
	return lines
}
