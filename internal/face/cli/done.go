package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
)

var doneVerb = verb{
	name:  "done",
	use:   "[ID...] [flags]",
	short: "complete tasks, and show which others became ready",
	long:  "Completes tasks that you have claimed or nobody has: all of them or none. Without an ID, completes the one task that you have claimed. Fails if one is blocked, on hold, or has an open child. Prints the tasks that became ready.",
	kind:  "result",
	examples: []string{
		"pawl done",
		"pawl done 12",
		"pawl done 12 --token 1795235197344",
	},
	max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Complete
		tokenFlag(cmd, &op.Token)
		cmd.Flags().BoolVar(&op.Force, "force", false, "complete them even if blocked, on hold or claimed by somebody else")
		return func(ctx context.Context, args []string) (err error) {
			if len(args) == 0 {
				op.IDs, err = a.onlyClaim(ctx, op.Token)
			} else {
				op.IDs, err = a.resolveWords(ctx, args)
			}
			if err != nil {
				return err
			}
			o, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tell("done", "Completed", o)
		}
	},
}

// onlyClaim is the one task that the caller has claimed, or that the token
// belongs to. With none or several it cannot be known which one is done.
func (a *app) onlyClaim(ctx context.Context, token pawl.Revision) ([]pawl.ID, error) {
	by := a.caller().Actor
	names := []string{by.Name}
	if a.former != "" {
		names = append(names, a.former)
	}
	var mine []pawl.Task
	for _, name := range names {
		found, err := asked(ctx, a, ask.TasksQuery{Query: pawl.Query{
			Owner: name, Status: []pawl.Status{pawl.InProgress}, Brief: true,
		}})
		if err != nil {
			return nil, err
		}
		if a.none {
			return nil, pawl.Errorf(pawl.NotFound, "%s", noBoard)
		}
		for _, t := range found.Page.Tasks {
			own := by.Owns(&t) || t.Claim.Clone == "" && a.same(t.Claim.Session)
			if name == a.former {
				own = a.formerly(t.Owner, t.Claim)
			}
			if token != 0 && t.Claim.Token == token || token == 0 && own {
				mine = append(mine, t)
			}
		}
	}
	if len(mine) == 1 {
		return []pawl.ID{mine[0].ID}, nil
	}
	e := pawl.Errorf(pawl.Invalid, "you have claimed no task: which one is done?")
	if token != 0 {
		e = pawl.Errorf(pawl.Invalid, "no claim of yours has the token %d: which task is done?", token)
	}
	if len(mine) > 1 {
		const most = 5 // names of tasks, which may be long
		var names []string
		for i := range mine {
			e.IDs = append(e.IDs, mine[i].ID)
			if i < most {
				names = append(names, say.Name(&mine[i]))
			}
		}
		if more := len(mine) - most; more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		e.Message = fmt.Sprintf("you have claimed %d tasks: which one is done? %s", len(mine), strings.Join(names, "; "))
	}
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl list --status in_progress"}
	return nil, e
}
