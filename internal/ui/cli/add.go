package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var addVerb = verb{
	name:  "add",
	use:   "TEXT... [flags]",
	short: "add a task",
	long:  "Words without quotes are one subject. With - as TEXT, reads stdin: the first line is the subject, the rest the description, and nothing needs shell quoting. To add several tasks at once, see plan.",
	kind:  "result",
	examples: []string{
		"pawl add Write the docs --priority high",
		`pawl add "Refactor auth middleware" --blocked-by 8,11 --label auth`,
		`pawl add "Fix the flicker" --check "unit: go test ./..." --accept "no flicker at 60 Hz"`,
		"pawl add - --priority high < brief.txt",
	},
	min: 1, max: -1,
	build: buildAdd,
}

func buildAdd(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var task pawl.NewTask
	var blockedBy, blocks, checks []string
	var parent, priority string
	desc := textFlag(cmd, "desc", "`TEXT` description")
	flags := cmd.Flags()
	flags.StringArrayVar(&blockedBy, "blocked-by", nil, "`ID,ID` tasks that must be completed first; --after is the same")
	flags.StringArrayVar(&blocks, "blocks", nil, "`ID,ID` tasks that depend on it")
	flags.StringVar(&parent, "parent", "", "`ID` parent task")
	flags.StringVar(&priority, "priority", "", "`LEVEL` priority: high, medium or low")
	labelsFlag(cmd, &task.Labels, "label", "`LABEL` add a label; repeat the flag or use commas for several")
	flags.StringVar(&task.ActiveForm, "active-form", "", "`TEXT` text to show while the task is in progress: \"Refactoring auth\"")
	flags.StringVar(&task.Owner, "owner", "", "`NAME` assign the task to this name")
	askFlags(flags, &checks, &task.Accept)
	spellings(cmd, map[string]string{"after": "blocked-by", "description": "desc", "body": "desc"})
	return func(ctx context.Context, args []string) error {
		if len(args) == 1 && beside(cmd) == "" && filepath.Ext(args[0]) != "" { // not the folder tasks
			if taken, err := a.takeIn(ctx, args[0], false, false); taken {
				return err
			}
		}
		subject, err := subjectOf(args)
		if err != nil {
			return err
		}
		if err := a.readTask(&task, subject, desc); err != nil {
			return err
		}
		task.Owner = a.person(task.Owner)
		if task.Priority, err = pawl.ParsePriority(priority); err != nil {
			return err
		}
		if task.Checks, err = parseChecks(checks); err != nil {
			return err
		}
		if task.BlockedBy, err = a.resolveRefs(ctx, blockedBy); err != nil {
			return err
		}
		if task.Blocks, err = a.resolveRefs(ctx, blocks); err != nil {
			return err
		}
		if parent != "" {
			id, err := a.one(ctx, parent, "add", "--parent takes one task")
			if err != nil {
				return err
			}
			task.Parent = pawl.RefID(id)
		}
		o, err := a.create(ctx, pawl.Create{Tasks: []pawl.NewTask{task}})
		if err != nil {
			return alone(err)
		}
		if len(task.Checks) > 0 {
			defer a.trustTyped(ctx, typed{checks: task.Checks, agreed: true}, o.Result.Tasks)
		}
		return a.tell("add", "Added", o)
	}
}

// subjectOf joins the words of a subject. It refuses what a person did not mean:
// a number alone, and several quoted texts, which would become one task.
func subjectOf(args []string) (string, error) {
	texts := 0
	for _, arg := range args {
		if len(args) > 1 && arg == "-" {
			return "", usage("add", "- reads the subject from stdin: leave out the other words")
		}
		if strings.ContainsAny(arg, " \t\n") {
			texts++
		}
	}
	subject := strings.Join(args, " ")
	switch _, err := pawl.ParseID(subject); {
	case err == nil:
		return "", pawl.Errorf(pawl.Invalid, "%q is a number without a text: say what is to be done", subject).
			Say(`pawl add "what is to be done"`)
	case texts > 1:
		return "", pawl.Errorf(pawl.Invalid, "add makes one task, and these are %d texts: give the second one with --desc, or a list to pawl plan", texts).
			Say(commandLine("pawl add", args[0]) + " --desc " + quote(strings.Join(args[1:], " ")))
	}
	return subject, nil
}

// readTask fills in subject and description.
func (a *app) readTask(task *pawl.NewTask, subject string, desc *longText) error {
	if subject != "-" {
		var err error
		task.Subject = subject
		task.Description, err = desc.read(a)
		return err
	}
	if desc.given() {
		return usage("add", "with - the description comes from stdin too: leave out --desc")
	}
	raw, err := a.slurp("-")
	if err != nil {
		return err
	}
	first, rest, _ := strings.Cut(strings.TrimLeft(string(raw), "\r\n"), "\n")
	task.Subject, task.Description = first, strings.Trim(rest, "\r\n")
	return nil
}

func (a *app) resolveRefs(ctx context.Context, names []string) ([]pawl.Ref, error) {
	if len(names) == 0 {
		return nil, nil // without a look at the board, which may not be there yet
	}
	ids, err := a.resolve(ctx, names...)
	return refs(ids), err
}

// create makes tasks, and the board when they are its first.
func (a *app) create(ctx context.Context, op pawl.Op) (*outcome, error) {
	request := pawl.Request{By: a.caller().Actor, Op: op}
	board, err := a.make(ctx, request)
	if err != nil {
		return nil, err
	}
	return a.carry(ctx, board, request)
}

// alone lets an error about the first of several tasks speak of the only one.
func alone(err error) error {
	const first = "tasks[0]"
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		return err
	}
	only := *e
	only.Message = strings.TrimPrefix(e.Message, first+": ")
	only.Faults = slices.Clone(e.Faults)
	for i := range only.Faults {
		only.Faults[i].Path = strings.TrimPrefix(only.Faults[i].Path, first+".")
	}
	return &only
}
