package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A feed keeps the screen in step with the board. A change makes it stale, and a
// look at the board makes it fresh. Looks run one at a time, at most one in gap,
// however many changes there are.
type feed struct {
	moved   chan struct{} // holds a value after a change until listen takes it
	hears   bool          // listen waits for one
	stale   bool
	urgent  bool // the reader waits for the look
	looking bool
	waiting bool // a look is scheduled
	last    time.Time
	took    time.Duration
	skew    time.Duration // how far the board's clock is ahead of ours
	ends    time.Time     // when the next lease ends; a look is scheduled for it
}

const (
	// gap is the least time between two looks at the board: twenty a second are
	// more than an eye follows.
	gap = 50 * time.Millisecond
	// rest is how long to pause after a look, in multiples of what the look took: a
	// large board must not keep a processor busy.
	rest = 4
	// donesShown is how many completed tasks a look reads at first.
	donesShown = 10
)

// open opens the board, or begins to wait for one.
func (m *model) open(write bool) tea.Cmd {
	return func() tea.Msg {
		board, note, err := m.Open(m.ctx, write)
		return then(func(m *model) tea.Cmd { return m.opened(board, note, err) })
	}
}

func (m *model) opened(board query.Board, note string, err error) tea.Cmd {
	if err != nil {
		m.fatal = err
		return pausing(pawl.WatchInterval, (*model).reopen)
	}
	if note != "" {
		m.notice = notice{text: note}
	}
	if board == nil {
		m.absent = true
		return tea.Batch(m.replay(), func() tea.Msg {
			board, err := m.Await(m.ctx)
			if err == nil && board == nil {
				return nil // it ends
			}
			return then(func(m *model) tea.Cmd { return m.opened(board, "", err) })
		})
	}
	if m.board != nil {
		return nil
	}
	m.board, m.fatal, m.absent = board, nil, false
	m.feed.moved = make(chan struct{}, 1)
	m.far.server, _ = board.(query.Distant)
	go watch(m.ctx, board, m.who(), m.feed.moved)
	return tea.Batch(m.reread(), m.far.follow(m))
}

func (m *model) reopen() tea.Cmd {
	if m.board != nil || m.ctx.Err() != nil {
		return nil
	}
	return m.open(false)
}

// watch signals changes until the context ends. It does not say what changed: the
// model reads the board after each signal.
func watch(ctx context.Context, board query.Board, who query.Asker, moved chan<- struct{}) {
	for ctx.Err() == nil {
		for range board.Watch(ctx, who, query.From{Now: true}) {
			select {
			case moved <- struct{}{}:
			default: // one is there
			}
		}
		select { // the board cannot be read now, or history has a gap: start again
		case <-ctx.Done():
		case <-time.After(pawl.WatchInterval):
		}
	}
}

// listen waits for a change. It does not run between a change and the look that
// follows, because each message draws the model again.
func (m *model) listen() tea.Cmd {
	if m.feed.hears {
		return nil
	}
	m.feed.hears = true
	ctx, moved := m.ctx, m.feed.moved
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-moved:
			return then(func(m *model) tea.Cmd {
				m.feed.hears = false
				return m.reread()
			})
		}
	}
}

// reread schedules a look at the board as soon as gap and rest allow.
func (m *model) reread() tea.Cmd {
	f := &m.feed
	f.stale = true
	if m.board == nil || f.looking {
		return nil
	}
	if wait := max(gap, rest*f.took) - m.now.Sub(f.last); wait > 0 && !f.urgent {
		if f.waiting {
			return nil
		}
		f.waiting = true
		return pausing(wait, (*model).due)
	}
	return m.look()
}

// rereadNow is reread after an action of the reader, who should not wait for the
// pause between looks.
func (m *model) rereadNow() tea.Cmd {
	m.feed.urgent = true
	return m.reread()
}

// due looks when a scheduled look is due.
func (m *model) due() tea.Cmd {
	m.feed.waiting = false
	if m.feed.looking || !m.feed.stale {
		return nil
	}
	return m.look()
}

// look reads what the screen shows.
func (m *model) look() tea.Cmd {
	f := &m.feed
	f.stale, f.urgent, f.looking, f.last = false, false, true, m.now
	selection := query.LanesQuery{Tasks: m.filter.query, Done: donesShown}
	if l, ok := m.screens[onLanes].(*lanesScreen); ok {
		selection.Done = max(selection.Done, l.done)
		if l.sought {
			selection.Reach = l.at
		}
	}
	where, board, who, ctx, clock, known := m.where, m.board, m.who(), m.ctx, m.Now, m.Checks
	read := m.screens[where].read(m)
	return tea.Batch(m.listen(), func() tea.Msg {
		began := clock()
		msg := lookedMsg{where: where}
		lanes, err := query.Of(ctx, board, who, selection)
		if msg.lanes, msg.err = &lanes, err; err == nil && read != nil {
			msg.found, msg.err = read(ctx, board)
		}
		if err == nil {
			msg.printed = printed(ctx, known, &lanes)
		}
		msg.took = clock().Sub(began)
		return msg
	})
}

// lookedMsg is the result of a look.
type lookedMsg struct {
	lanes   *query.Lanes
	printed map[pawl.ID][]string
	where   which
	found   any
	took    time.Duration
	err     error
}

func (msg lookedMsg) update(m *model) tea.Cmd {
	f := &m.feed
	f.looking, f.took = false, msg.took
	if m.ctx.Err() != nil {
		return nil
	}
	var later, full tea.Cmd
	switch old := msg.err == nil && !msg.lanes.Old.IsZero(); {
	case msg.err != nil:
		if m.far.since.IsZero() || m.lanes == nil || m.where != onLanes { // else a row says it
			m.notice = notice{text: sentence(msg.err), bad: true}
		}
		later = pausing(pawl.WatchInterval, (*model).reread)
	case old && m.lanes != nil: // what is shown is newer than what is remembered
		later = pausing(pawl.WatchInterval, (*model).reread)
	default:
		if m.lanes != nil && msg.lanes.Revision < m.lanes.Revision {
			m.notice = notice{text: "This folder now holds another board", bad: true}
			m.skipped = 0
			if msg.lanes.Revision == 0 {
				m.notice.text = "The board is gone: its folder no longer exists"
			}
		}
		msg.lanes.Zone = time.Local
		m.lanes, m.printed = msg.lanes, msg.printed
		m.forgive()
		if m.far.asOf = msg.lanes.Old; !old {
			f.skew = m.lanes.Now.Sub(m.now)
		}
		if msg.found != nil {
			m.screens[msg.where].take(m, msg.found)
		}
		l := m.screens[onLanes].(*lanesScreen)
		l.take(m, nil)
		full = m.openTask(l.beyond(m))
	}
	var again, more tea.Cmd
	if f.stale {
		again = m.reread()
	}
	if s, ok := m.screens[m.where].(historian); ok && msg.where == m.where && msg.err == nil {
		more = s.recall(m)
	}
	return tea.Batch(again, later, full, more, m.wake(), m.relist(), m.replay())
}

// wake schedules a look for the end of the next lease: a card moves then, even though
// nobody writes.
func (m *model) wake() tea.Cmd {
	if m.lanes == nil || m.lanes.Until.Equal(m.feed.ends) {
		return nil
	}
	m.feed.ends = m.lanes.Until
	if m.feed.ends.IsZero() {
		return nil
	}
	return pausing(max(gap, m.feed.ends.Sub(m.lanes.Now)), (*model).reread)
}

// refuse shows at a task why a change of it was refused.
func (m *model) refuse(id pawl.ID, why string) {
	at, _ := m.changedAt(id)
	m.why[id], m.whyAt[id] = why, at
}

// forgive drops the reasons of tasks that have changed since the refusal.
func (m *model) forgive() {
	for id := range m.why {
		if at, seen := m.changedAt(id); seen && !at.Equal(m.whyAt[id]) {
			delete(m.why, id)
		}
	}
}

// changedAt is when a task of the lanes changed last.
func (m *model) changedAt(id pawl.ID) (at time.Time, seen bool) {
	lane, i, seen := find(m.lanes, id)
	if seen {
		at = m.lanes.Cards[lane][i].Task.UpdatedAt
	}
	return at, seen
}

// who asks the board.
func (m *model) who() query.Asker { return query.Asker{By: m.By, Archive: m.Archive} }

// boardNow is the time by the board's clock.
func (m *model) boardNow() time.Time { return m.now.Add(m.feed.skew) }

// detailOf asks for a task in full. It fails with NotFound if the board has no
// such task.
func detailOf(ctx context.Context, b query.Board, who query.Asker, id pawl.ID) (*query.Detail, error) {
	found, err := query.Of(ctx, b, who, taskQuery(id))
	if err != nil {
		return nil, err
	}
	return oneOf(&found)
}

func taskQuery(id pawl.ID) query.TaskQuery { return query.TaskQuery{Names: []string{id.String()}} }

// oneOf is the answer of a question about one task.
func oneOf(found *query.Details) (*query.Detail, error) {
	if fault := found.Tasks[0].Fault; fault != nil {
		return nil, fault
	}
	return found.Tasks[0].Detail, nil
}
