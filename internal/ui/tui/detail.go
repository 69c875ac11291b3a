package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// A detailScreen is a task in full: what it says, the tasks around it, to which
// the reader goes on, and its history.
type detailScreen struct {
	visit
	trail  []visit     // the tasks by which the reader came here, to come back to
	found  *detailRead // nil: it has not been read yet
	want   int         // how many changes of its history
	told   past
	unfold bool       // tell what became of each field
	page   detailPage // as last laid out
}

// A visit is where in a task the reader is.
type visit struct {
	at   pawl.ID
	link link // the task in it that is selected
	top  pan
}

// detailRead is what was read of a task.
type detailRead struct {
	at     pawl.ID
	detail *query.Detail // nil: it is not known
	gone   bool          // it is not on the board; detail is what it was
	// unblocks says of the ready tasks around it how many open tasks wait for each.
	unblocks map[pawl.ID]int
	checks   []show.Looked // what is known of its checks here
	attempts []runs.View   // of runs at it, the newest last
}

const (
	// fewChanges is how much of a task's history is read at first, and how much
	// more whenever its end is reached.
	fewChanges = 50
	// mostTrail is how many tasks one can go back.
	mostTrail = 100
)

func (s *detailScreen) read(m *model) func(context.Context, query.Board) (any, error) {
	was := &detailRead{}
	if s.found != nil && s.found.at == s.at {
		was = s.found
	}
	at, who, known, watched := s.at, m.who(), m.Checks, m.Runs
	return func(ctx context.Context, b query.Board) (any, error) {
		now := &detailRead{at: at}
		q := taskQuery(at)
		q.Around = true
		found, err := query.Of(ctx, b, who, q)
		if err != nil {
			return now, err
		}
		now.unblocks = found.Unblocks
		if now.detail, err = oneOf(&found); pawl.KindOf(err) == pawl.NotFound {
			now.gone, now.detail, now.unblocks, now.checks, err = true, was.detail, was.unblocks, was.checks, nil
		} else if err == nil {
			now.checks, _ = known.Known(ctx, &now.detail.Task, true)
			if watched != nil {
				now.attempts = watched.Attempts(runs.IdentityOf(&now.detail.Task))
			}
		}
		return now, err
	}
}

func (s *detailScreen) take(_ *model, found any) {
	if now, ok := found.(*detailRead); ok && now.at == s.at {
		s.found = now
	}
}

func (s *detailScreen) recall(m *model) tea.Cmd {
	return s.told.read(m, s, span{task: s.at, want: s.want, clock: show.Clock{Now: m.now, Zone: time.Local}})
}

func (s *detailScreen) recalled(_ *model, h *history) { s.told.history = h }
func (s *detailScreen) past() *past                   { return &s.told }

func (s *detailScreen) task() pawl.ID { return s.at }

// show begins a new trail when the reader comes from elsewhere.
func (s *detailScreen) show(m *model, id pawl.ID) {
	switch {
	case m.where != onDetail:
		s.trail = nil
	case id == s.at:
		return
	default:
		s.trail = append(s.trail, s.visit)
		s.trail = s.trail[max(0, len(s.trail)-mostTrail):]
	}
	s.visit, s.want = visit{at: id}, fewChanges
}

func (s *detailScreen) key(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	p, height := s.lay(m, m.width), m.room()
	if p.row(s.link) < 0 {
		s.link = link{} // it is gone
	}
	switch {
	case matches(k, keyNext):
		s.step(p, 1, height)
	case matches(k, keyPrev):
		s.step(p, -1, height)
	case matches(k, keyDown):
		s.walk(p, 1, height)
	case matches(k, keyUp):
		s.walk(p, -1, height)
	case matches(k, keyOpen):
		return s.enter(m), true
	case matches(k, keyTick) && s.link.criterion != 0:
		return s.tick(m), true
	case matches(k, keyTick) && s.seen() != nil && len(s.seen().Task.Accept) > 0:
		m.notice = notice{text: "Space ticks a criterion; Tab goes to one"}
	case matches(k, keyFields):
		s.unfold = !s.unfold
	case matches(k, keyBack):
		return s.back(m)
	default:
		top, ok := s.top.key(k, len(p.rows), height)
		if !ok {
			return nil, false
		}
		s.see(p, top, height)
		if h := p.of.history; h != nil && h.more && len(h.told) < mostHistory && int(s.top) >= len(p.rows)-height {
			s.want = min(len(h.told)+fewChanges, mostHistory)
			return s.recall(m), true
		}
	}
	return nil, true
}

// back returns to the task before.
func (s *detailScreen) back(m *model) (tea.Cmd, bool) {
	last := len(s.trail) - 1
	if last < 0 {
		return nil, false
	}
	s.visit, s.trail, s.want = s.trail[last], s.trail[:last], fewChanges
	return m.rereadNow(), true
}

// step selects the next or the previous of the other tasks, around the end.
func (s *detailScreen) step(p *detailPage, by, height int) {
	n := len(p.links)
	if n == 0 {
		return
	}
	i := slices.Index(p.links, s.link)
	if i < 0 && by < 0 {
		i = 0
	}
	s.link = p.links[(i+by+n)%n]
	s.top = s.top.to(p.row(s.link), len(p.rows), height)
}

// walk selects the next task in a direction as long as one is in sight, and
// moves what is seen by a row where none is.
func (s *detailScreen) walk(p *detailPage, by, height int) {
	s.top = s.top.within(len(p.rows), height)
	at := p.row(s.link)
	if at < 0 && by < 0 {
		at = int(s.top) + height
	}
	for row := at + by; row >= 0 && row < len(p.rows); row += by {
		if p.rows[row].link == (link{}) || row < int(s.top) {
			continue
		}
		if row >= int(s.top)+height {
			break
		}
		s.link = p.rows[row].link
		return
	}
	s.see(p, s.top+pan(by), height)
}

// see moves what is seen. Nothing is selected that is out of sight.
func (s *detailScreen) see(p *detailPage, top pan, height int) {
	s.top = top.within(len(p.rows), height)
	if row := p.row(s.link); row < int(s.top) || row >= int(s.top)+height {
		s.link = link{}
	}
}

func (s *detailScreen) click(m *model, h hit, double bool) tea.Cmd {
	switch h.kind {
	case hitCriterion:
		s.link = link{criterion: h.item}
	case hitTask:
		s.link = link{task: h.task}
	default:
		return nil
	}
	if !double {
		return nil
	}
	return s.enter(m)
}

// enter ticks the criterion or opens the task that is selected.
func (s *detailScreen) enter(m *model) tea.Cmd {
	if s.link.criterion != 0 {
		return s.tick(m)
	}
	return m.openTask(s.link.task)
}

func (s *detailScreen) scroll(m *model, rows int) {
	s.see(s.lay(m, m.width), s.top+pan(rows), m.room())
}

func (s *detailScreen) keys(m *model) []binding {
	keys := []binding{keyBack}
	if len(s.lay(m, m.width).links) > 0 {
		keys = append(keys, keyNext)
	}
	switch {
	case s.link.task != 0:
		keys = append(keys, keyOpen)
	case s.link.criterion != 0:
		keys = append(keys, keyTick)
	}
	if d := s.seen(); d != nil && !s.found.gone {
		keys = joined(keys, taskKeys(m, &d.Task)...)
	}
	return joined(keys, keyFields, keyUndo, keyGraph)
}

// seen is the task that is shown; nil: it has not been read yet, or is not known.
func (s *detailScreen) seen() *query.Detail {
	if s.found == nil || s.found.at != s.at {
		return nil
	}
	return s.found.detail
}
