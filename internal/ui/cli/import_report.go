package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// importJSON is what an import read, and what became of it.
type importJSON struct {
	Format       string         `json:"format"`            // its name
	Source       string         `json:"source,omitempty"`  // the file or folder, of several the first; absent: stdin
	Sources      []string       `json:"sources,omitempty"` // the files, if there are several
	Tasks        int            `json:"tasks"`             // how many came
	Subtasks     int            `json:"subtasks"`          // how many of them are part of another
	Dependencies int            `json:"dependencies"`      // between them, as the source counts
	Criteria     int            `json:"criteria"`          // acceptance criteria: words, nothing runs
	States       imports.Counts `json:"states"`            // of the tasks in the source
	Changed      []remarkJSON   `json:"changed"`           // what was altered on the way in
	LeftOut      []remarkJSON   `json:"leftOut"`           // what did not come
}

// remarkJSON is one remark about an import.
type remarkJSON struct {
	What   string  `json:"what"`             // what happened, and why
	Detail string  `json:"detail,omitempty"` // to what
	ID     pawl.ID `json:"id,omitempty"`     // the task here
	Ref    string  `json:"ref,omitempty"`    // its name there
	File   string  `json:"file,omitempty"`   // where it stands
	Line   int     `json:"line,omitempty"`   // and in which line; absent: the file as a whole
	Count  int     `json:"count"`            // how many things it tells of
}

// importForeign brings in the tasks of another program.
func (a *app) importForeign(ctx context.Context, s source, dry bool) error {
	if s.input.Tag != "" && s.format.Name != "taskmaster" {
		s.input.Close()
		return usage("import", "--tag is for the tasks of Task Master")
	}
	results, err := a.readForeign(&s)
	if err != nil {
		return err
	}
	at := s.at()
	if !a.json {
		a.say("%s: %s", s.format.Title, text.Line(at))
	}
	if !slices.ContainsFunc(results, func(r *imports.Result) bool { return len(r.Tasks) > 0 }) {
		a.remarks("left out", notCome(combined(results).LeftOut))
		if err := a.flush(); err != nil {
			return err
		}
		return pawl.Errorf(pawl.Invalid, "no task found in %s", text.Line(at))
	}
	board, err := a.boardTasks(ctx)
	if err != nil {
		return err
	}
	var tasks []pawl.ImportTask
	var kept []func()
	inputs := s.inputs()
	for i, r := range results {
		keep, err := a.recall(ctx, s.format, inputs[i], r, board)
		if err != nil {
			return err
		}
		tasks, kept = append(tasks, r.Merge(s.format, board)...), append(kept, keep)
	}
	r := combined(results)
	all, err := a.carryIn(ctx, pawl.Import{Tasks: tasks}, dry)
	if err != nil {
		return located(err, r)
	}
	for _, keep := range kept {
		if !dry {
			keep()
		}
	}
	if a.json {
		o := outcome{Outcome: query.Outcome{Result: all.Result}, dry: dry, name: a.name()}
		j := o.json("import")
		counts := all.counts()
		j.Counts, j.Undo, j.Import = &counts, all.revisions, newImportJSON(s, r, all)
		return a.printJSON(j)
	}
	if dry {
		a.listImport(tasks, all)
	}
	return a.reportImport(r, all, dry)
}

// readForeign reads a source and those that are imported with it. Of several, a
// file that cannot be read is left out.
func (a *app) readForeign(s *source) ([]*imports.Result, error) {
	var results []*imports.Result
	for _, in := range s.inputs() {
		r, err := imports.Read(s.format, in)
		in.Close()
		switch {
		case err != nil && len(s.more) == 0:
			return nil, err
		case err != nil:
			r = &imports.Result{}
			name := in.Path // as the error has it, in front of the reason
			if strings.HasPrefix(err.Error(), in.Name()) {
				name = in.Lead + in.Path
			}
			r.Unreadable(name, err)
			r.LeftOut[0].At.File = in.Lead + in.Path
		case len(r.Tasks) == 0 && len(s.more) > 0:
			r.Leave(imports.Position{File: in.Lead + in.Path}, "no task", "")
		}
		results = append(results, r)
	}
	return results, nil
}

// combined is what several files of one format have together.
func combined(results []*imports.Result) *imports.Result {
	if len(results) == 1 {
		return results[0]
	}
	all := &imports.Result{}
	for _, r := range results {
		all.Tasks = append(all.Tasks, r.Tasks...)
		all.Subtasks += r.Subtasks
		all.Edges += r.Edges
		all.Criteria += r.Criteria
		all.Changed = append(all.Changed, r.Changed...)
		all.LeftOut = append(all.LeftOut, r.LeftOut...)
	}
	return all
}

// located says where the task stands that a board refuses.
func located(err error, r *imports.Result) error {
	e, ok := err.(*pawl.Error)
	if !ok {
		return err
	}
	for i, f := range e.Faults {
		var n int
		if _, scan := fmt.Sscanf(f.Path, "tasks[%d]", &n); scan == nil && n < len(r.Tasks) {
			_, field, _ := strings.Cut(f.Path, "]")
			e.Faults[i].Path = r.Tasks[n].At.String() + field
		}
	}
	return e
}

// boardTasks are all tasks of the board, if there is one.
func (a *app) boardTasks(ctx context.Context) ([]pawl.Task, error) { return a.allTasks(ctx, false) }

// allTasks returns the tasks of the board, in brief where that is enough: whole ones
// cost a file each.
func (a *app) allTasks(ctx context.Context, brief bool) ([]pawl.Task, error) {
	if place, err := a.place(); err != nil || !place.Exists && a.board == nil {
		return nil, err
	}
	var tasks []pawl.Task
	for q := (pawl.Query{Brief: brief, Limit: pawl.MaxPage}); ; {
		answer, err := asked(ctx, a, query.TasksQuery{Query: q})
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, answer.Page.Tasks...)
		if q.After = answer.Page.Next; q.After == nil {
			return tasks, nil
		}
	}
}

// reportImport prints what came, what was changed on the way, and what did not
// come.
//
//	33 tasks (27 are subtasks), 35 dependencies: 21 done, 1 ready, 11 blocked
//	  changed   #14, #21 reopened: done there, with open subtasks
//	  left out  none
func (a *app) reportImport(r *imports.Result, all *came, dry bool) error {
	counts := all.counts()
	line := text.Count(len(all.IDs), "task", "tasks")
	if r.Subtasks > 0 {
		line += " (" + text.Count(r.Subtasks, "is a subtask", "are subtasks") + ")"
	}
	if r.Edges > 0 {
		line += ", " + text.Count(r.Edges, "dependency", "dependencies")
	}
	if r.Criteria > 0 {
		line += ", " + text.Count(r.Criteria, "criterion", "criteria") + " (words, nothing runs)"
	}
	if r.Note != "" {
		line += ", " + r.Note
	}
	if counts.Made == len(all.IDs) {
		a.print("%s: %s\n", line, states(r.Counts()))
	} else {
		a.print("%s: %d new, %d changed%s\n", text.Count(len(all.IDs), "task", "tasks"), counts.Made, counts.Updated, all.updated())
	}
	a.remarks("changed", changed(all.news(r.Changed), all.Refs))
	left := notCome(r.LeftOut)
	if len(left) == 0 && counts.Made == len(all.IDs) {
		left = []string{"none"}
	}
	a.remarks("left out", left)
	switch undo := a.undoLine(all.origin, all.revisions); {
	case dry:
		if err := a.flush(); err != nil {
			return err
		}
		a.say("dry run: nothing was written")
	case undo != "":
		a.print("Next: %s; take back: %s\n", a.command("ready"), undo)
	}
	return a.flush()
}

// updated names the tasks that changed, the first of them: ": #14, #21".
func (c *came) updated() string {
	if len(c.Updated) == 0 {
		return ""
	}
	ids := slices.Clone(c.Updated)
	slices.Sort(ids)
	return ": " + show.IDs(ids)
}

// states says how many tasks are in each state.
func states(c imports.Counts) string {
	words := []string{"done", "in progress", "ready", "assigned", "blocked", "on hold"}
	return strings.Join(text.Counts(words, c.Completed, c.InProgress, c.Ready, c.Assigned, c.Blocked, c.OnHold), ", ")
}

// remarks prints groups of remarks below their title.
func (a *app) remarks(title string, lines []string) {
	for i, line := range lines {
		if i > 0 {
			title = ""
		}
		a.print("  %-8s  %s\n", title, line)
	}
}

// mostNamed is how many tasks or places one line names.
const mostNamed = 12

// news are remarks without those about tasks that stay as they were: they were
// made at the first import.
func (c *came) news(remarks []imports.Remark) []imports.Remark {
	same := map[pawl.ID]bool{}
	for _, id := range c.Kept {
		same[id] = true
	}
	return slices.DeleteFunc(slices.Clone(remarks), func(r imports.Remark) bool { return same[c.Refs[r.Ref]] && !r.Stays })
}

// changed tells of what was altered, the tasks of one reason together.
func changed(remarks []imports.Remark, refs map[string]pawl.ID) []string {
	var lines []string
	slices.SortStableFunc(remarks, func(a, b imports.Remark) int { return cmp.Compare(refs[a.Ref], refs[b.Ref]) })
	for _, g := range alike(remarks) {
		var names []string
		for _, r := range g {
			switch {
			case refs[r.Ref] != 0:
				names = append(names, refs[r.Ref].String())
			case r.Ref != "":
				names = append(names, text.Line(r.Ref))
			default:
				names = append(names, text.Line(r.At.String()))
			}
		}
		lines = append(lines, strings.TrimSpace(some(slices.Compact(names), ", ")+" "+text.Line(g[0].What)))
	}
	return lines
}

// notCome tells of what did not come, with how much of it.
func notCome(remarks []imports.Remark) []string {
	var lines []string
	for _, g := range alike(remarks) {
		var details []string
		n := 0
		for _, r := range g {
			n += max(1, r.N)
			detail := text.Line(r.Detail)
			if at := r.At.String(); at != "" && (detail == "" || r.N == 0) {
				detail = strings.TrimSpace(text.Line(at) + " " + detail)
			}
			if detail != "" {
				details = append(details, detail)
			}
		}
		line := fmt.Sprintf("%d %s", n, text.Line(g[0].What))
		if len(details) > 0 {
			line += ": " + some(details, "; ")
		}
		lines = append(lines, line)
	}
	return lines
}

// some joins texts, or says how many more there are.
func some(all []string, by string) string {
	if len(all) > mostNamed {
		return strings.Join(all[:mostNamed], by) + fmt.Sprintf(" and %d more", len(all)-mostNamed)
	}
	return strings.Join(all, by)
}

// alike puts remarks together that say the same, in the order of the first.
func alike(remarks []imports.Remark) [][]imports.Remark {
	var groups [][]imports.Remark
	at := map[string]int{}
	for _, r := range remarks {
		i, there := at[r.What]
		if !there {
			i = len(groups)
			at[r.What], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func newImportJSON(s source, r *imports.Result, all *came) *importJSON {
	told := func(remarks []imports.Remark) []remarkJSON {
		out := []remarkJSON{}
		for _, r := range remarks {
			out = append(out, remarkJSON{What: r.What, Detail: r.Detail, ID: all.Refs[r.Ref], Ref: r.Ref, File: r.At.File, Line: r.At.Line, Count: max(1, r.N)})
		}
		return out
	}
	return &importJSON{
		Format: s.format.Name, Source: s.input.Lead + s.input.Path, Sources: s.paths(), Tasks: len(r.Tasks), Subtasks: r.Subtasks, Dependencies: r.Edges, Criteria: r.Criteria,
		States: r.Counts(), Changed: told(all.news(r.Changed)), LeftOut: told(r.LeftOut),
	}
}
