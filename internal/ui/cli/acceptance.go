package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// askFlags adds the flags that say what must be so before a task is done.
func askFlags(flags *pflag.FlagSet, checks, accept *[]string) {
	flags.StringArrayVar(checks, "check", nil, "`LINE` a command that must pass before the task is done, such as \"go test ./...\" or \"unit: go test ./...\"; repeat the flag for several")
	flags.StringArrayVar(accept, "accept", nil, "`TEXT` a criterion that must be ticked before the task is done; repeat the flag for several")
}

// parseChecks reads checks as they are typed.
func parseChecks(lines []string) ([]pawl.Check, error) {
	var checks []pawl.Check
	for _, line := range lines {
		c, err := pawl.ParseCheck(line)
		if err != nil {
			return nil, err
		}
		checks = append(checks, c)
	}
	return checks, nil
}

// acceptance is what an update does to the checks and criteria of a task, as it is
// typed: criteria by a beginning of their text, or by number.
type acceptance struct {
	checks, removeChecks, accept, removeAccept, tick, untick []string
}

func (w *acceptance) flags(flags *pflag.FlagSet) {
	askFlags(flags, &w.checks, &w.accept)
	flags.Lookup("check").Usage += "; one of the same name is replaced"
	flags.StringArrayVar(&w.removeChecks, "remove-check", nil, "`CHECK` remove the check with this name")
	flags.StringArrayVar(&w.removeAccept, "remove-accept", nil, "`CRITERION` remove a criterion")
	flags.StringArrayVar(&w.tick, "tick", nil, "`CRITERION` tick a criterion that is met. CRITERION is its number in show, or the beginning of its text")
	flags.StringArrayVar(&w.untick, "untick", nil, "`CRITERION` remove a tick")
}

// into puts it into an op.
func (w *acceptance) into(ctx context.Context, a *app, op *pawl.Update) (err error) {
	if op.AddChecks, err = parseChecks(w.checks); err != nil {
		return err
	}
	op.RemoveChecks, op.AddAccept = w.removeChecks, w.accept
	if len(w.removeAccept)+len(w.tick)+len(w.untick) == 0 {
		return nil
	}
	task, err := a.asks(ctx, op.ID)
	if err != nil {
		return err
	}
	task.Accept = slices.Clone(task.Accept)
	for _, text := range w.accept { // one may be added and ticked at once
		task.Accept = append(task.Accept, pawl.Criterion{Text: text})
	}
	for _, list := range []struct {
		words []string
		to    *[]string
	}{{w.removeAccept, &op.RemoveAccept}, {w.tick, &op.Tick}, {w.untick, &op.Untick}} {
		for _, words := range list.words {
			found, err := task.FindCriterion(words)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, found)
		}
	}
	return nil
}

// asks is a task with its checks and criteria.
func (a *app) asks(ctx context.Context, id pawl.ID) (*pawl.Task, error) {
	answer, err := asked(ctx, a, query.TaskQuery{Names: []string{id.String()}})
	if err != nil {
		return nil, err
	}
	if fault := answer.Tasks[0].Fault; fault != nil {
		return nil, fault
	}
	return &answer.Tasks[0].Detail.Task, nil
}

// setChecks makes the checks of a task those in value.
func setChecks(task *pawl.Task, op *pawl.Update, value json.RawMessage) (problem string) {
	checks, err := pawl.ParseChecks(value)
	if err != nil {
		return "must be a list of commands, each a text or an object with name and run: " + err.Error()
	}
	op.AddChecks = checks
	for i := range task.Checks {
		if name := task.Checks[i].Name; !slices.ContainsFunc(checks, func(c pawl.Check) bool { return c.Name == name }) {
			op.RemoveChecks = append(op.RemoveChecks, name)
		}
	}
	return ""
}

// setCriteria makes the criteria of a task those in value, which its file has as objects.
// Criteria that stay keep their ticks.
func setCriteria(task *pawl.Task, op *pawl.Update, value json.RawMessage) (problem string) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return "must be a list of texts"
	}
	for _, element := range list {
		var c pawl.Criterion
		if json.Unmarshal(element, &c.Text) != nil && (json.Unmarshal(element, &c) != nil || c.Text == "") {
			return "must be a list of texts"
		}
		op.AddAccept = append(op.AddAccept, c.Text)
	}
	for i := range task.Accept {
		if !slices.Contains(op.AddAccept, task.Accept[i].Text) {
			op.RemoveAccept = append(op.RemoveAccept, task.Accept[i].Text)
		}
	}
	return ""
}

// acceptanceOf is what add and update tell of a task's checks and criteria.
func acceptanceOf(t *pawl.Task) (remarks []string) {
	if len(t.Checks) > 0 {
		var names []string
		for i := range t.Checks {
			names = append(names, text.Line(t.Checks[i].Name))
		}
		word := "check "
		if len(names) > 1 {
			word = "checks "
		}
		remarks = append(remarks, word+strings.Join(names, ", "))
	}
	if len(t.Accept) > 0 {
		remarks = append(remarks, "criteria: "+show.Ticked(t))
	}
	return remarks
}

// suggestChecks are the names of the checks of the task that the command is about.
func suggestChecks(a *app, _ verb, ctx context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, t := range a.meantBy(ctx, args) {
		for i := range t.Checks {
			found = suggestText(found, t.Checks[i].Name, begun)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func suggestCriteria(a *app, _ verb, ctx context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, t := range a.meantBy(ctx, args) {
		for i := range t.Accept {
			found = suggestText(found, t.Accept[i].Text, begun)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// meantBy is the task that stands first on the command line; none if none does.
func (a *app) meantBy(ctx context.Context, args []string) []pawl.Task {
	if len(args) == 0 {
		return nil
	}
	answer := peek(ctx, a, query.TaskQuery{Names: args[:1]})
	if len(answer.Tasks) == 0 || answer.Tasks[0].Fault != nil {
		return nil
	}
	return []pawl.Task{answer.Tasks[0].Detail.Task}
}
