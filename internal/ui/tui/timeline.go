package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// A timelineScreen is what happened on the board, the newest first.
type timelineScreen struct {
	told    past
	at      pawl.Revision // the change that is selected; zero: the newest one, whichever that is
	top     pan
	want    int  // how many changes are read
	unfold  bool // tell what became of each field of the one that is selected
	refused refused
}

// refused is why a change could not be undone.
type refused struct {
	set   pawl.Revision // zero: none was
	why   string
	later pawl.Revision // the change that is in the way; zero: none is
}

// manyChanges is how much of the board's history is read at first, and how much
// more whenever its end is reached.
const manyChanges = 200

func (s *timelineScreen) read(*model) func(context.Context, query.Board) (any, error) { return nil }
func (s *timelineScreen) take(*model, any)                                            {}
func (s *timelineScreen) past() *past                                                 { return &s.told }

func (s *timelineScreen) recall(m *model) tea.Cmd {
	return s.told.read(m, s, span{want: max(s.want, manyChanges), clock: show.Clock{Now: m.now, Zone: time.Local}})
}

// recalled keeps the selected change at its place on the screen, unless the newest
// is visible: then new ones appear on top.
func (s *timelineScreen) recalled(m *model, now *history) {
	height := s.height(m)
	before := s.lay(m, m.width)
	was := before.row(s.selected())
	s.told.history = now
	after := s.lay(m, m.width)
	if is := after.row(s.selected()); is >= 0 && was >= 0 {
		if s.top > 0 {
			s.top += pan(is - was)
		}
		s.top = s.top.to(is, len(after), height)
	}
}

// show begins at the newest change.
func (s *timelineScreen) show(*model, pawl.ID) { s.at, s.top = 0, 0 }

// task is the one that the selected change is about.
func (s *timelineScreen) task() pawl.ID {
	if t := s.change(); t != nil {
		if ids := query.About(&t.set); len(ids) > 0 {
			return ids[0]
		}
	}
	return 0
}

// selected is the index of the selected change; -1: none.
func (s *timelineScreen) selected() int {
	switch {
	case s.told.history == nil || len(s.told.history.told) == 0:
		return -1
	case s.at == 0:
		return 0
	}
	return max(0, s.told.history.index(s.at))
}

func (s *timelineScreen) change() *told {
	if i := s.selected(); i >= 0 {
		return &s.told.history.told[i]
	}
	return nil
}

// height is how many rows of changes are seen: the day stands above them.
func (s *timelineScreen) height(m *model) int { return max(1, m.room()-1) }

func (s *timelineScreen) key(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	s.refused = refused{}
	switch by := stepOf(k, s.height(m)); {
	case by != 0:
		return s.move(m, by), true
	case matches(k, keyFields):
		s.unfold = !s.unfold
		return s.move(m, 0), true
	case matches(k, keyUndo):
		if t := s.change(); t != nil {
			s.at = t.set.Revision // the undo comes on top, and one looks at what was undone
			return s.undo(m, t.set.Revision), true
		}
		return nil, true
	case m.change(k, 0) != nil:
		s.pastIsPast(m, k)
		return nil, true
	}
	return nil, false
}

// pastIsPast says why a key for tasks does nothing here: a change can be about
// many tasks, and what stands in its line is what became of them then.
func (s *timelineScreen) pastIsPast(m *model, k tea.KeyPressMsg) {
	text := fmt.Sprintf("%s does nothing in the timeline", k)
	if id := s.task(); id != 0 {
		text += fmt.Sprintf("; %s opens %v", keyOpen.written, id)
	}
	m.notice = notice{text: text}
}

// move selects another change, and has more of them read at the last one.
func (s *timelineScreen) move(m *model, by int) tea.Cmd {
	was := s.selected()
	if was < 0 {
		return nil
	}
	last := len(s.told.history.told) - 1
	is := min(max(0, was+by), last)
	s.at = s.told.history.told[is].set.Revision
	if is == 0 && by < 0 {
		s.at = 0
	}
	s.reveal(m)
	if is == last && by > 0 && s.told.history.more && last+1 < mostHistory {
		s.want = min(len(s.told.history.told)+manyChanges, mostHistory)
		return s.recall(m)
	}
	return nil
}

// reveal brings the selected change in sight, and what is told below it as far
// as there is room.
func (s *timelineScreen) reveal(m *model) {
	rows, height, is := s.lay(m, m.width), s.height(m), s.selected()
	at := rows.row(is)
	end := at
	for end+1 < len(rows) && rows[end+1].of(is) {
		end++
	}
	s.top = s.top.to(end, len(rows), height).to(at, len(rows), height)
}

func (s *timelineScreen) click(m *model, h hit, double bool) tea.Cmd {
	if h.kind != hitSet {
		return nil
	}
	s.at = h.set
	if double {
		return m.openTask(s.task())
	}
	return nil
}

// scroll moves what is seen, and what is selected along with it at the edge.
func (s *timelineScreen) scroll(m *model, rows int) {
	all, height := s.lay(m, m.width), s.height(m)
	s.top = (s.top + pan(rows)).within(len(all), height)
	if at := all.row(s.selected()); at < int(s.top) || at >= int(s.top)+height {
		for _, r := range all[s.top:min(len(all), int(s.top)+height)] {
			if r.kind == rowChange {
				s.at = s.told.history.told[r.change].set.Revision
				break
			}
		}
	}
}

func (s *timelineScreen) keys(*model) []binding {
	return []binding{keyDown, keyOpen, keyUndo, keyFields, keyBack, keyLanes, keyGraph}
}
