package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// noReason is the reason of a hold for which nobody gave one.
const noReason = "no reason given"

var holdVerb = verb{
	name:  "hold",
	use:   "ID [REASON...] [flags]",
	short: "put a task on hold, so that nobody can claim it; or lift holds",
	long:  "The reason tells others why; - reads it from stdin. A claim stays: release ID --hold REASON also ends yours. With --lift, the tasks are ready again, unless something else blocks them.",
	kind:  "result",
	examples: []string{
		"pawl hold 12 waiting for the staging password",
		"pawl hold 12",
		"pawl hold --lift 12 13",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		lift := cmd.Flags().Bool("lift", false, "lift the hold of each named task")
		return func(ctx context.Context, args []string) error {
			if *lift {
				ids, err := a.resolveWords(ctx, args)
				if err != nil {
					return err
				}
				return a.doAndTell(ctx, pawl.LiftHold{IDs: ids}, "hold", "Lifted the hold of")
			}
			ids, err := a.resolve(ctx, args[0])
			if err != nil {
				return err
			}
			reason, err := a.text(strings.Join(args[1:], " "))
			if err != nil {
				return err
			}
			o, err := a.do(ctx, pawl.PutHold{IDs: ids, Reason: cmp.Or(strings.TrimSpace(reason), noReason)})
			if err != nil {
				return err
			}
			return a.tellHeld(o)
		}
	},
}

// tellHeld tells of each task why it is on hold, and who works on it regardless.
func (a *app) tellHeld(o *outcome) error {
	if a.json {
		return a.printJSON(o.json("hold"))
	}
	before := map[pawl.ID]bool{}
	for _, c := range o.Result.Changes {
		before[c.ID] = c.Before != nil && c.Before.Hold != nil
	}
	for i := range o.Result.Tasks {
		t := &o.Result.Tasks[i]
		line := "Put " + show.Name(t) + " on hold: "
		if before[t.ID] {
			line = show.Name(t) + " stays on hold: "
		}
		if line += text.Line(t.Hold.Reason); t.Status == pawl.InProgress && t.Owner != "" {
			line += "; " + text.Line(t.Owner) + " has claimed it, and may go on"
		}
		a.print("%s\n", line)
	}
	return nil
}
