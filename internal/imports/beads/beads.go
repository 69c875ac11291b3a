// Package beads reads the issues of the beads tracker, one JSON object a line,
// into the tasks of one [pawl.Import]:
//
//	{"id":"bv-3","title":"Ship","status":"open","priority":1,
//	 "dependencies":[{"issue_id":"bv-3","depends_on_id":"bv-2","type":"blocks"}]}
//
// Priorities 0 and 1 are high, 3 and 4 low. A closed issue is a completed task,
// a deferred or pinned one is on hold, and the rest is pending unless it is in
// progress. A dependency that blocks is an edge, parent-child a parent; an
// assignee owns what is open; notes and comments are notes. The issue's id is
// the task's name elsewhere ([pawl.Task.Ref]), so that a second import finds it
// again. What was deleted there stays out.
//
// Nothing is lost but fractions of milliseconds: whatever has no place in a
// task, or has it under narrower limits, is kept under the metadata key [Key]
// as it was.
package beads

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
)

// Key is the metadata key under which a task keeps what only beads knows about
// it.
const Key = "beads"

// maxLine bounds one issue: what a task's file may hold.
const maxLine = pawl.MaxTask

// maxIssues bounds what is in memory at once.
const maxIssues = 1_000_000

// Read reads all issues. Besides the tasks it returns what a person should
// know: what was cut and what could not be linked. It fails with [pawl.Invalid]
// and all faults at once, each with its line.
func Read(r io.Reader) ([]pawl.ImportTask, []string, error) {
	var b board
	in := bufio.NewReaderSize(r, 64<<10)
	for no := 1; ; no++ {
		line, long, err := readLine(in)
		if told, ok := errors.AsType[*pawl.Error](err); ok {
			return nil, nil, told
		}
		if err != nil && err != io.EOF {
			return nil, nil, pawl.Errorf(pawl.Unavailable, "the issues cannot be read: %w", err)
		}
		switch {
		case long:
			b.fault(no, "is longer than %d MiB", maxLine>>20)
		case len(b.issues) == maxIssues:
			return nil, nil, pawl.Errorf(pawl.Invalid, "there are more than %d issues: bring them in by parts", maxIssues)
		case len(bytes.TrimSpace(line)) > 0:
			b.line(no, line)
		}
		if err == io.EOF {
			break
		}
	}
	tasks := b.tasks()
	if len(b.faults) > 0 {
		return nil, nil, &pawl.Error{Kind: pawl.Invalid, Message: "the lines cannot be read as issues of beads", Faults: b.faults}
	}
	return tasks, b.warnings, nil
}

// readLine reads up to a newline. Of a line that is too long nothing is kept.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// board gathers the issues of all lines.
type board struct {
	issues   []*issue
	byID     map[string]*issue
	gone     map[string]bool // issues that were deleted in beads
	faults   []pawl.Fault
	warnings []string
}

// maxFaults is how many faults of one file somebody may want to read.
const maxFaults = 100

func (b *board) fault(line int, problem string, args ...any) {
	if len(b.faults) < maxFaults {
		b.faults = append(b.faults, pawl.Fault{Path: fmt.Sprintf("line %d", line), Problem: fmt.Sprintf(problem, args...)})
	}
}

func (b *board) warn(i *issue, problem string, args ...any) {
	b.warnings = append(b.warnings, fmt.Sprintf("line %d: %s %s", i.line, i.id, fmt.Sprintf(problem, args...)))
}

// Format is beads.
var Format = imports.Format{
	Name: Key, Title: "beads", Shape: ".beads/issues.jsonl",
	Find: func(root string) []string {
		found := imports.Exists(root, false, ".beads/issues.jsonl", ".beads/beads.jsonl")
		return found[:min(len(found), 1)]
	},
	Recognises: func(_ string, head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"issue_type"`)) && bytes.Contains(line, []byte(`"id"`))
	},
	Read: func(in *imports.Input) (*imports.Result, error) {
		f, err := in.Open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		tasks, warnings, err := Read(f)
		if err != nil {
			return nil, err
		}
		r := &imports.Result{}
		for i := range tasks {
			r.Tasks = append(r.Tasks, imports.Task{ImportTask: tasks[i]})
		}
		for _, w := range warnings {
			r.Changed = append(r.Changed, imports.Remark{What: w})
		}
		return r, nil
	},
}
