package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

var claimVerb = verb{
	name:  "claim",
	use:   "[ID...] [flags]",
	short: "claim the next ready task, or named tasks, and show them",
	long:  "Makes you the owner and starts the task in one step; exactly one of several callers gets it. On a shared board, the remote must confirm the claim; otherwise claim exits with 4 and claims nothing. Of several tasks it claims all or none. An agent's claim has a lease: 15 minutes, an hour on a shared board, or the setting lease. The session's write commands renew it (list and show do not). A person's claim does not expire. Claiming your own task again renews it; --renew renews all claims of your session, or those named, and claims nothing. If no task is ready, the exit code says why: 9, all tasks are completed; 10, you or others are at work, and until when; 5, something blocks the rest and nobody works on it. With --wait, claim waits instead of exiting with 10.",
	kind:  "result",
	examples: []string{
		"pawl claim",
		"pawl claim 12 --lease 1h",
		"pawl claim --label docs --wait=30m",
		"pawl claim --renew",
	},
	max:   -1,
	build: buildClaim,
}

func buildClaim(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var op pawl.ClaimTask
	var wait waiting
	f := newFilter(cmd)
	lease := leaseFlag(cmd)
	tokenFlag(cmd, &op.Token)
	cmd.Flags().Var(&wait, "wait", "`TIME` if others are at work, wait until a task is ready, at most this long, such as 30m")
	cmd.Flags().Lookup("wait").NoOptDefVal = noLimit
	renew := cmd.Flags().Bool("renew", false, "renew the leases of your claims, during long work without write commands; --lease changes them")
	a.offlineFlag(cmd)
	a.personFlag(cmd, &op.Force, "force", "claim it even if blocked, on hold, or claimed by or assigned to somebody else; lifts the hold")
	return func(ctx context.Context, args []string) (err error) {
		if *renew {
			return a.renew(ctx, cmd, args, lease, op.Token)
		}
		if len(args) > 0 && wait.on {
			return refuseWait(args)
		}
		if len(args) > 0 {
			if name := f.chooses(); name != "" {
				return usage("claim", "--%s and %q both choose a task: give one of them", name, args[0])
			}
			ids, err := a.resolveWords(ctx, args)
			if pawl.KindOf(err) == pawl.NotFound && len(args) == 1 && strings.EqualFold(args[0], "next") {
				return pawl.Errorf(pawl.Invalid, "no task is called %q; without an argument, claim takes the next one", args[0]).
					Say("pawl claim")
			}
			if err != nil {
				return err
			}
			if len(ids) > 1 {
				return a.claimAll(ctx, cmd, ids, lease, op.Force)
			}
			op.ID = ids[0]
		} else if cmd.Flags().Changed("token") {
			return pawl.Errorf(pawl.Invalid, "--token needs the task that it belongs to").Say("pawl help claim")
		} else {
			q, err := f.query(ctx, a)
			if err != nil {
				return err
			}
			op.Filter = pawl.ClaimFilter{Labels: q.Labels, Parent: q.Parent, Priority: q.Priority, Owner: q.Owner, Text: q.Text}
		}
		if op.Lease, err = lease(a); err != nil {
			return err
		}
		o, err := a.claim(ctx, op, &wait)
		if err != nil {
			return err
		}
		return a.tellClaim(ctx, o)
	}
}

// claimAll claims several tasks, all or none of them.
func (a *app) claimAll(ctx context.Context, cmd *cobra.Command, ids []pawl.ID, lease func(*app) (pawl.Duration, error), force bool) error {
	if cmd.Flags().Changed("token") {
		return usage("claim", "--token belongs to one task: claim it by itself")
	}
	held, err := lease(a)
	if err != nil {
		return err
	}
	return a.doAndTell(ctx, pawl.Start{IDs: ids, Lease: pawl.Duration(held), Force: force}, "claim", "Claimed")
}

func (a *app) tellClaim(ctx context.Context, o *outcome) error {
	for i := range o.Holding {
		a.say("you have also claimed %s", show.Name(&o.Holding[i]))
	}
	if a.json {
		return a.printJSON(o.json("claim"))
	}
	for _, warning := range show.Overridden(o.Result.Changes, o.name) {
		a.say("%s", warning)
	}
	claimed := o.Detail
	if claimed == nil { // it was carried out, and what is around it could not be read
		claimed = &query.Detail{Task: o.Result.Tasks[0]}
	}
	a.detail(ctx, "Claimed ", claimed, &query.Facts{Name: o.name, Now: o.Head.Now, Zone: a.screen.zone(), Shared: o.Head.Shared})
	return nil
}

// leaseFlag adds --lease, and returns a function that reads it for the caller
// at hand.
func leaseFlag(cmd *cobra.Command) func(*app) (pawl.Duration, error) {
	var asked time.Duration
	cmd.Flags().Var((*durationValue)(&asked), "lease", "`DURATION` expire the claim if not renewed for this long, such as 30m; 0: never")
	return func(a *app) (pawl.Duration, error) {
		if !cmd.Flags().Changed("lease") {
			return a.lease()
		}
		if asked != 0 && (asked < pawl.MinLease || asked > pawl.MaxLease) {
			return 0, usage(cmd.Name(), "a lease must be between %s and %s", text.FormatDuration(pawl.MinLease), text.FormatDuration(pawl.MaxLease))
		}
		return pawl.Duration(asked), nil
	}
}

// durationValue is the value of a flag that takes 30m or 2d.
type durationValue time.Duration

func (d *durationValue) Set(s string) error {
	value, err := text.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("it %w", err)
	}
	*d = durationValue(value)
	return nil
}

func (d *durationValue) String() string { return text.FormatDuration(time.Duration(*d)) }

func (*durationValue) Type() string { return "duration" }

func tokenFlag(cmd *cobra.Command, token *pawl.Revision) {
	cmd.Flags().Int64Var((*int64)(token), "token", 0, "`TOKEN` fail unless this is the task's current claim token")
}
