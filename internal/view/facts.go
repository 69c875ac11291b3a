package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Facts are what is said about tasks beside what they say themselves.
type Facts struct {
	Now      time.Time
	Zone     *time.Location  // of who looks; nil: a program
	Name     string          // who looks
	Unblocks map[pawl.ID]int // open tasks that wait for a ready one, through others too
}

// Clock spells moments for who looks.
func (f *Facts) Clock() Clock { return Clock{f.Now, f.Zone} }

// LoadFacts reads what is said about tasks to the one called name.
func LoadFacts(r pawl.Reader, name string, tasks []pawl.Task) (*Facts, error) {
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

// Remark says in a few words what matters about a task in its state: who is at
// it and for how long, what it waits for, what waits for it.
func (f *Facts) Remark(t *pawl.Task) string {
	words := f.state(t)
	if unblocks := f.unblocks(t.ID); unblocks != "" {
		words = append(words, unblocks)
	}
	return strings.Join(append(words, waits(t, t.BlockedBy)...), ", ")
}

// unblocks says how many tasks wait for a ready one.
func (f *Facts) unblocks(id pawl.ID) string {
	switch n := f.Unblocks[id]; {
	case n > mostUnblocked:
		return fmt.Sprintf("unblocks %d+", mostUnblocked)
	case n > 0:
		return fmt.Sprintf("unblocks %d", n)
	}
	return ""
}

// GraphRemark is Remark where edges are drawn: it does not repeat them. Where
// they are not, it says what the task comes after.
func (f *Facts) GraphRemark(n *GraphNode, after ...pawl.ID) string {
	if n.State == Missing {
		return "missing"
	}
	t := &n.Task
	words := f.state(t)
	if len(after) > 0 {
		words = append(words, "after "+fewIDs(after))
	}
	return strings.Join(append(words, waits(t, n.Undrawn)...), ", ")
}

// state says what there is to say about the state alone.
func (f *Facts) state(t *pawl.Task) []string {
	var words []string
	switch StateOf(t, f.Name) {
	case Damaged:
		return []string{"damaged: " + text.Line(t.Damage)}
	case Done:
		if t.CompletedAt.IsZero() {
			return nil
		}
		return []string{text.Ago(f.Now, t.CompletedAt)}
	case Working:
		words = f.atWork(t)
	}
	if t.Hold != nil {
		words = append(words, "held: "+text.Line(t.Hold.Reason))
	}
	return words
}

// atWork says who is at a task and for how long.
func (f *Facts) atWork(t *pawl.Task) []string {
	var words []string
	if t.Owner != "" {
		words = append(words, text.Line(t.Owner))
	}
	if !t.StartedAt.IsZero() {
		words = append(words, text.Age(f.Now.Sub(t.StartedAt)))
	}
	return words
}

// waits says what keeps a task from being taken by anybody: blockers, children,
// an owner.
func waits(t *pawl.Task, blockers []pawl.ID) []string {
	if !t.Open() || t.Damage != "" {
		return nil
	}
	var words []string
	if len(blockers) > 0 {
		words = append(words, "waits for "+fewIDs(blockers))
	}
	if len(t.Children) > 0 {
		words = append(words, fmt.Sprintf("%d/%d done", len(t.Children)-t.OpenChildren, len(t.Children)))
	}
	if t.Status == pawl.Pending && t.Owner != "" {
		words = append(words, "for "+text.Line(t.Owner))
	}
	return words
}

// fewIDs names the first three and counts the others.
func fewIDs(ids []pawl.ID) string {
	const most = 3
	if len(ids) <= most+1 {
		return IDs(ids)
	}
	return fmt.Sprintf("%s and %d more", IDs(ids[:most]), len(ids)-most)
}
