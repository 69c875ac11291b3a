package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

func (t *todoRun) add(ctx context.Context, args []string) error {
	op := todo.Add{Priority: todo.Priority(strings.ToLower(t.priority))}
	if len(args) == 1 && todo.IsPosition(args[0]) {
		return pawl.Errorf(pawl.Invalid, "%q is a position without a text: say what is to be done", args[0]).
			Say("pawl todo add " + args[0] + ` "first step"` + t.agentFlag())
	}
	if len(args) > 1 && todo.IsPosition(args[0]) {
		op.At, args = args[0], args[1:]
	}
	var err error
	if op.Content, err = t.text(strings.Join(args, " ")); err != nil {
		return err
	}
	return t.change(ctx, op)
}

func (t *todoRun) start(ctx context.Context, args []string) error {
	return t.change(ctx, todo.Set{At: args, Status: todo.InProgress})
}

func (t *todoRun) done(ctx context.Context, args []string) error {
	return t.change(ctx, todo.Set{At: args, Status: todo.Completed})
}

func (t *todoRun) edit(ctx context.Context, args []string) error {
	op := todo.Reword{At: args[0], ActiveForm: t.active, Priority: todo.Priority(strings.ToLower(t.priority))}
	var err error
	if op.Content, err = t.text(strings.Join(args[1:], " ")); err != nil {
		return err
	}
	return t.change(ctx, op)
}

func (t *todoRun) move(ctx context.Context, args []string) error {
	return t.change(ctx, todo.Reorder{From: args[0], To: args[1]})
}

func (t *todoRun) remove(ctx context.Context, args []string) error {
	return t.change(ctx, todo.Remove{At: args})
}

func (t *todoRun) clear(ctx context.Context, _ []string) error { return t.change(ctx, todo.Clear{}) }

func (t *todoRun) undo(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return t.change(ctx, todo.Set{At: args, Status: todo.Pending})
	}
	return t.change(ctx, todo.Revert{})
}

// change edits the list, and tells what came of it.
func (t *todoRun) change(ctx context.Context, edit todo.Edit) error {
	if err := t.choose(ctx); err != nil {
		return err
	}
	edited, err := t.lists.Edit(ctx, t.key, t.editing(), edit)
	if err != nil {
		return err
	}
	return t.tellEdited(edited, nil)
}

// tellEdited tells what was done, and which tasks came of it.
func (t *todoRun) tellEdited(edited todo.Edited, promoted []query.Brief) error {
	did := slices.Clone(edited.What)
	for i := range did {
		did[i] = text.Sentence(did[i])
	}
	if edited.Finished {
		did = append(did, finishedList)
	}
	if t.json {
		answer := newTodosJSON(&edited.List)
		answer.Changed, answer.Did, answer.Promoted = edited.Changed, did, promoted
		return t.printJSON(answer)
	}
	for _, sentence := range did {
		t.print("%s\n", text.Line(sentence))
	}
	if edited.Changed && len(edited.List.Items) == 0 {
		t.say("undo: %s", t.command("todo undo"+t.agentFlag()))
	}
	if edited.Changed && edited.List.AwaitsCheck() {
		t.say("all todos are completed, and the list is done when its check passes: %s", t.command("check --todos"+t.agentFlag()))
	}
	return nil
}
