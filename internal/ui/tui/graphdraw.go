package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A task stands beside the graph on a screen that is wide enough.
const (
	leastBeside = 120
	mostSide    = 80 // longer lines are hard to read
	// mostWider is how many tasks are drawn on the whole width to see whether they
	// find room there: more of them are a list anyway.
	mostWider = 500
)

// airy is the lowest screen that has a row to spare.
const airy = 24

// gutter is how many columns stand before the drawing: marks for the reader's
// task, for a task's relation to it, and for the longest chain.
const gutter = 4

// A drawing is the rows of a graph on a screen, and how many columns at the
// right of them are left for the reader's task; zero: none.
type drawing struct {
	of   drawn
	rows []term.GraphRow
	side int
}

// drawn is what a drawing is made from.
type drawn struct {
	graph   *show.Graph
	lanes   *query.Lanes
	now     time.Time
	width   int
	unicode bool
	at      pawl.ID
}

// drawing returns what is drawn. It is cached, because most keys and frames ask
// for the same one.
func (s *graphScreen) drawing(m *model) *drawing {
	if s.found == nil || s.found.graph == nil || len(s.found.graph.Nodes) == 0 || m.lanes == nil {
		return &drawing{}
	}
	of := drawn{s.found.graph, m.lanes, m.lanes.Now.Truncate(tickEvery), m.width, m.Unicode, s.at}
	if s.last.of == of {
		return &s.last
	}
	d := drawing{of: of}
	if m.width >= leastBeside {
		d.side = min(mostSide, m.width*2/5)
	}
	d.rows = s.rows(m, m.width-d.side)
	if d.side > 0 && len(of.graph.Nodes) <= mostWider && slices.ContainsFunc(d.rows, heads) {
		// Lines say more than what stands beside them.
		if wide := s.rows(m, m.width); !slices.ContainsFunc(wide, heads) {
			d.rows, d.side = wide, 0
		}
	}
	s.last = d
	return &s.last
}

func (s *graphScreen) rows(m *model, width int) []term.GraphRow {
	return m.sc(width-gutter-marked).GraphRows(s.found.graph, &m.lanes.Facts, s.at)
}

// heads reports whether a row is the heading of a list: connected tasks without
// room to be drawn.
func heads(r term.GraphRow) bool { return r.Task == 0 && len(r.Line) > 0 }

// height is how many rows of the drawing are seen.
func (s *graphScreen) height(m *model) int {
	return max(1, m.room()-len(s.head(m, m.width)))
}

func (s *graphScreen) draw(m *model, width, height int) frame {
	if m.board == nil {
		return said(width, term.Part{Text: noTask})
	}
	if s.found == nil || m.lanes == nil {
		return nil
	}
	d := s.drawing(m)
	left := width - d.side
	f := s.head(m, left)
	f = f[:min(len(f), height-1)]
	f = append(f, s.body(m, d.rows, left, height-len(f))...)
	if d.side == 0 {
		return f
	}
	return beside(f, s.beside(m, d.side, height))
}

// head says what is seen: what the graph is about, the longest chain, cycles.
func (s *graphScreen) head(m *model, width int) frame {
	if s.found == nil || s.found.graph == nil {
		return nil
	}
	g := s.found.graph
	f := frame{row(width, s.title(m, width)...)}
	if len(g.Chain) > 1 {
		lead := term.Part{Text: " " + chainMark(m.Unicode) + " Longest chain: ", Tone: term.Title}
		text := chainOf(m.sc(width-term.Width(lead.Text)-1), g.Chain)
		f = append(f, row(width, lead, term.Part{Text: text}))
	}
	if n := len(g.Cycles); n > 0 {
		cycles := make([]string, n)
		for i, ids := range g.Cycles {
			cycles[i] = show.IDs(ids)
		}
		text := fmt.Sprintf(" ! %s: no task in it can start (%s unlinks): %s", text.Count(n, "cycle", "cycles"), keyLink.written, strings.Join(cycles, "; "))
		f = append(f, row(width, term.Part{Text: text, Tone: term.Bad}))
	}
	if m.height >= airy {
		f = append(f, row(width))
	}
	return f
}

// title says what the graph is about, and what it leaves out.
func (s *graphScreen) title(m *model, width int) term.Line {
	g, of := s.found.graph, s.found.of
	words := []string{"  " + text.Count(len(g.Nodes), "task", "tasks")}
	if s.found.steps > 0 {
		words = append(words, "at most "+text.Count(s.found.steps, "step", "steps")+" away")
	}
	if of.past {
		words = append(words, "with completed ones")
	}
	if s.found.alone > 0 {
		words = append(words, fmt.Sprintf("%d without edges left out", s.found.alone))
	}
	name := "Whole graph"
	if of.around != 0 {
		name = "Around " + of.around.String()
		if at := g.At(of.around); at >= 0 {
			name = "Around " + show.Name(&g.Nodes[at].Task)
		}
	}
	about := strings.Join(words, ", ")
	name = m.sc(width).Fit(name, max(leastName, width-2-term.Width(about)))
	return term.Line{{Text: " " + name, Tone: term.Title}, {Text: about, Tone: term.Quiet}}
}

// leastName is how much is always seen of what the graph is about.
const leastName = 30

// chainOf spells the longest chain; of a very long one both ends.
func chainOf(sc term.Screen, chain []pawl.ID) string {
	arrow, dots := " → ", "…"
	if !sc.Unicode {
		arrow, dots = " -> ", "..."
	}
	end := fmt.Sprintf(", %d tasks", len(chain))
	shown := min(len(chain), max(2, sc.Width/len("#1 > ")))
	for {
		head := (shown + 1) / 2
		ids := slices.Concat(chain[:head], chain[len(chain)-shown+head:])
		names := make([]string, len(ids))
		for i, id := range ids {
			names[i] = id.String()
		}
		if shown < len(chain) {
			names = slices.Insert(names, head, dots)
		}
		text := strings.Join(names, arrow) + end
		if shown <= 2 || term.Width(text) <= sc.Width {
			return text
		}
		shown--
	}
}

func chainMark(unicode bool) string { return more(unicode, "┃", "|") }

// body is the drawing, or a text if there is none.
func (s *graphScreen) body(m *model, rows []term.GraphRow, width, height int) frame {
	if words := s.words(m); words != "" {
		return said(width, term.Part{Text: words}).high(height, width)
	}
	chain := s.found.graph.Chain
	return s.top(rows, height).draw(m.sc(width), len(rows), height, func(i, width int) []cell {
		r := rows[i]
		if r.Task == 0 {
			return row(width, append(term.Line{{Text: strings.Repeat(" ", gutter)}}, r.Line...)...)
		}
		c := cell{width: width, hit: hit{kind: hitTask, task: r.Task}}
		lead := " "
		if r.Task == s.at {
			c.on, lead = selected, strings.TrimSpace(pointer(m.Unicode))
		}
		mark := " "
		if slices.Contains(chain, r.Task) {
			mark = chainMark(m.Unicode)
		}
		c.line = append(term.Line{{Text: lead + kinMark(r.Kin, m.Unicode), Tone: term.Title}, {Text: mark + " ", Tone: term.Normal}}, r.Line...)
		if why := m.why[r.Task]; why != "" {
			c.line = append(c.line, term.Part{Text: "  ! " + why, Tone: term.Bad})
		}
		return []cell{c}
	})
}

// kinMark says without colour how a task stands to the one where the reader is.
func kinMark(k show.Kin, unicode bool) string {
	switch k {
	case show.Before:
		return more(unicode, "↑", "^")
	case show.Behind:
		return more(unicode, "↓", "v")
	}
	return " "
}

const noTask = "No tasks yet. a adds the first one."

// words is the text instead of a drawing; empty: there is a drawing.
func (s *graphScreen) words(m *model) string {
	f := s.found
	switch {
	case f.graph == nil && f.of.around != 0:
		return fmt.Sprintf("More than %d tasks are linked to %v: too many to draw. %s opens it.", mostGraph, f.of.around, keyOpen.written)
	case f.graph == nil:
		return fmt.Sprintf("The graph has more than %d tasks: too many to draw. Filter them (%s), or draw the graph around one task (%s, then %s on it).",
			mostGraph, keyFilter.written, keyLanes.written, keyGraph.written)
	case len(f.graph.Nodes) > 0:
		return ""
	case f.of.filter != "":
		return fmt.Sprintf("No task matches. %s on the lanes removes the filter.", keyBack.written)
	case f.alone > 0:
		return fmt.Sprintf("No task waits for another: %s shows the %s, and %s on one of them adds a dependency.",
			keyLanes.written, text.Count(f.alone, "task", "tasks"), keyLink.written)
	case !f.of.past:
		return fmt.Sprintf("No task is open. %s adds one, %s shows completed ones.", keyAdd.written, keyPast.written)
	}
	return noTask
}

// beside is the reader's task in short.
func (s *graphScreen) beside(m *model, width, height int) frame {
	bar := term.Part{Text: " " + more(m.Unicode, "│", "|") + " ", Tone: term.Quiet}
	sc := m.sc(width - term.Width(bar.Text) - 1)
	var lines []term.Line
	if why := m.why[s.at]; why != "" {
		for _, text := range term.Wrap("! "+why, sc.Width) {
			lines = append(lines, term.Line{{Text: text, Tone: term.Bad}})
		}
		lines = append(lines, nil)
	}
	if s.side.detail != nil && s.side.id == s.at {
		lines = append(lines, sc.Detail("", s.side.detail, &m.lanes.Facts, nil)...)
	}
	if len(lines) > height {
		lines = append(lines[:height-1], term.Line{{Text: keyOpen.written + " shows everything", Tone: term.Quiet}})
	}
	var f frame
	for y := range height {
		line := term.Line{bar}
		if y < len(lines) {
			line = append(line, lines[y]...)
		}
		f = append(f, row(width, line...))
	}
	return f
}
