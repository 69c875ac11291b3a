package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// mostUnblocked is how far waiting tasks are counted: beyond, their number says
// nothing more, and a list must not walk over a whole board for each line.
const mostUnblocked = 99

// Facts are what is said about tasks beside what they say themselves.
type Facts struct {
	Now      time.Time
	Name     string          // who looks
	Unblocks map[pawl.ID]int // open tasks that wait for a ready one, through others too
}

// LoadFacts reads what is said about tasks to the one called name.
func LoadFacts(r pawl.Reader, name string, tasks []pawl.Task) (*Facts, error) {
	f := &Facts{Now: r.Now(), Name: name, Unblocks: map[pawl.ID]int{}}
	known := map[pawl.ID]pawl.Node{}
	for i := range tasks {
		t := &tasks[i]
		if StateOf(t, name) != Ready {
			continue
		}
		n, err := unblocks(r, t, known)
		if err != nil {
			return nil, err
		}
		f.Unblocks[t.ID] = n
	}
	return f, nil
}

// unblocks counts the open tasks that wait for t, and stops beyond
// mostUnblocked. known keeps what was read for the next count.
func unblocks(r pawl.Reader, t *pawl.Task, known map[pawl.ID]pawl.Node) (int, error) {
	seen := map[pawl.ID]bool{t.ID: true}
	count := 0
	for wave := waiters(t.Blocks, t.Parent); len(wave) > 0 && count <= mostUnblocked; {
		wave = slices.DeleteFunc(wave, func(id pawl.ID) bool {
			again := seen[id]
			seen[id] = true
			return again
		})
		if err := learn(r, wave, known); err != nil {
			return 0, err
		}
		var next []pawl.ID
		for _, id := range wave {
			if n := known[id]; n.Open() && !n.Missing {
				count++
				next = append(next, waiters(n.Blocks, n.Parent)...)
			}
		}
		wave = next
	}
	return count, nil
}

// waiters are the tasks that wait for one with these edges.
func waiters(blocks []pawl.ID, parent pawl.ID) []pawl.ID {
	waiters := slices.Clone(blocks)
	if parent != 0 {
		waiters = append(waiters, parent)
	}
	return waiters
}

// learn reads the nodes that are not known yet.
func learn(r pawl.Reader, ids []pawl.ID, known map[pawl.ID]pawl.Node) error {
	var missing []pawl.ID
	for _, id := range ids {
		if _, ok := known[id]; !ok {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	nodes, err := r.Nodes(missing...)
	for _, n := range nodes {
		known[n.ID] = n
	}
	return err
}

// Remark says in a few words what matters about a task in its state: who is at
// it and for how long, what it waits for, what waits for it.
func (f *Facts) Remark(t *pawl.Task) string {
	var words []string
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	switch state := StateOf(t, f.Name); state {
	case Damaged:
		say("damaged: %s", Line(t.Damage))
	case Done:
		if !t.CompletedAt.IsZero() {
			say("%s", Ago(f.Now, t.CompletedAt))
		}
	case Working:
		if t.Owner != "" {
			say("%s", Line(t.Owner))
		}
		if !t.StartedAt.IsZero() {
			say("%s", Age(f.Now.Sub(t.StartedAt)))
		}
	case Ready:
		if n := f.Unblocks[t.ID]; n > mostUnblocked {
			say("unblocks %d+", mostUnblocked)
		} else if n > 0 {
			say("unblocks %d", n)
		}
		if t.Owner != "" {
			say("for %s", Line(t.Owner))
		}
	}
	if t.Open() && t.Damage == "" {
		if t.Hold != nil {
			say("held: %s", Line(t.Hold.Reason))
		}
		if len(t.BlockedBy) > 0 {
			say("waits for %s", fewIDs(t.BlockedBy))
		}
		if len(t.Children) > 0 {
			say("%d/%d done", len(t.Children)-t.OpenChildren, len(t.Children))
		}
		if t.Status == pawl.Pending && t.Owner != "" && !t.Ready(f.Name) {
			say("for %s", Line(t.Owner))
		}
	}
	return strings.Join(words, ", ")
}

// fewIDs names the first three and counts the others.
func fewIDs(ids []pawl.ID) string {
	const most = 3
	if len(ids) <= most+1 {
		return IDs(ids)
	}
	return fmt.Sprintf("%s and %d more", IDs(ids[:most]), len(ids)-most)
}
