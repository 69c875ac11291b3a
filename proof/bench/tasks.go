package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Tasks come in groups: a parent and its parts. Those of the first half of the
// groups are completed.
const (
	groupSize = 12
	minSize   = 10 * groupSize
)

var (
	began  = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	labels = []string{"parser", "storage", "docs", "ui", "tests", "api", "build", "speed"}
	words  = []string{
		"the", "reader", "takes", "each", "line", "of", "a", "file", "and", "keeps", "what", "it", "knows", "about",
		"edges", "so", "that", "nothing", "is", "lost", "when", "two", "writers", "meet", "check", "limits", "before",
		"parsing", "return", "an", "error", "with", "name", "cover", "by", "tests",
	}
)

// generate makes the tasks of a board, the same ones each time: subjects of a
// line, descriptions of a few hundred bytes, labels, parents, and edges to
// tasks of the groups shortly before. One part of each group waits for the same
// part of the group before, so that chains go through the whole of the board.
func generate(size int) []pawl.Task {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	tasks := make([]pawl.Task, size)
	groups := (size + groupSize - 1) / groupSize
	for i := range tasks {
		t := &tasks[i]
		group, part := i/groupSize, i%groupSize
		made := began.Add(time.Duration(i) * time.Minute)
		*t = pawl.Task{
			ID: pawl.ID(i + 1), Status: pawl.Pending, CreatedAt: made, UpdatedAt: made,
			Subject:     fmt.Sprintf("Step %d.%d: %s", group+1, part+1, prose(r, 4+r.IntN(5))),
			Description: prose(r, 30+r.IntN(60)),
			Priority:    []pawl.Priority{pawl.Medium, pawl.Medium, pawl.Low, pawl.High}[r.IntN(4)],
			Labels:      []string{labels[r.IntN(len(labels))]},
		}
		if group < groups/2 {
			t.Status, t.StartedAt, t.CompletedAt = pawl.Completed, made.Add(time.Hour), made.Add(2*time.Hour)
			t.UpdatedAt, t.Owner = t.CompletedAt, "ada"
		}
		if part == 0 {
			continue // the parent waits for its parts
		}
		t.Parent = pawl.ID(group*groupSize + 1)
		if group == 0 {
			continue
		}
		if part == 1 {
			link(tasks, i-groupSize, i)
			continue
		}
		for range r.IntN(4) {
			link(tasks, group*groupSize-1-r.IntN(min(4*groupSize, group*groupSize)), i)
		}
	}
	return tasks
}

// link makes a task wait for an earlier one, in both files.
func link(tasks []pawl.Task, earlier, later int) {
	e, l := &tasks[earlier], &tasks[later]
	if slices.Contains(e.Blocks, l.ID) {
		return
	}
	e.Blocks = append(e.Blocks, l.ID)
	if e.Open() {
		l.BlockedBy = append(l.BlockedBy, e.ID)
	}
}

func prose(r *rand.Rand, n int) string {
	text := make([]string, n)
	for i := range text {
		text[i] = words[r.IntN(len(words))]
	}
	return strings.Join(text, " ")
}
