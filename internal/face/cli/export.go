package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonl"
	"github.com/pawl-dev/pawl/internal/view"
)

var exportVerb = verb{
	name:  "export",
	use:   "[FILE]",
	short: "write all tasks as JSON Lines",
	long:  "One task a line, in a form that pawl import reads back. Without FILE, or with -, to stdout.",
	kind:  "export",
	examples: []string{
		"pawl export tasks.jsonl",
		"pawl export | gzip > tasks.jsonl.gz",
	},
	max: 1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error {
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			return a.export(ctx, file)
		}
	},
}

// exportJSON is the envelope of export. Without a file it holds the tasks.
type exportJSON struct {
	view.Envelope
	File    string      `json:"file,omitempty"`    // what was written
	Count   int         `json:"count"`             // how many tasks
	Damaged []pawl.ID   `json:"damaged,omitempty"` // tasks that were left out, for their files cannot be read
	Tasks   []view.Task `json:"tasks,omitempty"`   // without a file: all of them
}

func (a *app) export(ctx context.Context, file string) error {
	board, err := a.read()
	if err != nil {
		return err
	}
	answer := exportJSON{Envelope: view.NewEnvelope("export")}
	write := func(w io.Writer) error { // a page at a time, for a board may be larger than the memory
		return board.View(ctx, func(r pawl.Reader) error {
			return eachPage(r, func(tasks []pawl.Task) error {
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
				some, err := view.NewTasks(r, a.name(), tasks)
				answer.Tasks = append(answer.Tasks, some...)
				return err
			})
		})
	}
	switch {
	case file != "-":
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
	case file != "-":
		a.print("Exported %s to %s\n", view.Count(answer.Count, "task", "tasks"), view.Line(file))
	}
	if err == nil && len(answer.Damaged) > 0 {
		a.say("left out, for their files are damaged: %s", view.IDs(answer.Damaged))
		a.say("hint: pawl doctor")
		err = errFound
	}
	return err
}

// eachPage goes through all tasks, by id.
func eachPage(r pawl.Reader, fn func([]pawl.Task) error) error {
	for q := (pawl.Query{}); ; {
		page, err := r.Select(q)
		if err != nil {
			return err
		}
		q.After = page.Next
		if err := fn(page.Tasks); err != nil || q.After == nil {
			return err
		}
	}
}

// exportFile writes the file whole or not at all: it may be the only backup.
func (a *app) exportFile(name string, write func(io.Writer) error) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.env.Dir, name)
	}
	temp := name + ".part"
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err == nil {
		err = write(file)
		if closing := file.Close(); err == nil {
			err = closing
		}
	}
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err == nil {
		return nil
	}
	os.Remove(temp)
	if _, told := errors.AsType[*pawl.Error](err); told {
		return err
	}
	folder := filepath.Dir(name)
	switch info, gone := os.Stat(folder); {
	case os.IsNotExist(gone):
		return pawl.Errorf(pawl.NotFound, "there is no folder %s", view.Line(folder))
	case gone == nil && !info.IsDir():
		return pawl.Errorf(pawl.Invalid, "%s is a file, not a folder", view.Line(folder))
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return pawl.Errorf(pawl.Invalid, "%s is a folder, not a file", view.Line(name))
	}
	if of, ok := errors.AsType[*os.PathError](err); ok {
		err = of.Err // the name in it is that of the part
	} else if of, ok := errors.AsType[*os.LinkError](err); ok {
		err = of.Err
	}
	return pawl.Errorf(pawl.Unavailable, "the export cannot be written to %s: %w", view.Line(name), err)
}
