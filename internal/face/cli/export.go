package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

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
	var tasks []pawl.Task
	err = board.View(ctx, func(r pawl.Reader) error {
		all, err := selectAll(r)
		if err != nil {
			return err
		}
		for _, t := range all {
			if t.Damage != "" {
				answer.Damaged = append(answer.Damaged, t.ID)
			} else {
				tasks = append(tasks, t)
			}
		}
		if a.json && file == "-" {
			answer.Tasks, err = view.NewTasks(r, a.name(), tasks)
		}
		return err
	})
	if err != nil {
		return err
	}
	answer.Count = len(tasks)
	switch {
	case file != "-":
		if err := a.exportFile(file, tasks); err != nil {
			return err
		}
		answer.File = file
	case !a.json:
		if err := jsonl.Write(a.out, tasks); err != nil {
			return err
		}
	}
	switch {
	case a.json:
		err = a.printJSON(answer)
	case file != "-":
		a.print("Exported %s to %s\n", view.Count(len(tasks), "task", "tasks"), view.Line(file))
	}
	if err == nil && len(answer.Damaged) > 0 {
		a.say("left out, for their files are damaged: %s", view.IDs(answer.Damaged))
		a.say("hint: %s", a.command("doctor"))
		err = errFound
	}
	return err
}

// selectAll reads every task, by id.
func selectAll(r pawl.Reader) ([]pawl.Task, error) {
	var all []pawl.Task
	for q := (pawl.Query{}); ; {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Tasks...)
		if q.After = page.Next; q.After == nil {
			return all, nil
		}
	}
}

// exportFile writes the file whole or not at all: it may be the only backup.
func (a *app) exportFile(name string, tasks []pawl.Task) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.env.Dir, name)
	}
	var text bytes.Buffer
	if err := jsonl.Write(&text, tasks); err != nil {
		return err
	}
	temp := name + ".part"
	err := os.WriteFile(temp, text.Bytes(), 0o644)
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err == nil {
		return nil
	}
	os.Remove(temp)
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
