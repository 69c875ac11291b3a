package checklist_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/store/memory"
)

// Each plan that package plan reads is made by Create, as pawl plan does it, and then
// read again: no task is new and none has changed.
func TestAgainChangesNothing(t *testing.T) {
	paths, err := filepath.Glob("../../plan/testdata/*.txt")
	if err != nil || len(paths) < 30 {
		t.Fatal(len(paths), err)
	}
	ctx, ada, played := context.Background(), pawl.Actor{Name: "ada"}, 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, text, _ := strings.Cut(string(raw), "-- plan --\n")
			text, _, _ = strings.Cut(text, "-- want --\n")
			p, err := plan.Parse([]byte(text), plan.Options{})
			if err != nil || len(p.Tasks) == 0 {
				return
			}
			in := imports.Input{Root: importstest.Files(t, "plan.md", text), Path: "plan.md", Place: "plan.md"}
			defer in.Close()
			must.Do(t, checklist.NamePlanFile(checklist.PlanFileOf([]byte(text), &p), &in, &p))
			board := pawl.NewBoard(memory.New())
			for range 120 { // plans name tasks of the board, such as #12
				if _, err := board.Do(ctx, pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "before"}}}}); err != nil {
					t.Fatal(err)
				}
			}
			made, err := board.Do(ctx, pawl.Request{By: ada, Op: pawl.Create{Tasks: p.Tasks}})
			if err != nil {
				t.Fatal(err)
			}
			played++
			page, err := board.Select(ctx, pawl.Query{Limit: pawl.MaxPage})
			if err != nil {
				t.Fatal(err)
			}
			in.Known = checklist.FromPlanFile(page.Tasks, &in)
			r, err := imports.Read(&checklist.PlanFile, &in)
			if err != nil {
				t.Fatal(err)
			}
			again, err := board.Do(ctx, pawl.Request{By: ada, Op: pawl.Import{Tasks: r.Merge(&checklist.PlanFile, page.Tasks)}})
			if err != nil || len(again.Kept) != len(made.IDs) || again.Changed {
				t.Errorf("%d of %d tasks are as they were, updated %v: %v", len(again.Kept), len(made.IDs), again.Updated, err)
			}
		})
	}
	if played < 30 {
		t.Errorf("only %d plans were played", played)
	}
}

// An order that a person gave a plan stands when a sync reads its file again.
func TestOrderStands(t *testing.T) {
	ctx, by := context.Background(), pawl.Actor{Name: "ada"}
	for text, o := range map[string]plan.Options{
		"1. [ ] One\n2. [ ] Two\n3. [ ] Three\n": {Parallel: true},
		"- [ ] One\n- [ ] Two\n- [ ] Three\n":    {Chain: true},
	} {
		p := must.Get(plan.Parse([]byte(text), o))(t)
		root := importstest.Files(t, "plan.md", text)
		in := imports.Input{Root: root, Path: "plan.md", Place: "plan.md", Parallel: o.Parallel, Chain: o.Chain}
		defer in.Close()
		must.Do(t, checklist.NamePlanFile(checklist.PlanFileOf([]byte(text), &p), &in, &p))
		board := pawl.NewBoard(memory.New())
		if _, err := board.Do(ctx, pawl.Request{By: by, Op: pawl.Create{Tasks: p.Tasks}}); err != nil {
			t.Fatal(err)
		}
		page := must.Get(board.Select(ctx, pawl.Query{Limit: pawl.MaxPage}))(t)
		again := imports.Input{Root: root, Path: "plan.md", Place: "plan.md"}
		defer again.Close()
		checklist.RecallPlanFile(page.Tasks, &again)
		r := must.Get(imports.Read(&checklist.PlanFile, &again))(t)
		told := r.Merge(&checklist.PlanFile, page.Tasks)
		got := must.Get(board.Do(ctx, pawl.Request{By: by, Op: pawl.Import{Tasks: told}}))(t)
		if len(told) != 3 || len(got.Changes) > 0 {
			t.Errorf("%q with %+v: read again, %d tasks change: %v", text, o, len(got.Changes), got.Changes)
		}
	}
}
