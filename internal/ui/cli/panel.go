package cli

import (
	"context"
	"io"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// Paneling is what the panel is shown with.
type Paneling struct {
	Screen
	Todos   *todo.Service
	Session string // empty: the newest one of the project
	Agent   string
	Ours    func(todo.Head) bool
	Wanted  func(session string) (on bool, command string) // what the settings say, and what switches it on; one call at a time
	Switch  func(ctx context.Context, session string, on bool) error
}

// live shows the list on the terminal until the reader leaves it.
func (t *todoRun) live(ctx context.Context) error {
	screen, err := t.shown("todo --follow", "todo"+t.agentFlag(), t.theme)
	once := !t.json && (!terminal.Moves(t.env.Stdout, t.env.Getenv) || !terminal.Is(t.env.Stdin))
	if once {
		return t.printOnce(ctx)
	}
	if err != nil {
		return err
	}
	defer t.quiet()()
	p := &panelSettings{server: t.newServer()}
	show := Paneling{
		Screen: screen, Todos: t.lists, Agent: (todo.Key{Agent: t.agent}).Normal().Agent,
		Ours: t.ours(), Wanted: p.wanted, Switch: p.turn,
	}
	if t.named() {
		show.Session = todo.Key{Session: t.caller().Session}.Normal().Session
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return t.env.Screens.Panel(ctx, show)
}

// printOnce prints the list where nobody can watch it.
func (t *todoRun) printOnce(ctx context.Context) error {
	if err := t.choose(ctx); err != nil {
		return err
	}
	list, err := t.lists.Read(ctx, t.key)
	if err != nil {
		return err
	}
	if list.Blank() && t.named() {
		t.say("no list of %s exists yet; all lists: %s", listName(t.key), "pawl todo sessions")
	}
	t.print("%s\n", text.Lines(todo.Structured(&list, time.Now())))
	return nil
}

// quiet keeps what there is to say until what it returns is called: it would
// stand across what the terminal shows.
func (a *app) quiet() (done func()) {
	later := &later{out: a.env.Stderr}
	a.env.Stderr = later
	return later.open
}

// later keeps what is written until it is opened. Stores warn from goroutines of
// their own.
type later struct {
	mu   sync.Mutex
	out  io.Writer
	kept []byte
	now  bool
}

// mostKept bounds what is kept: the first that went wrong says most.
const mostKept = 64 << 10

func (l *later) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now {
		return l.out.Write(text)
	}
	if len(l.kept)+len(text) <= mostKept {
		l.kept = append(l.kept, text...)
	}
	return len(text), nil
}

func (l *later) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = true
	l.out.Write(l.kept) // nobody is left to tell that it failed
}

// panelSettings are what the settings say of the panel.
type panelSettings struct {
	mu     sync.Mutex
	server *agentServer
}

const panelKey = "ui.showTodoPanel"

// wanted is asked often: files are read again only when they changed.
func (p *panelSettings) wanted(session string) (on bool, command string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	value := p.server.inForce(session).Get(panelKey)
	if on, _ := value.Is.(bool); on {
		return true, ""
	}
	return false, configCommand("set", panelKey, "true") + " " + scopeFlags(panelScope(value), session)
}

// panelScope is where the setting is changed: for the reader, who may not be
// alone in the project, unless the session has a say of its own.
func panelScope(v settings.Value) settings.Scope { return max(settings.User, v.Origin.Scope) }

func scopeFlags(scope settings.Scope, session string) string {
	if scope == settings.Session {
		return "--scope session --session " + quote(session)
	}
	return "--user"
}

// turn switches the panel on or off.
func (p *panelSettings) turn(ctx context.Context, session string, on bool) error {
	p.mu.Lock()
	value := p.server.inForce(session).Get(panelKey)
	p.mu.Unlock()
	scope := panelScope(value)
	path, err := settings.UserFile(p.server.app.env.Getenv)
	if scope == settings.Session {
		path, err = settings.SessionFile(p.server.app.env.Getenv, session)
	}
	if err != nil {
		return err
	}
	text := map[bool]string{true: "true", false: "false"}[on]
	_, err = settings.Set(ctx, scope, path, settings.Find(panelKey), text)
	return err
}
