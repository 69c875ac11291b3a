package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/todo"
)

// PanelOptions are what the panel is opened with.
type PanelOptions struct {
	Terminal
	Todos   *todo.Service
	Session string               // whose lists to show; empty: those of the newest session of the project
	Agent   string               // whose list to begin with; empty: the main agent's
	Ours    func(todo.Head) bool // whether a list belongs to the project
	// Wanted says whether the settings want the panel in a session. It is asked ten
	// times a second, beside everything else, one call at a time.
	Wanted func(session string) PanelWanted
	// Switch changes the setting, where that counts.
	Switch func(ctx context.Context, session string, on bool) error
}

// PanelWanted is what the settings say of the panel.
type PanelWanted struct {
	On      bool
	Command string // what switches it on where it is off
}

// Panel shows the todo list of a session until the reader leaves it. As long as
// it does, the session is watched.
func Panel(ctx context.Context, o PanelOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := newPanel(ctx, o)
	defer m.follower.close()
	return o.run(ctx, m)
}

// A panel is a todo list beside its agent. It goes the way of the board: a
// follower looks at lists and settings beside the model, and what it saw comes
// as a message.
type panel struct {
	PanelOptions
	ctx      context.Context
	follower *follower
	theme    theme
	width    int
	height   int
	now      time.Time

	seen      *panelLook // nil: nothing yet
	rows      []todo.Row // of the list
	window    show.PanelWindow
	top       int // the row that the reader scrolled to, or show.Follow
	collapsed bool
	helping   bool
	failed    string    // what a key could not do
	read      string    // the note that the reader has seen
	due       time.Time // when the next tick comes; zero: none does
}

func newPanel(ctx context.Context, o PanelOptions) *panel {
	return &panel{
		PanelOptions: o, ctx: ctx, follower: newFollower(o), theme: newTheme(o.Theme != "light"), now: o.Now(), top: show.Follow,
	}
}

// Init implements [tea.Model].
func (m *panel) Init() tea.Cmd {
	cmds := []tea.Cmd{m.follow()}
	if m.Theme == "" {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// follow waits for what is to be seen next.
func (m *panel) follow() tea.Cmd {
	return func() tea.Msg {
		look, ok := m.follower.next(m.ctx)
		if !ok {
			return nil
		}
		return look
	}
}

// Update implements [tea.Model].
func (m *panel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.Now()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, redraw()
	case tea.BackgroundColorMsg:
		m.theme = newTheme(msg.IsDark())
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.MouseWheelMsg:
		m.scroll(wheelRows * wheel(msg.Button))
	case *panelLook:
		m.take(msg)
		return m, tea.Batch(m.follow(), m.tick())
	case secondMsg:
		if msg.due.Equal(m.due) {
			m.due = time.Time{}
		}
		return m, m.tick()
	case tea.SuspendMsg: // it is over
		return m, func() tea.Msg { m.follower.back(); return nil }
	case switchedMsg:
		if m.failed = ""; msg.err != nil {
			m.failed = sentence(msg.err)
		}
	}
	return m, nil
}

// wheelRows is how far a notch of the mouse's wheel goes.
const wheelRows = 3

// take shows what the follower saw. It ends scrolling when another todo becomes
// current.
func (m *panel) take(look *panelLook) {
	before := m.seen
	m.seen, m.rows = look, show.PanelRows(&look.list)
	if len(look.list.Items) == 0 {
		m.rows = show.PanelRows(&todo.List{Items: look.end.Done})
	}
	if before == nil || before.key != look.key || currentOf(&before.list) != currentOf(&look.list) {
		m.top = show.Follow
	}
}

// currentOf is what the current todo says.
func currentOf(l *todo.List) string {
	if i := l.Current(); i >= 0 {
		return l.Items[i].Content
	}
	return ""
}

// secondMsg says that time alone has changed what is seen.
type secondMsg struct{ due time.Time }

// tick comes as long as the frame says how long something takes, and when the
// first of that changes.
func (m *panel) tick() tea.Cmd {
	every := time.Duration(0)
	if m.seen != nil && m.seen.wanted.On {
		if at := m.seen.end.At; !at.IsZero() {
			every = m.untilFull(time.Minute, at)
		}
		if p := m.seen.list.Pause; p != nil && !m.collapsed {
			every = m.untilFull(time.Minute, p.At)
		}
		for i := range m.rows {
			if r := &m.rows[i]; r.Kind == todo.CallRow && r.Outcome == todo.Running && !m.collapsed {
				every = m.untilFull(time.Second, r.StartedAt)
			}
		}
	}
	due := m.now.Add(every)
	if every == 0 || !m.due.IsZero() && !due.Before(m.due) {
		return nil
	}
	m.due = due
	return tea.Tick(every, func(time.Time) tea.Msg { return secondMsg{due} })
}

// untilFull is when the next of so long spans since a time is full.
func (m *panel) untilFull(span time.Duration, since time.Time) time.Duration {
	return span - max(0, m.now.Sub(since))%span
}

// The panel's keys, where they are others than the board's.
var (
	keyCollapse = bind("one line", "Space", "space", "ctrl+q")
	keyExpand   = bind("all", "Space", "space", "ctrl+q")
	keySwitch   = bind("off", "p", "p")
	keyAgent    = bind("agent", "Tab", "tab")
	keySession  = bind("session", "n", "n")
	keyStay     = bind("stay", "f", "f")
	keyCurrent  = bind("to the current todo", "Esc", "esc", "home")
)

func (m *panel) key(k tea.KeyPressMsg) tea.Cmd {
	if m.failed = ""; m.seen != nil {
		m.read = m.seen.note
	}
	helping := m.helping
	m.helping = false
	switch by := stepOf(k, len(m.window.Rows)); {
	case k.String() == "ctrl+z":
		return func() tea.Msg { m.follower.leave(); return tea.Suspend() }
	case matches(k, keyQuit):
		return tea.Quit
	case matches(k, keyHelp):
		m.helping = !helping
	case m.seen == nil:
	case matches(k, keySwitch):
		return m.turn(!m.seen.wanted.On)
	case !m.seen.wanted.On:
	case matches(k, keyCollapse):
		m.collapsed = !m.collapsed
		return m.tick()
	case matches(k, keyCurrent):
		m.top = show.Follow
	case by != 0:
		m.scroll(by)
	case matches(k, keyAgent):
		m.nextAgent()
	case matches(k, keySession):
		m.nextSession()
	case matches(k, keyStay):
		m.stay()
	}
	return nil
}

// scroll moves the window by so many rows.
func (m *panel) scroll(rows int) {
	if len(m.window.Rows) < len(m.rows) {
		m.top = m.window.Scroll(rows)
	}
}

// nextAgent shows the list of the next agent of the session.
func (m *panel) nextAgent() {
	session := m.seen.key.Session
	if agent, ok := after(m.seen.agents, m.seen.key.Agent); ok {
		m.follower.want(target{session: m.seen.pinned, from: session, agent: agent, of: session})
		return
	}
	m.failed = "No other agent of this session has todos."
}

// nextSession shows the next session in which something is going on.
func (m *panel) nextSession() {
	session, ok := after(m.seen.sessions, m.seen.key.Session)
	switch {
	case !ok:
		m.failed = "No other session here has open todos."
	case m.seen.pinned != "":
		m.follower.want(target{session: session})
	default:
		m.follower.want(target{from: session})
	}
}

// after is what follows one of several, the first after the last; there may be
// none but itself.
func after(all []string, one string) (next string, ok bool) {
	if len(all) == 0 {
		return "", false
	}
	next = all[(slices.Index(all, one)+1)%len(all)]
	return next, next != one
}

// stay makes the panel stay with the session, or follow the newest one again.
func (m *panel) stay() {
	to := target{agent: m.seen.key.Agent, of: m.seen.key.Session}
	if m.seen.pinned == "" {
		to.session = m.seen.key.Session
	}
	m.follower.want(to)
}

// turn switches the panel on or off in the settings.
func (m *panel) turn(on bool) tea.Cmd {
	change, ctx, session := m.Switch, m.ctx, m.seen.key.Session
	return func() tea.Msg { return switchedMsg{change(ctx, session, on)} }
}

// switchedMsg is what came of that.
type switchedMsg struct{ err error }

// View implements [tea.Model].
func (m *panel) View() tea.View {
	v := tea.NewView(m.theme.paint(m.frame(), m.Unicode))
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, "pawl todo --follow"
	return v
}

// sc is what lines are drawn for.
func (m *panel) sc() term.Screen { return term.Screen{Width: m.width, Unicode: m.Unicode} }
