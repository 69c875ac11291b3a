package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/lookup"
)

var acpVerb = verb{
	name:  "acp",
	use:   "-- AGENT [ARG...]",
	short: "put Pawl between an editor and an agent",
	long: "An editor that speaks the Agent Client Protocol starts this in the place of an agent's program, which it starts in turn: pawl acp -- claude-agent-acp. All that both say is passed on as it is. The agent gets Pawl's tools and what it should know of its plan, its own plan becomes the session's todo list, and the editor shows the list, with what you change on the board or with pawl todo. After a turn that leaves todos open, the editor offers the command /pawl-continue. Pawl answers no question of the agent. If the agent has hooks of Pawl, they do all this but showing the list.\n\n" +
		"pawl setup zed and pawl setup jetbrains write it into the editor's settings; docs/acp.md has the lines for others. The exit code is the agent's.",
	examples: []string{
		"pawl acp -- claude-agent-acp",
		"pawl acp -- opencode acp",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		cmd.Flags().SetInterspersed(false) // what follows the agent's name is the agent's
		return func(ctx context.Context, args []string) error {
			if a.json {
				return usage("acp", "acp has no --json: it speaks the Agent Client Protocol")
			}
			path, err := a.agentProgram(args[0])
			if err != nil {
				return err
			}
			code, err := a.env.Agents.Proxy(ctx, append([]string{path}, args[1:]...))
			if err == nil && code != 0 {
				err = errEnded(code)
			}
			return err
		}
	},
}

// errEnded ends a verb with the exit code of the program that it ran.
type errEnded int

func (e errEnded) Error() string { return fmt.Sprintf("the program ended with exit code %d", int(e)) }

// agentProgram finds a program as a shell does, but none that a project brings along, unless
// its path was typed.
func (a *app) agentProgram(name string) (string, error) {
	path := ""
	if strings.ContainsRune(filepath.ToSlash(name), '/') {
		path = lookup.Finder{Getenv: a.env.Getenv}.At(a.absolute(name))
	} else if path = lookup.Outside(a.env.Getenv).Find(name); path == "" && (lookup.Finder{Getenv: a.env.Getenv}).Find(name) != "" {
		return "", pawl.Errorf(pawl.NotFound, "the only %s on PATH is in a project, which may bring any program: call it by its path", name)
	}
	if path == "" {
		return "", pawl.Errorf(pawl.NotFound, "the agent's program %s was not found: %w", name, os.ErrNotExist)
	}
	return path, nil
}
