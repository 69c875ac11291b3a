package cli

import (
	"context"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
)

// planned returns the open tasks of the board that are the open tasks of a plan:
// the same subjects below the same parents. It returns none unless all of them are
// there: a plan that gained a line is not the same plan.
func (a *app) planned(ctx context.Context, tasks []pawl.NewTask) ([]pawl.ID, error) {
	if place, err := a.place(); err != nil || !place.Exists && a.board == nil {
		return nil, err
	}
	type spot struct {
		parent  pawl.ID
		subject string
	}
	board := map[spot]pawl.ID{}
	for q := (pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Brief: true}); ; {
		answer, err := asked(ctx, a, ask.TasksQuery{Query: q})
		if err != nil {
			return nil, err
		}
		for i := range answer.Page.Tasks {
			t := &answer.Page.Tasks[i]
			if at := (spot{t.Parent, t.Subject}); board[at] == 0 {
				board[at] = t.ID
			}
		}
		if q.After = answer.Page.Next; q.After == nil {
			break
		}
	}
	named := map[string]pawl.ID{}
	var found []pawl.ID
	for i := range tasks {
		t := &tasks[i]
		parent := t.Parent.ID
		if t.Parent.Name != "" {
			parent = named[t.Parent.Name]
		}
		id := board[spot{parent, t.Subject}]
		switch {
		case id != 0:
			named[t.Ref] = id
			found = append(found, id)
		case !t.Done:
			return nil, nil
		}
	}
	return found, nil
}

// plannedTwice refuses a plan that is on the board already: a repeated command, of
// an agent that lost its answer too, would double every task.
func plannedTwice(file string, args []string, ids []pawl.ID) error {
	e := pawl.Errorf(pawl.Invalid, "every open task of %s is open here already: %s; nothing was added", text.Line(text.Clip(file, 80)), say.IDs(ids))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: commandLine("pawl plan --again", args...)}
	return e
}

// planArgs are the words of a plan's command, its place on the board included.
func planArgs(file string, o plan.Options) (args []string) {
	if o.Chain {
		args = append(args, "--chain")
	}
	if o.Parallel {
		args = append(args, "--parallel")
	}
	if o.Under != 0 {
		args = append(args, "--under", strconv.Itoa(int(o.Under)))
	}
	return append(args, file)
}
