// Package beads reads what the beads tracker exports: JSON Lines, one issue a
// line, as .beads/issues.jsonl holds them.
//
// What a task has a place for goes there. Everything else of an issue is kept,
// as it was written, under the metadata key [Key]; the issue's own id is the
// task's ref, by which it can be shown and by which a second import finds it.
package beads

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Key is the metadata key that holds what a task has no place for.
const Key = "beads"

// maxLine bounds one issue. A task takes less than that anyway.
const maxLine = pawl.MaxTask

// issue is the part of a line that a task has a place for.
type issue struct {
	ID           string       `json:"id"`
	Title        string       `json:"title"`
	Description  string       `json:"description"`
	Status       string       `json:"status"`
	Priority     *int         `json:"priority"`
	Assignee     string       `json:"assignee"`
	Labels       []string     `json:"labels"`
	Notes        string       `json:"notes"`
	CreatedAt    time.Time    `json:"created_at"`
	UpdatedAt    time.Time    `json:"updated_at"`
	ClosedAt     time.Time    `json:"closed_at"`
	Dependencies []dependency `json:"dependencies"`
	Comments     []comment    `json:"comments"`
}

// dependency says that Issue waits for On ("blocks"), or is a child of it
// ("parent-child"), or is related to it in some other way.
type dependency struct {
	Issue string `json:"issue_id"`
	On    string `json:"depends_on_id"`
	Type  string `json:"type"`
}

type comment struct {
	Author    string    `json:"author"`
	Text      string    `json:"text"`
	CreatedAt time.Time `json:"created_at"`
}

// placed are the keys that are not kept under Key, since the task says the
// same. Others stay there even where a field was made of them, because
// something of them would be lost: a priority of five steps, say.
var placed = []string{"id", "title", "description", "labels", "notes", "created_at", "updated_at", "closed_at"}

// Read returns the issues as tasks to import, and what a person should know
// about them. All faults are told at once, each with its line.
func Read(r io.Reader) ([]pawl.ImportTask, []string, error) {
	var tasks []pawl.ImportTask
	var issues []issue
	var faults []pawl.Fault
	lineOf := map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		in, task, err := parse(line)
		switch {
		case err != nil:
			faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d", n), Problem: err.Error()})
			continue
		case in.Status == "tombstone":
			continue // deleted there; kept in the file for other clones only
		case lineOf[in.ID] != 0:
			faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d", n), Problem: fmt.Sprintf("the id %q stands on line %d already", in.ID, lineOf[in.ID])})
			continue
		}
		lineOf[in.ID] = n
		issues, tasks = append(issues, in), append(tasks, task)
	}
	if err := lines.Err(); err != nil {
		faults = append(faults, pawl.Fault{Path: fmt.Sprintf("line %d", n+1), Problem: fmt.Sprintf("cannot be read: %v", err)})
	}
	if len(faults) > 0 {
		return nil, nil, &pawl.Error{Kind: pawl.Invalid, Message: "the lines cannot be read as issues of beads", Faults: faults}
	}
	var warnings []string
	for i := range issues {
		warnings = append(warnings, connect(&tasks[i], &issues[i], lineOf)...)
	}
	return tasks, warnings, nil
}

// parse reads one line, without its edges.
func parse(line []byte) (issue, pawl.ImportTask, error) {
	var in issue
	var all map[string]json.RawMessage
	if err := json.Unmarshal(line, &in); err != nil {
		return in, pawl.ImportTask{}, fmt.Errorf("is not an issue: %w", err)
	}
	if err := json.Unmarshal(line, &all); err != nil {
		return in, pawl.ImportTask{}, fmt.Errorf("is not an issue: %w", err)
	}
	switch {
	case in.ID == "":
		return in, pawl.ImportTask{}, fmt.Errorf("has no id")
	case strings.TrimSpace(in.Title) == "":
		return in, pawl.ImportTask{}, fmt.Errorf("%q has no title", in.ID)
	}
	task := pawl.ImportTask{
		NewTask: pawl.NewTask{
			Ref: in.ID, Subject: in.Title, Description: in.Description,
			Priority: priority(in.Priority), Labels: in.Labels,
			Metadata: map[string]json.RawMessage{pawl.RefKey: quote(in.ID)},
		},
		Status: pawl.Pending, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	}
	switch in.Status {
	case "closed":
		task.Status, task.CompletedAt = pawl.Completed, in.ClosedAt
	case "in_progress":
		task.Status = pawl.InProgress
	case "deferred", "pinned":
		task.Hold = &pawl.Hold{Reason: in.Status + " in beads", At: in.UpdatedAt}
	}
	if in.Status != "closed" {
		task.Owner = in.Assignee
	}
	if strings.TrimSpace(in.Notes) != "" {
		task.Notes = append(task.Notes, pawl.Note{At: in.UpdatedAt, Text: in.Notes})
	}
	for _, c := range in.Comments {
		if strings.TrimSpace(c.Text) != "" {
			task.Notes = append(task.Notes, pawl.Note{At: c.CreatedAt, By: c.Author, Text: c.Text})
		}
	}
	for _, key := range placed {
		delete(all, key)
	}
	rest, err := json.Marshal(all)
	if err != nil {
		return in, task, err
	}
	task.Metadata[Key] = rest
	return in, task, nil
}

// priority takes the five steps of beads, 0 the most urgent, to our three.
func priority(p *int) pawl.Priority {
	switch {
	case p == nil || *p == 2:
		return pawl.Medium
	case *p < 2:
		return pawl.High
	default:
		return pawl.Low
	}
}

// connect adds the edges and the parent of an issue. A dependency on an issue
// that the file does not have stays in the metadata only, and is told.
func connect(task *pawl.ImportTask, in *issue, lineOf map[string]int) (warnings []string) {
	for _, d := range in.Dependencies {
		if d.Type != "blocks" && d.Type != "parent-child" {
			continue // a link, which no task waits for
		}
		if lineOf[d.On] == 0 {
			warnings = append(warnings, fmt.Sprintf("%s depends on %s, which is not in the file: the edge was left out", in.ID, d.On))
			continue
		}
		ref := pawl.RefName(d.On)
		switch {
		case d.Type == "blocks" && !slices.Contains(task.BlockedBy, ref):
			task.BlockedBy = append(task.BlockedBy, ref)
		case d.Type == "parent-child" && task.Parent == (pawl.Ref{}):
			task.Parent = ref
		case d.Type == "parent-child":
			warnings = append(warnings, fmt.Sprintf("%s has a second parent, %s: the first was kept", in.ID, d.On))
		}
	}
	return warnings
}

func quote(s string) json.RawMessage {
	text, _ := json.Marshal(s) // a string always encodes
	return text
}
