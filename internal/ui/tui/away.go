package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// A distance is how the reader stands to the server of a board at an address.
type distance struct {
	server query.Distant // nil: the board is in a folder
	since  time.Time     // it does not answer; zero: it does
	asOf   time.Time     // when what is shown was read, of what was remembered; zero: it was true when the server left
}

// awayEvery is how often is looked whether the server answers: a look at memory.
const awayEvery = 250 * time.Millisecond

// follow waits until the server is away, or back.
func (d *distance) follow(m *model) tea.Cmd {
	if d.server == nil {
		return nil
	}
	ctx, server, was := m.ctx, d.server, d.since
	return func() tea.Msg {
		look := time.NewTicker(awayEvery)
		defer look.Stop()
		for {
			if since := server.Away(); since.IsZero() != was.IsZero() {
				return then(func(m *model) tea.Cmd { return m.turned(since) })
			}
			select {
			case <-ctx.Done():
				return nil
			case <-look.C:
			}
		}
	}
}

// turned notes since when the server does not answer; zero: it answers again.
func (m *model) turned(since time.Time) tea.Cmd {
	m.far.since = since
	if !since.IsZero() {
		return m.far.follow(m)
	}
	if m.notice.bad {
		m.notice = notice{} // of what the server did not answer
	}
	return tea.Batch(m.far.follow(m), m.rereadNow())
}

// awayRows is how many rows below the heading say that the server does not answer.
func (m *model) awayRows() int {
	if m.far.since.IsZero() || m.height < low {
		return 0
	}
	return 1
}

// awayRow says since when the server does not answer, and how old that is what is seen:
//
//	The server has not answered since 14:02. This is the board as it was then; it goes on by itself.
func (m *model) awayRow(width int) []cell {
	said := " The server has not answered since " + clock(m.far.since, m.now) + "."
	switch {
	case m.lanes == nil:
		said += " The board appears as soon as it does."
	case m.far.asOf.IsZero():
		said += " This is the board as it was then; it goes on by itself."
	default:
		said += " This is the board as of " + clock(m.far.asOf, m.now) + "; it goes on by itself."
	}
	return row(width, term.Part{Text: m.sc(width).Fit(said, width), Tone: term.Busy})
}

// clock is a moment as a clock on the wall has it, with the day where that is not today.
func clock(at, now time.Time) string {
	at, now = at.Local(), now.Local()
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04")
	}
	return at.Format("2 Jan 15:04")
}
