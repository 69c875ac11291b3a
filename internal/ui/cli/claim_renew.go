package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// renew renews the claims of some tasks; without any, all of the session.
func (a *app) renew(ctx context.Context, cmd *cobra.Command, args []string, lease func(*app) (pawl.Duration, error), token pawl.Revision) (err error) {
	if other := beside(cmd, "renew", "lease", "token"); other != "" {
		return usage("claim", "--renew excludes --%s", other)
	}
	op := pawl.Renew{Token: token}
	if cmd.Flags().Changed("lease") {
		if op.Lease, err = lease(a); err == nil && op.Lease == 0 {
			err = usage("claim", "--renew gives a claim a lease: it must be between %s and %s", text.FormatDuration(pawl.MinLease), text.FormatDuration(pawl.MaxLease))
		}
		if err != nil {
			return err
		}
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

func (a *app) tellRenewed(o *outcome) error {
	if a.json {
		return a.printJSON(o.json("claim"))
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
