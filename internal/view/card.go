package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Card is a task on the board.
type Card struct {
	Task    pawl.Task // in brief; one in progress with what is being done
	State   State
	WaitFor []Waited // the first few of the open tasks that keep it from being taken: blockers, then children, each by id
	Waits   int      // how many they are in all
	Notes   int      // how many notes one in progress has
}

// Waited is a task that another one waits for.
type Waited struct {
	Brief
	State State
}

const (
	// mostWaitFor is how many of the tasks that it waits for a card names.
	mostWaitFor = 3
	// mostDoing is how many cards say what is being done: that stands in the
	// tasks' files, which are read for it.
	mostDoing = 100
)

// Why says what keeps the task from being taken, or why who has it should stop,
// in a few words, and is empty where nothing does.
//
//	waits for #7 Parse config (+2)
//	held: the key is missing
//	for ada
func (c *Card) Why() string {
	switch c.State {
	case Damaged:
		return "damaged: " + text.Line(c.Task.Damage)
	case Held, Working:
		if c.Task.Hold != nil {
			return "held: " + text.Line(c.Task.Hold.Reason)
		}
	case Waiting:
		return c.waits()
	case Taken:
		return "for " + text.Line(c.Task.Owner)
	}
	return ""
}

func (c *Card) waits() string {
	if len(c.WaitFor) == 0 {
		return ""
	}
	first := c.WaitFor[0]
	words := "waits for " + Name(&pawl.Task{ID: first.ID, Subject: first.Subject})
	if first.State == Missing {
		words += " (missing)"
	}
	if more := c.Waits - 1; more > 0 {
		words += fmt.Sprintf(" (+%d)", more)
	}
	return words
}

// Doing says what is being done: "Extracting JWT".
func (c *Card) Doing() string {
	if c.State != Working {
		return ""
	}
	return text.Line(c.Task.ActiveForm)
}

// Who says who has the task and for how long, or how long ago it was done; of a
// claim that may end soon, how long ago its owner was seen; and how many notes
// there are.
//
//	ada, 3 min, 2 notes
//	ada, 14 min, seen 11 min ago, 4 min left
//	26 h ago
func (c *Card) Who(f *Facts) string {
	t := &c.Task
	switch c.State {
	case Done:
		return strings.Join(f.state(t), ", ")
	case Working:
		words := f.atWork(t)
		if sign := t.Claim.LastSign(); !sign.IsZero() && f.Now.Sub(sign) > t.Claim.Lease/2 {
			words = append(words, seen(t.Claim, f.Now)...)
		}
		if c.Notes > 0 {
			words = append(words, text.Count(c.Notes, "note", "notes"))
		}
		return strings.Join(words, ", ")
	case Waiting, Held:
		if t.Owner != "" {
			return "for " + text.Line(t.Owner)
		}
	}
	return ""
}

// Unblocks says how many tasks wait for this one: "unblocks 5".
func (c *Card) Unblocks(f *Facts) string { return f.unblocks(c.Task.ID) }

// Progress counts the task's children.
func (c *Card) Progress() (done, total int) {
	total = len(c.Task.Children)
	return total - c.Task.OpenChildren, total
}

// Priority says how urgent the task itself is: high, low, or nothing.
func (c *Card) Priority() string { return Priority(&c.Task) }

// Priority is what is said of a task's priority. Medium, and what it was before
// the task was done, is nothing to talk of.
func Priority(t *pawl.Task) string {
	if t.Priority == pawl.Medium || !t.Open() {
		return ""
	}
	return t.Priority.String()
}

// loadDoing reads what is being done, and counts what was noted about it.
func (l *Lanes) loadDoing(r pawl.Reader) error {
	cards := l.Cards[Doing]
	cards = cards[:min(len(cards), mostDoing)]
	if len(cards) == 0 {
		return nil
	}
	ids := make([]pawl.ID, len(cards))
	for i := range cards {
		ids[i] = cards[i].Task.ID
	}
	tasks, err := r.Get(ids...)
	for i := range tasks {
		cards[i].Task.ActiveForm, cards[i].Notes = tasks[i].ActiveForm, len(tasks[i].Notes)
	}
	return err
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
	others, _, err := Present(r, slices.Compact(ask))
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
