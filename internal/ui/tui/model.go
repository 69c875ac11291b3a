package tui

import (
	"context"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A model is the board on a terminal. See the package's comment for the way of
// the data.
type model struct {
	Options
	ctx    context.Context
	board  query.Board // nil: none is open
	theme  theme
	window tea.WindowSizeMsg // the terminal's size; zero: it has not told it yet
	width  int               // for which screens and dialogs are drawn: no less than they need
	height int
	now    time.Time

	lanes   *query.Lanes         // as last read; nil: not yet
	printed map[pawl.ID][]string // the last lines of what failed checks printed here
	where   which                // which screen is seen
	before  []place              // those to come back to
	screens [numScreens]screen
	dialog  dialog // nil: the screen has the keys
	notice  notice
	faded   notice                // the notice at the last tick; the next one removes it, since it soon goes out of date
	why     map[pawl.ID]string    // for tasks with which something was refused: the reason, until the next key
	whyAt   map[pawl.ID]time.Time // and when the task was changed last by then
	drafts  map[string]string     // what was written in dialogs and not sent
	skipped int                   // how many changes an undo was refused for, until the next op
	filter  filter
	feed    feed
	far     distance
	plans   plans
	runSeen *runSeen // nil: not looked yet
	early   early
	absent  bool // the project has no board yet
	reads   int  // how many looks for dialogs are under way
	relists bool // the board changed since; look again when they are over

	shown frame // the last frame, for the mouse
	press press // of the mouse's button
	fatal error // why the board cannot be read at all

	lent editing                                   // the text that is open in an editor; without a file: none
	exec func(*exec.Cmd, tea.ExecCallback) tea.Cmd // lends the terminal to a program
}

// A place is where the reader was.
type place struct {
	where which
	task  pawl.ID
}

// A notice is the latest message to the reader.
type notice struct {
	text string
	bad  bool
}

func newModel(ctx context.Context, o Options) *model {
	m := &model{
		Options: o, ctx: ctx, theme: newTheme(o.Theme != "light"), now: o.Now(), width: leastWidth, height: leastHeight,
		why: map[pawl.ID]string{}, whyAt: map[pawl.ID]time.Time{}, drafts: map[string]string{}, exec: tea.ExecProcess,
	}
	m.screens = [numScreens]screen{onLanes: newLanesScreen(), onGraph: &graphScreen{}, onDetail: &detailScreen{}, onTimeline: &timelineScreen{}}
	m.filter.query = o.Filter
	if o.Graph || o.Around != 0 {
		m.screens[onGraph].show(m, o.Around)
		m.where = onGraph
	}
	return m
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.open(false), m.tick(), (&planWatch{Live: m.Live}).watchPlans(m.ctx), m.lookAtRuns(runFirst)}
	if m.Theme == "" {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.Now()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.window, m.width, m.height = msg, max(leastWidth, msg.Width), max(leastHeight, msg.Height)
		return m, tea.Batch(redraw(), m.replay())
	case tea.BackgroundColorMsg:
		m.theme = newTheme(msg.IsDark())
	case tea.KeyPressMsg:
		if m.later(msg) {
			return m, nil
		}
		return m, m.key(msg)
	case tea.PasteMsg:
		if m.later(msg) {
			return m, nil
		}
		if d, ok := m.dialog.(paster); ok {
			return m, d.paste(m, msg.Content)
		}
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case tickMsg:
		if m.lanes != nil {
			m.lanes.Now = m.now.Add(m.feed.skew)
		}
		if m.notice == m.faded {
			m.notice = notice{}
		}
		m.faded = notice{}
		if !m.notice.bad {
			m.faded = m.notice
		}
		if m.shared() != nil { // a sync that brought nothing changes no task
			return m, tea.Batch(m.tick(), m.reread())
		}
		return m, m.tick()
	case message:
		return m, msg.update(m)
	}
	return m, nil
}

// A message is the answer of a command.
type message interface{ update(m *model) tea.Cmd }

// A then is a message that is known by what it does alone.
type then func(m *model) tea.Cmd

func (next then) update(m *model) tea.Cmd { return next(m) }

// pausing has the model go on after a while.
func pausing(d time.Duration, next then) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return next })
}

// tickMsg arrives every tickEvery, because ages grow even though nothing happens.
type tickMsg struct{}

const tickEvery = 10 * time.Second

func (m *model) tick() tea.Cmd {
	return tea.Tick(tickEvery, func(time.Time) tea.Msg { return tickMsg{} })
}

// key passes a key to the dialog or the screen, or handles it if it means the same
// everywhere.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	if m.small() {
		if matches(k, keyQuit) {
			return tea.Quit
		}
		return nil // its effect would not be visible
	}
	if m.dialog != nil {
		return m.dialog.key(m, k)
	}
	m.notice = notice{}
	clear(m.why)
	m.screens[onLanes].(*lanesScreen).follow = 0
	if cmd, ok := m.screens[m.where].key(m, k); ok {
		return cmd
	}
	switch {
	case matches(k, keyQuit):
		return tea.Quit
	case matches(k, keyBack):
		return m.back()
	case matches(k, keyLanes):
		return m.jump(onLanes)
	case matches(k, keyGraph):
		return m.jump(onGraph)
	case matches(k, keyTimeline):
		return m.jump(onTimeline)
	case matches(k, keyOpen):
		return m.openTask(m.task())
	case matches(k, keyTodos):
		m.showPlans()
		return nil
	case matches(k, keyHelp):
		m.dialog = newHelp()
		return nil
	}
	return m.act(k)
}

// task is the task that the reader is at; zero: none.
func (m *model) task() pawl.ID { return m.screens[m.where].task() }

// jump shows another screen, at the task where the reader is.
func (m *model) jump(to which) tea.Cmd {
	if to == m.where {
		return nil
	}
	return m.jumpTo(to, m.task())
}

// openTask shows a task in full.
func (m *model) openTask(id pawl.ID) tea.Cmd {
	if id == 0 {
		return nil
	}
	return m.jumpTo(onDetail, id)
}

// jumpTo shows a screen at a task; zero: where it was. The timeline starts at the
// newest change.
func (m *model) jumpTo(to which, id pawl.ID) tea.Cmd {
	came := place{m.where, m.task()}
	if id != 0 || to == onTimeline {
		m.screens[to].show(m, id)
	}
	switch {
	case to == onLanes: // the first screen: nothing to go back to
		m.before, m.where = nil, to
	case to != m.where:
		m.before = append(m.before, came)
		m.before = m.before[max(0, len(m.before)-mostBefore):]
		m.where = to
	}
	return m.rereadNow()
}

// mostBefore is how many screens one can go back.
const mostBefore = 100

// back returns to the screen before.
func (m *model) back() tea.Cmd {
	last := len(m.before) - 1
	switch {
	case last < 0 && m.where != onLanes:
		return m.jump(onLanes)
	case last < 0 && m.filter.on():
		m.filter = filter{}
		return m.rereadNow()
	case last < 0:
		return nil
	}
	to := m.before[last]
	m.before = m.before[:last]
	if to.where == onDetail && m.screens[onDetail].task() != to.task { // it has shown another task since
		m.screens[onDetail].show(m, to.task)
	}
	m.where = to.where
	return m.rereadNow()
}

func (m *model) close() { m.dialog = nil }

// sc is what lines are drawn for.
func (m *model) sc(width int) term.Screen { return term.Screen{Width: width, Unicode: m.Unicode} }

// View implements [tea.Model].
func (m *model) View() tea.View {
	f, cursor := m.frame()
	m.shown = f
	v := tea.NewView(m.theme.paint(f, m.Unicode))
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, "pawl board"
	if m.Name != "" {
		v.WindowTitle += " " + text.Line(m.Name)
	}
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
	}
	return v
}
