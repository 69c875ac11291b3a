package query

import (
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
)

// Facts are what follows for tasks from the rest of the board.
type Facts struct {
	Now      time.Time       `json:"now"`
	Zone     *time.Location  `json:"-"`                  // of who looks; nil: a program
	Name     string          `json:"name"`               // who looks
	Unblocks map[pawl.ID]int `json:"unblocks,omitempty"` // open tasks that wait for a ready one, through others too
	Shared   *share.Status   `json:"shared,omitempty"`   // how the board is shared; nil: it is not
}

// loadFacts reads the facts of tasks, as the one called name sees them.
func loadFacts(r pawl.Reader, name string, tasks []pawl.Task) (*Facts, error) {
	f := &Facts{Now: r.Now(), Name: name, Unblocks: map[pawl.ID]int{}}
	w := newWaiting(r, tasks)
	for i := range tasks {
		t := &tasks[i]
		if StateOf(t, name) != Ready {
			continue
		}
		n, err := w.count(t)
		if err != nil {
			return nil, err
		}
		f.Unblocks[t.ID] = n
	}
	return f, nil
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
