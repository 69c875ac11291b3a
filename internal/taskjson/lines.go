package taskjson

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl"
)

// WriteLines writes tasks, one a line as its file has it: Pawl's own export. In the end may
// stand the highest id that the board has given, where no task has it:
//
//	{"lastId":60}
//
// Data that a board keeps beside the files (claims, history) is not exported.
func WriteLines(w io.Writer, tasks []pawl.Task) error {
	out := bufio.NewWriter(w)
	for i := range tasks {
		out.Write(EncodeLine(&tasks[i]))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// WriteLastID writes the highest id that the board has given.
func WriteLastID(w io.Writer, id pawl.ID) error {
	_, err := fmt.Fprintf(w, "{\"lastId\":%d}\n", id)
	return err
}

// maxTasks bounds what is in memory at once: ten times the largest board that
// Pawl is measured with.
const maxTasks = 1_000_000

// maxFaults is how many faults of one file somebody may want to read.
const maxFaults = 100

// ReadLines reads what WriteLines wrote, or any file of tasks one a line. Edges and
// parents between lines are kept by reference, since the board that takes them
// in may have to give a task another id. The tasks are in the order of their ids, so that
// an import in several parts can keep these. All faults are told at once, each with its
// line and column.
func ReadLines(r io.Reader) (pawl.Import, error) {
	var files []pawl.Task
	var op pawl.Import
	var faults []pawl.Fault
	first := map[pawl.ID]int{} // the line of each id
	lines := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := nextLine(lines)
		if told, ok := errors.AsType[*pawl.Error](err); ok {
			return op, told
		}
		if err != nil && err != io.EOF {
			return op, pawl.Errorf(pawl.Unavailable, "line %d cannot be read: %w", n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			t, fault := parseLine(line)
			switch other := first[t.ID]; {
			case fault != nil && isLastID(line, &op):
			case fault != nil:
				faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d, column %d", n, fault.Column), Problem: fault.Problem})
			case other != 0:
				faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d", n), Problem: fmt.Sprintf("%v stands on line %d already", t.ID, other)})
			default:
				if len(files) == maxTasks {
					return op, pawl.Errorf(pawl.Invalid, "there are more than %d tasks: bring them in by parts", maxTasks)
				}
				first[t.ID], op.LastID = n, max(op.LastID, t.ID)
				files = append(files, t)
			}
		}
		if err == io.EOF || len(faults) >= maxFaults {
			break
		}
	}
	if len(faults) > 0 {
		return op, &pawl.Error{Kind: pawl.Invalid, Message: "the lines cannot be read as tasks", Faults: faults}
	}
	slices.SortFunc(files, func(a, b pawl.Task) int { return cmp.Compare(a.ID, b.ID) })
	for i := range files {
		op.Tasks = append(op.Tasks, toImport(&files[i], first))
	}
	return op, nil
}

// isLastID reports whether a line is that of WriteLastID, and takes it over.
func isLastID(line []byte, op *pawl.Import) bool {
	var last struct {
		LastID pawl.ID `json:"lastId"`
	}
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if in.Decode(&last) != nil || last.LastID <= 0 || in.More() {
		return false
	}
	op.LastID = max(op.LastID, last.LastID)
	return true
}

// nextLine returns the next line, cut where it is longer than any task: what
// is cut cannot be read as one and is told as such.
func nextLine(r *bufio.Reader) ([]byte, error) {
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

func parseLine(line []byte) (pawl.Task, *Fault) {
	f, err := Decode(line)
	if err != nil {
		if fault, ok := err.(*Fault); ok {
			return pawl.Task{}, fault
		}
		return pawl.Task{}, &Fault{Column: 1, Problem: err.Error()}
	}
	return f.Task, nil
}

// toImport turns a task into one to import. Its id is its ref, and edges that
// point to a line of the same file name it so.
func toImport(t *pawl.Task, lines map[pawl.ID]int) pawl.ImportTask {
	ref := func(id pawl.ID) pawl.Ref {
		if lines[id] != 0 {
			return pawl.RefName(lineName(id))
		}
		return pawl.RefID(id)
	}
	in := pawl.ImportTask{
		NewTask: pawl.NewTask{
			Ref: lineName(t.ID), Subject: t.Subject, Description: t.Description, ActiveForm: t.ActiveForm,
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

func lineName(id pawl.ID) string { return strconv.FormatInt(int64(id), 10) }
