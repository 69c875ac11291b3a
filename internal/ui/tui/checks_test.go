package tui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// checkedBoard has tasks that stand in each way with their checks: #1 is failing, #2
// completed and shown, #3 completed although unit failed, #4 completed and not shown.
func checkedBoard() []pawl.Op {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	vet := pawl.Check{Name: "vet", Run: []string{"go", "vet", "./..."}}
	asked := func(subject string, checks ...pawl.Check) pawl.NewTask {
		n := task(subject)
		n.Checks = checks
		return n
	}
	first := asked("Fix the flicker", unit, vet)
	first.Accept = []string{"no flicker at 60 Hz", "the page scrolls without lost frames"}
	ran := func(c pawl.Check, passed bool) pawl.Evidence {
		e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), Commit: strings.Repeat("1a2b3c4d", 5), Tree: strings.Repeat("ab", 20), Passed: passed, Millis: 2100}
		if !passed {
			e.Exit = 1
		}
		return e
	}
	return []pawl.Op{
		plan(first, asked("Write the parser", unit), asked("Draw the graph", unit), asked("Say that it is done", vet), task("Deploy", 1)),
		pawl.Start{IDs: []pawl.ID{1}},
		pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{ran(unit, false)}},
		pawl.AddEvidence{ID: 2, Evidence: []pawl.Evidence{ran(unit, true)}},
		pawl.AddEvidence{ID: 3, Evidence: []pawl.Evidence{ran(unit, false)}},
		pawl.Complete{IDs: []pawl.ID{2}, Tree: strings.Repeat("ab", 20)},
		pawl.Complete{IDs: []pawl.ID{3}, Unchecked: "no time"},
		pawl.Complete{IDs: []pawl.ID{4}, Unchecked: "no time"},
	}
}

// knowing is a clone that has seen all runs of failed checks.
func knowing(files *[]bool) show.Look {
	return func(_ context.Context, t *pawl.Task, tree bool) ([]show.Looked, error) {
		*files = append(*files, tree)
		all := show.Claimed(t)
		for i := range all {
			if all[i].Evidence == nil {
				all[i].Waits = true
				continue
			}
			if all[i].Seen = true; !all[i].Evidence.Passed {
				all[i].Tail = "--- FAIL: TestAll (0.00s)\n    x_test.go:3: flicker\x1b[31m at 60 Hz\nFAIL\n"
			}
		}
		return all, nil
	}
}

func TestChecks(t *testing.T) {
	fly(t, func(p *pilot) {
		var files []bool
		p.model.Checks = knowing(&files)
		p.press("home", "a", "esc") // looks again
		p.do(me, pawl.AddNote{ID: 1, Text: "again"})
		p.sleep(2e9)
		p.goldens("checks/lanes")
		p.size(120, 40)
		p.sees("unit failed", "done, but unit failed", "done, not shown", "FAIL")
		for _, tree := range files {
			if tree {
				t.Error("the lanes look at files, which runs git")
			}
		}
		files = nil
		p.open(1)
		p.goldens("checks/detail")
		p.size(120, 40)
		p.sees("unit: go test ./...", `flicker\x1b[31m at 60 Hz`, "waits for trust: pawl trust checks", "0 of 2 ticked")
		if !slices.Contains(files, true) {
			t.Error("the opened task does not look at files")
		}
		p.press("space")
		p.sees("Space ticks a criterion; Tab goes to one")
		p.press("tab", "space")
		p.sleep(2e9)
		p.sees("1 of 2 ticked")
		p.press("enter")
		p.sleep(2e9)
		p.sees("0 of 2 ticked")
		p.press("d")
		p.sleep(1e9)
		p.sees("#1 is not shown to be done", "tick its criteria first")
	}, checkedBoard()...)
}

// One task among many that were completed long ago, and that nothing shows to be done, is
// the first card of its lane, and counted in its head on a screen of any width.
func TestChecksOfLongAgo(t *testing.T) {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	made := pawl.Create{Tasks: []pawl.NewTask{{Subject: "Say that it is done", Checks: []pawl.Check{unit}}}}
	rest := pawl.Complete{}
	for i := range 60 {
		made.Tasks = append(made.Tasks, task("A part"))
		rest.IDs = append(rest.IDs, pawl.ID(i+2))
	}
	fly(t, func(p *pilot) {
		p.sees("#1 Say that it is done", "done, not shown", "✔ Done 61 ✘ 1 ")
		if at, other := strings.Index(p.text(), "#1 Say"), strings.Index(p.text(), "#61 A part"); at < 0 || at > other {
			t.Errorf("#1 is not the first card:\n%s", p.text())
		}
		p.size(60, 20)
		p.sees("Done 61 ✘ 1 ", "done, not shown")
		p.size(30, 20)
		p.sees("61]✘ 1", "done, not shown")
	}, made, pawl.Complete{IDs: []pawl.ID{1}, Unchecked: "no time"}, rest)
}

// Without a clone the board shows what the files claim, and says so.
func TestChecksClaimed(t *testing.T) {
	fly(t, func(p *pilot) {
		p.open(1)
		p.sees("claimed: this clone has not seen it")
	}, checkedBoard()...)
}

// What the project asks of a task, it asks here too.
func TestChecksOfTheProject(t *testing.T) {
	fly(t, func(p *pilot) {
		rules := []pawl.CheckRule{{Check: pawl.Check{Name: "fmt", Run: []string{"gofmt", "-l", "x"}}}}
		p.model.Screened = func(_ context.Context, _ query.Board, r pawl.Request) (pawl.Request, error) {
			switch op := r.Op.(type) {
			case pawl.Complete:
				op.Rules = rules
				r.Op = op
			case pawl.Undo:
				op.Rules = rules
				r.Op = op
			}
			return r, nil
		}
		p.open(1)
		p.press("d")
		p.sleep(1e9)
		p.sees("#1 is not shown to be done: fmt has not run", "pawl done 1")
		p.press("esc")
		p.board.Do(t.Context(), pawl.Request{By: p.model.By, Op: pawl.Complete{IDs: []pawl.ID{1}}})
		p.board.Do(t.Context(), pawl.Request{By: p.model.By, Op: pawl.Reopen{IDs: []pawl.ID{1}}})
		p.press("u")
		p.sleep(1e9)
		p.sees("#1 is not shown to be done: fmt has not run")
	}, plan(task("Unasked")))
}
