package checks

import (
	"context"
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
)

// At is the service for another work tree of the clone, in which the board has the folder
// named; empty: it has none there. Trust and memory are those of the clone.
func (s *Service) At(root, folder string) *Service {
	at := *s
	at.Root, at.Folder = root, folder
	at.files, at.states = at.readFiles, at.readStates
	at.run = func(ctx context.Context, c pawl.Check, progress func(string)) (run.Result, error) {
		return run.Run(ctx, run.Command{Check: c, Top: root, Getenv: s.Getenv}, progress)
	}
	return &at
}

// A Proof is what the required checks of a task showed, not recorded yet.
type Proof struct {
	Report
	Ops   []pawl.Op // that record it in the task
	Files Files     // that they ran on
}

// Prove runs the required checks of a task and records nothing on the board. If some are
// not trusted, none runs, and the report names them. Conditions that no check can meet
// are an error of kind Unmet: criteria that are not ticked, and changes of checks that a
// person has to agree to.
func (s *Service) Prove(ctx context.Context, r Request, id pawl.ID) (Proof, error) {
	if s.Broken != "" {
		return Proof{}, s.broken()
	}
	job, err := s.openJob(ctx, r, []pawl.ID{id})
	if err != nil || len(job.skipped) > 0 {
		return Proof{Report: Report{Skipped: job.skipped}}, err
	}
	report, ops, files, err := s.work(ctx, r, job)
	return Proof{report, ops, files}, err
}

// Failure returns the first required check that failed.
func (report *Report) Failure() (Ran, bool) {
	if failed := report.failed(); len(failed) > 0 {
		return failed[0], true
	}
	return Ran{}, false
}

// Says is how a run ended, behind the name of its check.
func (ran *Ran) Says() string {
	switch {
	case ran.Passed:
		return "passed"
	case ran.Why != "":
		return "failed: " + ran.Why
	}
	return fmt.Sprintf("failed with exit code %d", ran.Exit)
}

// SetUp runs the command that sets a work tree up, as checks run. The caller has
// made sure that a person of this clone let exactly this command run.
func (s *Service) SetUp(ctx context.Context, tree string, command []string) (Ran, error) {
	c := pawl.Check{Name: "set-up", Run: command}
	result, err := run.Run(ctx, run.Command{Check: c, Top: tree, Getenv: s.Getenv}, nil)
	return ranOf(c, result), err
}

func ranOf(c pawl.Check, r run.Result) Ran {
	return Ran{Check: c, Passed: r.Passed, Exit: r.Exit, Took: r.Took, Tail: r.Tail, Why: r.Why}
}
