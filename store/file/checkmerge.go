package file

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl"
)

// An identity tells tasks apart whatever their numbers.
type identity struct {
	first   pawl.ID // the number that it was made with
	made    int64
	subject string
}

func (e *entry) identity() identity {
	is := identity{e.id, e.createdAt, e.subject}
	if len(e.was) > 0 {
		is.first = e.was[0]
	}
	return is
}

// twice finds tasks that are here under two numbers: one of them has come back with a
// branch that is older than the merge which moved the task. Two that a bulk creation on
// two clones made at one moment are not one task, and differ in what they are called.
func (c *checkup) twice() {
	all := map[identity][]*entry{}
	for _, e := range c.entries {
		if e.createdAt != 0 && e.damage == "" {
			all[e.identity()] = append(all[e.identity()], e)
		}
	}
	for _, e := range c.entries { // in the order of numbers
		same := all[e.identity()]
		if len(same) < 2 || same[0] != e || e.createdAt == 0 || e.damage != "" {
			continue
		}
		newest := slices.MaxFunc(same, func(a, b *entry) int { return len(a.was) - len(b.was) })
		for _, old := range same {
			if old == newest {
				continue
			}
			p := pawl.Problem{
				Kind: "twice", IDs: []pawl.ID{old.id, newest.id}, File: taskName(old.id),
				Text: fmt.Sprintf("%s and %s are one task, %q", old.id, newest.id, old.subject),
				Mend: fmt.Sprintf("take over into %s what only %s has, then delete %s", newest.id, old.id, old.id),
			}
			if slices.Contains(newest.was, old.id) {
				p.Kind = "ghost"
				p.Text = fmt.Sprintf("%s has become %s; its file has come back from a branch that did not know", old.id, newest.id)
			}
			c.add(p)
		}
	}
}

// numbers finds numbers that tasks had and that would be given again, where another
// program counts on from the highest file.
func (c *checkup) numbers(mark pawl.ID) {
	highest := mark
	for _, e := range c.entries {
		highest = max(highest, e.id)
	}
	for _, e := range c.entries {
		for _, id := range e.was {
			if id > highest {
				c.add(pawl.Problem{
					Kind: "counter", IDs: []pawl.ID{e.id}, File: taskName(e.id),
					Text: fmt.Sprintf("%s was %s once, and %s does not say that this number was given", e.id, id, waterName),
					Mend: fmt.Sprintf("write %d into %s", id, waterName),
				})
			}
		}
	}
}
