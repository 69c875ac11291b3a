package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
)

// graphScreen shows what a task waits for, above it, and what waits for it,
// below; or all open tasks that hang together. The reader goes from task to
// task, and each brings out its own.
type graphScreen struct {
	at     pawl.ID // where the reader is; zero: nowhere yet
	around pawl.ID // the task that it is about; zero: the whole graph
	past   bool    // completed tasks too
	want   pawl.ID // a task that the whole graph may not have

	found *graphFound // what was read last; nil: nothing yet
	side  side
	pan   pan
	last  drawing
	loose bool // the wheel has been turned: what is seen need not have the reader's task
}

func (s *graphScreen) task() pawl.ID { return s.at }

// show centres the graph on a task. In the whole graph it selects the task there,
// if it has it.
func (s *graphScreen) show(m *model, id pawl.ID) {
	if s.around == 0 && m.where == onGraph && id != 0 {
		s.at, s.want, s.loose = id, id, false
		return
	}
	s.turn(id, id)
}

// turn makes the graph one about another task, or about all of them.
func (s *graphScreen) turn(around, at pawl.ID) {
	s.around, s.at, s.want, s.loose = around, at, 0, false
}

func (s *graphScreen) key(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case matches(k, keyGraph), matches(k, keyCentre):
		s.turn(s.at, s.at)
	case matches(k, keyWhole):
		s.turn(0, s.at)
	case matches(k, keyPast):
		s.past = !s.past
	case matches(k, keyLeft):
		return s.follow(m, show.Before), true
	case matches(k, keyRight):
		return s.follow(m, show.Behind), true
	default:
		return s.walk(m, k)
	}
	return m.reread(), true
}

// walk goes through the tasks as they stand below one another.
func (s *graphScreen) walk(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	rows := s.drawing(m).rows
	ids := tasksOf(rows)
	at, ok := stepped(k, max(0, slices.Index(ids, s.at)), len(ids)-1, s.height(m))
	if !ok || len(ids) == 0 {
		return nil, ok
	}
	return s.goTo(m, rows, ids[at]), true
}

// follow goes along a line: to the nearest of the tasks that this one waits for
// (before), or that wait for it (behind). Open ones come first. ← and → need not
// scroll: a drawing that is wider than the screen becomes a list.
func (s *graphScreen) follow(m *model, to show.Kin) tea.Cmd {
	rows := s.drawing(m).rows
	if len(rows) == 0 {
		return nil
	}
	g := s.found.graph
	here, best, next := rowOf(rows, s.at), [2]int{}, pawl.ID(0)
	for _, e := range g.Edges {
		mine, other := &g.Nodes[e.From].Task, &g.Nodes[e.To].Task
		if to == show.Before {
			mine, other = other, mine
		}
		if mine.ID != s.at {
			continue
		}
		far := rowOf(rows, other.ID) - here
		cost := [2]int{0, max(far, -far)}
		if !e.Open {
			cost[0] = 1
		}
		if next == 0 || slices.Compare(cost[:], best[:]) < 0 {
			best, next = cost, other.ID
		}
	}
	if next == 0 {
		return nil
	}
	return s.goTo(m, rows, next)
}

// goTo brings the reader to a task of the graph.
func (s *graphScreen) goTo(m *model, rows []term.GraphRow, id pawl.ID) tea.Cmd {
	s.pan = s.top(rows, s.height(m)).to(rowOf(rows, id), len(rows), s.height(m))
	s.loose = false
	if id == s.at {
		return nil
	}
	s.at, s.want = id, 0
	return s.look(m)
}

func (s *graphScreen) click(m *model, h hit, double bool) tea.Cmd {
	switch {
	case h.kind != hitTask:
		return nil
	case double:
		return m.openTask(h.task)
	}
	return s.goTo(m, s.drawing(m).rows, h.task)
}

func (s *graphScreen) scroll(m *model, rows int) {
	all, height := s.drawing(m).rows, s.height(m)
	s.pan, s.loose = (s.top(all, height)+pan(rows)).within(len(all), height), true
}

// top is the part of the drawing that is seen.
func (s *graphScreen) top(rows []term.GraphRow, height int) pan {
	if s.loose {
		return s.pan.within(len(rows), height)
	}
	return s.pan.to(rowOf(rows, s.at), len(rows), height)
}

func (s *graphScreen) keys(m *model) []binding {
	if len(s.drawing(m).rows) == 0 {
		return []binding{keyAdd, keyLanes, keyPast, keyTimeline, keyBack}
	}
	other := keyWhole
	if s.around == 0 {
		other = keyCentre
	}
	keys := []binding{keyDown, keyOpen}
	var work []binding
	if t := m.known(s.at); t != nil {
		work = taskKeys(m, t)
	}
	first := min(len(work), 2) // as many as leave room for those of the graph
	keys = append(append(keys, work[:first]...), other, keyLanes, keyBack, keyPast)
	return joined(append(keys, work[first:]...), keyUndo, keyTimeline)
}

// tasksOf are the tasks of a drawing, from top to bottom.
func tasksOf(rows []term.GraphRow) []pawl.ID {
	var ids []pawl.ID
	for _, row := range rows {
		if row.Task != 0 {
			ids = append(ids, row.Task)
		}
	}
	return ids
}

// rowOf is the row in which a task stands; 0 where it is not there.
func rowOf(rows []term.GraphRow, id pawl.ID) int {
	return max(0, slices.IndexFunc(rows, func(r term.GraphRow) bool { return r.Task == id }))
}
