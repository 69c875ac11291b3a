//go:build unix

package git_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl"
)

// A ledger is what the program has acknowledged, kept outside of all boards. A task is
// known by its key, a label that it was added with: numbers change, keys do not.
type ledger struct {
	sync.Mutex
	round int
	count int                // of all that was acknowledged
	mixed bool               // the clones meet in the middle of a round, too
	tasks map[string]*entry  // by key
	edges map[[2]string]bool // {waits, for}; false: somebody took it away

	mentions  int            // of numbers in texts
	late      int            // those with a number that the task no longer has
	completed map[string]int // how often tasks were done by who had a claim that the remote confirmed
}

// An entry is what the ledger has of a task. Only texts count as a change that keeps a
// task which another clone deletes: others may have been taken back since.
type entry struct {
	key     string
	order   int               // edges only go from younger to older tasks, so that no cycle closes
	notes   map[string]string // what was noted, and who did
	deleted map[string]int    // who deleted it, and in which round
	changed map[string]int    // who changed its texts, and in which round
	done    bool              // somebody completed it
	open    bool              // somebody reopened it, or gave it a child
	dead    bool              // it was gone after a meeting
}

func newLedger() *ledger {
	return &ledger{tasks: map[string]*entry{}, edges: map[[2]string]bool{}, completed: map[string]int{}}
}

// added records a task with its edges, and returns nothing that the board decides.
func (l *ledger) added(key string, blockers []string, parent string) {
	l.Lock()
	defer l.Unlock()
	l.count++
	l.tasks[key] = &entry{
		key: key, order: len(l.tasks), notes: map[string]string{}, deleted: map[string]int{}, changed: map[string]int{},
	}
	for _, b := range blockers {
		l.edges[[2]string{key, b}] = true
	}
	if e := l.tasks[parent]; e != nil {
		e.open = true
	}
}

// wrote records a change to a task.
func (l *ledger) wrote(key string, change func(e *entry)) {
	l.Lock()
	defer l.Unlock()
	l.count++
	change(l.tasks[key])
}

// linked records an edge that was added or removed.
func (l *ledger) linked(key, blocker string, added bool) {
	l.Lock()
	defer l.Unlock()
	l.count++
	edge := [2]string{key, blocker}
	if had, known := l.edges[edge]; !known || had {
		l.edges[edge] = added // what was ever taken away is nobody's promise
	}
}

// older reports whether a task was added before another one.
func (l *ledger) older(a, b string) bool {
	l.Lock()
	defer l.Unlock()
	x, y := l.tasks[a], l.tasks[b]
	return x != nil && y != nil && x.order < y.order
}

// has reports whether the task was added and acknowledged.
func (l *ledger) has(key string) bool {
	l.Lock()
	defer l.Unlock()
	return l.tasks[key] != nil
}

// key is the label by which a task is known.
func key(t *pawl.Task) string {
	for _, label := range t.Labels {
		if strings.HasPrefix(label, "k-") {
			return label
		}
	}
	return ""
}

// mention is a reference in a text that the other side of a meeting must understand.
var mention = regexp.MustCompile(`#(\d+) \[(k-[a-z0-9-]+)\]`)

// check compares a board on which all clones agree with what they were promised.
func (l *ledger) check(c *clone) {
	c.Helper()
	tasks := c.tasks()
	byKey := map[string]pawl.Task{}
	for _, id := range slices.Sorted(maps.Keys(tasks)) {
		task := tasks[id]
		k := key(&task)
		if other, twice := byKey[k]; twice {
			c.Errorf("%s is there twice, as %v and %v", k, other.ID, task.ID)
		}
		byKey[k] = task
	}
	for _, k := range slices.Sorted(maps.Keys(l.tasks)) {
		task, there := byKey[k]
		l.checkTask(c, l.tasks[k], task, there)
	}
	for edge, wanted := range l.edges {
		a, b := byKey[edge[0]], byKey[edge[1]]
		settled := a.ID == 0 || b.ID == 0 || l.tasks[edge[0]].done || l.tasks[edge[1]].done ||
			len(l.tasks[edge[0]].deleted)+len(l.tasks[edge[1]].deleted) > 0
		if wanted && !settled && !slices.Contains(a.BlockedBy, b.ID) {
			c.Errorf("%s (%v) no longer waits for %s (%v): %v", edge[0], a.ID, edge[1], b.ID, a.BlockedBy)
		}
	}
	for _, task := range tasks {
		l.checkTexts(c, task, byKey)
		l.checkEdges(c, task, tasks)
	}
}

func (l *ledger) checkTask(c *clone, e *entry, task pawl.Task, there bool) {
	c.Helper()
	kept := len(e.deleted) == 0
	for who, round := range e.deleted { // a change by somebody else in the same round keeps it
		for other, when := range e.changed {
			kept = kept || other != who && round == l.round && when == l.round && e.deleted[other] != l.round
		}
	}
	switch {
	case !there && kept && !e.dead && !(l.mixed && len(e.deleted) > 0): // who deleted it may have seen the change
		c.Errorf("%s is lost", e.key)
	case there && e.dead:
		c.Errorf("%s is back as %v, although it was deleted", e.key, task.ID)
	case !there:
		e.dead = true
		return
	}
	texts := map[string]int{}
	for _, n := range task.Notes {
		texts[strings.Fields(n.Text)[0]]++
	}
	for note, who := range e.notes {
		if _, gone := e.deleted[who]; gone && texts[note] == 0 {
			continue // it went with the task, which somebody else has kept
		}
		if texts[note] != 1 {
			c.Errorf("%s (%v) has the note %s %d times: %v", e.key, task.ID, note, texts[note], task.Notes)
		}
	}
	if e.done && !e.open && len(e.deleted) == 0 && task.Status != pawl.Completed && !(l.mixed && yielded(task)) {
		c.Errorf("%s (%v) was completed, and is %v", e.key, task.ID, task.Status)
	}
}

// yielded reports whether a completion of this task was second, and became a note. The
// note names who did it only if the task had an owner.
func yielded(task pawl.Task) bool {
	return slices.ContainsFunc(task.Notes, func(n pawl.Note) bool { return strings.HasPrefix(n.Text, "Also completed ") })
}

// checkTexts checks that each number in a text is that of the task it was written of.
func (l *ledger) checkTexts(c *clone, task pawl.Task, byKey map[string]pawl.Task) {
	c.Helper()
	texts := []string{task.Description}
	for _, n := range task.Notes {
		texts = append(texts, n.Text)
	}
	for _, text := range texts {
		for _, m := range mention.FindAllStringSubmatch(text, -1) {
			meant, there := byKey[m[2]]
			l.mentions++
			if l.mixed && slices.ContainsFunc(meant.Was, func(id pawl.ID) bool { return fmt.Sprint(int64(id)) == m[1] }) {
				l.late++ // it was moved after its number was read, and before it was written: nobody can know
			} else if there && fmt.Sprint(int64(meant.ID)) != m[1] {
				c.Errorf("a text of %v means %s, which is %v, and says #%s", task.ID, m[2], meant.ID, m[1])
			}
		}
	}
}

// checkEdges checks that both ends of an edge know of it, and that nothing waits for
// what is done.
func (l *ledger) checkEdges(c *clone, task pawl.Task, tasks map[pawl.ID]pawl.Task) {
	c.Helper()
	for _, id := range task.BlockedBy {
		if b, there := tasks[id]; !there || !slices.Contains(b.Blocks, task.ID) {
			c.Errorf("%v waits for %v, which does not know", task.ID, id)
		}
	}
	for _, id := range task.Blocks {
		if b, there := tasks[id]; !there || b.Status != pawl.Completed && task.Status != pawl.Completed && !slices.Contains(b.BlockedBy, task.ID) {
			c.Errorf("%v blocks %v, which does not know", task.ID, id)
		}
	}
}
