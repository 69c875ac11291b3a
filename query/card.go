package query

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// A Card is a task on the board.
type Card struct {
	Task    pawl.Task `json:"task"` // in brief; one in progress with what is being done; one that has a failed check with checks and evidence
	State   State     `json:"state"`
	WaitFor []Waited  `json:"waitFor,omitempty"` // the first few of the open tasks that keep it from being taken: blockers, then children, each by id
	Waits   int       `json:"waits,omitempty"`   // how many they are in all
	Notes   int       `json:"notes,omitempty"`   // how many notes one in progress has
}

// Waited is a task that another one waits for.
type Waited struct {
	Brief
	State State `json:"state"`
}

const (
	// mostWaitFor is how many of the tasks that it waits for a card names.
	mostWaitFor = 3
	// mostDoing is how many cards say what is being done: that stands in the
	// tasks' files, which are read for it.
	mostDoing = 100
	// mostFailed is how many cards have their checks and evidence: those that the reader
	// has to look at first, not all of a board on which nothing passes.
	mostFailed = 50
)

// Progress counts the task's children.
func (c *Card) Progress() (done, total int) {
	total = len(c.Task.Children)
	return total - c.Task.OpenChildren, total
}

// load reads the tasks of cards, whose texts a lane leaves out.
func load(r pawl.Reader, cards []*Card, took func(*Card, *pawl.Task)) error {
	if len(cards) == 0 {
		return nil
	}
	ids := make([]pawl.ID, len(cards))
	for i := range cards {
		ids[i] = cards[i].Task.ID
	}
	tasks, err := r.Get(ids...)
	for i := range tasks {
		took(cards[i], &tasks[i])
	}
	return err
}

// loadDoing reads what is being done, and counts what was noted about it.
func (l *Lanes) loadDoing(r pawl.Reader) error {
	var cards []*Card
	for i := range l.Cards[Doing][:min(len(l.Cards[Doing]), mostDoing)] {
		cards = append(cards, &l.Cards[Doing][i])
	}
	return load(r, cards, func(c *Card, t *pawl.Task) { c.Task.ActiveForm, c.Notes = t.ActiveForm, len(t.Notes) })
}

// loadFailed reads checks and evidence of tasks that have a failed check, so that their
// cards can name it. Completed ones come first: nobody else tells.
func (l *Lanes) loadFailed(r pawl.Reader) error {
	var cards []*Card
	for _, lane := range []Lane{Finished, Doing, Pickable, Blocked} {
		for i := range l.Cards[lane] {
			if c := &l.Cards[lane][i]; c.Task.Checked == pawl.CheckedFailed && len(cards) < mostFailed {
				cards = append(cards, c)
			}
		}
	}
	return load(r, cards, func(c *Card, t *pawl.Task) { c.Task.Checks, c.Task.Evidence = t.Checks, t.Evidence })
}

// loadWaits finds out what cards wait for.
func (l *Lanes) loadWaits(r pawl.Reader) error {
	known := map[pawl.ID]*pawl.Task{}
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			t := &l.Cards[lane][i].Task
			known[t.ID] = t
		}
	}
	nodes := map[pawl.ID]pawl.Node{} // of children that the query does not choose
	var ask []pawl.ID
	for i := range l.Cards[Blocked] {
		for _, id := range l.Cards[Blocked][i].children() {
			if known[id] == nil {
				ask = append(ask, id)
			}
		}
	}
	if err := learn(r, ask, nodes); err != nil {
		return err
	}
	open := func(id pawl.ID) bool {
		if t := known[id]; t != nil {
			return t.Open() || t.Damage != ""
		}
		n := nodes[id]
		return n.Open() || n.Damaged
	}
	ask = nil
	for i := range l.Cards[Blocked] {
		c := &l.Cards[Blocked][i]
		c.Waits = len(c.Task.BlockedBy) + c.Task.OpenChildren
		first := slices.Clone(c.Task.BlockedBy[:min(len(c.Task.BlockedBy), mostWaitFor)])
		for _, id := range c.children() {
			switch twice := slices.Contains(c.Task.BlockedBy, id); {
			case twice && open(id):
				c.Waits--
			case !twice && len(first) < mostWaitFor && open(id):
				first = append(first, id)
			}
		}
		for _, id := range first {
			c.WaitFor = append(c.WaitFor, Waited{Brief: Brief{ID: id}})
			if known[id] == nil {
				ask = append(ask, id)
			}
		}
	}
	slices.Sort(ask)
	others, _, err := present(r, slices.Compact(ask))
	for i := range others {
		known[others[i].ID] = &others[i]
	}
	for i := range l.Cards[Blocked] {
		for k := range l.Cards[Blocked][i].WaitFor {
			w := &l.Cards[Blocked][i].WaitFor[k]
			if t := known[w.ID]; t != nil {
				w.Subject, w.State = t.Subject, StateOf(t, l.Name)
			} else {
				w.State = Missing
			}
		}
	}
	return err
}

// children are those among which open ones are.
func (c *Card) children() []pawl.ID {
	if c.Task.OpenChildren == 0 {
		return nil
	}
	return c.Task.Children
}
