package cli

import (
	"context"

	"github.com/spf13/cobra"
)

var hookVerb = verb{
	name:  "hook",
	use:   "--agent NAME [--event NAME]",
	short: "answer a hook of an agent's program",
	long:  "An agent's program starts it at each step, writes the event to its standard input, and follows the answer: see docs/hooks.md. It always exits with 0 and logs errors to hook.log in the state folder. `pawl setup` writes the configuration that calls it.",
	examples: []string{
		"pawl hook --agent claude",
		"pawl hook --agent copilot --event agentStop",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		flags := cmd.Flags()
		agent := flags.String("agent", "", "`NAME` the program that runs the hook")
		event := flags.String("event", "", "`NAME` the event, if the program's input does not name it")
		return func(ctx context.Context, _ []string) error {
			args := []string{}
			if *agent != "" {
				args = append(args, "--agent", *agent)
			}
			if *event != "" {
				args = append(args, "--event", *event)
			}
			return a.env.Agents.Hook(ctx, args)
		}
	},
}
