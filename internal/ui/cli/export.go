package cli

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var exportVerb = verb{
	name:  "export",
	use:   "[FILE]",
	short: "write all tasks as JSON Lines",
	long: "Writes one task per line, in the format that pawl import reads. Without FILE, or with -, writes to stdout. Replaces an existing file but keeps its mode, writes to a pipe, and refuses a symbolic link.\n\n" +
		"To move or copy a board, import its export into an empty one. Tasks keep their fields, ids, times and holds, and ids of deleted tasks are not reused. The export has no claims, history or undo: let everybody finish first, claim again afterwards, and save the history with pawl log --after 0 --all --json.",
	kind: "export",
	examples: []string{
		"pawl export tasks.jsonl",
		"pawl export | gzip > tasks.jsonl.gz",
		"pawl export shop.jsonl --board shop && pawl import shop.jsonl --board https://pawl.example.org/boards/shop",
	},
	max: 1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error {
			file := ""
			if len(args) == 1 && !slices.Contains(stdoutNames, args[0]) {
				file = args[0]
			}
			return a.export(ctx, file)
		}
	},
}

// exportJSON is the envelope of export. Without a file it holds the tasks.
type exportJSON struct {
	wire.Envelope
	File    string      `json:"file,omitempty"`    // what was written
	Count   int         `json:"count"`             // number of tasks
	Damaged []pawl.ID   `json:"damaged,omitempty"` // tasks that were left out because their files cannot be read
	Tasks   []wire.Task `json:"tasks,omitempty"`   // without a file: all of them
}

// export writes all tasks to a file, or where none is named to stdout.
func (a *app) export(ctx context.Context, file string) error {
	board, err := a.open()
	if err != nil {
		return err
	}
	answer := exportJSON{Envelope: wire.NewEnvelope("export")}
	var whole []pawl.Task
	done := map[pawl.ID]bool{}
	var last pawl.ID      // of the tasks
	var claimed []pawl.ID // their claims stay here
	var merging []pawl.ID // lines have no place for the tasks of another branch
	who := query.Asker{By: pawl.Actor{Name: a.name()}}
	write := func(w io.Writer) error {
		err := exportParts(ctx, board, who, func(tasks []pawl.Task) error {
			tasks = slices.DeleteFunc(tasks, func(t pawl.Task) bool {
				if w == nil && !t.Open() {
					done[t.ID] = true
				}
				if t.Damage != "" {
					answer.Damaged = append(answer.Damaged, t.ID)
				}
				return t.Damage != ""
			})
			answer.Count += len(tasks)
			if w == nil {
				whole = append(whole, tasks...)
				return nil
			}
			for i := range tasks {
				last = tasks[i].ID
				if tasks[i].Claim.Live() {
					claimed = append(claimed, last)
				}
				if len(tasks[i].Merging) > 0 {
					merging = append(merging, last)
				}
			}
			return taskjson.WriteLines(w, tasks)
		})
		if err != nil || w == nil {
			return err
		}
		is, err := query.Of(ctx, board, who, query.TasksQuery{Query: pawl.Query{Brief: true, Uncounted: true, Limit: 1}})
		if err == nil && is.LastID > last {
			err = taskjson.WriteLastID(w, is.LastID)
		}
		return err
	}
	switch {
	case file != "":
		answer.File = file
		err = rewrite.Replace(a.absolute(file), write) // whole or not at all: it may be the only backup
	case a.json:
		err = write(nil)
		answer.Tasks = wire.TasksOf(a.name(), whole, waitersIn(whole, done))
	default:
		err = unprinted(write(a.out))
	}
	if err != nil {
		return err
	}
	switch {
	case a.json:
		err = a.printJSON(answer)
	case file != "":
		a.print("Exported %s to %s\n", text.Count(answer.Count, "task", "tasks"), text.Line(file))
	}
	if len(claimed) > 0 {
		a.say("not in an export: the claims of %s, history and undo", show.IDs(claimed))
	}
	if err == nil && len(answer.Damaged) > 0 {
		a.say("left out, because their files are damaged: %s", show.IDs(answer.Damaged))
		a.say("hint: pawl doctor")
		err = errFound
	}
	if len(merging) > 0 && (err == nil || err == errFound) {
		a.say("left out, because the boards are not merged yet: %s of the other branch", show.IDs(merging))
		a.say("hint: %s", a.command("merge"))
		err = errFound
	}
	return err
}

// exportPart is how many tasks are in memory at once: each may have
// [pawl.MaxTask] bytes, and more as values, and a board may be larger than the
// memory.
const exportPart = 20

// exportParts goes through all tasks, by id.
func exportParts(ctx context.Context, board query.Board, who query.Asker, fn func([]pawl.Task) error) error {
	part := make([]pawl.Task, 0, exportPart)
	for task, err := range board.Export(ctx, who, pawl.Query{}) {
		if err != nil {
			return err
		}
		if part = append(part, task); len(part) < exportPart {
			continue
		}
		if err := fn(part); err != nil {
			return err
		}
		part = part[:0]
	}
	return fn(part)
}

// waitersIn are the tasks that wait for these and are not done.
func waitersIn(tasks []pawl.Task, done map[pawl.ID]bool) (open []pawl.ID) {
	for i := range tasks {
		for _, id := range tasks[i].Blocks {
			if !done[id] {
				open = append(open, id)
			}
		}
	}
	return open
}

// stdoutNames are what a person may call stdout. To write to the file behind it
// by its name would truncate it, and lose what a shell wrote there before.
var stdoutNames = []string{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
