package query

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Subjects are what tasks are called, by id.
type Subjects map[pawl.ID]string

// loadSubjects finds what the tasks of some change sets are called: as the latest
// of the sets says that does, else as the board has it now. A task without a
// subject there has only its number.
func loadSubjects(r pawl.Reader, sets ...pawl.ChangeSet) (Subjects, error) {
	names := Subjects{}
	return names, names.load(r, sets...)
}

// load adds what [loadSubjects] finds to what is known already, which is not
// asked for again.
func (s Subjects) load(r pawl.Reader, sets ...pawl.ChangeSet) error {
	wanted := s.learnSets(sets)
	tasks, _, err := present(r, slices.Collect(maps.Keys(wanted)))
	s.take(wanted, tasks)
	return err
}

// learnSets takes what the sets tell, and returns the changes of tasks that they
// do not name. A number that several tasks had is called only what each set itself says.
func (s Subjects) learnSets(sets []pawl.ChangeSet) map[pawl.ID]pawl.Change {
	created, several := map[pawl.ID]pawl.Change{}, map[pawl.ID]bool{}
	inOrder := slices.SortedFunc(slices.Values(sets), func(a, b pawl.ChangeSet) int { return cmp.Compare(a.Revision, b.Revision) })
	for i := range inOrder {
		if inOrder[i].Bulk {
			continue // too many to open each
		}
		s.Learn(&inOrder[i])
		for _, c := range inOrder[i].Changes {
			was, ok := created[c.ID]
			if ok && !was.CreatedAt.IsZero() && !was.CreatedAt.Equal(c.CreatedAt) {
				several[c.ID] = true
			}
			created[c.ID] = c
		}
		for _, id := range inOrder[i].Ready {
			if _, ok := created[id]; !ok {
				created[id] = pawl.Change{ID: id}
			}
		}
	}
	maps.DeleteFunc(s, func(id pawl.ID, _ string) bool { return several[id] })
	maps.DeleteFunc(created, func(id pawl.ID, _ pawl.Change) bool { _, known := s[id]; return known || several[id] })
	return created
}

// take takes the subjects of those tasks that are wanted, and from wanted what it
// has looked at.
func (s Subjects) take(wanted map[pawl.ID]pawl.Change, tasks []pawl.Task) {
	for i := range tasks {
		t := &tasks[i]
		c, ok := wanted[t.ID]
		if !ok {
			continue
		}
		if then := c.CreatedAt; then.IsZero() || then.Equal(t.CreatedAt) { // else it is another task by now
			s[t.ID] = t.Subject
		}
		delete(wanted, t.ID)
	}
}

// Learn takes the subjects that a set tells.
func (s Subjects) Learn(set *pawl.ChangeSet) {
	for _, c := range set.Changes {
		for _, t := range []*pawl.Task{c.Before, c.After} {
			if t != nil && t.Subject != "" {
				s[c.ID] = t.Subject
			}
		}
	}
}

// At returns the subjects of tasks for showing a set: as the set has them, because
// they may have changed since.
func (s Subjects) At(set *pawl.ChangeSet) Subjects {
	then := maps.Clone(s)
	if then == nil {
		then = Subjects{}
	}
	then.Learn(set)
	return then
}

// Brief is a task by name.
type Brief struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line; empty if it is no longer known
}
