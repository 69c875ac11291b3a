package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

var doneVerb = verb{
	name:  "done",
	use:   "[ID...] [flags]",
	short: "complete tasks, and show which others became ready",
	long: "Completes tasks that you have claimed or that nobody has claimed: all or none. Without an ID, completes the one task that you have claimed. Fails if one is blocked, on hold, or has an open child. Prints the tasks that became ready.\n\n" +
		"Runs each task's required checks first, except those that have passed on exactly these files. If one fails, or a criterion is not ticked, the task stays in progress, and the exit code is 8. Pawl neither runs a check that is not trusted in this clone nor completes its task, and exits with 8; a person trusts it with pawl trust checks. Until then, a task that an agent has finished is on hold, and the agent goes on with another one. If the setting checks.untrusted is skip, an agent's task is completed without the check, and is not shown to be done.",
	kind: "result",
	examples: []string{
		"pawl done",
		"pawl done 12",
		"pawl done 12 --token 1795235197344",
		`pawl done 12 --unchecked "the test machine is down"`,
	},
	max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Complete
		tokenFlag(cmd, &op.Token)
		a.offlineFlag(cmd)
		a.personFlag(cmd, &op.Force, "force", "complete them even if blocked, on hold or claimed by somebody else")
		cmd.Flags().StringVar(&op.Unchecked, "unchecked", "", "`REASON` complete them without their checks and criteria, and add this reason as a note; only for people")
		return func(ctx context.Context, args []string) (err error) {
			if cmd.Flags().Changed("unchecked") && strings.TrimSpace(op.Unchecked) == "" {
				return usage("done", "--unchecked needs a reason")
			}
			if op.Unchecked != "" {
				if err := a.consents("complete a task without its checks", a.sameLine()); err != nil {
					return err
				}
			}
			if op.IDs, err = a.resolveOrClaimed(ctx, args, op.Token); err != nil {
				return err
			}
			if id, inside := runs.Inside(a.env.Getenv); inside && !a.json && len(op.IDs) == 1 && op.IDs[0] == id {
				a.print("%s\n", runs.ReadySays(id))
				return nil
			}
			board, err := a.open()
			if err != nil {
				return err
			}
			if _, err := a.mayTake(ctx, board, op); err != nil {
				return err
			}
			o, err := a.complete(ctx, op)
			if err != nil {
				return err
			}
			return a.tell("done", "Completed", o)
		}
	},
}

// complete completes tasks when their checks have passed.
func (a *app) complete(ctx context.Context, op pawl.Complete) (*outcome, error) {
	if id, inside := runs.Inside(a.env.Getenv); inside && slices.Contains(op.IDs, id) {
		return nil, pawl.Errorf(pawl.Unmet, "%s", runs.ReadySays(id))
	}
	request, err := a.checkRequest()
	if err != nil {
		return nil, err
	}
	service, err := a.checks()
	if err != nil {
		return nil, err
	}
	ctx, stop := stoppable(ctx)
	defer stop()
	var last *outcome
	request.Do = func(ctx context.Context, op pawl.Op) error {
		o, err := a.do(ctx, op)
		if err == nil {
			last = o
		}
		return err
	}
	_, err = service.Done(ctx, request, op)
	if unmet, is := checks.Unmet(err); is && !a.json {
		a.tails(unmet.Report)
	}
	return last, err
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
		found, err := asked(ctx, a, query.TasksQuery{Query: pawl.Query{
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
				names = append(names, show.Name(&mine[i]))
			}
		}
		if more := len(mine) - most; more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		e.Message = fmt.Sprintf("you have claimed %d tasks: which one is done? %s", len(mine), strings.Join(names, "; "))
	}
	return nil, e.Say("pawl list --status in_progress")
}
