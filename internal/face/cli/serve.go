package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

var serveVerb = verb{
	name:  "serve",
	use:   "[flags]",
	short: "show the board in a browser, and serve programs",
	long:  "Serves a page for people, an API for programs and the Model Context Protocol, to this machine alone, until it is interrupted. The link that it prints works once, for a minute; --open hands it to the browser. docs/serve.md tells of the page, docs/api.md of the API.",
	kind:  "serve",
	examples: []string{
		"pawl serve --open",
		"pawl serve --addr 127.0.0.1:8000",
	},
	build: buildServe,
}

// WebServing is what the server for browsers works on.
type WebServing struct {
	By      pawl.Actor
	Name    string // of the project
	Dir     string // of the board, which need not be there yet
	Version string
	Getenv  func(string) string

	Open  func(ctx context.Context, write bool) (board *pawl.Board, note string, err error) // no board: there is none yet
	Await func(ctx context.Context) (*pawl.Board, error)
	Todos *todo.Service
	Ours  func(todo.Head) bool

	Project string // its folder, as todo lists name it
	Warn    func(text string)

	Addr string               // where to listen; empty: the usual place
	Up   func(s Served) error // called as soon as it is served
}

// Served is where a board is served.
type Served struct {
	Address   string // http://127.0.0.1:7350
	Link      string // the same with a code, for a browser
	TokenFile string
}

// serveJSON is the envelope of serve.
type serveJSON struct {
	view.Envelope
	Address   string `json:"address"`   // of the page; the API is below it
	Link      string `json:"link"`      // opens the page in a browser; works once, for a minute
	TokenFile string `json:"tokenFile"` // the file whose text programs send as the bearer token
}

func buildServe(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var w WebServing
	flags := cmd.Flags()
	flags.StringVar(&w.Addr, "addr", "", "`HOST:PORT` listen there; 127.0.0.1:7350 unless said")
	open := flags.Bool("open", false, "open the page in the browser")
	return func(ctx context.Context, _ []string) error {
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		s := &agentServer{app: a, opened: make(chan struct{})}
		defer s.close()
		if err := a.webServing(&w, s); err != nil {
			return err
		}
		w.Up = func(s Served) error { return a.served(s, *open) }
		return a.env.Web(ctx, w)
	}
}

// webServing fills in what the command line finds out.
func (a *app) webServing(w *WebServing, s *agentServer) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	t := &todoRun{app: a}
	if err := t.reach(); err != nil {
		a.say("the page shows no todo lists: %s", err)
		if t.lists, err = a.env.Todos(""); err != nil {
			return err
		}
	}
	// The session is not that of the terminal: a task that was taken on the page
	// belongs to whoever uses the page, also after the server was started anew.
	w.By = pawl.Actor{Name: a.caller().Name, Session: "web"}
	w.Name, w.Dir, w.Version, w.Getenv = projectName(place.Dir), place.Dir, a.env.Build.Version, a.env.Getenv
	w.Todos, w.Ours, w.Project, w.Warn = t.lists, oneAtATime(t.ours()), t.project, s.warn
	w.Open = func(ctx context.Context, write bool) (*pawl.Board, string, error) {
		board, note, err := s.open(ctx, tool.Caller{Actor: w.By}, write)
		if err == nil && !s.is(board) {
			board = nil
		}
		return board, note, err
	}
	w.Await = s.await
	return nil
}

// oneAtATime makes a test of lists that remembers fit for many requests at once.
func oneAtATime(ours func(todo.Head) bool) func(todo.Head) bool {
	var mu sync.Mutex
	return func(h todo.Head) bool {
		mu.Lock()
		defer mu.Unlock()
		return ours(h)
	}
}

// served tells where the board is.
func (a *app) served(s Served, open bool) error {
	if a.json {
		if err := a.printJSON(serveJSON{view.NewEnvelope("serve"), s.Address, s.Link, s.TokenFile}); err != nil {
			return err
		}
		return a.flush()
	}
	a.print("Serving %s\n", s.Address)
	a.print("In a browser, once, within a minute: %s\n", s.Link)
	return a.flush()
}
