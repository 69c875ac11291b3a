package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	formats "github.com/pawl-dev/pawl/internal/imports/known"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// foreign returns the source that a plan is, if another program keeps its tasks
// in it: those have names there, so that they are found again.
func (a *app) foreign(file string, content []byte) (source, bool) {
	head := content[:min(len(content), headSize)]
	if file == "-" {
		format := formats.Recognise("", head)
		return source{format: format, input: imports.Input{In: bytes.NewReader(content)}}, format != nil
	}
	path := a.absolute(file)
	format := a.placed(path)
	if format == nil {
		place := cmp.Or(a.sourceAt(nil, path, path).input.Place, strings.ReplaceAll(path, "\\", "/"))
		if format = formats.Recognise(place, head); format == nil {
			return source{}, false
		}
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return source{}, false
	}
	return a.sourceAt(format, file, path), true
}

// handOver brings in a plan that is a source. It is not done where that has no
// tasks: then it is a plan like any other.
func (a *app) handOver(ctx context.Context, s source, options plan.Options, dry bool) (done bool, err error) {
	defer s.input.Close()
	s.input.Chain, s.input.Parallel = options.Chain, options.Parallel
	if !s.format.Boxes {
		return true, a.importForeign(ctx, s, dry)
	}
	r, err := imports.Read(s.format, &s.input)
	if err != nil || len(r.Tasks) == 0 {
		return err != nil, err
	}
	if options.Under != 0 {
		return true, usage("plan", "%s is a file of %s, whose tasks have their own parents: leave out --under", s.input.Name(), s.format.Title)
	}
	board, err := a.boardTasks(ctx)
	if err != nil {
		return true, err
	}
	return true, a.bringIn(ctx, s, r, board, dry)
}

// bringIn brings in the tasks of one file of boxes, and tells.
func (a *app) bringIn(ctx context.Context, s source, r *imports.Result, board []pawl.Task, dry bool) error {
	keep, err := a.recall(ctx, s.format, &s.input, r, board)
	if err != nil {
		return err
	}
	tasks := r.Merge(s.format, board)
	for _, b := range r.Gone(s.format, board, s.input.Place) {
		if s.format.Lasting {
			r.Leave(imports.Position{}, "no longer in the file, and kept here", b.ID.String())
		}
	}
	all, err := a.carryIn(ctx, pawl.Import{Tasks: tasks}, dry)
	if err != nil {
		return located(err, r)
	}
	if !dry {
		keep()
	}
	counts := all.counts()
	title := s.format.Title
	if s.format.Lasting {
		title = text.Line(s.input.Lead + s.input.Path)
	}
	summary := fmt.Sprintf("%s: %s", title, r.Told)
	if counts.Made < len(tasks) {
		summary = fmt.Sprintf("%s: %s, %d new, %d changed", title, text.Count(len(tasks), "task", "tasks"), counts.Made, counts.Updated)
	}
	switch {
	case dry:
		summary += "; nothing written"
	case s.input.Place != "" && !r.Closed && slices.ContainsFunc(r.Tasks, func(t imports.Task) bool { return slices.Contains(t.Kept(), "box") }):
		summary += "; tick back: " + a.command("sync")
	}
	if a.json {
		o := outcome{Outcome: query.Outcome{Result: all.Result}, dry: dry, name: a.name()}
		j := o.json("plan")
		j.Counts, j.Undo, j.Import = &counts, all.revisions, newImportJSON(s, r, all)
		j.Understood = &understoodJSON{Summary: summary, Tasks: len(tasks)}
		return a.printJSON(j)
	}
	shown := all.fresh()
	a.tree(shown)
	a.remarks("changed", changed(all.news(r.Changed), all.Refs))
	a.remarks("left out", notCome(r.LeftOut))
	if err := a.flush(); err != nil {
		return err
	}
	a.say("%s", summary)
	if !dry {
		a.sayWaiting(shown) // a file may come from anybody
	}
	return nil
}
