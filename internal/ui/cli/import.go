package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	formats "github.com/pawl-dev/pawl/internal/imports/known"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

var importVerb = verb{
	name:   "import",
	use:    "[FORMAT|FILE|FOLDER] [flags]",
	short:  "import the tasks of another program",
	long:   "Finds the tasks that another program keeps in this project, or reads those that you name; - is stdin. It reports what it read, changed and left out. A second import applies later changes of the source, and keeps your changes on the board. Importing an older pawl export restores the texts, priority, labels and checks in it; on an empty board, its tasks keep their ids and times, or the import is refused. An import deletes no task and runs no command. pawl undo reverts it; an import of more than 20,000 tasks makes several changes.",
	kind:   "result",
	topics: importTopics,
	examples: []string{
		"pawl import",
		"pawl import taskmaster --dry-run",
		"pawl import tasks.jsonl",
		"pawl import --from beads .beads/issues.jsonl",
	},
	min: 0, max: 1,
	build: buildImport,
}

// importTopics are the formats.
func importTopics() []manual.Section {
	section := manual.Section{Title: "Formats"}
	for _, f := range formats.Formats {
		section.Terms = append(section.Terms, manual.Term{Word: f.Name, Meaning: f.Title + ": " + f.Shape})
	}
	section.Terms = append(section.Terms, manual.Term{Word: own, Meaning: "the JSON Lines of pawl export"})
	return []manual.Section{section}
}

// importCounts is what an import did.
type importCounts struct {
	Made      int `json:"made"`      // new tasks
	Updated   int `json:"updated"`   // tasks of an earlier import that changed
	Unchanged int `json:"unchanged"` // tasks of an earlier import that did not change
}

func buildImport(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	from := choice(cmd, "from", "", "`FORMAT` format of the source", append(formats.Names(), own)...)
	tag := cmd.Flags().String("tag", "", "import only the tasks under this `TAG` of Task Master")
	dry := dryRunFlag(cmd)
	return func(ctx context.Context, args []string) error {
		var format string
		if cmd.Flags().Changed("from") {
			var err error
			if named := formats.Named(cmd.Flag("from").Value.String()); named != nil {
				format = named.Name
			} else if format, err = from(); err != nil {
				return err
			}
		}
		s, err := a.source(args, format)
		if err != nil {
			return err
		}
		s.input.Tag = *tag
		return a.importSource(ctx, s, *dry)
	}
}

// importSource brings in what a source has.
func (a *app) importSource(ctx context.Context, s source, dry bool) error {
	if s.format != nil {
		return a.importForeign(ctx, s, dry)
	}
	if s.input.Tag != "" {
		return usage("import", "--tag is for the tasks of Task Master")
	}
	var r io.Reader = a.piped
	if a.piped == nil {
		opened, err := a.openInput(s.file, imports.MaxLines)
		if err != nil {
			return err
		}
		defer opened.Close()
		r = opened
	}
	op, err := taskjson.ReadLines(r)
	if err != nil {
		return err
	}
	if len(op.Tasks) == 0 {
		return usage("import", "no task found in %q", s.file)
	}
	all, err := a.carryIn(ctx, op, dry)
	if err != nil {
		return err
	}
	counts := all.counts()
	if a.json {
		o := outcome{Outcome: query.Outcome{Head: query.Head{Origin: all.origin}, Result: all.Result}, dry: dry, name: a.name()} // a board full of tasks; the counts say enough
		j := o.json("import")
		j.Counts, j.Undo = &counts, all.revisions
		return a.printJSON(j)
	}
	done := "Imported"
	if dry {
		a.listImport(op.Tasks, all)
		done = "Would import"
	}
	a.print("%s %s: %d made, %d updated, %d unchanged\n",
		done, text.Count(len(all.IDs), "task", "tasks"), counts.Made, counts.Updated, counts.Unchanged)
	if err := a.flush(); err != nil {
		return err
	}
	others := 0
	for i, id := range all.IDs {
		if own := op.Tasks[i].ID; own != 0 && own != id {
			others++
		}
	}
	if others > 0 && !dry {
		a.say("%s not under the ids of the file, which this board has given already", text.Count(others, "task is", "tasks are"))
	}
	a.sayUndo(all.origin, all.revisions)
	return nil
}

func (c *came) counts() importCounts {
	counts := importCounts{Updated: len(c.Updated), Unchanged: len(c.Kept)}
	counts.Made = len(c.IDs) - counts.Updated - counts.Unchanged
	return counts
}

// distantImport is how many tasks an op brings to a server, where others wait for it;
// distantSize how many bytes, half of what a server takes; and distantRoom how many it
// changes there, three quarters of what it may.
const (
	distantImport = 2_000
	distantSize   = 4 << 20
	distantRoom   = 12 << 20
)

// distantMost is how many tasks each op may have to pass these bounds, which a single task
// may exceed.
func distantMost(tasks []pawl.ImportTask) int {
	sizes, rooms := make([]int, len(tasks)), make([]int, len(tasks))
	texts := map[string]int{} // of a task before and after, by its name
	for i := range tasks {
		text, _ := pawl.Encode(tasks[i]) // what cannot be sent is told when it is
		sizes[i] = len(text)
		texts[tasks[i].Ref] = 2*len(text) + 3<<10
	}
	for i := range tasks { // it, and the ends of its edges
		rooms[i] = texts[tasks[i].Ref]
		for _, ref := range slices.Concat(tasks[i].BlockedBy, tasks[i].Blocks, []pawl.Ref{tasks[i].Parent}) {
			if ref.Name != "" {
				rooms[i] += texts[ref.Name]
			}
		}
	}
	most := distantImport
	for most > 1 && (exceeds(sizes, most, distantSize) || exceeds(rooms, most, distantRoom)) {
		most /= 2
	}
	return most
}

// exceeds reports whether a part of so many numbers has a larger sum than the bound and
// than each number.
func exceeds(numbers []int, part, bound int) bool {
	for some := range slices.Chunk(numbers, part) {
		total := 0
		for _, n := range some {
			total += n
		}
		if total > max(bound, slices.Max(numbers)) {
			return true
		}
	}
	return false
}

// carryIn brings tasks in, by as few changes as their number allows.
func (a *app) carryIn(ctx context.Context, op pawl.Import, dry bool) (*came, error) {
	most := pawl.MaxImport
	if place, err := a.place(); err == nil && place.Distant() {
		most = distantMost(op.Tasks)
	}
	passes := inPasses(op, most)
	by := a.caller().Actor
	passes.progress = a.progress(fmt.Sprintf("importing %s", text.Count(len(op.Tasks), "task", "tasks")))
	board, err := a.boardFor(ctx, dry, passes.first(by, nil)...)
	if err != nil {
		passes.progress.end()
		return nil, err
	}
	passes.screened = a.screening(a.mayConsent())
	all := newCame()
	if err = passes.look(ctx, board, by); err == nil {
		if dry {
			all, err = passes.try(ctx, board, by)
		} else {
			all, err = passes.run(ctx, board, by)
		}
	}
	passes.progress.end()
	slices.Reverse(all.revisions)
	if err != nil {
		a.sayUndo(all.origin, all.revisions) // the passes that were carried out
		return nil, err
	}
	if len(all.open) > 0 && !a.json {
		a.say("still open: %s, because an import completes no task that has checks or criteria; to complete: %s", show.IDs(all.open), a.aboutIDs("done", all.open))
	}
	return &all, nil
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
