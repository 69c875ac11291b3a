package cli

import (
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var exportVerb = verb{
	name:  "export",
	use:   "[FILE]",
	short: "write all tasks as JSON Lines",
	long:  "Writes one task per line, in the format that pawl import reads. Without FILE, or with -, writes to stdout. An existing file is replaced and keeps its mode; a pipe is written to; a symbolic link is refused.",
	kind:  "export",
	examples: []string{
		"pawl export tasks.jsonl",
		"pawl export | gzip > tasks.jsonl.gz",
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
	Count   int         `json:"count"`             // how many tasks
	Damaged []pawl.ID   `json:"damaged,omitempty"` // tasks that were left out, for their files cannot be read
	Tasks   []wire.Task `json:"tasks,omitempty"`   // without a file: all of them
}

// export writes all tasks to a file, or where none is named to stdout.
func (a *app) export(ctx context.Context, file string) error {
	board, err := a.read()
	if err != nil {
		return err
	}
	answer := exportJSON{Envelope: wire.NewEnvelope("export")}
	write := func(w io.Writer) error { // in parts, because a board may be larger than the memory
		return board.View(ctx, func(r pawl.Reader) error {
			return eachPart(r, func(tasks []pawl.Task) error {
				tasks = slices.DeleteFunc(tasks, func(t pawl.Task) bool {
					if t.Damage != "" {
						answer.Damaged = append(answer.Damaged, t.ID)
					}
					return t.Damage != ""
				})
				answer.Count += len(tasks)
				if w != nil {
					return jsonl.Write(w, tasks)
				}
				some, err := wire.NewTasks(r, a.name(), tasks)
				answer.Tasks = append(answer.Tasks, some...)
				return err
			})
		})
	}
	switch {
	case file != "":
		answer.File = file
		err = a.exportFile(file, write)
	case a.json:
		err = write(nil)
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
	if err == nil && len(answer.Damaged) > 0 {
		a.say("left out, because their files are damaged: %s", say.IDs(answer.Damaged))
		a.say("hint: pawl doctor")
		err = errFound
	}
	return err
}

// exportPart is how many tasks are in memory at once: each may have
// [pawl.MaxTask] bytes, and more as values.
const exportPart = 20

// eachPart goes through all tasks, by id. Pages would be too large in memory,
// and smaller ones would go through the board more often.
func eachPart(r pawl.Reader, fn func([]pawl.Task) error) error {
	for q := (pawl.Query{Brief: true, Limit: pawl.MaxPage}); ; {
		page, err := r.Select(q)
		if err != nil {
			return err
		}
		for briefs := range slices.Chunk(page.Tasks, exportPart) {
			ids := make([]pawl.ID, len(briefs))
			for i := range briefs {
				ids[i] = briefs[i].ID
			}
			tasks, err := r.Get(ids...)
			if err == nil {
				err = fn(tasks)
			}
			if err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// exportFile writes the file whole or not at all: it may be the only backup.
func (a *app) exportFile(name string, write func(io.Writer) error) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.env.Dir, name)
	}
	return rewrite.Replace(name, write)
}

// stdoutNames are what a person may call stdout. To write to the file behind it
// by its name would truncate it, and lose what a shell wrote there before.
var stdoutNames = []string{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
