package view

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// Tree draws who waits for whom, each task under one that it waits for:
//
//	[x] #1 Setup DB
//	|-- [ ] #2 API routes
//	|   `-- [ ] #4 Integration, after #2 and #3
//	`-- [ ] #3 Auth module
//	    `-- #4, drawn above
//
// Each task is drawn once; where it comes again it is only named. With lines it
// uses the characters made for that.
func Tree(tasks []pawl.Task, lines bool) string {
	d := drawing{byID: map[pawl.ID]*pawl.Task{}, drawn: map[pawl.ID]bool{}, fork: "|-- ", last: "`-- ", pass: "|   "}
	if lines {
		d.fork, d.last, d.pass = "├── ", "└── ", "│   "
	}
	for i := range tasks {
		d.byID[tasks[i].ID] = &tasks[i]
	}
	for i := range tasks {
		if !slices.ContainsFunc(tasks[i].Blockers, d.has) {
			d.task(&tasks[i], "", "")
		}
	}
	for i := range tasks { // what only a cycle leads to
		if !d.drawn[tasks[i].ID] {
			d.task(&tasks[i], "", "")
		}
	}
	return d.out.String()
}

type drawing struct {
	out              strings.Builder
	byID             map[pawl.ID]*pawl.Task
	drawn            map[pawl.ID]bool
	fork, last, pass string
}

func (d *drawing) has(id pawl.ID) bool { return d.byID[id] != nil }

// task draws t behind branch, and below it, behind indent, what waits for it.
func (d *drawing) task(t *pawl.Task, branch, indent string) {
	d.out.WriteString(branch)
	if d.drawn[t.ID] {
		d.out.WriteString(t.ID.String() + ", drawn above\n")
		return
	}
	d.drawn[t.ID] = true
	d.out.WriteString(Mark(t) + " " + Name(t))
	if len(t.Blockers) > 1 {
		names := make([]string, len(t.Blockers))
		for i, id := range t.Blockers {
			names[i] = id.String()
		}
		end := len(names) - 1
		d.out.WriteString(", after " + strings.Join(names[:end], ", ") + " and " + names[end])
	}
	d.out.WriteByte('\n')
	waiters := slices.DeleteFunc(slices.Clone(t.Blocks), func(id pawl.ID) bool { return !d.has(id) })
	for i, id := range waiters {
		if i == len(waiters)-1 {
			d.task(d.byID[id], indent+d.last, indent+"    ")
		} else {
			d.task(d.byID[id], indent+d.fork, indent+d.pass)
		}
	}
}
