// Package planfile makes a plan that stands in a file a source of tasks, as a
// tasks.md is: planned again, it updates the tasks that came from it, and pawl sync
// ticks its boxes.
//
// A task is known by its text below the same headings, or by the number of the
// board that somebody wrote before it. The next job is often planned in the same
// file, so that nothing in it changes a task that is finished or claimed.
package planfile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

const key = "plan"

// The orders that a person gives a plan, as its tasks keep them.
const parallel, chain = "parallel", "chain"

// Format is a plan in a file. Only plan and sync read it: it is not in the table of
// pawl import.
var Format = imports.Format{
	Name: key, Title: "plan", Boxes: true, Lasting: true,
	Read: func(in *imports.Input) (*imports.Result, error) {
		text, err := in.Text()
		if err != nil {
			return nil, err
		}
		p, err := plan.Parse(text, plan.Options{Chain: in.Chain, Parallel: in.Parallel, Under: in.Under, After: in.After, Known: in.Known})
		if err != nil {
			return nil, err
		}
		return result(in, text, &p), nil
	},
}

// Of is the format of a plan that was read already, from the same input.
func Of(text []byte, p *plan.Plan) *imports.Format {
	f := Format
	f.Read = func(in *imports.Input) (*imports.Result, error) { return result(in, text, p), nil }
	return &f
}

// Base is what the names of a file's tasks begin with. A file that splits two tasks
// has two lists of tasks.
func Base(in *imports.Input) string {
	base := key + ":" + checklist.Key(in, "tasks")
	if in.Under != 0 {
		base += in.Under.String()
	}
	return base + "/"
}

// Known are the tasks of a board that came from a file.
func Known(board []pawl.Task, in *imports.Input) map[pawl.ID]bool {
	known, base := map[pawl.ID]bool{}, Base(in)
	for i := range board {
		if strings.HasPrefix(board[i].Ref(), base) {
			known[board[i].ID] = true
		}
	}
	return known
}

// Recall lets a file be read again as it was planned: in the order that its open tasks
// were given, which the text does not tell.
func Recall(board []pawl.Task, in *imports.Input) {
	in.Known = Known(board, in)
	for i := range board {
		if t := &board[i]; in.Known[t.ID] && t.Open() {
			order := Format.OrderOf(t)
			in.Parallel, in.Chain = in.Parallel || order == parallel, in.Chain || order == chain
		}
	}
	in.Chain = in.Chain && !in.Parallel
}

func result(in *imports.Input, raw []byte, p *plan.Plan) *imports.Result {
	boxes := map[int]bool{}
	for _, l := range checklist.Lines(raw) {
		boxes[l.No] = l.Box != 0
	}
	r, base := &imports.Result{}, Base(in)
	names, paths := map[string]string{}, map[string]string{} // by the refs of the plan
	used := map[string]bool{}
	for i := range p.Tasks {
		from := p.Tasks[i]
		at := imports.Position{File: in.Path}
		_, _ = fmt.Sscanf(p.Where[i], "line %d", &at.Line) // JSON has paths
		path := paths[from.Parent.Name] + "\n" + from.Subject
		words := checklist.Sum(path)
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
		t.Metadata = map[string]json.RawMessage{}
		for key, value := range from.Metadata {
			t.Metadata[key] = value
		}
		if from.Note != "" {
			t.AddNote(pawl.Note{Text: from.Note})
		}
		if t.Status = pawl.Pending; from.Done {
			t.Status = pawl.Completed
		}
		if at.Line > 0 && in.Place != "" {
			t.Keep(checklist.File, in.Place)
		}
		if in.Under != 0 {
			t.Keep("under", in.Under)
		}
		if in.Parallel {
			t.Keep("order", parallel)
		} else if in.Chain {
			t.Keep("order", chain)
		}
		if t.Keep(checklist.Words, words); boxes[at.Line] {
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

// Names gives the tasks of a plan that is new the metadata by which they are known
// when the plan is read again.
func Names(f *imports.Format, in *imports.Input, p *plan.Plan) error {
	r, err := imports.Read(f, in)
	if err != nil {
		return err
	}
	for i, t := range r.Merge(f, nil) {
		p.Tasks[i].Metadata = t.Metadata
	}
	return nil
}
