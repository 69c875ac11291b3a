package cli

import (
	"bytes"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// shells are those that can be taught to complete.
var shells = []string{"bash", "zsh", "fish", "powershell"}

var completionVerb = verb{
	name:  "completion",
	use:   "SHELL",
	short: "print a completion script for a shell",
	long:  "Prints a script for bash (with the package bash-completion), zsh, fish or powershell, which the shell must read when it starts. Tab then completes verbs, flags, and tasks with their subjects: after done, tasks that can be completed; after claim, ready tasks.",
	kind:  "completion",
	examples: []string{
		"source <(pawl completion bash)",
		`pawl completion zsh > "${fpath[1]}/_pawl"`,
		"pawl completion fish > ~/.config/fish/completions/pawl.fish",
		"pawl completion powershell | Out-String | Invoke-Expression",
	},
	min: 1, max: 1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		return func(_ context.Context, args []string) error { return a.completion(cmd.Root(), args[0]) }
	},
}

// completionJSON is the envelope of completion.
type completionJSON struct {
	wire.Envelope
	Shell  string `json:"shell"`  // what it is for
	Script string `json:"script"` // for the shell to read when it starts
}

func (a *app) completion(root *cobra.Command, shell string) error {
	var script bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&script, true)
	case "zsh":
		err = root.GenZshCompletion(&script)
	case "fish":
		err = root.GenFishCompletion(&script, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&script)
	default:
		return usage("completion", "unknown shell %q: use %s", text.Clip(shell, 40), strings.Join(shells, ", "))
	}
	switch {
	case err != nil:
		return pawl.Errorf(pawl.Internal, "the script cannot be made: %w", err)
	case a.json:
		return a.printJSON(completionJSON{wire.NewEnvelope("completion"), shell, script.String()})
	}
	a.print("%s", script.Bytes())
	return nil
}
