package cli

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
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
		answer, err := asked(ctx, a, query.TasksQuery{Query: q})
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
	return pawl.Errorf(pawl.Invalid, "every open task of %s is open here already: %s; nothing was added", text.Line(text.Clip(file, 80)), show.IDs(ids)).
		Say(commandLine("pawl plan --again", args...))
}

// planSource is a plan's file, if it is one: a pipe is not.
func (a *app) planSource(file string, o plan.Options) (source, bool) {
	path := a.absolute(file)
	if info, err := os.Stat(path); file == "-" || err != nil || !info.Mode().IsRegular() {
		return source{}, false
	}
	s := a.sourceAt(nil, file, path)
	s.input.Chain, s.input.Parallel, s.input.Under, s.input.After = o.Chain, o.Parallel, o.Under, o.After
	return s, true
}

// tasksNamed returns all tasks if the name of one has this prefix.
func (a *app) tasksNamed(ctx context.Context, base string) ([]pawl.Task, error) {
	board, err := a.allTasks(ctx, true)
	if err != nil || !slices.ContainsFunc(board, func(t pawl.Task) bool { return strings.HasPrefix(t.Ref(), base) }) {
		return nil, err
	}
	return a.boardTasks(ctx)
}

// planArgs are the words of a plan's command, its place on the board included.
func planArgs(file string, o plan.Options) (args []string) {
	if o.Chain {
		args = append(args, "--chain")
	}
	if o.Parallel {
		args = append(args, "--parallel")
	}
	if o.Deep {
		args = append(args, "--deep")
	}
	if o.Under != 0 {
		args = append(args, "--under", strconv.Itoa(int(o.Under)))
	}
	return append(args, file)
}
