package local

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/runs/engine"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// A Checker runs the checks of tasks for the engine.
type Checker struct {
	Local *Local
	Board query.Board
}

var _ engine.Checks = Checker{}

// Run runs the required checks of a task in a work tree. They are not recorded.
func (c Checker) Run(ctx context.Context, tree string, id pawl.ID, tell func(line string)) (engine.Checked, error) {
	board := ""
	if rel, ok := c.Local.boardIn(); ok {
		board = filepath.Join(tree, rel)
	}
	proof, err := c.Local.Checks.At(tree, board).Prove(ctx, checks.Request{
		Read: checks.Reader(c.Board, pawl.Actor{}), Past: checks.Past(c.Board, pawl.Actor{}), Tell: tell,
		Do: func(context.Context, pawl.Op) error { return nil }, // the engine renews claims
	}, id)
	out := engine.Checked{Files: proof.Files.Tree, Evidence: proof.Ops}
	for i := range proof.Ran {
		if proof.Ran[i].Passed {
			out.Passed = append(out.Passed, show.Command(&proof.Ran[i].Check))
		}
	}
	slices.Sort(out.Passed)
	for i := range proof.Skipped {
		out.Untrusted = append(out.Untrusted, show.CheckWords(&proof.Skipped[i]))
	}
	if refused, is := errors.AsType[*pawl.Error](err); is && refused.Kind == pawl.Unmet {
		if refused.Hint.Step != pawl.HintCheck || len(refused.Faults) == 0 {
			out.Refused = refused.Error()
			return out, nil
		}
		out.Failed, out.Why = "criteria", "are not ticked"
		for _, fault := range refused.Faults {
			out.Tail += "- [ ] " + fault.Path + "\n"
		}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if failed, is := proof.Failure(); is {
		out.Failed, out.Why, out.Tail = failed.Check.Name, failed.Says(), failed.Tail
	}
	return out, nil
}

// setUp runs the set-up command in a work tree. Why is why it failed.
func (l *Local) setUp(ctx context.Context, tree string) (why, tail string, err error) {
	if len(l.Setup) == 0 {
		return "", "", nil
	}
	ran, err := l.Checks.SetUp(ctx, tree, l.Setup)
	if err != nil || ran.Passed {
		return "", "", err
	}
	return ran.Says(), ran.Tail, nil
}
