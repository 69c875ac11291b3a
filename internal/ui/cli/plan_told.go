package cli

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// understoodJSON is how a plan was read.
type understoodJSON struct {
	Summary       string         `json:"summary"`                 // the rest in one line
	Headings      int            `json:"headings,omitempty"`      // tasks that are headings
	HeadingsInRow int            `json:"headingsInRow,omitempty"` // those with a place in a row
	Tasks         int            `json:"tasks"`                   // without headings
	InRow         int            `json:"inRow,omitempty"`         // those with a place in a row
	Done          int            `json:"done,omitempty"`          // those that are done already
	Notes         []planNoteJSON `json:"notes,omitempty"`         // lines that became notes
	LeftOut       []string       `json:"leftOut,omitempty"`       // sections and lines that are not tasks
	Reopened      []pawl.ID      `json:"reopened,omitempty"`      // done in the text, although a part is open
	Unshown       []pawl.ID      `json:"unshown,omitempty"`       // done in the text, and open here: nothing shows that their checks have passed
	Checks        int            `json:"checks,omitempty"`        // commands that must pass
	Criteria      int            `json:"criteria,omitempty"`      // criteria in words
}

// planNoteJSON is a line of a plan that became a note.
type planNoteJSON struct {
	ID   pawl.ID `json:"id"`   // the task that has it
	Text string  `json:"text"` // the line
}

func understoodOf(p plan.Plan, ids []pawl.ID, o plan.Options, dry bool) *understoodJSON {
	u := &understoodJSON{
		Headings: p.Headings, HeadingsInRow: p.HeadingsInRow, Tasks: len(p.Tasks) - p.Headings, InRow: p.InRow, Done: p.Done, LeftOut: p.Left,
		Checks: p.Checks, Criteria: p.Criteria,
	}
	for _, n := range p.Notes {
		u.Notes = append(u.Notes, planNoteJSON{ids[n.Task], n.Text})
	}
	for _, i := range p.Reopened {
		u.Reopened = append(u.Reopened, ids[i])
	}
	for _, i := range p.Unshown {
		u.Unshown = append(u.Unshown, ids[i])
	}
	u.Summary = u.sentence(p, o, dry)
	return u
}

// sentence says it in a line:
//
//	3 tasks in a row, as numbered (--parallel: no order)
//	1 heading, 1 task; "Verification: run npm test" is a note of #4, never run
func (u *understoodJSON) sentence(p plan.Plan, o plan.Options, dry bool) string {
	var parts []string
	if u.Headings > 0 {
		part := text.Count(u.Headings, "heading", "headings")
		switch {
		case u.HeadingsInRow == u.Headings:
			part += " in a row"
		case u.HeadingsInRow > 0:
			part += fmt.Sprintf(", %d in a row", u.HeadingsInRow)
		}
		parts = append(parts, part)
	}
	part := text.Count(u.Tasks, "task", "tasks")
	switch {
	case u.InRow > 1 && u.InRow == u.Tasks && u.Headings == 0 && !o.Chain:
		part += " in a row, as numbered"
	case u.InRow > 1 && u.InRow == u.Tasks && u.Headings == 0:
		part += " in a row"
	case u.InRow > 1:
		part += fmt.Sprintf(", %d in a row", u.InRow)
	}
	parts = append(parts, part)
	if u.Done > 0 {
		parts = append(parts, fmt.Sprintf("%d done", u.Done))
	}
	switch {
	case p.Ordered && !o.Chain && u.InRow+u.HeadingsInRow > 0:
		parts[len(parts)-1] += " (--parallel: no order)"
	case u.InRow+u.HeadingsInRow+p.Edges == 0 && u.Tasks > 1 && o.Parallel:
		parts = append(parts, "no order")
	case u.InRow+u.HeadingsInRow+p.Edges == 0 && u.Tasks > 1:
		parts = append(parts, "no order (--chain: in a row)")
	}
	if u.Checks > 0 {
		parts = append(parts, text.Count(u.Checks, "check", "checks"))
	}
	if u.Criteria > 0 {
		parts = append(parts, text.Count(u.Criteria, "criterion", "criteria"))
	}
	clauses := []string{strings.Join(parts, ", ")}
	const most = 2
	for i, n := range u.Notes {
		if i == most {
			clauses = append(clauses, fmt.Sprintf("so are %d more lines", len(u.Notes)-most))
			break
		}
		clauses = append(clauses, fmt.Sprintf("%q is a note of %v, never run", text.Clip(text.Line(n.Text), 60), n.ID))
	}
	if len(u.Reopened) > 0 {
		clauses = append(clauses, fmt.Sprintf("open, because a part of it is: %s", show.IDs(u.Reopened)))
	}
	if len(u.Unshown) > 0 {
		clauses = append(clauses, fmt.Sprintf("open, because nothing shows that it is done: %s", show.IDs(u.Unshown)))
	}
	if n := len(u.LeftOut); n > 0 {
		clause := "not tasks: "
		for i, line := range u.LeftOut {
			if i == mostLeft {
				clause += fmt.Sprintf(" and %d more (--json names them)", n-mostLeft)
				break
			}
			if i > 0 {
				clause += ", "
			}
			clause += fmt.Sprintf("%q", text.Clip(text.Line(line), 40))
		}
		clauses = append(clauses, clause)
	}
	if dry {
		clauses = append(clauses, "nothing written")
	}
	return strings.Join(clauses, "; ")
}

// mostLeft is how many lines that are no tasks one answer names.
const mostLeft = 50

// tree prints tasks that were made together, children below their parents:
//
//	[ ] #4 Docs (0/1)
//	[ ]   #5 Changelog
func (a *app) tree(tasks []pawl.Task) {
	depth := map[pawl.ID]int{}
	for i := range tasks {
		t := &tasks[i]
		if above, ok := depth[t.Parent]; ok {
			depth[t.ID] = above + 1
		} else {
			depth[t.ID] = 0
		}
	}
	for i := range tasks {
		t := &tasks[i]
		line := show.Mark(t) + " " + withRemarks(t, []string{treeRemarks(t)})
		a.print("%s\n", a.paint.nested(t, a.name(), line, strings.Repeat("  ", min(depth[t.ID], 20))))
	}
}

// treeRemarks says what a tree does not show.
func treeRemarks(t *pawl.Task) string {
	var notes []string
	if n := len(t.Children); n > 0 {
		notes = append(notes, fmt.Sprintf("%d/%d", n-t.OpenChildren, n))
	}
	if t.Priority != pawl.Medium {
		notes = append(notes, t.Priority.String())
	}
	switch owner := text.Line(t.Owner); {
	case owner == "" || !t.Open():
	case t.Status == pawl.InProgress:
		notes = append(notes, "@"+owner)
	default:
		notes = append(notes, "assigned to "+owner)
	}
	if t.Open() && len(t.BlockedBy) > 0 {
		notes = append(notes, "blocked by "+show.IDs(t.BlockedBy))
	}
	return strings.Join(notes, ", ")
}
