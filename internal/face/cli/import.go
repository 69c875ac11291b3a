package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/imports/beads"
	"github.com/pawl-dev/pawl/internal/jsonl"
	"github.com/pawl-dev/pawl/internal/text"
)

var importVerb = verb{
	name:  "import",
	use:   "FILE [flags]",
	short: "import tasks from a file",
	long:  "Reads the JSON Lines of pawl export, or with --from beads those of that tracker; - is stdin. A second import updates the tasks of the first one and makes none twice. It prints the command that undoes it. More than 20,000 tasks become several changes; give all of their revisions to pawl undo.",
	kind:  "result",
	examples: []string{
		"pawl import tasks.jsonl",
		"pawl import --from beads .beads/issues.jsonl --dry-run",
	},
	min: 1, max: 1,
	build: buildImport,
}

// importCounts is what an import did.
type importCounts struct {
	Made      int `json:"made"`      // new tasks
	Updated   int `json:"updated"`   // tasks of an earlier import that changed
	Unchanged int `json:"unchanged"` // tasks of an earlier import that did not change
}

func buildImport(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	from := choice(cmd, "from", "pawl", "`FORMAT` of the file", "pawl", "beads")
	dry := dryRunFlag(cmd)
	return func(ctx context.Context, args []string) error {
		from, err := from()
		if err != nil {
			return err
		}
		tasks, warnings, err := a.readImport(args[0], from)
		if err != nil {
			return err
		}
		for _, w := range warnings {
			a.say("%s", w)
		}
		if len(tasks) == 0 {
			return usage("import", "no task found in %q", args[0])
		}
		return a.importTasks(ctx, tasks, warnings, *dry)
	}
}

func (a *app) readImport(file, from string) ([]pawl.ImportTask, []string, error) {
	r, err := a.openInput(file, maxStream)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if from == "beads" {
		return beads.Read(r)
	}
	tasks, err := jsonl.Read(r)
	return tasks, nil, err
}

// importTasks brings tasks in, or with dry only finds out what would come of
// it, and tells.
func (a *app) importTasks(ctx context.Context, tasks []pawl.ImportTask, warnings []string, dry bool) error {
	passes := inPasses(tasks, pawl.MaxImport)
	by := a.caller().Actor
	var all came
	passes.progress = a.progress(fmt.Sprintf("importing %s", text.Count(len(tasks), "task", "tasks")))
	board, err := a.boardFor(ctx, dry, passes.first(by, nil)...)
	if err != nil {
		passes.progress.end()
		return err
	}
	if dry {
		all, err = passes.try(ctx, board, by)
	} else {
		all, err = passes.run(ctx, board, by)
	}
	passes.progress.end()
	slices.Reverse(all.revisions)
	if err != nil {
		a.sayUndo(all.revisions) // the passes that were carried out
		return err
	}
	counts := importCounts{Updated: len(all.Updated), Unchanged: len(all.Kept)}
	counts.Made = len(all.IDs) - counts.Updated - counts.Unchanged
	if a.json {
		o := outcome{Outcome: ask.Outcome{Result: all.Result}, dry: dry, name: a.name()} // a board full of tasks; the counts say enough
		j := o.json("import")
		j.Counts, j.Warnings, j.Undo = &counts, warnings, all.revisions
		return a.printJSON(j)
	}
	done := "Imported"
	if dry {
		a.listImport(tasks, &all)
		done = "Would import"
	}
	a.print("%s %s: %d made, %d updated, %d unchanged\n",
		done, text.Count(len(all.IDs), "task", "tasks"), counts.Made, counts.Updated, counts.Unchanged)
	if err := a.flush(); err != nil {
		return err
	}
	a.sayUndo(all.revisions)
	return nil
}

// listImport lists what an import would make or update, under the numbers that
// the tasks would have.
func (a *app) listImport(tasks []pawl.ImportTask, all *came) {
	kept, updated := map[pawl.ID]bool{}, map[pawl.ID]bool{}
	for _, id := range all.Kept {
		kept[id] = true
	}
	for _, id := range all.Updated {
		updated[id] = true
	}
	listed, left := 0, 0
	for i, id := range all.IDs {
		if kept[id] {
			continue
		}
		if listed == mostDetails {
			left++
			continue
		}
		listed++
		name, subject := id.String(), text.Line(tasks[i].Subject)
		switch from := &tasks[i]; {
		case from.ID != 0 && from.ID != id:
			name = from.ID.String() + " → " + name
		case from.ID == 0 && from.Ref != "":
			name = text.Line(from.Ref) + " → " + name
		}
		if !updated[id] {
			a.print("Would make %s %s\n", name, subject)
			continue
		}
		var fields []string
		for _, f := range all.fields[id] {
			fields = append(fields, string(f))
		}
		line := fmt.Sprintf("Would update %s %s", name, subject)
		if len(fields) > 0 {
			line += ": " + strings.Join(fields, ", ")
		}
		a.print("%s\n", line)
	}
	if left > 0 {
		a.print("and %s\n", text.Count(left, "more task", "more tasks"))
	}
}
