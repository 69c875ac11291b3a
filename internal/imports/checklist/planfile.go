package checklist

import (
	"fmt"
	"maps"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

const planFileKey = "plan"

// The orders that a person gives a plan, as its tasks keep them.
const parallel, chain = "parallel", "chain"

// PlanFile makes a plan that stands in a file a source of tasks, as a tasks.md is: planned
// again, it updates the tasks that came from it, and pawl sync ticks its boxes. Only plan
// and sync read it: it is not in the table of pawl import.
//
// A task is known by its text below the same headings, or by the number of the
// board that somebody wrote before it. The next job is often planned in the same
// file, so that nothing in it changes a task that is finished or claimed.
var PlanFile = imports.Format{
	Name: planFileKey, Title: "plan", Boxes: true, Lasting: true,
	Read: func(in *imports.Input) (*imports.Result, error) {
		text, err := in.Text()
		if err != nil {
			return nil, err
		}
		p, err := plan.Parse(text, plan.Options{Chain: in.Chain, Parallel: in.Parallel, Under: in.Under, After: in.After, Known: in.Known})
		if err != nil {
			return nil, err
		}
		return planFileResult(in, text, &p), nil
	},
}

// PlanFileOf is the format of a plan that was read already, from the same input.
func PlanFileOf(text []byte, p *plan.Plan) *imports.Format {
	f := PlanFile
	f.Read = func(in *imports.Input) (*imports.Result, error) { return planFileResult(in, text, p), nil }
	return &f
}

// PlanFileBase is what the names of a file's tasks begin with. A file that splits two tasks
// has two lists of tasks.
func PlanFileBase(in *imports.Input) string {
	base := planFileKey + ":" + Key(in, "tasks")
	if in.Under != 0 {
		base += in.Under.String()
	}
	return base + "/"
}

// FromPlanFile are the tasks of a board that came from a file.
func FromPlanFile(board []pawl.Task, in *imports.Input) map[pawl.ID]bool {
	known, base := map[pawl.ID]bool{}, PlanFileBase(in)
	for i := range board {
		if strings.HasPrefix(board[i].Ref(), base) {
			known[board[i].ID] = true
		}
	}
	return known
}

// RecallPlanFile lets a file be read again as it was planned: in the order that its open tasks
// were given, which the text does not tell.
func RecallPlanFile(board []pawl.Task, in *imports.Input) {
	in.Known = FromPlanFile(board, in)
	for i := range board {
		if t := &board[i]; in.Known[t.ID] && t.Open() {
			order := PlanFile.OrderOf(t)
			in.Parallel, in.Chain = in.Parallel || order == parallel, in.Chain || order == chain
		}
	}
	in.Chain = in.Chain && !in.Parallel
}

func planFileResult(in *imports.Input, raw []byte, p *plan.Plan) *imports.Result {
	boxes := map[int]bool{}
	for _, l := range Lines(raw) {
		boxes[l.No] = l.Box != 0
	}
	r, base := &imports.Result{}, PlanFileBase(in)
	names, paths := map[string]string{}, map[string]string{} // by the refs of the plan
	used := map[string]bool{}
	for i := range p.Tasks {
		from := p.Tasks[i]
		at := imports.Position{File: in.Path}
		_, _ = fmt.Sscanf(p.Where[i], "line %d", &at.Line) // JSON has paths
		path := paths[from.Parent.Name] + "\n" + from.Subject
		words := Sum(path)
		ref := base + "=" + words
		for n := 2; used[ref]; n++ {
			ref = fmt.Sprintf("%s=%s'%d", base, words, n)
		}
		used[ref] = true
		if from.Ref != "" {
			names[from.Ref], paths[from.Ref] = ref, path
		}
		t := imports.New(ref, at)
		t.NewTask, t.Number = from, p.Numbers[i]
		t.Ref, t.Note, t.Done = ref, "", false
		t.Metadata = maps.Clone(from.Metadata)
		if from.Note != "" {
			t.AddNote(pawl.Note{Text: from.Note})
		}
		if t.Status = pawl.Pending; from.Done {
			t.Status = pawl.Completed
		}
		if at.Line > 0 && in.Place != "" {
			t.Keep(File, in.Place)
		}
		if in.Under != 0 {
			t.Keep("under", in.Under)
		}
		if in.Parallel {
			t.Keep("order", parallel)
		} else if in.Chain {
			t.Keep("order", chain)
		}
		if t.Keep(Words, words); boxes[at.Line] {
			t.Keep("box", true)
		}
		r.Tasks = append(r.Tasks, t)
	}
	for i := range r.Tasks {
		t, from := &r.Tasks[i], &p.Tasks[i]
		if t.BlockedBy = nil; from.Parent.Name != "" {
			t.Parent = pawl.RefName(names[from.Parent.Name])
		}
		for _, on := range from.BlockedBy {
			if on.Name != "" {
				t.After(names[on.Name])
			} else {
				t.Board = append(t.Board, on.ID)
			}
		}
		t.Blocks = nil
		for _, on := range from.Blocks {
			t.Holds = append(t.Holds, on.ID)
		}
		if len(t.Board) > 0 {
			t.Keep("after", t.Board)
		}
	}
	for _, left := range p.Left {
		r.Leave(imports.Position{}, "not tasks", left)
	}
	r.Told = text.Count(len(r.Tasks), "task", "tasks")
	return r
}

// NamePlanFile gives the tasks of a plan that is new the metadata by which they are known
// when the plan is read again.
func NamePlanFile(f *imports.Format, in *imports.Input, p *plan.Plan) error {
	r, err := imports.Read(f, in)
	if err != nil {
		return err
	}
	for i, t := range r.Merge(f, nil) {
		p.Tasks[i].Metadata = t.Metadata
	}
	return nil
}
