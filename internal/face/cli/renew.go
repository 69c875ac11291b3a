package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/view"
)

var renewVerb = verb{
	name:  "renew",
	use:   "[ID...] [flags]",
	short: "give a sign of life for tasks that you work on",
	long:  "Without an ID: for all that your session has claimed. Each command that changes something renews them too, so this is for long work in between.",
	kind:  "result",
	examples: []string{
		"pawl renew",
		"pawl renew 12 --lease 2h",
	},
	max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Renew
		cmd.Flags().Var((*durationValue)(&op.Lease), "lease", "`DURATION` how long they hold from now on without a sign of life; as long as before unless said")
		tokenFlag(cmd, &op.Token)
		return func(ctx context.Context, args []string) (err error) {
			if cmd.Flags().Changed("lease") && (op.Lease < pawl.MinLease || op.Lease > pawl.MaxLease) {
				return usage("renew", "a lease goes from %s to %s", text.FormatDuration(pawl.MinLease), text.FormatDuration(pawl.MaxLease))
			}
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			board, result, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tellRenewed(ctx, board, result)
		}
	},
}

func (a *app) tellRenewed(ctx context.Context, board *pawl.Board, result pawl.Result) error {
	o, err := a.learn(ctx, board, result)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(o.json("renew"))
	}
	for i := range result.Tasks {
		t := &result.Tasks[i]
		a.print("Renewed %s: %s\n", view.Name(t), a.holds(t))
	}
	if len(result.Tasks) == 0 && !a.none {
		a.say("this session has claimed nothing")
	}
	return nil
}

// holds says whose a task is, and for how long: a session may have several names.
func (a *app) holds(t *pawl.Task) string {
	whose, c := "yours", t.Claim
	if t.Owner != a.name() {
		whose = "with " + text.Line(t.Owner)
	}
	if c.Until.IsZero() {
		return whose + " until it is given back"
	}
	return whose + " until " + a.screen.clock(time.Now()).Spell(c.Until) + ", for " + text.FormatDuration(c.Lease)
}
