package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

var renewVerb = verb{
	name:  "renew",
	use:   "[ID...] [flags]",
	short: "renew the leases of your claims",
	long:  "Without an ID, renews all claims of your session. Every write command of the session also renews them, so use renew during long work without such commands.",
	kind:  "result",
	examples: []string{
		"pawl renew",
		"pawl renew 12 --lease 2h",
	},
	max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Renew
		cmd.Flags().Var((*durationValue)(&op.Lease), "lease", "`DURATION` from now on, expire them if not renewed for this long (default: unchanged)")
		tokenFlag(cmd, &op.Token)
		return func(ctx context.Context, args []string) (err error) {
			if cmd.Flags().Changed("lease") && (time.Duration(op.Lease) < pawl.MinLease || time.Duration(op.Lease) > pawl.MaxLease) {
				return usage("renew", "a lease must be between %s and %s", text.FormatDuration(pawl.MinLease), text.FormatDuration(pawl.MaxLease))
			}
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			o, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tellRenewed(o)
		}
	},
}

func (a *app) tellRenewed(o *outcome) error {
	if a.json {
		return a.printJSON(o.json("renew"))
	}
	for i := range o.Result.Tasks {
		t := &o.Result.Tasks[i]
		a.print("Renewed %s: %s\n", show.Name(t), a.holds(t))
	}
	if len(o.Result.Tasks) == 0 && !a.none {
		a.say("this session has no claims")
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
	return whose + " until " + a.screen.clock(time.Now()).Spell(c.Until) + ", for " + text.FormatDuration(time.Duration(c.Lease))
}
