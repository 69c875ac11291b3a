package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

var serveVerb = verb{
	name:  "serve",
	use:   "[token ACTION|migrate|restored] [flags]",
	short: "show the board in a browser, and serve programs",
	long:  "Serves a web page, an HTTP API and the Model Context Protocol until Ctrl-C, to this machine only. The link that it prints works once, within a minute; --open opens it in the browser. For a board on a server, it prints a link to that server's page and exits; --local serves a page from this machine. docs/serve.md describes the page, docs/api.md the API.\n\nWith --boards it serves the boards of a folder to a team instead, on other machines too: docs/team.md. With --store it serves the boards of a PostgreSQL database, which other servers can serve too: docs/many-machines.md.",
	kind:  "serve",
	examples: []string{
		"pawl serve --open",
		"pawl serve --addr 127.0.0.1:8000",
		"pawl serve --boards /srv/pawl --addr 0.0.0.0:7350",
		"pawl serve token create ada --board shop --boards /srv/pawl",
		"pawl serve migrate --store postgres://db.example.org/pawl",
	},
	topics: func() []manual.Section { return append(tokenTopics(), storeTopic()) },
	max:    3,
	build:  buildServe,
}

// WebServing is what the server for browsers works on.
type WebServing struct {
	show.Live
	Dir     string // of the board, which need not be there yet; empty: it is at an address
	Address string // of the board; empty: it is in a folder
	Project string // its folder, as todo lists name it
	Version string
	Getenv  func(string) string
	Warn    func(text string)
	Tools   Serving // the same for agents, which come to /mcp

	Addr   string   // where to listen; empty: the usual place
	Expose bool     // other machines may reach it
	Hosts  []string // further names of it

	Up func(Served) error // called as soon as it is served
}

// Served is where a board is served.
type Served struct {
	Address   string   // http://127.0.0.1:7350
	Link      string   // the same with a code, for a browser
	Others    []string // the address as other machines have it, where they can ask
	TokenFile string
	Running   bool                   // another process serves it, and goes on
	Moved     string                 // what has the usual port, where this one is another
	Another   func() (string, error) // makes one more link; not where another process serves
}

// serveJSON is the envelope of serve.
type serveJSON struct {
	wire.Envelope
	Address   string `json:"address"`           // of the page; the API is below it
	Link      string `json:"link"`              // opens the page in a browser; works once, for a minute
	TokenFile string `json:"tokenFile"`         // the file whose text programs send as the bearer token; empty at an address, where it is that of pawl join
	Running   bool   `json:"running,omitempty"` // another server already serves it: this command ends, that one continues
	Cert      string `json:"cert,omitempty"`    // with --boards or --store: the SHA-256 of the certificate that the server has made itself; link and tokenFile are empty then
}

func buildServe(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var w WebServing
	flags := cmd.Flags()
	flags.StringVar(&w.Addr, "addr", "", "`HOST:PORT` listen there (default 127.0.0.1:7350, or the next free port)")
	open := flags.Bool("open", false, "open the page in the browser")
	flags.BoolVar(&w.Expose, "expose", false, "with --addr: let other machines connect, unencrypted; anybody who sees the access token can change the board")
	flags.StringSliceVar(&w.Hosts, "host", nil, "`NAME` also accept requests for this host name, such as that of a tunnel; NAME:PORT if the port differs, https://NAME behind a proxy")
	here := flags.Bool("local", false, "of a board at an address: serve a page from this machine, instead of opening the one at the address")
	boards := flags.String("boards", "", "`DIR` serve all boards in this folder to a team, DIR/shop/.tasks as /boards/shop: each caller needs a token; with token or restored: the server's folder")
	stored := a.storeFlags(cmd, boards)
	team := a.teamFlags(cmd, boards, stored)
	tokens := a.tokenFlags(cmd, boards, stored)
	return func(ctx context.Context, args []string) error {
		switch {
		case stored.dsn != "" && *boards != "":
			return usage("serve", "--boards and --store exclude each other: boards are in a folder or in a database")
		case len(args) > 0 && (args[0] == "token" || serverActions.find(args[0]) != nil) && a.env.Host == nil:
			return a.startServer(ctx)
		case len(args) > 0 && args[0] == "token":
			return tokens.run(ctx, args[1:])
		case len(args) > 0:
			return stored.act(cmd, ctx, args)
		}
		ofToken := []string{"all-boards", "role", "agent", "expires", "also", "all"}
		if *boards != "" || stored.dsn != "" { // else it names the one to serve
			ofToken = append(ofToken, "board")
		}
		if name := anyOf(cmd, ofToken...); name != "" {
			return usage("serve", "--%s goes with pawl serve token", name)
		}
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		if *boards != "" || stored.dsn != "" || stored.meant(cmd) {
			if name := anyOf(cmd, pageOnly...); name != "" {
				return usage("serve", "--%s does not go with --boards or --store", name)
			}
			if a.env.Host == nil {
				return a.startServer(ctx)
			}
			return team.run(ctx, w.Addr, w.Hosts)
		}
		if a.env.Host != nil {
			return usage("serve", "pawl-server needs to know the boards: --boards DIR, or --store ADDRESS")
		}
		if name := anyOf(cmd, teamOnly...); name != "" {
			return usage("serve", "--%s goes with --boards or --store", name)
		}
		place, err := a.place()
		if err != nil {
			return err
		}
		switch local := *here || w.Addr != "" || w.Expose || len(w.Hosts) > 0; {
		case place.Served() && !local:
			return a.openAtAddress(ctx, place, *open)
		case *here && !place.Served():
			return usage("serve", "--local is for a board at the address of a server, and this one is %s", whereOf(&place))
		}
		s := a.newServer()
		defer s.close()
		if err := a.webServing(ctx, &w, s); err != nil {
			return err
		}
		w.Up = func(up Served) error { return a.served(ctx, up, &w, *open) }
		return a.env.Screens.Web(ctx, w)
	}
}

// pageOnly are the flags of a server for the browser of this machine.
var pageOnly = []string{"expose", "open", "local"}

// webServing fills in what the command line finds out.
func (a *app) webServing(ctx context.Context, w *WebServing, s *agentServer) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	t := &todoRun{app: a}
	if err := t.reach(); err != nil {
		a.say("the page shows no todo lists: %s", err)
		if t.lists, err = a.env.Agents.Todos(""); err != nil {
			return err
		}
	}
	if w.Live, err = a.live(ctx, s, &place); err != nil {
		return err
	}
	// The session is not that of the terminal: a task that was taken on the page
	// belongs to the user of the page, also after a restart of the server.
	w.By = pawl.Actor{Name: a.name(), Session: caller.Find(a.env.Getenv, a.asked(), pawl.PageSession).Session}
	w.Dir, w.Version, w.Getenv = place.Dir, a.env.Build.read().Version, a.env.Getenv
	if place.Distant() {
		w.Address = place.Address.String()
	}
	w.Todos, w.Ours, w.Keep, w.Project, w.Warn = t.lists, oneAtATime(t.ours()), t.keep, t.project, s.warn
	w.Tools = Serving{
		Project: t.project, Getenv: w.Getenv, Version: w.Version, Board: s.open, Await: s.await, Settings: s.toolSettings, Warn: s.warn,
		Checks: a.checksNow, Screened: a.screening(false),
	}
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
func (a *app) served(ctx context.Context, up Served, w *WebServing, open bool) error {
	if up.Moved != "" {
		a.say("the default port is in use by %s; using another", up.Moved)
	}
	if w.Expose {
		a.say("other machines can connect, unencrypted: anybody who sees the access token can read and change the board")
	}
	if up.Running && !a.mayConsent() {
		up.Link = up.Address // that server may be a person's, at a terminal
	}
	if a.json {
		if err := a.printJSON(serveJSON{wire.NewEnvelope("serve"), up.Address, up.Link, up.TokenFile, up.Running, ""}); err != nil {
			return err
		}
	} else {
		a.print("%s %s\n", map[bool]string{false: "Serving", true: "Already served at"}[up.Running], up.Address)
		a.print("%s", up.links(up.Link))
	}
	if err := a.flush(); err != nil {
		return err
	}
	once := "the link works once, within a minute; "
	if up.Link == up.Address {
		once = ""
	}
	a.say("%sthe access token for programs is in %s", once, up.TokenFile)
	if open {
		a.opened(ctx, up.Link)
	}
	if up.Another != nil && a.canAsk() {
		a.say("Enter prints another link, Ctrl-C ends the server")
		terminal.ReadInBackground()
		go a.moreLinks(ctx, up, open)
	}
	return nil
}

// links says how a link is opened: here, and on other machines. They have one
// code, so the first one gets in.
func (up *Served) links(link string) string {
	text := "In a browser: " + link + "\n"
	for _, other := range up.Others {
		text += "On another machine: " + other + strings.TrimPrefix(link, up.Address) + "\n"
	}
	return text
}

// opened opens a link in the browser.
func (a *app) opened(ctx context.Context, link string) {
	if err := openPage(ctx, a.programs(), link); err != nil {
		a.say("cannot open a browser: %s; open the link yourself", err)
	}
}

// moreLinks makes a link whenever somebody presses Enter. It ends with the
// process, which reads nothing else.
func (a *app) moreLinks(ctx context.Context, up Served, open bool) {
	for lines := bufio.NewScanner(a.env.Stdin); lines.Scan() && ctx.Err() == nil; {
		link, err := up.Another()
		if err != nil {
			a.say("%s", err)
			continue
		}
		fmt.Fprint(a.env.Stdout, up.links(link))
		if open {
			a.opened(ctx, link)
		}
	}
}
