package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// How much of a board is drawn as a graph.
const (
	// mostGraph is how many tasks: it takes some hundredths of a second to draw
	// them, and nobody follows the lines of more.
	mostGraph = 2_000
	// mostNear is how many tasks the graph around one has at most, if fewer steps
	// from it are enough for that: about what is drawn with lines.
	mostNear = 200
	// mostFresh is how many of the tasks that are completed while somebody looks
	// stay in sight: the outcome of the last minutes.
	mostFresh = 20
)

// near is how far around a task it is looked, the first that is not too much.
var near = []query.Fit{{Most: mostNear}, {Depth: 8, Most: mostNear}, {Depth: 4, Most: mostNear}, {Depth: 2, Most: mostNear}}

// A graphLook says what a graph is to show.
type graphLook struct {
	around pawl.ID
	past   bool
	filter string
}

// graphFound is what was read for the screen.
type graphFound struct {
	of    graphLook
	graph *show.Graph // nil: there are too many tasks
	alone int         // how many tasks without edges are left out
	steps int         // tasks further away than this are left out; zero: none
	gone  bool        // the task at the centre is not on the board
	at    pawl.ID     // where the reader was
	side  side
}

// A side is the task that stands beside the graph.
type side struct {
	detail *query.Detail // nil: the board has no such task, or none was read
	id     pawl.ID
}

func (s *graphScreen) wants(m *model) graphLook {
	return graphLook{s.around, s.past, m.filter.words()}
}

func (s *graphScreen) read(m *model) func(context.Context, query.Board) (any, error) {
	found := &graphFound{of: s.wants(m), at: s.at, side: s.side}
	tasks, who, also := m.filter.query, m.who(), s.seen(found.of)
	q := query.GraphQuery{Tasks: tasks, Alone: m.filter.on(), All: s.past, Also: also}
	return func(ctx context.Context, b query.Board) (any, error) {
		return found, found.load(ctx, b, who, q)
	}
}

// seen returns the open tasks of the graph, and those completed while the reader
// looks: they stay visible, because the reader wants to see the effect.
func (s *graphScreen) seen(of graphLook) (ids []pawl.ID) {
	if s.found == nil || s.found.graph == nil || s.found.of != of || of.past {
		return nil
	}
	var done []*pawl.Task
	for i := range s.found.graph.Nodes {
		n := &s.found.graph.Nodes[i]
		switch n.State {
		case query.Missing:
		case query.Done:
			done = append(done, &n.Task)
		default:
			ids = append(ids, n.Task.ID)
		}
	}
	slices.SortStableFunc(done, func(a, b *pawl.Task) int { return b.CompletedAt.Compare(a.CompletedAt) })
	for _, t := range done[:min(mostFresh, len(done))] {
		ids = append(ids, t.ID)
	}
	return ids
}

// load reads the graph, and the task where the reader is.
func (f *graphFound) load(ctx context.Context, b query.Board, who query.Asker, q query.GraphQuery) error {
	q.Detail, q.Most = f.at, mostGraph
	whole := q
	if q.Around = f.of.around; q.Around != 0 {
		q.Fit, q.Depth = near, 1
	}
	err := f.ask(ctx, b, who, q)
	if f.gone = q.Around != 0 && pawl.KindOf(err) == pawl.NotFound; f.gone {
		err = f.ask(ctx, b, who, whole)
	}
	if pawl.KindOf(err) == pawl.Invalid { // too many
		f.graph = nil
		f.side, err = sideOf(ctx, b, who, f.at)
	}
	return err
}

// ask asks for the tasks of a graph, and makes the graph.
func (f *graphFound) ask(ctx context.Context, b query.Board, who query.Asker, q query.GraphQuery) error {
	g, err := query.Of(ctx, b, who, q)
	if err == nil {
		f.graph, f.alone, f.steps = show.NewGraph(g.Tasks, g.Missing, who.By.Name), g.Alone, g.Depth
		f.graph.Around = q.Around
		f.side = side{g.Detail, f.at}
	}
	return err
}

// sideOf reads what stands beside the graph.
func sideOf(ctx context.Context, b query.Board, who query.Asker, id pawl.ID) (side, error) {
	if id == 0 {
		return side{}, nil
	}
	found, err := query.Of(ctx, b, who, taskQuery(id))
	if err != nil {
		return side{}, err
	}
	return side{found.Tasks[0].Detail, id}, nil
}

// take keeps the selected task selected, and at its place on the screen. If it is
// gone, the nearest one is selected.
func (s *graphScreen) take(m *model, found any) {
	f := found.(*graphFound)
	if f.of != s.wants(m) {
		return // another look follows
	}
	before := s.drawing(m).rows
	top := s.top(before, s.height(m))
	if f.gone {
		m.notice = notice{text: s.around.String() + " is no longer on the board: this is the whole graph", bad: true}
		s.turn(0, s.at)
		f.of = s.wants(m)
	}
	s.found = f
	s.stand(f.at, f.side)
	if s.want != 0 && (f.graph == nil || f.graph.At(s.want) < 0) {
		if f.at == s.want { // it has no edges, say
			s.turn(s.want, s.want)
		}
		m.feed.stale = true // a look that knows of it
		return
	}
	if f.graph == nil {
		return
	}
	rows := s.drawing(m).rows
	if f.graph.At(s.at) < 0 {
		at := nearest(tasksOf(before), tasksOf(rows), s.at)
		m.feed.stale = m.feed.stale || at != s.at // what stands beside it
		s.at = at
	} else if slices.Contains(tasksOf(before), s.at) {
		s.pan = top + pan(rowOf(rows, s.at)-rowOf(before, s.at))
	}
}

// nearest returns the task of now that stood nearest to a task of before; zero: now
// is empty.
func nearest(before, now []pawl.ID, to pawl.ID) pawl.ID {
	at := slices.Index(before, to)
	for far := 1; at >= 0 && far < len(before); far++ {
		for _, i := range []int{at + far, at - far} {
			if i >= 0 && i < len(before) && slices.Contains(now, before[i]) {
				return before[i]
			}
		}
	}
	if len(now) == 0 {
		return 0
	}
	return now[0]
}

// look reads the task where the reader is.
func (s *graphScreen) look(m *model) tea.Cmd {
	id, board, who, ctx := s.at, m.board, m.who(), m.ctx
	return func() tea.Msg {
		read, err := sideOf(ctx, board, who, id)
		return then(func(*model) tea.Cmd {
			if err == nil { // the next look reports an error
				s.stand(id, read)
			}
			return nil
		})
	}
}

// stand puts a task that was read beside the graph, if the reader is still there.
func (s *graphScreen) stand(at pawl.ID, read side) {
	if at == s.at {
		s.side = read
	}
}
