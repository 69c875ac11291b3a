// Package jsonl is Pawl's own export: JSON Lines, one task a line as its file
// has it. What a board keeps beside the files (claims, history) stays behind.
package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Write writes tasks, one a line.
func Write(w io.Writer, tasks []pawl.Task) error {
	out := bufio.NewWriter(w)
	for i := range tasks {
		out.Write(taskjson.EncodeLine(&tasks[i]))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// maxTasks bounds what is in memory at once: ten times the largest board that
// Pawl is measured with.
const maxTasks = 1_000_000

// maxFaults is how many faults of one file somebody may want to read.
const maxFaults = 100

// Read reads what Write wrote, or any file of tasks one a line. Edges and
// parents between lines are kept by reference, since the board that takes them
// in may have to give a task another id. All faults are told at once, each with
// its line and column.
func Read(r io.Reader) ([]pawl.ImportTask, error) {
	var files []pawl.Task
	var faults []pawl.Fault
	first := map[pawl.ID]int{} // the line of each id
	lines := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(lines)
		if told, ok := errors.AsType[*pawl.Error](err); ok {
			return nil, told
		}
		if err != nil && err != io.EOF {
			return nil, pawl.Errorf(pawl.Unavailable, "line %d cannot be read: %w", n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			t, fault := parse(line)
			switch other := first[t.ID]; {
			case fault != nil:
				faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d, column %d", n, fault.Column), Problem: fault.Problem})
			case other != 0:
				faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d", n), Problem: fmt.Sprintf("%v stands on line %d already", t.ID, other)})
			default:
				if len(files) == maxTasks {
					return nil, pawl.Errorf(pawl.Invalid, "there are more than %d tasks: bring them in by parts", maxTasks)
				}
				first[t.ID] = n
				files = append(files, t)
			}
		}
		if err == io.EOF || len(faults) >= maxFaults {
			break
		}
	}
	if len(faults) > 0 {
		return nil, &pawl.Error{Kind: pawl.Invalid, Message: "the lines cannot be read as tasks", Faults: faults}
	}
	tasks := make([]pawl.ImportTask, len(files))
	for i := range files {
		tasks[i] = toImport(&files[i], first)
	}
	return tasks, nil
}

// readLine returns the next line, cut where it is longer than any task: what
// is cut cannot be read as one and is told as such.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) <= pawl.MaxTask {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func parse(line []byte) (pawl.Task, *taskjson.Fault) {
	f, err := taskjson.Decode(line)
	if err != nil {
		if fault, ok := err.(*taskjson.Fault); ok {
			return pawl.Task{}, fault
		}
		return pawl.Task{}, &taskjson.Fault{Column: 1, Problem: err.Error()}
	}
	return f.Task, nil
}

// toImport turns a task into one to import. Its id is its ref, and edges that
// point to a line of the same file name it so.
func toImport(t *pawl.Task, lines map[pawl.ID]int) pawl.ImportTask {
	ref := func(id pawl.ID) pawl.Ref {
		if lines[id] != 0 {
			return pawl.RefName(name(id))
		}
		return pawl.RefID(id)
	}
	in := pawl.ImportTask{
		NewTask: pawl.NewTask{
			Ref: name(t.ID), Subject: t.Subject, Description: t.Description, ActiveForm: t.ActiveForm,
			Priority: t.Priority, Labels: t.Labels, Owner: t.Owner, Metadata: t.Metadata,
			Checks: t.Checks,
		},
		ID: t.ID, Was: t.Was, Status: t.Status, Notes: t.Notes, Hold: t.Hold, Evidence: t.Evidence, Extra: t.Extra,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, StartedAt: t.StartedAt, CompletedAt: t.CompletedAt,
	}
	for _, c := range t.Accept {
		in.Accept = append(in.Accept, c.Text)
		if c.Ticked() {
			in.Ticked = append(in.Ticked, c)
		}
	}
	if t.Parent != 0 {
		in.Parent = ref(t.Parent)
	}
	for _, id := range t.BlockedBy {
		in.BlockedBy = append(in.BlockedBy, ref(id))
	}
	for _, id := range t.Blocks {
		in.Blocks = append(in.Blocks, ref(id))
	}
	return in
}

func name(id pawl.ID) string { return strconv.FormatInt(int64(id), 10) }
