package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/tool"
)

var mcpVerb = verb{
	name:  "mcp",
	use:   "[flags]",
	short: "serve an agent over the Model Context Protocol",
	long:  "An agent's program starts this server and talks to it on standard input and output; docs/mcp.md has the command for each program. It ends when its input ends. The project is the folder of --project, else CLAUDE_PROJECT_DIR, else the current folder. Pawl searches for the board from there; adding the first task makes one. The session and the agent are the caller's unless --session or --agent names them.",
	examples: []string{
		"claude mcp add pawl -- pawl mcp",
		"pawl mcp --project ~/compiler --tools claude",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var agent, project string
		tools := choice(cmd, "tools", "pawl", "`SET` offer Pawl's own tools, or those that Claude Code had, such as TodoWrite and TaskCreate", "pawl", "claude")
		flags := cmd.Flags()
		flags.StringVar(&agent, "agent", "", "`NAME` use the todo list of this agent of the session, not the caller's")
		flags.StringVar(&project, "project", "", "`DIR` the folder of the project")
		return func(ctx context.Context, _ []string) error {
			if a.json {
				return usage("mcp", "mcp has no --json: it speaks the Model Context Protocol")
			}
			names, err := tools()
			if err != nil {
				return err
			}
			if terminal.Is(a.env.Stdin) {
				a.say("waiting for messages of an agent's program, one per line; docs/mcp.md says how to start it")
			}
			if err := a.enter(project); err != nil {
				return err
			}
			home, err := a.project().Root()
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			s := a.newServer()
			defer s.close()
			held := s.inForce(a.session)
			return a.env.Agents.Serve(ctx, Serving{
				Claude: names == "claude", Name: a.fixedName(), Session: a.session, Agent: agent, Project: home,
				In: a.env.Stdin, Out: a.env.Stdout, Getenv: a.env.Getenv, Version: a.env.Build.Version,
				Board: s.open, Await: s.await, Settings: s.toolSettings, Warn: s.warn,
				Checks: a.checksNow, Screened: a.screening(false),
				Store: settings.Of[string](held, "todos.store"), Keep: settings.Of[time.Duration](held, "todos.keep"),
			})
		}
	},
}

// Serving is what a server for agents works on.
type Serving struct {
	Claude         bool // under the names of Claude Code's own tools
	Name           string
	Session, Agent string // as a person gave them; empty: found for each call
	Project        string // its folder, as todo lists have it
	In             io.Reader
	Out            io.Writer
	Getenv         func(string) string
	Version        string
	Store          string        // todos.store
	Keep           time.Duration // todos.keep

	Board    func(ctx context.Context, by tool.Caller, write bool) (board query.Board, note string, err error)
	Await    func(ctx context.Context) (query.Board, error)
	Settings func(ctx context.Context, session string) tool.Settings
	Warn     func(text string)               // on stderr, where clients keep a log
	Checks   func() (*checks.Service, error) // of the clone, as its settings are now; nil: nothing is known of any
	Screened Screened
}

// enter makes a folder that is there the one that everything is seen from.
func (a *app) enter(project string) error {
	told := "--project"
	if project == "" {
		for _, agent := range known.Agents {
			if variable := agent.Project; project == "" && variable != "" {
				told, project = variable, a.env.Getenv(variable)
			}
		}
	}
	if project == "" {
		return nil
	}
	project = a.absolute(project)
	info, err := os.Stat(project)
	switch {
	case err != nil:
		return pawl.Errorf(pawl.NotFound, "%s: folder %s does not exist: %w", told, project, err)
	case !info.IsDir():
		return pawl.Errorf(pawl.Invalid, "%s: %s is not a folder", told, project)
	}
	a.env.Dir = project
	return nil
}
